<#
.SYNOPSIS
Installs Wireshark's plugin for Godot from this folder for you: modules of every series, the profile "Godot", captures.
.DESCRIPTION
  powershell -ExecutionPolicy Bypass -File install.ps1 [-Enet] [-Wireshark FOLDER] [-Check | -Uninstall]
Without -Wireshark the installed Wireshark is taken; for a portable one give its folder (WiresharkPortable64).
-Check says what is installed and what is wrong; -Uninstall removes everything again. Ends with 1 if something is wrong.
-Enet: only the dissector of ENet, without Godot's, the profile and captures; with -Uninstall, only that is removed.
#>
# SPDX-License-Identifier: GPL-2.0-or-later
param([string]$Wireshark, [switch]$Enet, [switch]$Check, [switch]$Uninstall)
$ErrorActionPreference = 'Stop'
$name = 'godot'
$modules = @('epan\godot.dll', 'wiretap\godot-store.dll')
if ($Enet) {
    $name = 'enet'
    $modules = @('epan\enet.dll')
}

function Stop-Here($Text) {
    [Console]::Error.WriteLine($Text)
    exit 1
}

# --- which Wireshark, and where does it look? ---

if ($Wireshark) {
    if (-not (Test-Path -LiteralPath $Wireshark)) { Stop-Here "There is no folder $Wireshark." }
    $Wireshark = (Resolve-Path -LiteralPath $Wireshark).ProviderPath
    $candidates = $Wireshark, "$Wireshark\App\Wireshark"
} else {
    # Its installer writes where it is; ProgramW6432 is right in 32-bit PowerShell, too.
    $registered = Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\Wireshark.exe' -ErrorAction SilentlyContinue
    $candidates = @($registered.Path, "$env:ProgramW6432\Wireshark", "$env:ProgramFiles\Wireshark" | Where-Object { $_ })
}
$program = $candidates | Where-Object { Test-Path -LiteralPath "$_\tshark.exe" } | Select-Object -First 1
$folders = @{}
if ($program) {
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
    foreach ($line in $lines) {
        $kind, $path = $line -split ':\s+', 2
        if ($path -and -not $folders.ContainsKey($kind)) { $folders[$kind] = $path.Trim() }
    }
} elseif ($Uninstall -and -not $Wireshark) {
    # The folders that Wireshark uses where nobody chose others.
    $folders['Personal configuration'] = "$env:APPDATA\Wireshark"
    $folders['Personal Plugins'] = "$env:APPDATA\Wireshark\plugins\none"
    $folders['Global Plugins'] = "$env:ProgramFiles\Wireshark\plugins\none"
} else {
    Stop-Here "No tshark was found in $($candidates -join ' or '). Install Wireshark with TShark (it is one of the installer's choices), or give its folder with -Wireshark."
}
$personal = $folders['Personal Plugins']
$everybody = $folders['Global Plugins']
$configuration = $folders['Personal configuration']
if (-not ($personal -and $everybody -and $configuration)) { Stop-Here "$tshark -G folders does not list the folders of plugins and settings." }
$every = Split-Path $personal # has a folder for each series
$profileFolder = "$configuration\profiles\Godot"
$captures = "$configuration\godot-captures"
$archive = @(Get-ChildItem -LiteralPath "$PSScriptRoot\plugins" -ErrorAction SilentlyContinue | ForEach-Object Name)

function Test-Loaded {
    [bool](& $tshark -G plugins | Select-String -Pattern "^$name\.dll")
}

# A program for 32 bits or for ARM has another number there, and does not load these modules.
function Test-Machine {
    $bytes = [IO.File]::ReadAllBytes($tshark)
    [BitConverter]::ToUInt16($bytes, [BitConverter]::ToInt32($bytes, 60) + 4) -eq 0x8664
}

# The modules of every series that are in a folder of plugins.
function Get-Modules($Folder, $Names) {
    if (-not (Test-Path -LiteralPath $Folder)) { return }
    foreach ($one in (Get-ChildItem -LiteralPath $Folder -Directory)) {
        foreach ($file in $Names) {
            if (Test-Path -LiteralPath "$($one.FullName)\$file") { Get-Item -LiteralPath "$($one.FullName)\$file" }
        }
    }
}

# The folder and those it is in, as far as they are empty.
function Remove-Empty($Folder) {
    while ($Folder -ne $configuration -and (Test-Path -LiteralPath $Folder) -and -not (Get-ChildItem -LiteralPath $Folder -Force)) {
        Remove-Item -LiteralPath $Folder
        $Folder = Split-Path $Folder
    }
}

# Those of every series, and says which.
function Remove-Modules($Names) {
    foreach ($module in @(Get-Modules $every $Names)) {
        Remove-Item -LiteralPath $module.FullName
        "Removed $($module.FullName)."
        Remove-Empty $module.DirectoryName
    }
}

# Removes the files of a folder that are as ours, and the folder if nothing is left but what Wireshark writes into
# profiles by itself. What somebody changed or added stays.
function Remove-Ours($From, $Folder, $What) {
    $From = (Get-Item -LiteralPath $From).FullName # a short name such as JOHNDO~1 is none of the files'
    if (-not (Test-Path -LiteralPath $Folder)) { return }
    foreach ($file in (Get-ChildItem -LiteralPath $From -File -Recurse)) {
        $copy = $Folder + $file.FullName.Substring($From.Length)
        if ((Test-Path -LiteralPath $copy) -and
            (Get-FileHash -LiteralPath $copy).Hash -eq (Get-FileHash -LiteralPath $file.FullName).Hash) {
            Remove-Item -LiteralPath $copy
        }
    }
    if (Get-ChildItem -LiteralPath $Folder -File -Recurse | Where-Object { $_.Name -ne 'recent' }) {
        "Kept $Folder, which contains files of yours."
    } else {
        Remove-Item -LiteralPath $Folder -Recurse
        "Removed $What $Folder."
        Remove-Empty (Split-Path $Folder)
    }
}

# --- what is wrong? ---

# Writes the state, with "!" before what is wrong.
function Show-State {
    "Wireshark $version ($program)"
    $installed = (Test-Path -LiteralPath "$personal\epan\$name.dll") -or (Test-Path -LiteralPath "$everybody\epan\$name.dll")
    foreach ($folder in $every, (Split-Path $everybody)) {
        foreach ($module in @(Get-Modules $folder $modules[0])) {
            $of = $module.Directory.Parent.Name
            if ($of -eq $series) { "  plugin: $($module.FullName)" }
            elseif ($installed) { "  for Wireshark ${of}: $($module.FullName)" }
            else { "! $($module.FullName) is for Wireshark $of; this is $version, which does not look there." }
        }
    }
    if ((Test-Path -LiteralPath "$personal\epan\$name.dll") -and (Test-Path -LiteralPath "$everybody\epan\$name.dll")) {
        '! There are two copies. Wireshark uses the one for everybody and warns about yours. Remove one: -Uninstall removes yours.'
    }
    if (Test-Loaded) { '  loaded: yes' }
    elseif (-not $installed) { "! The plugin for Wireshark $series is not installed: neither in $personal nor in $everybody." }
    else { '! Wireshark does not load the plugin. Start it from a command line with --log-level=info to see why; Smart App Control blocks it without asking.' }
    if ($Enet) { return }
    if (Test-Path -LiteralPath $profileFolder) { "  profile: $profileFolder" } else { '  profile: not installed' }
}

# --- install, uninstall ---

if ($Check) {
    $state = @(Show-State)
    $state
    exit [int][bool]($state -like '!*')
}
if ('Wireshark', 'tshark' | ForEach-Object { Get-Process $_ -ErrorAction SilentlyContinue }) {
    Stop-Here 'Wireshark is running. Close it first: Windows neither replaces nor removes a plugin that is in use.'
}
if ($Uninstall) {
    $removed = @(
        Remove-Modules 'epan\enet.dll'
        if (-not $Enet) {
            Remove-Modules $modules
            Remove-Ours "$PSScriptRoot\profiles\Godot" $profileFolder 'the profile'
            Remove-Ours "$PSScriptRoot\captures" $captures 'the captures'
        }
    )
    if ($removed) { $removed } else { "Nothing is installed: neither in $every nor in $configuration." }
    exit 0
}
if ($archive -notcontains $series) {
    Stop-Here "This is the plugin for Wireshark $archive, and yours is $version. A plugin fits one series only: get the archive for $series, or install a Wireshark that fits."
}
if (-not (Test-Machine)) {
    Stop-Here "This is the plugin for 64-bit Wireshark on Intel and AMD (x64), and $tshark is another one. Install the x64 version of Wireshark."
}
if (Test-Path -LiteralPath "$everybody\epan\$name.dll") {
    Stop-Here "A copy for everybody is in $everybody already. Wireshark would use that one and ignore yours. Remove it first."
}
[void](Remove-Modules $modules)
foreach ($one in $archive) { # all of them: it is still there when Wireshark is updated to another series
    foreach ($module in $modules) {
        $from = "$PSScriptRoot\plugins\$one\$module"
        if ($Enet) { $from = "$PSScriptRoot\plugins\$one\enet\enet.dll" } # here godot.dll is in epan
        if (Test-Path -LiteralPath $from) {
            [void](New-Item -ItemType Directory -Force (Split-Path "$every\$one\$module"))
            Copy-Item -LiteralPath $from "$every\$one\$module"
            Unblock-File -LiteralPath "$every\$one\$module"
        }
    }
}
if (-not $Enet) {
    [void](New-Item -ItemType Directory -Force $captures)
    foreach ($capture in (Get-ChildItem -LiteralPath "$PSScriptRoot\captures")) {
        Copy-Item -LiteralPath $capture.FullName $captures -Recurse -Force
    }
}
if (-not $Enet -and -not (Test-Path -LiteralPath $profileFolder)) { # Wireshark writes into profiles: kept as it is
    [void](New-Item -ItemType Directory -Force (Split-Path $profileFolder))
    Copy-Item -LiteralPath "$PSScriptRoot\profiles\Godot" $profileFolder -Recurse
}
if (-not (Test-Loaded)) {
    Show-State
    Stop-Here "The files are in place, but Wireshark $version does not load the plugin."
}
"Installed for Wireshark $version in $personal."
if ($archive.Count -gt 1) { "Also for the other series of this archive: $archive." }
if ($Enet) { exit 0 }
"Start Wireshark, choose the profile Godot (at the right end of the status bar) and open a capture from $captures."
exit 0
