# shellcheck shell=bash
# libxlsxwriter's sources in .toolchain/xlsxwriter, from Debian's signed source package, for the spreadsheets that are exported. Of
# Debian 12, as the mirrors have lost later ones' archives. A folder and a stamp of its own: whoever has the other libraries need
# not fetch them again. Without a private apt, CMake fetches the same version by commit (tools/cmake/dependencies.cmake).

readonly kXlsxwriterFolder="$kToolchain/xlsxwriter"

set_up_xlsxwriter() {
    if is_stamped xlsxwriter; then return; fi
    if [ "${ATTN_FETCH_DEPS:-0}" = 1 ] || ! private_apt_is_possible; then return; fi # set_up_libraries has said so
    say "setting up libxlsxwriter in .toolchain/xlsxwriter"
    local temp=$kToolchain/temp.xlsxwriter
    rm -rf "$temp"
    mkdir -p "$temp"
    fetch_source bookworm libxlsxwriter "$temp"
    check_version libxlsxwriter "$(sed -nE 's/^#define LXW_VERSION +"([0-9.]+).*/\1/p' "$temp/include/xlsxwriter.h")" "$kXlsxwriter"
    rm -rf "$kXlsxwriterFolder"
    mkdir -p "$kXlsxwriterFolder"
    # The rest is tests, examples and pictures: 70 MB.
    mv "$temp/include" "$temp/src" "$temp/third_party" "$temp/License.txt" "$kXlsxwriterFolder"
    rm -rf "$temp"
    write_stamp xlsxwriter
}
