# shellcheck shell=bash disable=SC2154
# Minimal Debians of any suite, to build and test in. To be sourced after common.sh and packages.sh; needs root and
# debootstrap. The trees are kept in $SERIES_DIRECTORY (/var/tmp/godot-wireshark-series).
# SPDX-License-Identifier: GPL-2.0-or-later
trees=${SERIES_DIRECTORY:-/var/tmp/godot-wireshark-series}
mounted=()
unmount() {
    local place
    for place in "${mounted[@]}"; do
        umount "$place"
    done
}
trap unmount EXIT

# bind FOLDER TREE/PLACE: shows FOLDER there until the script ends.
bind() {
    mkdir -p "$2"
    mountpoint -q "$2" && return
    mount --bind "$1" "$2"
    mounted=("$2" "${mounted[@]}")
}

# make_debian SUITE TREE: a minimal Debian in that folder, unless there is one; with the settings of this system's apt.
make_debian() {
    mkdir -p "$trees"
    exec 9>"$trees/lock" # two may begin at a time
    flock 9
    if [ ! -x "$2/usr/bin/apt-get" ]; then
        need debootstrap
        say "Making a Debian $1 in $2"
        rm -rf "$2.new"
        mkdir -p "$2.new"
        # shellcheck disable=SC2046 # without a mirror, debootstrap uses its default
        quietly debootstrap --variant=minbase "$1" "$2.new" $(debian_mirror)
        mv "$2.new" "$2"
    fi
    grep -hi '^Acquire' /etc/apt/apt.conf.d/* >"$2/etc/apt/apt.conf.d/99host" || true # for example a proxy
    cp -L /etc/resolv.conf "$2/etc/resolv.conf"
    exec 9>&-
}

# in_debian SUITE COMMAND...: runs a command of this repository in that Debian, where the repository is
# /godot-wireshark.
in_debian() {
    local suite=$1 tree=$trees/$1 command=$2 variable environment=()
    shift 2
    [ "$(id -u)" = 0 ] || die "needs root here, for debootstrap and chroot"
    make_debian "$suite" "$tree"
    bind /proc "$tree/proc"
    bind /dev "$tree/dev"
    bind "$root" "$tree/godot-wireshark"
    for variable in ALL_PROTOCOLS CCACHE_DIR CMAKE_C_COMPILER_LAUNCHER FUZZ_SECONDS JOBS; do
        [ -z "${!variable:-}" ] || environment+=("$variable=${!variable}")
    done
    chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${environment[@]}" \
        "/godot-wireshark/$command" "$@"
}
