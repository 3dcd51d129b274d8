<#
.SYNOPSIS
Installs Wireshark's plugin for Godot from this folder for the current user: modules, the profile "Godot", captures.
.DESCRIPTION
  powershell -ExecutionPolicy Bypass -File install.ps1 [-Wireshark FOLDER] [-Check | -Uninstall]
Without -Wireshark the installed Wireshark is taken; for a portable one give its folder (WiresharkPortable64).
-Check says what is installed and what is wrong; -Uninstall removes everything again.
#>
# SPDX-License-Identifier: GPL-2.0-or-later
param([string]$Wireshark, [switch]$Check, [switch]$Uninstall)
$ErrorActionPreference = 'Stop'
$modules = 'epan\godot.dll', 'wiretap\godot-store.dll'

# --- which Wireshark, and where does it look? ---

if ($Wireshark) {
    $Wireshark = (Resolve-Path $Wireshark).Path
    $candidates = $Wireshark, "$Wireshark\App\Wireshark"
} else {
    # Its installer writes where it is; ProgramW6432 is right in 32-bit PowerShell, too.
    $registered = Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\Wireshark.exe' -ErrorAction SilentlyContinue
    $candidates = @($registered.Path, "$env:ProgramW6432\Wireshark", "$env:ProgramFiles\Wireshark" | Where-Object { $_ })
}
$program = $candidates | Where-Object { Test-Path "$_\tshark.exe" } | Select-Object -First 1
if (-not $program) {
    throw "No tshark.exe in $($candidates -join ' or '). Install Wireshark with TShark (it is one of the installer's choices), or give its folder with -Wireshark."
}
$tshark = "$program\tshark.exe"
if ($program -like '*\App\Wireshark') {
    # The portable program keeps the user's files beside itself.
    $env:WIRESHARK_APPDATA = Join-Path (Split-Path (Split-Path $program)) 'Data'
}
$version = (& $tshark --version | Select-Object -First 1) -replace '^[^0-9]*([0-9]+[.][0-9]+[.][0-9]+).*', '$1'
$series = ($version -split '\.')[0..1] -join '.'

# Names of folders are UTF-8 there, and PowerShell takes them for what its console has.
$encoding = [Console]::OutputEncoding
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$lines = & $tshark -G folders
[Console]::OutputEncoding = $encoding
$folders = @{}
foreach ($line in $lines) {
    $name, $path = $line -split ':\s+', 2
    if ($path -and -not $folders.ContainsKey($name)) { $folders[$name] = $path.Trim() }
}
$personal = $folders['Personal Plugins']
$everybody = $folders['Global Plugins']
$configuration = $folders['Personal configuration']
if (-not ($personal -and $everybody -and $configuration)) { throw "$tshark does not say where its plugins and settings are." }
$profileFolder = "$configuration\profiles\Godot"
$captures = "$configuration\godot-captures"

function Test-Loaded {
    [bool](& $tshark -G plugins | Select-String -Pattern '^godot\.dll')
}

# A program for 32 bits or for ARM has another number there, and does not load these modules.
function Test-Machine {
    $bytes = [IO.File]::ReadAllBytes($tshark)
    [BitConverter]::ToUInt16($bytes, [BitConverter]::ToInt32($bytes, 60) + 4) -eq 0x8664
}

function Remove-Modules {
    foreach ($module in $modules) {
        if (Test-Path "$personal\$module") { Remove-Item "$personal\$module" }
    }
}

# Removes the files of a folder that are as ours, and the folder if nothing is left but what Wireshark writes into
# profiles by itself. What somebody changed or added stays.
function Remove-Ours($From, $Folder) {
    foreach ($file in (Get-ChildItem -File $From)) {
        $copy = Join-Path $Folder $file.Name
        if ((Test-Path $copy) -and (Get-FileHash $copy).Hash -eq (Get-FileHash $file.FullName).Hash) { Remove-Item $copy }
    }
    if ((Test-Path $Folder) -and -not (Get-ChildItem -File -Recurse $Folder -Exclude 'recent')) { Remove-Item -Recurse $Folder }
}

# --- what is wrong? ---

function Show-State {
    Write-Output "Wireshark $version ($program)"
    foreach ($folder in (Split-Path $personal), (Split-Path $everybody)) {
        foreach ($module in (Get-ChildItem "$folder\*\epan\godot.dll" -ErrorAction SilentlyContinue)) {
            $of = $module.Directory.Parent.Name
            if ($of -eq $series) { Write-Output "  plugin: $($module.FullName)" }
            else { Write-Output "! $($module.FullName) is for Wireshark $of; this is $version, which does not look there." }
        }
    }
    if ((Test-Path "$personal\epan\godot.dll") -and (Test-Path "$everybody\epan\godot.dll")) {
        Write-Output "! There are two copies. Wireshark uses the one in $everybody. Remove the other."
    }
    if (Test-Loaded) { Write-Output '  loaded: yes' }
    else { Write-Output '! Wireshark does not load the plugin. Start it from a command line with --log-level=info to see why.' }
    if (Test-Path $profileFolder) { Write-Output "  profile: $profileFolder" } else { Write-Output '  profile: not installed' }
}

# --- install, uninstall ---

if ($Check) {
    Show-State
    return
}
if ('Wireshark', 'tshark' | ForEach-Object { Get-Process $_ -ErrorAction SilentlyContinue }) {
    throw 'Wireshark is running. Close it first: Windows neither replaces nor removes a plugin that is in use.'
}
if ($Uninstall) {
    Remove-Modules
    Remove-Ours "$PSScriptRoot\profiles\Godot" $profileFolder
    Remove-Ours "$PSScriptRoot\captures" $captures
    Write-Output "Removed Wireshark's plugin for Godot from $personal, its profile and its captures."
    return
}
$built = "$PSScriptRoot\plugins\$series"
if (-not (Test-Path $built)) {
    $have = (Get-ChildItem "$PSScriptRoot\plugins").Name -join ', '
    throw "This is the plugin for Wireshark $have, and yours is $version. A plugin fits one series only: get the archive for $series, or install a Wireshark that fits."
}
if (-not (Test-Machine)) {
    throw "This is the plugin for 64-bit Wireshark on Intel and AMD (x64), and $tshark is another one. Install the x64 version of Wireshark."
}
if (Test-Path "$everybody\epan\godot.dll") {
    throw "There is a copy in $everybody already. Wireshark would use that one; remove it first."
}
Remove-Modules
foreach ($module in $modules) {
    if (Test-Path "$built\$module") {
        New-Item -ItemType Directory -Force (Split-Path "$personal\$module") | Out-Null
        Copy-Item "$built\$module" "$personal\$module"
        Unblock-File "$personal\$module"
    }
}
New-Item -ItemType Directory -Force $captures | Out-Null
Copy-Item "$PSScriptRoot\captures\*" $captures
if (-not (Test-Path $profileFolder)) {
    New-Item -ItemType Directory -Force (Split-Path $profileFolder) | Out-Null
    Copy-Item -Recurse "$PSScriptRoot\profiles\Godot" $profileFolder
}
if (-not (Test-Loaded)) {
    Show-State
    throw "The files are in place, but Wireshark $version does not load the plugin."
}
Write-Output "Installed for Wireshark $version in $personal."
Write-Output "Start Wireshark, choose the profile Godot (at the right end of the status bar) and open a capture from $captures."
