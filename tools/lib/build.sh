# shellcheck shell=bash
# Builds for the commands that start or pack the program. Needs say.sh and kRoot.

# build PRESET TARGET...: configures and builds; the chatter goes to a log.
build() {
    local preset=$1
    shift
    say "building $* (build/$preset)"
    cd "$kRoot"
    run_logged "build/$preset/configure.log" cmake --preset "$preset" ||
        fail "the build could not be configured: the messages above say why"
    run_logged "build/$preset/build.log" cmake --build "build/$preset" --target "$@" ||
        fail "the build failed: the messages above say why"
}
