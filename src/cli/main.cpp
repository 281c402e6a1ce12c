// The attn command: hands the terminal's streams to run_command.
#include <iostream>
#include <string>
#include <vector>

#include "cli/command.h"

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    return attn::run_command(arguments, std::cin, std::cout, std::cerr);
}
