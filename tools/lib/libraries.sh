# shellcheck shell=bash
# The C++ libraries as sources and headers in .toolchain/deps, one folder a library, from Debian's signed packages. Native and
# web builds use the same ones. Without a private apt, CMake fetches the same versions by commit (tools/cmake/dependencies.cmake).

readonly kDeps="$kToolchain/deps"

set_up_libraries() {
    if is_stamped libraries; then return; fi
    if [ "${ATTN_FETCH_DEPS:-0}" = 1 ] || ! private_apt_is_possible; then
        command -v git >/dev/null || fail "git is needed to fetch the C++ libraries: install git and run the same command again"
        say "no Debian mirror to take the C++ libraries from: CMake fetches them by commit"
        return
    fi
    say "setting up the C++ libraries in .toolchain/deps"
    local temp=$kToolchain/temp.deps package
    rm -rf "$temp"
    mkdir -p "$temp"
    fetch_debs forky libxtensor-dev xtl-dev libxsimd-dev
    fetch_debs trixie nlohmann-json3-dev
    for package in xtensor:libxtensor-dev xtl:xtl-dev xsimd:libxsimd-dev nlohmann_json:nlohmann-json3-dev; do
        unpack_headers "${package#*:}" "$temp/${package%:*}"
    done
    fetch_source forky imgui "$temp/imgui"
    fetch_source trixie catch2 "$temp/catch2"
    fetch_source trixie libunibreak "$temp/unibreak"
    fetch_source trixie zlib "$temp/zlib"
    check_libraries "$temp"
    rm -rf "$kDeps"
    mv "$temp" "$kDeps"
    write_stamp libraries
}

# unpack_headers PACKAGE FOLDER: FOLDER/include is the package's /usr/include.
unpack_headers() {
    unpack_deb "$1" "$2.package"
    mkdir -p "$2"
    mv "$2.package/usr/include" "$2/include"
    rm -rf "$2.package"
}

# check_libraries FOLDER: reads each library's version from its own files, as the mirror may have moved on.
check_libraries() {
    local deps=$1 xtensor xsimd
    xtensor=$(find "$deps/xtensor/include" -name xtensor_config.hpp | head -n 1)
    xsimd=$(find "$deps/xsimd/include" -name xsimd_config.hpp | head -n 1)
    check_version "Dear ImGui" "$(sed -nE 's/^#define IMGUI_VERSION +"([^" ]+).*/\1/p' "$deps/imgui/imgui.h")" "$kImgui"
    check_version xtensor "$(macro_version "$xtensor" XTENSOR_VERSION)" "$kXtensor"
    check_version xtl "$(macro_version "$deps/xtl/include/xtl/xtl_config.hpp" XTL_VERSION)" "$kXtl"
    check_version xsimd "$(macro_version "$xsimd" XSIMD_VERSION)" "$kXsimd"
    check_version Catch2 "$(sed -nE 's/^ *\/\/ *Catch v([0-9.]+).*/\1/p' "$deps/catch2/extras/catch_amalgamated.hpp" | head -n 1)" "$kCatch2"
    check_version libunibreak "$(sed -nE 's/^AC_INIT\(\[?libunibreak\]?, *\[?([0-9.]+).*/\1/p' "$deps/unibreak/configure.ac")" "$kUnibreak"
    check_version nlohmann-json "$(macro_version "$deps/nlohmann_json/include/nlohmann/detail/abi_macros.hpp" NLOHMANN_JSON_VERSION)" "$kJson"
    check_version zlib "$(sed -nE 's/^#define ZLIB_VERSION +"([0-9.]+).*/\1/p' "$deps/zlib/zlib.h")" "$kZlib"
}

# macro_version FILE PREFIX: joins the numbers of PREFIX_MAJOR, PREFIX_MINOR and PREFIX_PATCH with dots.
macro_version() {
    local part number version=
    for part in MAJOR MINOR PATCH; do
        number=$(sed -nE "s/^ *# *define +$2_$part +([0-9]+).*/\1/p" "$1" 2>/dev/null | head -n 1)
        version=$version${version:+.}$number
    done
    printf '%s' "$version"
}
