# shellcheck shell=bash disable=SC2034
# Functions of script/demo, script/test and others, to be sourced by bash.
# SPDX-License-Identifier: GPL-2.0-or-later
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export DEBIAN_FRONTEND=noninteractive LANGUAGE=en # messages of programs that are read here

build_packages=(cmake gcc libc6-dev libglib2.0-dev ninja-build pkg-config tshark wireshark-dev zlib1g-dev libzstd-dev)
test_packages=(clang git libarchive-tools libcmocka-dev libenet-dev python3 python3-pytest python3-yaml shellcheck)

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# A folder of temporary files from which modules can be loaded; by nobody, whom root runs tshark as.
has_modules() {
    ! findmnt -no OPTIONS -T "$1" 2>/dev/null | grep -w noexec >/dev/null &&
        { [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null ||
            setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$1/." 2>/dev/null; }
}
choose_temporary() {
    local folder
    for folder in "${TMPDIR:-/tmp}" /tmp /var/tmp; do
        ! has_modules "$folder" || break
    done
    [ "$folder" = "${TMPDIR:-/tmp}" ] || export TMPDIR=$folder
}
choose_temporary

# project_version: the version in CMakeLists.txt.
project_version() { sed -n 's/^project(.* VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt"; }

# need_program PROGRAM HOW: ends the script if there is no such program.
need_program() { command -v "$1" >/dev/null || die "needs the program $1: $2"; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# know_packages: updates the lists of apt-cache if there are none, as in a fresh container.
know_packages() {
    [ -n "$(apt-cache madison gcc 2>/dev/null)" ] || as_root apt-get update -qq
}

is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# need PACKAGE...: installs those that are missing on Debian and Ubuntu; elsewhere prints what is needed.
need() {
    local missing=() package
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        need_elsewhere "$@"
        return
    fi
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        die "not root and no sudo here. As root, run:
    apt-get install --no-install-recommends ${missing[*]}"
    fi
    say "Installing ${missing[*]}"
    as_root apt-get update -qq
    LC_ALL=C as_root apt-get install --assume-no --no-install-recommends "${missing[@]}" 2>/dev/null |
        grep -E '^(Need to get|After this operation)' >&2 || true
    say "This takes a minute"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" >/dev/null
}

# has_header FILE: whether the C compiler finds the header; nothing is compiled.
has_header() {
    printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" |
        cc ${CMAKE_PREFIX_PATH:+"-I${CMAKE_PREFIX_PATH%%:*}/include"} -E - >/dev/null
}

# missing_elsewhere PACKAGE: describes the part of a Debian package that is missing on this system; nothing
# for packages that are not needed elsewhere.
missing_elsewhere() {
    case $1 in
        libarchive-tools) command -v bsdtar || echo "bsdtar" ;;
        cmake | tshark | clang | git | python3) command -v "$1" || echo "$1" ;;
        gcc) command -v cc || echo "a C compiler (cc)" ;;
        ninja-build) command -v ninja || command -v make || echo "Ninja or make" ;;
        wireshark-dev) has_header wireshark/epan/packet.h || echo "Wireshark's headers" ;;
        libglib2.0-dev) has_header glib-2.0/glib.h || pkg-config --exists glib-2.0 || echo "GLib's headers" ;;
        zlib1g-dev) has_header zlib.h || echo "zlib's headers" ;;
        libzstd-dev) has_header zstd.h || echo "zstd's headers" ;;
        libcmocka-dev) has_header cmocka.h || echo "cmocka's headers" ;;
        libenet-dev) has_header enet/enet.h || echo "ENet's headers" ;;
        python3-pytest) python3 -c 'import pytest' || echo "pytest" ;;
        python3-yaml) python3 -c "import yaml" || echo "PyYAML" ;;
    esac 2>/dev/null | grep -v ^/ || true
}

# need_elsewhere PACKAGE...: as need, for systems where packages have other names: prints everything that is
# missing and how to install it.
need_elsewhere() {
    local missing
    missing=$(for package in "$@"; do missing_elsewhere "$package"; done)
    [ -n "$missing" ] || return 0
    printf '%s\n' "Not found: ${missing//$'\n'/, }." \
        "This is no Debian or Ubuntu, so please install by hand, with the headers: CMake, a C compiler," \
        "Wireshark 4.0 or newer with tshark and its development files, GLib, zlib, zstd; for the tests also" \
        "cmocka, pytest, PyYAML, clang with libFuzzer, ENet, bsdtar, git." \
        "Fedora:  dnf install cmake gcc ninja-build wireshark-cli wireshark-devel glib2-devel zlib-devel libzstd-devel \\" \
        "             bsdtar clang compiler-rt enet-devel git libcmocka-devel python3-pytest python3-pyyaml" \
        "Arch:    pacman -S cmake gcc ninja wireshark-cli glib2 zlib zstd libarchive clang compiler-rt cmocka enet git python-pytest python-yaml" \
        "Other systems: docs/building.md" >&2
    exit 1
}

# quietly COMMAND...: shows what it prints only if it fails, and ends the script then.
quietly() {
    local log
    log=$(mktemp)
    if ! "$@" >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        rm -f "$log"
        die "failed: $*"
    fi
    rm -f "$log"
}

# processors: number of processors; macOS has no nproc.
processors() { nproc 2>/dev/null || sysctl -n hw.ncpu; }

# build DIRECTORY [CMAKE OPTION...]: configures and builds, with Ninja if there is any. Quiet unless it fails.
build() {
    local directory=$1 generator=() # an empty array is unset for bash 3.2 of macOS
    shift
    if command -v ninja >/dev/null && [ ! -f "$directory/CMakeCache.txt" ]; then
        generator=(-G Ninja)
    fi
    say "Building in ${directory#"$root"/}"
    quietly cmake -S "$root" -B "$directory" ${generator[@]+"${generator[@]}"} "$@"
    quietly cmake --build "$directory" -j "$(processors)"
}

# tshark_with PLUGINS PLACE: sets the array native_tshark to the command line of this system's tshark without
# settings and with the modules of that folder, copied to PLACE. It is run as nobody because tshark ignores
# the modules when run as root.
tshark_with() {
    cp -R "$1" "$2/plugins"
    mkdir "$2/configuration"
    chmod -R a+rX "$2"
    native_tshark=(env "WIRESHARK_PLUGIN_DIR=$2/plugins" "WIRESHARK_CONFIG_DIR=$2/configuration" tshark)
    [ "$(id -u)" != 0 ] || native_tshark=(setpriv --reuid=65534 --regid=65534 --clear-groups "${native_tshark[@]}")
    "${native_tshark[@]}" -G plugins 2>/dev/null | grep -q '^godot' || die "tshark does not load the plugin in $1"
}
