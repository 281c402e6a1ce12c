# shellcheck shell=bash
# The JavaScript packages of a package-lock.json (fonts, bundler, test tools) in the node_modules beside it. npm checks each
# against the hash in the lock. No package's install script runs.

# set_up_npm FOLDER
set_up_npm() {
    local folder=$1 lock stamp=$1/node_modules/.set-up
    lock=$(cksum <"$folder/package-lock.json")
    if [ "$(cat "$stamp" 2>/dev/null)" = "$lock" ]; then return; fi
    say "setting up the npm packages of ${folder##*/}"
    rm -f "$stamp"
    (cd "$folder" && run_logged "$kLogs/npm.log" npm ci --ignore-scripts --no-audit --no-fund) ||
        fail "the npm packages did not arrive: look at the network (npm needs its registry), then run the same command again"
    printf '%s' "$lock" >"$stamp"
}
