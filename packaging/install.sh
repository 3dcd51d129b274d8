#!/bin/sh
# usage: sh install.sh [--check | --uninstall] [TSHARK]
#
# Installs Wireshark's plugin for Godot from this folder: modules, the profile "Godot" and sample captures. For you or,
# as root, for everybody. --check says what is installed and what is wrong; --uninstall removes everything again.
# TSHARK: the tshark of the Wireshark that is meant, if it is not the first one found.
# SPDX-License-Identifier: GPL-2.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
action=install
case ${1:-} in
    --check | --uninstall) action=${1#--} && shift ;;
    -*) sed -n '2,7s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac

say() { printf '%s\n' "$*"; }
die() { printf '%s\n' "$*" >&2 && exit 1; }

# --- which Wireshark, and where does it look? ------------------------------------------------------

application=/Applications/Wireshark.app/Contents/MacOS
tshark=${1:-$(PATH=$PATH:$application command -v tshark || true)}
[ -n "$tshark" ] || die "No tshark was found. Install Wireshark with its command-line tools (Debian, Ubuntu and Fedora: \
the package tshark or wireshark-cli), or give the path of the tshark that belongs to your Wireshark."
version=$("$tshark" --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9]*[.][0-9]*[.][0-9]*\).*/\1/p')
[ -n "$version" ] || die "$tshark cannot be run, or is no tshark."
series=$(echo "$version" | cut -d. -f1,2)
folders=$("$tshark" -G folders 2>/dev/null)
folder() { echo "$folders" | sed -n "s/^$1:[[:space:]]*//p" | head -n 1; }
personal=$(folder 'Personal Plugins')
global=$(folder 'Global Plugins')
if [ "$(id -u)" = 0 ]; then
    plugins=$global configuration=$(folder 'Global configuration')
else
    plugins=$personal configuration=$(folder 'Personal configuration')
fi
if [ -z "$plugins" ] || [ -z "$configuration" ]; then
    die "$tshark does not say where its plugins and settings are."
fi
profile=$configuration/profiles/Godot
captures=$configuration/godot-captures
modules="epan/godot.so wiretap/godot-store.so"

remove() {
    for module in $modules; do
        rm -f "$1/$module"
    done
}

listed() { "$tshark" -G plugins 2>&1 | grep '^godot\.so' || true; }

# --- what is wrong? --------------------------------------------------------------------------------

check() {
    wrong=0
    complain() { say "! $*" && wrong=1; }
    say "Wireshark $version ($tshark)"
    for other in "${personal%/*}"/*/epan/godot.so "${global%/*}"/*/epan/godot.so; do
        [ -e "$other" ] || continue
        of=$(basename "$(dirname "$(dirname "$other")")")
        case $other in
            "$personal"/* | "$global"/*) say "  plugin: $other" ;;
            *) complain "$other is for Wireshark $(echo "$of" | tr - .); this is $version, which does not look there." ;;
        esac
    done
    if [ -e "$personal/epan/godot.so" ] && [ -e "$global/epan/godot.so" ]; then
        complain "There are two copies. Wireshark uses the one for everybody and warns about yours. Remove one:" \
            "sh install.sh --uninstall removes yours."
    elif [ "$(id -u)" = 0 ] && [ -e "$personal/epan/godot.so" ]; then
        complain "Wireshark ignores personal plugins when it runs as root. Run it as yourself; for capturing that takes" \
            "membership of the group wireshark."
    fi
    [ -z "${WIRESHARK_PLUGIN_DIR:-}" ] ||
        complain "WIRESHARK_PLUGIN_DIR is set: the plugins for everybody are looked for in $WIRESHARK_PLUGIN_DIR only."
    if [ -n "$(listed)" ]; then
        say "  loaded: yes"
    elif [ ! -e "$personal/epan/godot.so" ] && [ ! -e "$global/epan/godot.so" ]; then
        complain "The plugin for Wireshark $series is not installed: neither in $personal nor in $global."
    else
        complain "Wireshark does not load the plugin. What it says:"
        said=$("$tshark" -G plugins 2>&1 >/dev/null | grep -i godot || true)
        say "    ${said:-nothing}"
    fi
    if [ -d "$profile" ]; then say "  profile: $profile"; else say "  profile: not installed"; fi
    return $wrong
}

# --- install, uninstall ----------------------------------------------------------------------------

# remove_ours FROM FOLDER: removes the files of FOLDER that are as FROM has them, and FOLDER if nothing is left but what
# Wireshark writes into profiles by itself. What somebody changed or added stays.
remove_ours() {
    for file in "$1"/*; do
        ! cmp -s "$file" "$2/${file##*/}" || rm -f "$2/${file##*/}"
    done
    if [ -d "$2" ] && [ -z "$(find "$2" -type f ! -name recent)" ]; then
        rm -rf "$2"
    fi
}

# A module of a package is the package manager's to replace and to remove.
of_a_package() {
    if command -v dpkg >/dev/null; then
        dpkg -S "$1" >/dev/null 2>&1
    else # where there is a dpkg, rpm would make a database of its own in the home directory
        rpm -qf "$1" >/dev/null 2>&1
    fi
}

uninstall() {
    remove "$plugins"
    remove_ours "$here/profiles/Godot" "$profile"
    remove_ours "$here/captures" "$captures"
    say "Removed Wireshark's plugin for Godot from $plugins, its profile and its captures."
}

install_all() {
    built=$here/plugins/$series
    [ -d "$built" ] || die "This is the plugin for Wireshark $(cd "$here/plugins" && echo *), and yours is $version. \
A plugin fits one series only: get the archive for $series, or install a Wireshark that fits."
    [ "$(id -u)" = 0 ] || [ ! -e "$global/epan/godot.so" ] || die "A copy for everybody is in $global already. Wireshark \
would use that one and ignore yours. Remove it first (as root: sh install.sh --uninstall, or the package)."
    remove "$plugins"
    for module in $modules; do
        [ -f "$built/$module" ] || continue
        mkdir -p "$plugins/${module%/*}"
        cp "$built/$module" "$plugins/$module"
    done
    mkdir -p "$configuration/profiles"
    [ -d "$profile" ] || cp -R "$here/profiles/Godot" "$profile" # Wireshark writes into profiles: kept as it is
    mkdir -p "$captures"
    cp "$here"/captures/* "$captures/"
    if [ "$(uname)" = Darwin ]; then # what a browser downloaded is neither loaded nor run otherwise
        xattr -dr com.apple.quarantine "$plugins" "$here" 2>/dev/null || true
    fi
    if [ -z "$(listed)" ]; then
        check || true
        die "The files are in place, but Wireshark $version does not load the plugin."
    fi
    say "Installed for Wireshark $version in $plugins."
    say "Start Wireshark, choose the profile Godot (at the right end of the status bar) and open a capture from $captures."
}

if [ "$action" != check ] && [ -e "$plugins/epan/godot.so" ] && of_a_package "$plugins/epan/godot.so"; then
    die "$plugins/epan/godot.so belongs to a package: use the package manager."
fi
case $action in
    check) check ;;
    uninstall) uninstall ;;
    install) install_all ;;
esac
