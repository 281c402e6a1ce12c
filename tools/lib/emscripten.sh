# shellcheck shell=bash
# The compiler for the web: any Emscripten of kEmscriptenOldest or newer that is already there, else the project's own copy in
# .toolchain (Debian trixie's emscripten and binaryen, on the LLVM of llvm.sh). emscripten.cmake looks in the same places in the
# same order.

readonly kOwnEmscripten="$kToolchain/emscripten"

# Prints the version of the Emscripten in a folder, or nothing.
emscripten_version() {
    local file=$1/emscripten-version.txt
    if [ -r "$file" ]; then grep -oE '[0-9]+\.[0-9]+\.[0-9]+' "$file" | head -n 1; fi
}

# Prints each folder where an Emscripten was asked for or may be, best first, one a line as "where<TAB>folder".
emscripten_candidates() {
    local on_path
    [ -z "${EMSCRIPTEN_ROOT:-}" ] || printf 'EMSCRIPTEN_ROOT\t%s\n' "$EMSCRIPTEN_ROOT"
    [ -z "${EMSDK:-}" ] || printf 'EMSDK\t%s\n' "$EMSDK/upstream/emscripten"
    if on_path=$(command -v em++); then printf 'em++ on PATH\t%s\n' "$(dirname "$(readlink -f "$on_path")")"; fi
    printf 'the own copy\t%s\n' "$kOwnEmscripten"
    printf 'the system\t%s\n' /usr/share/emscripten /usr/lib/emscripten
}

# Sets emscripten_found to the folder of the first Emscripten that is new enough, or to nothing. An older one that somebody
# asked for by EMSCRIPTEN_ROOT or EMSDK ends the command; an older one that is merely around is named in a warning and passed over.
find_emscripten() {
    local where folder version
    emscripten_found=
    while IFS=$'\t' read -r where folder; do
        version=$(emscripten_version "$folder")
        [ -n "$version" ] || continue
        if version_at_least "$version" "$kEmscriptenOldest"; then
            if [ "$folder" = "$kOwnEmscripten" ] && ! is_stamped emscripten; then continue; fi
            emscripten_found=$folder
            return 0
        fi
        case $where in
        EMSCRIPTEN_ROOT | EMSDK)
            fail "Emscripten $version in $folder ($where) is too old, at least $kEmscriptenOldest is needed: update it (emsdk install latest) or unset $where"
            ;;
        esac
        warn "Emscripten $version in $folder ($where) is too old and is not used; at least $kEmscriptenOldest is needed"
    done < <(emscripten_candidates)
}

# Makes sure that there is an Emscripten.
set_up_emscripten() {
    find_emscripten
    if [ -n "$emscripten_found" ]; then return; fi
    private_apt_is_possible ||
        fail "the page needs Emscripten $kEmscriptenOldest or newer and there is no Debian mirror to take it from: get emsdk (git clone the emscripten-core/emsdk repository, then ./emsdk install latest && ./emsdk activate latest && source ./emsdk_env.sh) and run the same command again"
    set_up_llvm
    say "setting up Emscripten $kEmscripten in .toolchain"
    fetch_debs trixie emscripten binaryen node-acorn
    local temp=$kToolchain/temp.emscripten
    rm -rf "$temp" "$kOwnEmscripten"
    mkdir -p "$temp/package" "$temp/binaryen/bin"
    # Left out, 1 GB of it: library variants this project never links, and Emscripten's own tests.
    dpkg-deb --fsys-tarfile "$(deb_file emscripten)" | tar -x -C "$temp/package" \
        --exclude='*/wasm32-emscripten/pic' --exclude='*/wasm32-emscripten/lto-pic' --exclude='./usr/share/emscripten/test' \
        --exclude='*-ww*.a' --exclude='*asan*.a' --exclude='*lsan*.a' --exclude='*ubsan*.a' --exclude='*sanitizer*.a' \
        --exclude='*wasmfs*.a' --exclude='*tracing*.a' --exclude='*memvalidate*.a' --exclude='libGL-*emu*.a' --exclude='libGL-*ofb*.a' ||
        fail "the emscripten package could not be unpacked: is the disk full?"
    unpack_deb binaryen "$temp/binaryen/root"
    unpack_deb node-acorn "$temp/acorn"
    mkdir -p "$temp/package/usr/share/emscripten/node_modules"
    mv "$temp/acorn/usr/share/nodejs/acorn" "$temp/package/usr/share/emscripten/node_modules/acorn"
    check_version Emscripten "$(emscripten_version "$temp/package/usr/share/emscripten")" "$kEmscripten"
    rm -rf "$kToolchain/binaryen"
    mv "$temp/binaryen" "$kToolchain/binaryen"
    local program
    for program in "$kToolchain"/binaryen/root/usr/bin/wasm*; do
        write_wrapper "$kToolchain/binaryen/bin/$(basename "$program")" "$program"
    done
    mv "$temp/package/usr/share/emscripten" "$kOwnEmscripten"
    # em++ reads <its own folder>/.emscripten without being told.
    printf "LLVM_ROOT = '%s'\nBINARYEN_ROOT = '%s'\nNODE_JS = '%s'\nFROZEN_CACHE = True\n" \
        "$kOwnLlvm/bin" "$kToolchain/binaryen" "$(command -v node)" >"$kOwnEmscripten/.emscripten"
    # A program that touches each of its tools: clang, lld, binaryen, acorn.
    printf 'int main() { return 0; }\n' >"$temp/check.cpp"
    run_logged "$kLogs/emscripten.log" "$kOwnEmscripten/em++" -O2 "$temp/check.cpp" -o "$temp/check.mjs" ||
        fail "the Emscripten that was set up in .toolchain does not work: delete .toolchain/emscripten* and run the same command again"
    rm -rf "$temp"
    write_stamp emscripten
}
