# shellcheck shell=bash
# How the set-up and the two commands talk to people: one line of progress a step, one sentence when a step fails.
# Knows nothing about what is being set up.

say() { printf '\033[1m==\033[0m %s\n' "$*"; }

warn() { printf 'warning: %s\n' "$*" >&2; }

# Ends the command with exit code 1. The text is one sentence: what is missing and how to get it.
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# run_logged LOG COMMAND...: keeps a step's chatter in LOG; shows its last lines only when the step fails.
# Returns the command's exit code.
run_logged() {
    local log=$1 code=0
    shift
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 </dev/null || code=$?
    if [ "$code" -ne 0 ]; then
        tail -n 15 "$log" >&2
        printf '(the whole output is in %s)\n' "$log" >&2
    fi
    return "$code"
}

# version_at_least GOT WANT: true when dotted version GOT is WANT or newer.
version_at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

# check_version NAME GOT WANT: the same version passes; a newer patch level (only what follows the second dot differs) passes
# with one line of warning; anything else ends the command.
check_version() {
    local name=$1 got=$2 want=$3
    [ "$got" = "$want" ] && return 0
    if [ "$(cut -d . -f 1,2 <<<"$got")" = "$(cut -d . -f 1,2 <<<"$want")" ] && version_at_least "$got" "$want"; then
        warn "$name $got arrived instead of $want: a newer patch level, used as it is"
        return 0
    fi
    fail "$name ${got:-of no known version} arrived, but this project is written for $want: set ATTN_FETCH_DEPS=1 to take the pinned commit from its own repository instead, or adapt tools/lib/versions.sh and the code"
}
