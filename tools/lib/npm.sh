# shellcheck shell=bash
# The JavaScript packages of package-lock.json (fonts, bundler, test tools) in node_modules. npm checks each against the hash in
# the lock. No package's install script runs.

set_up_npm() {
    local lock stamp=$kRoot/node_modules/.set-up
    lock=$(cksum <"$kRoot/package-lock.json")
    if [ "$(cat "$stamp" 2>/dev/null)" = "$lock" ]; then return; fi
    say "setting up the npm packages"
    rm -f "$stamp"
    (cd "$kRoot" && run_logged "$kLogs/npm.log" npm ci --ignore-scripts --no-audit --no-fund) ||
        fail "the npm packages did not arrive: look at the network (npm needs its registry), then run the same command again"
    printf '%s' "$lock" >"$stamp"
}
