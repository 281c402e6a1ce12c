# shellcheck shell=bash
# A set-up step writes its stamp last, so a step without a stamp, or with one for other versions or another folder, runs again.

# What a step's result depends on. The folder counts, as the wrappers hold its path.
stamp_text() {
    case $1 in
    llvm) printf 'LLVM %s in %s' "$kLlvm" "$kToolchain" ;;
    emscripten) printf 'Emscripten %s, LLVM %s in %s' "$kEmscripten" "$kLlvm" "$kToolchain" ;;
    libraries)
        printf 'imgui %s, xtensor %s, xtl %s, xsimd %s, catch2 %s, unibreak %s, json %s, zlib %s' \
            "$kImgui" "$kXtensor" "$kXtl" "$kXsimd" "$kCatch2" "$kUnibreak" "$kJson" "$kZlib"
        ;;
    xlsxwriter) printf 'libxlsxwriter %s' "$kXlsxwriter" ;;
    *) fail "tools/lib/stamps.sh knows no step '$1'" ;;
    esac
}

is_stamped() { [ "$(cat "$kToolchain/$1.stamp" 2>/dev/null)" = "$(stamp_text "$1")" ]; }

write_stamp() { stamp_text "$1" >"$kToolchain/$1.stamp"; }
