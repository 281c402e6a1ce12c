# shellcheck shell=bash
# Every version the set-up asks for, in one place. Knows no addresses: packages come from whatever mirrors and registries
# the machine itself is configured with. The same libraries as commits, for machines without apt: tools/cmake/dependencies.cmake.

# The oldest Emscripten whose C++ library and compiler build this project (checked with 3.1.6, which does not).
readonly kEmscriptenOldest=3.1.60
# What the project's own copy holds: Debian trixie's packages.
readonly kEmscripten=3.1.69
readonly kLlvm=19

readonly kImgui=1.92.2b
readonly kXtensor=0.27.1
readonly kXtl=0.8.2
readonly kXsimd=14.3.0
readonly kCatch2=3.7.1
readonly kUnibreak=6.1
readonly kJson=3.11.3
readonly kZlib=1.3.1
readonly kXlsxwriter=1.1.4

readonly kNodeOldest=18
readonly kCmakeOldest=3.25
