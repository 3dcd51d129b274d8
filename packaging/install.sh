#!/bin/sh
# usage: sh install.sh [--enet] [--check | --uninstall] [TSHARK]
#
# Installs Wireshark's plugin for Godot from this folder: modules of every series, the profile "Godot" and captures. For
# you or, as root, for everybody. --check says what is installed and what is wrong; --uninstall removes everything again.
# --enet: only the dissector of ENet, without Godot's, the profile and captures; with --uninstall, only that is removed.
# TSHARK: the tshark of the Wireshark to install for, if it is not the first one found.
# SPDX-License-Identifier: GPL-2.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '2,7s/^# \{0,1\}//p' "$0" && exit 2; }
action=install name=godot tshark=''
for word; do
    case $word in
        --enet) name=enet ;;
        --check | --uninstall) [ "$action" = install ] || usage; action=${word#--} ;;
        -*) usage ;;
        *) [ -z "$tshark" ] || usage; tshark=$word ;;
    esac
done

say() { printf '%s\n' "$*"; }
die() { printf '%s\n' "$*" >&2 && exit 1; }

# --- which Wireshark, and where does it look? ------------------------------------------------------

application=/Applications/Wireshark.app/Contents/MacOS
tshark=${tshark:-$(PATH=$PATH:$application command -v tshark || true)}
version='' series=''
if [ -n "$tshark" ]; then
    version=$("$tshark" --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9]*[.][0-9]*[.][0-9]*\).*/\1/p')
    [ -n "$version" ] || die "$tshark cannot be run, or is not tshark."
    series=$(echo "$version" | cut -d. -f1,2)
    folders=$("$tshark" -G folders 2>/dev/null)
elif [ "$action" = uninstall ]; then # the folders that Wireshark uses where nobody chose others
    folders=$(printf '%s\n' "Personal Plugins: $HOME/.local/lib/wireshark/plugins/none" \
        "Personal configuration: ${XDG_CONFIG_HOME:-$HOME/.config}/wireshark" "Global configuration: /usr/share/wireshark" \
        "Global Plugins: $(find /usr/lib /usr/lib64 /usr/local/lib -maxdepth 3 -path '*/wireshark/plugins' 2>/dev/null |
            head -n 1)/none")
else
    die "No tshark was found. Install Wireshark with its command-line tools (Debian, Ubuntu and Fedora: \
the package tshark or wireshark-cli), or give the path of the tshark that belongs to your Wireshark."
fi
folder() { echo "$folders" | sed -n "s/^$1:[[:space:]]*//p" | head -n 1; }
personal=$(folder 'Personal Plugins')
global=$(folder 'Global Plugins')
if [ "$(id -u)" = 0 ] && [ "$(uname)" = Darwin ]; then
    die "Run this as yourself, without sudo: as root it would change the application Wireshark itself."
fi
if [ "$(id -u)" = 0 ]; then
    umask 022 # everybody's, whatever root's is
    plugins=$global configuration=$(folder 'Global configuration')
else
    plugins=$personal configuration=$(folder 'Personal configuration')
fi
if [ -z "$plugins" ] || [ -z "$configuration" ]; then
    die "$tshark -G folders does not list the folders of plugins and settings."
fi
every=${plugins%/*} # has a folder for each series
profile=$configuration/profiles/Godot
captures=$configuration/godot-captures
modules="epan/godot.so wiretap/godot-store.so"
[ "$name" = godot ] || modules=epan/enet.so

# place SERIES: where the modules of a series belong; macOS has dashes for dots.
place() {
    case ${plugins##*/} in
        *-*) echo "$every/$(echo "$1" | tr . -)" ;;
        *) echo "$every/$1" ;;
    esac
}

listed() { "$tshark" -G plugins 2>&1 | grep "^$name\.so" || true; }

# --- what is wrong? --------------------------------------------------------------------------------

check() {
    wrong=0
    complain() { say "! $*" && wrong=1; }
    say "Wireshark $version ($tshark)"
    installed=''
    [ ! -e "$personal/epan/$name.so" ] && [ ! -e "$global/epan/$name.so" ] || installed=yes
    for other in "${personal%/*}"/*/epan/"$name".so "${global%/*}"/*/epan/"$name".so; do
        [ -e "$other" ] || continue
        of=$(basename "$(dirname "$(dirname "$other")")" | tr - .)
        case $other in
            "$personal"/* | "$global"/*) say "  plugin: $other" ;;
            *) if [ "$installed" ]; then say "  for Wireshark $of: $other"; else
                complain "$other is for Wireshark $of; this is $version, which does not look there."
            fi ;;
        esac
    done
    if [ -e "$personal/epan/$name.so" ] && [ -e "$global/epan/$name.so" ]; then
        complain "There are two copies. Wireshark uses the one for everybody and warns about yours. Remove one:" \
            "sh install.sh --uninstall removes yours."
    elif [ "$(id -u)" = 0 ] && [ -e "$personal/epan/$name.so" ]; then
        complain "Wireshark ignores personal plugins when it runs as root. Run it as yourself; for capturing that takes" \
            "membership of the group wireshark."
    fi
    [ -z "${WIRESHARK_PLUGIN_DIR:-}" ] ||
        complain "WIRESHARK_PLUGIN_DIR is set: the plugins for everybody are looked for in $WIRESHARK_PLUGIN_DIR only."
    if [ -n "$(listed)" ]; then
        say "  loaded: yes"
    elif [ -z "$installed" ]; then
        complain "The plugin for Wireshark $series is not installed: neither in $personal nor in $global."
    else
        complain "Wireshark does not load the plugin. Its message:"
        said=$("$tshark" -G plugins 2>&1 >/dev/null | grep -i "$name" || true)
        say "    ${said:-nothing}"
    fi
    if [ "$name" = enet ]; then return $wrong; fi
    if [ -d "$profile" ]; then say "  profile: $profile"; else say "  profile: not installed"; fi
    return $wrong
}

# --- install, uninstall ----------------------------------------------------------------------------

# Modules of a package are replaced and removed by the package manager only.
of_a_package() {
    if command -v dpkg >/dev/null; then
        dpkg -S "$1" >/dev/null 2>&1
    else # where there is a dpkg, rpm would make a database of its own in the home directory
        rpm -qf "$1" >/dev/null 2>&1
    fi
}

# remove_empty FOLDER: the folder and its parents, as far as they are empty.
remove_empty() {
    empty=$1
    while [ "$empty" != "$HOME" ] && [ -d "$empty" ] && rmdir "$empty" 2>/dev/null; do
        empty=${empty%/*}
    done
}

# remove_modules NAME: those of every series, and says which.
remove_modules() {
    for found in "$every"/*/epan/"$1".so "$every"/*/wiretap/"$1"-store.so; do
        [ -e "$found" ] || continue
        if of_a_package "$found"; then
            say "$found belongs to a package: use the package manager."
        else
            rm -f "$found"
            say "Removed $found."
            remove_empty "${found%/*}"
        fi
    done
}

# remove_ours FROM FOLDER WHAT: removes the files of FOLDER that are the same as in FROM, and FOLDER if nothing is left
# but files that Wireshark itself writes into profiles. Files that were changed or added are kept.
remove_ours() {
    [ -d "$2" ] || return 0
    (cd "$1" && find . -type f) | while read -r file; do
        ! cmp -s "$1/$file" "$2/$file" || rm -f "$2/$file"
    done
    if [ -z "$(find "$2" -type f ! -name recent)" ]; then
        rm -rf "$2"
        say "Removed $3 $2."
        remove_empty "${2%/*}"
    else
        find "$2" -type d -empty -exec rmdir {} + 2>/dev/null || true
        say "Kept $2, which contains files of yours."
    fi
}

uninstall() {
    removed=$(
        remove_modules enet
        if [ "$name" = godot ]; then
            remove_modules godot
            remove_ours "$here/profiles/Godot" "$profile" "the profile"
            remove_ours "$here/captures" "$captures" "the captures"
        fi
    )
    say "${removed:-Nothing is installed: neither in $every nor in $configuration.}"
}

install_all() {
    [ -d "$here/plugins/$series" ] || die "This is the plugin for Wireshark $(cd "$here/plugins" && echo *), and yours is $version. \
A plugin fits one series only: get the archive for $series, or install a Wireshark that fits."
    [ "$(id -u)" = 0 ] || [ ! -e "$global/epan/$name.so" ] || die "A copy for everybody is in $global already. Wireshark \
would use that one and ignore yours. Remove it first (as root: sh install.sh --uninstall, or the package)."
    if [ -e "$plugins/epan/$name.so" ] && of_a_package "$plugins/epan/$name.so"; then
        die "$plugins/epan/$name.so belongs to a package: use the package manager."
    fi
    remove_modules "$name" >/dev/null
    for built in "$here"/plugins/*; do # all of them: it is still there when Wireshark is updated to another series
        to=$(place "${built##*/}")
        for module in $modules; do
            from=$built/$module
            [ "$name" = godot ] || from=$built/enet/enet.so # here godot.so is in epan
            if [ -f "$from" ] && [ ! -e "$to/$module" ]; then # it may belong to a package
                mkdir -p "$to/${module%/*}"
                cp "$from" "$to/$module"
            fi
        done
    done
    if [ "$name" = godot ]; then
        mkdir -p "$configuration/profiles"
        [ -d "$profile" ] || cp -R "$here/profiles/Godot" "$profile" # Wireshark writes into profiles: kept as it is
        mkdir -p "$captures"
        cp -R "$here"/captures/* "$captures/"
    fi
    if [ "$(uname)" = Darwin ]; then # what a browser downloaded is neither loaded nor run otherwise
        xattr -dr com.apple.quarantine "$every" "$here" 2>/dev/null || true
    fi
    if [ -z "$(listed)" ]; then
        check || true
        die "The files are in place, but Wireshark $version does not load the plugin."
    fi
    say "Installed for Wireshark $version in $plugins."
    [ "$(cd "$here/plugins" && echo *)" = "$series" ] ||
        say "Also for the other series of this archive: $(cd "$here/plugins" && echo *)."
    [ "$name" = enet ] || say "Start Wireshark, choose the profile Godot (at the right end of the status bar) and open a capture from $captures."
}

case $action in
    check) check ;;
    uninstall) uninstall ;;
    install) install_all ;;
esac
