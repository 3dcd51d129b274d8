@echo off
rem To double-click: runs install.ps1 and keeps the window open, so that what it says can be read.
rem SPDX-License-Identifier: GPL-2.0-or-later
powershell -NoProfile -ExecutionPolicy Bypass -File "%~dp0install.ps1" %*
set result=%errorlevel%
pause
exit /b %result%
