# shellcheck shell=bash disable=SC2154
# Packages and sources of any Debian suite, on any system. To be sourced after common.sh.
# SPDX-License-Identifier: GPL-2.0-or-later

# suite_apt SUITE get|cache ARGUMENTS...: apt-get or apt-cache with the lists of that suite, kept in $APT_LISTS.
suite_apt() {
    local suite=$1 program=apt-$2 place=${APT_LISTS:-${TMPDIR:-/var/tmp}/godot-wireshark-apt-$UID}/$1 options
    shift 2
    options=(-qq -o "Dir::Etc::sourcelist=$place/list" -o Dir::Etc::sourceparts=- -o "Dir::State=$place"
        -o "Dir::State::status=$place/status" -o "Dir::Cache=$place/cache" -o APT::Sandbox::User=)
    if [ ! -f "$place/updated" ]; then
        mkdir -p "$place/lists/partial" "$place/cache/archives/partial"
        : >"$place/status"
        printf '%s %s %s main\n' deb "$(debian_mirror)" "$suite" deb-src "$(debian_mirror)" "$suite" >"$place/list"
        apt-get "${options[@]}" update
        touch "$place/updated"
    fi
    "$program" "${options[@]}" "$@"
}

# debian_mirror: the mirror of this system, if it is Debian; otherwise nothing. apt-get only prints it for
# lists that it has.
debian_mirror() {
    grep -qx ID=debian /etc/os-release || return 0
    know_packages >&2
    # shellcheck disable=SC2016 # for apt-get, not for the shell
    env -u APT_CONFIG apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1
}

# suite_source SUITE PACKAGE FOLDER: unpacks the upstream source of a package.
suite_source() {
    mkdir -p "$3"
    (cd "$3" && suite_apt "$1" get source --download-only --tar-only "$2" && tar -xf "$2"_*.orig.tar.* --strip-components=1)
}

# windows_compiler: the package with a compiler for Windows in this Debian: for the Universal C Runtime or, in
# Debian 12, for the older runtime.
windows_compiler() {
    if [ -n "$(apt-cache madison g++-mingw-w64-ucrt64)" ]; then
        echo g++-mingw-w64-ucrt64
    else
        echo g++-mingw-w64-x86-64-win32
    fi
}

# few_protocols SOURCE: in an unpacked Wireshark, removes the protocols that the shipped captures do not need,
# and their statistics, unless $ALL_PROTOCOLS is set. They take nine tenths of the build time, those of mobile
# networks half of that. RTCP calls one function of these, for a field of push-to-talk groups; JSON in 4.0
# calls three, for 3GPP.
few_protocols() {
    if [ -n "${ALL_PROTOCOLS:-}" ] || grep -q tshark-protocols "$1/epan/dissectors/CMakeLists.txt"; then return; fi
    sed -i "/^set(DISSECTOR_SUPPORT_SRC/i include($root/cmake/tshark-protocols.cmake)" "$1/epan/dissectors/CMakeLists.txt"
    sed -i '/TARGET_OBJECTS:dissectors-corba>/d' "$1/epan/CMakeLists.txt"
    sed -i '/cli\/tap-\(camelsrt\|gsm_astat\|rpcprogs\|rtspstat\|sipstat\|wspstat\).c$/d' "$1/CMakeLists.txt"
    sed -i 's/^ *de_sm_tmgi(tvb, \(.*\), pinfo.*/(void)\1;/' "$1/epan/dissectors/packet-rtcp.c"
    sed -i '/^\t*\(dissect_gtpv2_ie_common\|de_nas_5gs_sm_qos_rules\|elem_telv\)(/d' "$1/epan/dissectors/packet-json.c"
}
