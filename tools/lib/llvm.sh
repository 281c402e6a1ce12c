# shellcheck shell=bash
# Debian trixie's LLVM in .toolchain/llvm: clang, lld and tools for Emscripten, and clang-format. Called through small wrappers
# that use trixie's own loader and libraries, which lets an older system run it. Installs nothing.

readonly kOwnLlvm="$kToolchain/llvm"

# clang-format comes from the project's own LLVM where possible, as every version formats a little differently.
set_up_clang_format() {
    if is_stamped llvm || private_apt_is_possible; then
        set_up_llvm
    elif ! command -v clang-format-$kLlvm >/dev/null && ! clang-format --version 2>/dev/null | grep -q "version $kLlvm\."; then
        fail "clang-format $kLlvm is needed to check the formatting: install it, as clang-format-$kLlvm or clang-format"
    fi
}

# clang, lld, the llvm tools and clang-format of trixie with the libraries they need.
set_up_llvm() {
    if is_stamped llvm; then return; fi
    private_apt_is_possible || fail "LLVM $kLlvm can be set up only where there is apt with a Debian mirror"
    say "setting up LLVM $kLlvm in .toolchain"
    local programs=("clang-$kLlvm" "lld-$kLlvm" "llvm-$kLlvm" "libllvm$kLlvm" "libclang-cpp$kLlvm" "libclang-common-$kLlvm-dev"
        "llvm-$kLlvm-linker-tools" "clang-format-$kLlvm")
    local libraries=(libc6 libgcc-s1 libstdc++6 libedit2 libbsd0 libmd0 libtinfo6 libffi8 libxml2 liblzma5 libz3-4 libzstd1 zlib1g)
    fetch_debs trixie "${programs[@]}" "${libraries[@]}"
    local temp=$kToolchain/temp.llvm package program real extra
    rm -rf "$temp" "$kOwnLlvm"
    mkdir -p "$temp/bin"
    for package in "${programs[@]}" "${libraries[@]}"; do
        unpack_deb "$package" "$temp/root"
    done
    prune_llvm "$temp/root"
    mv "$temp" "$kOwnLlvm"
    for program in clang clang++ wasm-ld llvm-ar llvm-nm llvm-ranlib llvm-objcopy llvm-strip llvm-dwarfdump llvm-dwp \
        llvm-symbolizer llvm-size llvm-objdump clang-format; do
        real=$(readlink -f "$kOwnLlvm/root/usr/lib/llvm-$kLlvm/bin/$program")
        extra=()
        # Behind a loader clang takes the loader's folder for its own and would not find its headers.
        case $program in clang | clang++) extra=(-resource-dir "$kOwnLlvm/root/usr/lib/llvm-$kLlvm/lib/clang/$kLlvm") ;; esac
        write_wrapper "$kOwnLlvm/bin/$program" "$real" "${extra[@]}"
    done
    run_logged "$kLogs/llvm.log" "$kOwnLlvm/bin/clang" --version &&
        run_logged "$kLogs/llvm.log" "$kOwnLlvm/bin/clang-format" --version ||
        fail "the LLVM that was set up in .toolchain does not start: delete .toolchain/llvm* and run the same command again"
    write_stamp llvm
}

# prune_llvm ROOT: drops programs, static libraries and headers that neither Emscripten nor the format check calls.
prune_llvm() {
    local root=$1/usr/lib/llvm-$kLlvm
    rm -rf "$1/usr/share/doc" "$1/usr/share/man" "$root/build" "$root/include" "$root/lib/clang/$kLlvm/lib"
    find "$root/bin" -type f ! -name 'clang' ! -name 'clang-format' ! -name 'lld' ! -name 'llvm-*' -delete
    find "$root/lib" -name '*.a' -delete
}

# write_wrapper FILE PROGRAM [ARGUMENT...]: FILE runs PROGRAM with trixie's own loader and libraries, under FILE's name.
write_wrapper() {
    local file=$1 program=$2 libraries=$kOwnLlvm/root/usr/lib/x86_64-linux-gnu own
    own=$(dirname "$(dirname "$program")")/lib # the package's own libraries lie beside its programs
    shift 2
    {
        printf '#!/bin/sh\n'
        printf 'exec "%s/ld-linux-x86-64.so.2" --library-path "%s:%s:%s" --argv0 "%s" "%s"' \
            "$libraries" "$libraries" "$own" "$own/x86_64-linux-gnu" "$(basename "$file")" "$program"
        [ $# -eq 0 ] || printf ' "%s"' "$@"
        printf ' "$@"\n'
    } >"$file"
    chmod +x "$file"
}
