#!/usr/bin/env bash
# A minimal Debian in a folder, without the machine's network: installs the package there, uses it, takes it out again.
#
#   clean_root.sh prepare SUITE PACKAGE.deb        makes .toolchain/roots/SUITE.tar.gz unless it is there: the system, and the
#                                                  packages that ours needs as files. Needs the network the first time.
#   clean_root.sh try SUITE PACKAGE.deb RESULTS    unpacks it and runs inside.sh there; RESULTS is a folder
#
# Needs root, debootstrap and Debian's mirror in the machine's own configuration.
set -euo pipefail

kRoot=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
kToolchain=$kRoot/.toolchain
work= # removed at the end
readonly kRoot kToolchain
# shellcheck source-path=SCRIPTDIR source=../../tools/lib/say.sh
source "$kRoot/tools/lib/say.sh"
# shellcheck source-path=SCRIPTDIR source=../../tools/lib/private_apt.sh
source "$kRoot/tools/lib/private_apt.sh"

# Beside the program's own packages: what desktops have that read icons, file types and menus.
readonly kDesktop=(shared-mime-info desktop-file-utils hicolor-icon-theme)
readonly kApt=(apt-get -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io -o APT::Sandbox::User=root)

# What a prepared root depends on.
stamp_of() { printf '%s\n%s' "${kDesktop[*]}" "$(dpkg-deb -f "$1" Depends)"; }

prepare() {
    local suite=$1 package=$2 folder=$kToolchain/roots archive stamp
    archive=$folder/$suite.tar.gz
    stamp=$(stamp_of "$package")
    if [ -f "$archive" ] && [ "$(cat "$folder/$suite.stamp" 2>/dev/null)" = "$stamp" ]; then return; fi
    mkdir -p "$folder"
    rm -f "$folder/$suite.stamp"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    say "making a root of Debian $suite"
    run_logged "$kToolchain/logs/root-$suite.log" debootstrap --variant=minbase --keyring="$(debian_keyring)" \
        "$suite" "$work/root" "$(debian_mirror)" || fail "Debian $suite could not be put into a folder: look at the network"
    # apt of the root, but with the machine's own proxies and names of hosts.
    cp /etc/resolv.conf "$work/root/etc/resolv.conf"
    apt-config dump | grep -E '^Acquire::https?::' >"$work/root/etc/apt/apt.conf.d/90machine" || true
    cp "$package" "$work/root/package.deb"
    run_logged "$kToolchain/logs/root-$suite-packages.log" chroot "$work/root" "${kApt[@]}" \
        -o APT::Keep-Downloaded-Packages=true install --download-only /package.deb "${kDesktop[@]}" ||
        fail "the packages that ours needs did not arrive from Debian $suite"
    rm "$work/root/package.deb" "$work/root/etc/resolv.conf" "$work/root/etc/apt/apt.conf.d/90machine"
    tar -C "$work/root" -I 'gzip -1' --exclude='./dev/*' --exclude='./proc/*' -cf "$work/archive" .
    mv "$work/archive" "$archive"
    printf '%s' "$stamp" >"$folder/$suite.stamp"
}

# In a mount, process and network space of its own: nothing is left mounted or running, and there is no network at all. The
# screen's socket is a file, so it can be handed in.
try() {
    local suite=$1 package=$2 results=$3
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    tar -C "$work" -xzf "$kToolchain/roots/$suite.tar.gz"
    cp "$package" "$work/package.deb"
    cp "$(dirname "${BASH_SOURCE[0]}")/inside.sh" "$work/inside.sh"
    mkdir -p "$work/results" "$work/tmp/.X11-unix"
    local code=0
    # shellcheck disable=SC2016
    unshare --mount --net --pid --fork sh -ec '
        mount --bind /dev "$1/dev"
        mount -t proc proc "$1/proc"
        mount --bind /tmp/.X11-unix "$1/tmp/.X11-unix"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive DISPLAY="$2" \
            LIBGL_ALWAYS_SOFTWARE=1 chroot "$1" sh -e /inside.sh' sh "$work" "${DISPLAY:?}" || code=$?
    mkdir -p "$results"
    cp -r "$work/results/." "$results"
    return "$code"
}

"$@"
