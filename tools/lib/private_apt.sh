# shellcheck shell=bash
# A private apt inside .toolchain/apt: its own package lists for Debian trixie (the web toolchain, stable) and forky (newer
# libraries), an empty package status, no root, nothing installed. apt checks every list against Debian's signing keys and
# every package and source against those lists. The mirror is the one this machine already uses; no address is written here.
# Must not know what is fetched.

readonly kAptDir="$kToolchain/apt"

# True where a private apt can work: Debian tools, amd64, Debian's keys and a Debian mirror in the machine's own configuration.
private_apt_is_possible() {
    [ "${ATTN_NO_APT:-0}" = 0 ] || return 1
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
    [ "$(dpkg --print-architecture)" = amd64 ] || return 1
    [ -n "$(debian_keyring)" ] && [ -n "$(debian_mirror)" ]
}

# Prints the path of Debian's archive keys, or nothing.
debian_keyring() {
    local keyring
    for keyring in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
        if [ -r "$keyring" ]; then
            printf '%s' "$keyring"
            return
        fi
    done
}

# Prints the address of the Debian mirror this machine is configured with, or nothing. Needs the machine's package lists.
debian_mirror() {
    local mirror=${ATTN_DEBIAN_MIRROR:-}
    if [ -z "$mirror" ]; then
        mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
            grep -E '/debian/?$' | sort -u | head -n 1) || true
    fi
    printf '%s' "${mirror%/}"
}

# private_apt COMMAND...: an apt command that sees only .toolchain/apt.
private_apt() {
    local command=$1
    shift
    "$command" \
        -o "Dir::Etc::SourceList=$kAptDir/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
        -o "Dir::State::Lists=$kAptDir/lists" -o "Dir::State::status=$kAptDir/status" -o "Dir::Cache=$kAptDir/cache" \
        -o APT::Sandbox::User= -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o APT::Install-Recommends=false \
        -o Acquire::Languages=none -o Acquire::Retries=3 -o Debug::NoLocking=1 "$@"
}

# Fetches and checks the package lists, once a set-up run.
private_apt_update() {
    [ -z "${private_apt_is_fresh:-}" ] || return 0
    local suite
    mkdir -p "$kAptDir/lists/partial" "$kAptDir/cache/archives/partial" "$kAptDir/debs" "$kAptDir/sources"
    : >"$kAptDir/status"
    for suite in "deb trixie" "deb-src trixie" "deb forky" "deb-src forky" "deb-src bookworm"; do
        printf '%s [signed-by=%s] %s %s main\n' "${suite% *}" "$(debian_keyring)" "$(debian_mirror)" "${suite#* }"
    done >"$kAptDir/sources.list"
    say "reading Debian's package lists (bookworm, trixie, forky)"
    run_logged "$kLogs/apt-lists.log" private_apt apt-get update -q --error-on=any ||
        fail "Debian's package lists did not arrive or their signatures did not check: look at the network and at the package debian-archive-keyring, then run the same command again"
    private_apt_is_fresh=yes
}

# fetch_debs SUITE PACKAGE...: brings signed packages into .toolchain/apt/debs. What is already there and whole is not fetched again.
fetch_debs() {
    local suite=$1
    shift
    private_apt_update
    (cd "$kAptDir/debs" && run_logged "$kLogs/apt-download.log" private_apt apt-get download -q "${@/%//$suite}") ||
        fail "a download from Debian $suite failed (wanted: $*): look at the network, then run the same command again; it continues where it stopped"
    local package
    for package in "$@"; do
        [ -f "$(deb_file "$package")" ] || fail "Debian $suite did not deliver the package $package: run the same command again"
    done
}

# deb_file PACKAGE: prints the path of a fetched package (the newest, should there be two).
deb_file() { find "$kAptDir/debs" -maxdepth 1 -name "$1_*.deb" -printf '%T@ %p\n' | sort -rn | head -n 1 | cut -d ' ' -f 2-; }

# unpack_deb PACKAGE FOLDER: unpacks a fetched package into FOLDER.
unpack_deb() {
    dpkg-deb -x "$(deb_file "$1")" "$2" || fail "the package $1 could not be unpacked: is the disk full?"
}

# fetch_source SUITE PACKAGE FOLDER: unpacks a signed source package's upstream archive (without Debian's patches) into FOLDER.
fetch_source() {
    local suite=$1 package=$2 folder=$3 archive
    private_apt_update
    (cd "$kAptDir/sources" && run_logged "$kLogs/apt-source.log" \
        private_apt apt-get source -q --tar-only --only-source "$package/$suite") ||
        fail "the source of $package did not arrive from Debian $suite: look at the network, then run the same command again; it continues where it stopped"
    archive=$(find "$kAptDir/sources" -maxdepth 1 -name "${package}_*.orig.tar.*" ! -name '*.asc' | sort -V | tail -n 1)
    [ -n "$archive" ] || fail "Debian $suite delivered no upstream archive for $package: run the same command again"
    mkdir -p "$folder"
    tar -x -C "$folder" --strip-components=1 -f "$archive" || fail "the source archive of $package could not be unpacked: is xz-utils installed and the disk not full?"
}

# Removes the lists and archives once everything is unpacked (about 400 MB).
private_apt_clean() { rm -rf "$kAptDir"; }
