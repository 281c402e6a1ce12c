#include "bench/native/program.h"
#include "core/fast/attend.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace attn::bench {
namespace {

[[noreturn]] void stop(const std::string& why) {
    std::cerr << "bench: " << why << '\n';
    std::exit(1);
}

std::vector<float> read_numbers(std::ifstream& file, int rows, int columns) {
    std::vector<float> numbers(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    file.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(float)));
    if (!file) stop("the problem's file is too short");
    return numbers;
}

void write_numbers(std::ofstream& file, std::span<const float> numbers) {
    file.write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(numbers.size_bytes()));
}

// The rest of a start command: shape, with_weights and the two files.
Problem read_problem(bool& with_weights, std::string& answer_file) {
    Problem problem;
    std::string problem_file;
    if (!(std::cin >> problem.num_tokens >> problem.d_in >> problem.d_out >> problem.num_heads >> with_weights >>
          problem_file >> answer_file))
        stop("start wants T d_in d_out num_heads with_weights problem_file answer_file");
    std::ifstream file(problem_file, std::ios::binary);
    problem.x = read_numbers(file, problem.num_tokens, problem.d_in);
    problem.w_query = read_numbers(file, problem.d_in, problem.d_out);
    problem.w_key = read_numbers(file, problem.d_in, problem.d_out);
    problem.w_value = read_numbers(file, problem.d_in, problem.d_out);
    return problem;
}

}  // namespace

double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int answer_commands(const std::string& version, const Prepare& prepare) {
    Problem problem;
    Attend attend;
    std::string command;
    while (std::cin >> command) {
        if (command == "start") {
            bool with_weights = false;
            std::string answer_file;
            problem = read_problem(with_weights, answer_file);
            attend = prepare(problem, with_weights);
            const Answer answer = attend();
            std::ofstream file(answer_file, std::ios::binary);
            write_numbers(file, answer.context);
            write_numbers(file, answer.weights);
            if (!file.flush()) stop("the answer could not be written to " + answer_file);
            std::cout << "{\"version\": \"" << version << "\"}" << std::endl;
        } else if (command == "batch" && attend) {
            int calls = 0;
            std::cin >> calls;
            attend();  // not timed: after the others' turns the caches are cold
            const double start = now_ms();
            for (int k = 0; k < calls; ++k) attend();
            std::cout << "{\"ms\": " << (now_ms() - start) / calls << "}" << std::endl;
        } else {
            stop("no command '" + command + "' is known here");
        }
    }
    return 0;
}

}  // namespace attn::bench
