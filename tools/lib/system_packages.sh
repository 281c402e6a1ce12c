# shellcheck shell=bash
# Programs and libraries of the system, by apt where the machine has it and gives the right to use it. Asks only for what is
# missing, so a second run touches no network.

# What a build of the page and of the native program needs.
readonly kBuildPackages=(cmake ninja-build g++ git python3 pkg-config libglfw3-dev libgl-dev libpango1.0-dev
    ca-certificates xz-utils)
# What the private apt needs.
readonly kAptPackages=(dpkg-dev debian-archive-keyring)
# What only the tests need: a browser, a screen without a monitor, keys and clicks, software OpenGL, and fonts for Arabic,
# Chinese, Japanese, Korean and emoji.
readonly kTestPackages=(chromium xvfb xdotool libgl1-mesa-dri fonts-dejavu-core fonts-noto-core fonts-droid-fallback
    fonts-noto-color-emoji)

# The programs to look for where there is no apt, with the packages above as a hint.
readonly kBuildPrograms=(cmake ninja git python3 pkg-config)

# set_up_system build|test
set_up_system() {
    local wanted=("${kBuildPackages[@]}") missing=() package
    if [ "$1" = test ]; then wanted+=("${kTestPackages[@]}"); fi
    if ! apt_is_usable; then
        check_programs "$1"
        return
    fi
    wanted+=("${kAptPackages[@]}")
    node_is_new_enough || wanted+=(nodejs npm)
    for package in "${wanted[@]}"; do
        package_is_installed "$package" || missing+=("$package")
    done
    if [ ${#missing[@]} -gt 0 ]; then install_packages "${missing[@]}"; fi
    check_programs "$1"
}

apt_is_usable() {
    [ "${ATTN_NO_APT:-0}" = 0 ] && command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

package_is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        sudo -n true 2>/dev/null ||
            fail "these system packages are missing and only an administrator may install them: run 'sudo apt-get install $*' and then the same command again"
        as_root=(sudo -n)
    fi
    say "installing system packages: $*"
    run_logged "$kLogs/apt-update.log" "${as_root[@]}" apt-get update -q ||
        warn "apt-get update failed; trying with the package lists that are there"
    run_logged "$kLogs/apt-install.log" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@" ||
        fail "these system packages could not be installed: $*; look at the network and the messages above, then run the same command again"
}

node_is_new_enough() {
    local version
    version=$(node --version 2>/dev/null) && version_at_least "${version#v}" "$kNodeOldest" && command -v npm >/dev/null
}

# check_programs build|test: whatever way they came, the programs must be there.
check_programs() {
    local program
    for program in "${kBuildPrograms[@]}"; do
        command -v "$program" >/dev/null ||
            fail "the program $program is missing: install it with this system's package manager (Debian's names for all that is needed: ${kBuildPackages[*]})"
    done
    node_is_new_enough ||
        fail "node $kNodeOldest or newer with npm is needed, found ${_found_node:=$(node --version 2>/dev/null || echo none)}: install a current Node.js"
    command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null ||
        fail "a C++20 compiler is missing: install g++ 12 or clang 16 or newer"
    if [ "$1" = test ]; then
        find_chromium >/dev/null || fail "the browser tests need Chromium: install it, or set CHROMIUM to its path"
    fi
}

# Prints the path of Chromium or Chrome.
find_chromium() {
    local name
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
        if [ -n "$name" ] && command -v "$name"; then return 0; fi
    done
    return 1
}
