# shellcheck shell=bash
# nginx for the test of hosting/nginx.conf: the one that this machine has, else Debian's, unpacked into .toolchain/nginx. It is not
# installed, because Debian's package starts the server on port 80, now and whenever the machine starts.

readonly kOwnNginx="$kToolchain/nginx"

# Makes sure that there is an nginx; tests/tools/hosting.test.mjs looks in the same places.
set_up_nginx() {
    if find_nginx >/dev/null; then return; fi
    apt_is_usable ||
        fail "nginx is missing, with which hosting/nginx.conf is tested: install it from your system's packages, or set NGINX to its path"
    say "setting up nginx in .toolchain"
    local packages=(nginx libnginx-mod-http-brotli-static) temp=$kToolchain/temp.nginx package
    rm -rf "$temp" "$kOwnNginx"
    mkdir -p "$temp/debs"
    read_package_lists
    (cd "$temp/debs" && run_logged "$kLogs/nginx.log" apt-get download -q "${packages[@]}") ||
        fail "these packages did not arrive: ${packages[*]}; look at the network, then run the same command again"
    for package in "$temp"/debs/*.deb; do
        dpkg-deb -x "$package" "$temp" || fail "the package $package could not be unpacked: is the disk full?"
    done
    # The libraries it wants are those of Node.js and Python.
    run_logged "$kLogs/nginx.log" "$temp/usr/sbin/nginx" -v ||
        fail "nginx was unpacked into .toolchain but does not start: install it from your system's packages, or set NGINX to its path"
    rm -rf "$temp/debs"
    mv "$temp" "$kOwnNginx"
}

# Prints the path of an nginx that starts.
find_nginx() {
    local program
    for program in "${NGINX:-}" nginx /usr/sbin/nginx "$kOwnNginx/usr/sbin/nginx"; do
        if [ -n "$program" ] && "$program" -v 2>/dev/null; then
            command -v "$program"
            return 0
        fi
    done
    return 1
}
