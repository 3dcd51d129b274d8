# usage: script/test-windows.ps1 [VERSION]        e.g. script/test-windows.ps1 4.4.3
#
# On Windows, with Chocolatey: installs Wireshark of that version (the newest), installs the plugin from the archive in archives/ with install.ps1,
# and tshark has to dissect a capture as packaging/expected.txt says.
# SPDX-License-Identifier: GPL-2.0-or-later
param([string]$Version = 'newest')
$ErrorActionPreference = 'Stop'
$root = Split-Path $PSScriptRoot
$wanted = if ($Version -ne 'newest') { '--version', $Version }
choco install wireshark -y --no-progress @wanted
if ($LASTEXITCODE) { throw 'Wireshark was not installed.' }
$archive = Get-ChildItem "$root\archives\*-windows-*.zip" | Select-Object -First 1
$sum = ((Get-Content "$archive.sha256") -split ' ')[0]
if ((Get-FileHash $archive).Hash -ne $sum) { throw "The sum of $archive is wrong." }
Expand-Archive $archive "$root\archives\unpacked"
$folder = (Get-ChildItem "$root\archives\unpacked")[0].FullName
& "$folder\install.ps1"
if ($LASTEXITCODE) { throw 'It was not installed.' }
& "$folder\install.ps1" -Check
if ($LASTEXITCODE) { throw 'Something is wrong.' }
$tshark = "$env:ProgramFiles\Wireshark\tshark.exe"
$fields = 'frame.number', 'enet.channel', 'godot.path', 'godot.rpc.method_id', 'godot.variant.string', 'godot.variant.int'
$options = $fields | ForEach-Object { '-e'; $_ }
$seen = & $tshark -n -r "$folder\captures\godot-4.6-enet-game.pcap" -Y godot.rpc.method_id -T fields @options |
    Select-Object -First 200
$expected = Get-Content "$root\packaging\expected.txt"
$difference = Compare-Object $expected $seen
if ($difference) { $difference | Format-Table; throw 'The dissection differs from packaging\expected.txt.' }
Write-Output "$($seen.Count) packets dissected as expected"
& "$folder\install.ps1" -Uninstall
if ($LASTEXITCODE) { throw 'It was not removed.' }
if (& $tshark -G plugins | Select-String '^godot') { throw 'The plugin is still there.' }
Remove-Item -Recurse "$root\archives\unpacked"
