# shellcheck shell=bash disable=SC2034
# What script/demo and script/test have in common. To be sourced by bash.
# SPDX-License-Identifier: GPL-2.0-or-later
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export DEBIAN_FRONTEND=noninteractive

build_packages=(cmake gcc libc6-dev ninja-build pkg-config tshark wireshark-dev zlib1g-dev libzstd-dev)
test_packages=(clang libcmocka-dev libenet-dev python3 python3-pytest)

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# need PACKAGE...: installs those that are missing on Debian and Ubuntu; elsewhere tells what is needed.
need() {
    local missing=() package
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        need_elsewhere
        return
    fi
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return
    say "Installing ${missing[*]}"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        die "not root and no sudo here. As root, run:
    apt-get install --no-install-recommends ${missing[*]}"
    fi
    as_root apt-get update -qq
    LC_ALL=C as_root apt-get install --assume-no --no-install-recommends "${missing[@]}" 2>/dev/null |
        grep -E '^(Need to get|After this operation)' >&2 || true
    say "This takes a minute"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" >/dev/null
}

need_elsewhere() {
    local missing=() program
    for program in cmake cc tshark python3; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    if [ ${#missing[@]} != 0 ]; then
        printf '%s\n' "Not found: ${missing[*]}." "" \
            "This is no Debian or Ubuntu, so please install by hand, with the headers:" \
            "  CMake, a C compiler, Wireshark 4.0 or newer with tshark and its development files," \
            "  zlib, zstd; for the tests also cmocka, pytest, clang with libFuzzer." \
            "Fedora:  dnf install cmake gcc ninja-build wireshark-cli wireshark-devel zlib-devel libzstd-devel" \
            "Arch:    pacman -S cmake gcc ninja wireshark-cli zlib zstd" \
            "Other systems: docs/building.md" >&2
        exit 1
    fi
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

# build DIRECTORY [CMAKE OPTION...]: configures and builds, with Ninja if there is any. Quiet unless it fails.
build() {
    local directory=$1 generator=()
    shift
    if command -v ninja >/dev/null && [ ! -f "$directory/CMakeCache.txt" ]; then
        generator=(-G Ninja)
    fi
    say "Building in ${directory#"$root"/}"
    quietly cmake -S "$root" -B "$directory" "${generator[@]}" "$@"
    quietly cmake --build "$directory" -j "$(nproc)"
}
