// The attn command: hands the terminal's streams to run_command.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "core/ground/memory_room.h"

namespace {

void say_no_memory() {
    std::fputs("There is not enough memory for this: fewer tokens, fewer heads or a smaller model need less.\n",
               stderr);
    std::_Exit(attn::kFailure);
}

}  // namespace

int main(int argc, char** argv) {
    attn::set_memory_handler(say_no_memory);
    std::ios::sync_with_stdio(false);
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    return attn::run_command(arguments, std::cin, std::cout, std::cerr);
}
