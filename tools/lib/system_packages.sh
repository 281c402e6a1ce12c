# shellcheck shell=bash
# Programs and libraries of the system, by apt where the machine has it and gives the right to use it. Asks only for what is
# missing, so a second run touches no network.

# system_packages PURPOSE: prints the Debian packages of one purpose of tools/setup.
system_packages() {
    case $1 in
    packages) echo cmake ninja-build ccache python3 ca-certificates ;;
    native) echo g++ pkg-config libglfw3-dev libgl-dev libgles-dev libegl-dev libgl1-mesa-dri libpango1.0-dev ;;
    style) echo git ;;
    numpy) echo python3-numpy libxml2-utils ;;
    torch) echo python3-torch python3-sentencepiece python3-nbconvert python3-ipykernel ;;
    office) echo libreoffice-calc ;;
    browser) echo chromium chromium-headless-shell firefox-esr xvfb libgl1-mesa-dri "${kFonts[@]}" ;;
    desktop) echo xvfb xdotool strace libgl1-mesa-dri dbus-daemon "${kFonts[@]}" ;;
    bench) echo libopenblas-dev libeigen3-dev chromium ;;
    roots) echo debootstrap ;;
    esac
}

# Small fonts for Latin to Thai, Arabic and Hebrew, for Chinese, Japanese and Korean, and for emoji.
readonly kFonts=(fonts-dejavu-core fonts-noto-core fonts-droid-fallback fonts-noto-color-emoji)

# What the private apt needs.
readonly kAptPackages=(dpkg-dev debian-archive-keyring xz-utils)

# set_up_system PURPOSE...
set_up_system() {
    if apt_is_usable; then
        local missing=() package
        for package in $(wanted_packages "$@"); do
            package_is_installed "$package" || missing+=("$package")
        done
        if [ ${#missing[@]} -gt 0 ]; then install_packages "${missing[@]}"; fi
    fi
    check_programs "$@"
}

# Prints each package that these purposes want, once. What the machine has in another way (a newer CMake, a Node.js of its own)
# is not asked for.
wanted_packages() {
    local purpose package
    for purpose in packages "$@"; do
        for package in $(system_packages "$purpose"); do
            case $package in
            ccache) ! may_install || echo ccache ;; # saves time; nothing needs it
            cmake) cmake_is_new_enough || echo cmake ;;
            ninja-build) command -v ninja >/dev/null || echo ninja-build ;;
            g++) command -v c++ >/dev/null || echo g++ ;;
            python3-ipykernel | python3-nbconvert) find_python_with torch,nbconvert,ipykernel >/dev/null || echo "$package" ;;
            python3-numpy) find_python_with numpy >/dev/null || echo python3-numpy ;;
            python3-sentencepiece) find_python_with sentencepiece >/dev/null || echo python3-sentencepiece ;;
            python3-torch) find_python_with numpy,torch >/dev/null || echo python3-torch ;;
            chromium) find_chromium >/dev/null || echo chromium ;;
            # Debian's own Chromium without windows; where there is none, the whole one does its work, only slower.
            chromium-headless-shell) ! system_is_debian || [ -n "${CHROMIUM:-}" ] || echo "$package" ;;
            libreoffice-calc) command -v soffice >/dev/null || echo libreoffice-calc ;;
            libxml2-utils) command -v xmllint >/dev/null || echo libxml2-utils ;;
            firefox-esr) command -v firefox >/dev/null || echo firefox-esr ;;
            *) echo "$package" ;;
            esac
        done
    done | sort -u
    node_is_new_enough || echo nodejs npm
    printf '%s\n' "${kAptPackages[@]}"
}

apt_is_usable() {
    [ "${ATTN_NO_APT:-0}" = 0 ] && command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

may_install() { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }

system_is_debian() { grep -qx 'ID=debian' /etc/os-release 2>/dev/null; }

package_is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# install_packages PACKAGE...
install_packages() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        may_install ||
            fail "these system packages are missing and only an administrator may install them: run 'sudo apt-get install $*' and then the same command again"
        as_root=(sudo -n)
    fi
    say "installing system packages: $*"
    read_package_lists
    run_logged "$kLogs/apt-install.log" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@" ||
        fail "these system packages could not be installed: $*; look at the network and the messages above, then run the same command again"
}

# Without the right to do so, the lists that are there have to do.
read_package_lists() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        may_install || return 0
        as_root=(sudo -n)
    fi
    run_logged "$kLogs/apt-update.log" "${as_root[@]}" apt-get update -q ||
        warn "apt-get update failed; going on with the package lists that are there"
}

# check_programs PURPOSE...: whatever way they came, the programs must be there.
check_programs() {
    local purpose
    cmake_is_new_enough || fail "CMake $kCmakeOldest or newer is missing: install it from your system's packages"
    need ninja "Ninja (Debian's package: ninja-build)"
    node_is_new_enough ||
        fail "Node.js $kNodeOldest or newer with npm is needed, found ${found_node:-none}: install a current Node.js"
    for purpose in "$@"; do
        case $purpose in
        web) need python3 "Python 3, which Emscripten is written in" ;;
        native)
            need c++ "a C++20 compiler (g++ 12, clang 16 or newer)"
            need pkg-config "pkg-config"
            pkg-config --exists pangocairo ||
                fail "Pango is missing: install its development files (Debian: libpango1.0-dev, Homebrew: pango)"
            ;;
        numpy)
            find_python_with numpy >/dev/null ||
                fail "NumPy is missing, with which the exported files are tested: install it (Debian's package: python3-numpy), or set PYTHON to a Python that has it"
            need xmllint "xmllint, which reads the exported questions (Debian's package: libxml2-utils)"
            ;;
        torch)
            find_python_with numpy,torch >/dev/null ||
                fail "PyTorch is missing, which runs the exported scripts: install it (Debian's package: python3-torch), or set PYTHON to a Python that has it and NumPy"
            find_python_with sentencepiece >/dev/null ||
                fail "SentencePiece is missing, which tokenizers are tested against: install it (Debian's package: python3-sentencepiece), or set PYTHON to a Python that has it"
            find_python_with torch,nbconvert,ipykernel >/dev/null ||
                fail "Jupyter's nbconvert and ipykernel are missing, which run the exported notebooks: install them (Debian's packages: python3-nbconvert python3-ipykernel), or set PYTHON to a Python that has them and PyTorch"
            ;;
        office) need soffice "LibreOffice, which computes the exported spreadsheets anew (Debian's package: libreoffice-calc)" ;;
        style) need git "git, which lists the project's files" ;;
        browser | bench)
            find_chromium >/dev/null || fail "the browser tests and the bench need Chromium: install it, or set CHROMIUM to its path"
            ;;
        desktop)
            need Xvfb "Xvfb, a screen without a monitor (Debian's package: xvfb)"
            need xdotool "xdotool, which types and clicks in the tests of the window"
            need dbus-daemon "dbus-daemon, the bus on which the window asks for dark or light (Debian's package: dbus-daemon)"
            ;;
        esac
    done
}

# need PROGRAM WHAT
need() { command -v "$1" >/dev/null || fail "$2 is missing: install it from your system's packages"; }

cmake_is_new_enough() {
    local version
    version=$(cmake --version 2>/dev/null | sed -nE '1s/.*version ([0-9.]+).*/\1/p')
    [ -n "$version" ] && version_at_least "$version" "$kCmakeOldest"
}

# Sets found_node to the version that is there.
node_is_new_enough() {
    found_node=$(node --version 2>/dev/null) || return 1
    found_node=${found_node#v}
    version_at_least "$found_node" "$kNodeOldest" && command -v npm >/dev/null
}

# find_python_with MODULE,...: prints the path of a Python that has them; tests/share/python.mjs looks in the same places.
find_python_with() {
    local python
    for python in "${PYTHON:-}" python3 /usr/bin/python3; do
        if [ -n "$python" ] && "$python" -c "import $1" 2>/dev/null; then
            command -v "$python"
            return 0
        fi
    done
    return 1
}

# Prints the path of Chromium or Chrome.
find_chromium() {
    local name
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
        if [ -n "$name" ] && command -v "$name"; then return 0; fi
    done
    return 1
}
