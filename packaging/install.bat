@echo off
rem To double-click: runs install.ps1 and keeps the window open, so that what it says can be read.
rem SPDX-License-Identifier: GPL-2.0-or-later
if not exist "%~dp0install.ps1" (
    echo Unpack the whole archive first, then run install.bat from there.
    pause
    exit /b 1
)
"%SystemRoot%\System32\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -ExecutionPolicy Bypass -File "%~dp0install.ps1" %*
set result=%errorlevel%
pause
exit /b %result%
