// Runs a fuzz target with any compiler: each seed as it is, then inputs made from the seeds by small random changes,
// the same ones for the same --seed. Where the rooms are built to tell which code they reach (the preset fuzz), an
// input that reaches new code is kept and changed on. An input on which the target stops, or takes too long, is written
// to a file. tools/fuzz and tests/fuzz/fuzz.test.mjs call it:
//   link_fuzz [--runs N] [--seconds N] [--seed N] [--most BYTES] [--words FILE] [--keep FOLDER] [--links FILE]...
//   SEED...
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/target.h"

namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSeconds = 60;     // of the processor's time for one input, with the sanitizers
constexpr unsigned kLongestWait = 1'200;  // by the clock, for one that waits and does nothing
constexpr std::size_t kMostKept = 20000;

// --- what the rooms reach: a byte for each step from one place of the code to the next
// --------------------------------

constexpr std::size_t kPlaces = 1 << 16;
std::array<std::uint8_t, kPlaces> reached;
std::size_t last_place = 0;
bool reaches_new = false;

// --- the input that is tried, for the moment in which the target stops
// -------------------------------------------------

std::string tried;
std::string found_file;

void write_found(int signal) {
    std::FILE* file = std::fopen(found_file.c_str(), "wb");
    if (file != nullptr) {
        std::fwrite(tried.data(), 1, tried.size(), file);
        std::fclose(file);
    }
    std::fprintf(stderr, "%s: the input, %zu bytes, is in %s\n",
                 signal == SIGALRM || signal == SIGPROF ? "an input takes too long" : "an input stops the program",
                 tried.size(), found_file.c_str());
    std::_Exit(1);
}

// From now on: seconds of the processor's time, which other programs do not take, and by the clock. 0: none.
void limit_time(unsigned worked, unsigned waited) {
    const itimerval limit = {.it_interval = {}, .it_value = {.tv_sec = worked, .tv_usec = 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
    alarm(waited);
}

void try_input(const std::string& input) {
    tried = input;
    // A buffer of its very size: a byte read beyond it is seen.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    reaches_new = false;
    last_place = 0;
    limit_time(kMostSeconds, kLongestWait);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    limit_time(0, 0);
}

// --- changes
// -----------------------------------------------------------------------------------------------------------

class Changer {
public:
    Changer(unsigned long seed, std::size_t most, std::vector<std::string> words)
        : engine_(seed), most_(most), words_(std::move(words)) {}

    std::size_t below(std::size_t size) { return static_cast<std::size_t>(engine_() % size); }

    std::string changed(std::string input, const std::string& other) {
        for (std::size_t n = 1 + below(4); n > 0; --n) change(input, other);
        if (input.size() > most_) input.resize(most_);
        return input;
    }

private:
    // A place in the input, its end included.
    std::size_t place(const std::string& input) { return below(input.size() + 1); }

    // A part of it, short mostly.
    std::pair<std::size_t, std::size_t> part(const std::string& input) {
        const std::size_t at = place(input);
        const std::size_t left = input.size() - at;
        const std::size_t longest = below(4) == 0 ? left : std::min<std::size_t>(left, 16);
        return {at, below(longest + 1)};
    }

    std::string some_number() {
        constexpr std::array kNumbers = {"0",     "1",          "-1",         "7",    "255",  "256", "1024",
                                         "1025",  "2048",       "2049",       "4096", "1e39", "nan", "-inf",
                                         "65536", "4294967295", "9999999999", "-0",   "1e-9", "0.5", "1e400"};
        return kNumbers[below(kNumbers.size())];
    }

    // A whole number of 1 to 8 bytes as files have it, near a power of two.
    std::string some_field() {
        std::uint64_t value = std::uint64_t{1} << below(64);
        value += below(3) - 1;
        std::string bytes;
        for (std::size_t n = std::size_t{1} << below(4); n > 0; --n, value >>= 8U)
            bytes += static_cast<char>(value & 255U);
        return bytes;
    }

    void change(std::string& input, const std::string& other) {
        const auto [at, length] = part(input);
        switch (below(11)) {
            case 0:
                if (at < input.size())
                    input[at] = static_cast<char>(static_cast<unsigned char>(input[at]) ^ (1U << below(8)));
                break;
            case 1:
                if (at < input.size()) input[at] = static_cast<char>(below(256));
                break;
            case 2:
                input.insert(at, 1 + below(8), static_cast<char>(below(256)));
                break;
            case 3:
                input.erase(at, length);
                break;
            case 4:  // the same again
                input.insert(place(input), input.substr(at, length));
                break;
            case 5:  // many times over
                if (length > 0) {
                    const std::string again = input.substr(at, length);
                    for (std::size_t n = below(40); n > 0 && input.size() < most_; --n) input.insert(at, again);
                }
                break;
            case 6:
                if (!words_.empty()) input.insert(at, words_[below(words_.size())]);
                break;
            case 7:
                if (!words_.empty()) input.replace(at, length, words_[below(words_.size())]);
                break;
            case 8:
                input.replace(at, length, some_number());
                break;
            case 9: {
                const std::string field = some_field();
                if (at + field.size() <= input.size()) input.replace(at, field.size(), field);
                break;
            }
            default: {  // a part of another one
                const auto [from, taken] = part(other);
                input.replace(at, length, other.substr(from, taken));
            }
        }
    }

    std::mt19937_64 engine_;  // its sequence is the standard's
    std::size_t most_;
    std::vector<std::string> words_;
};

// --- files
// -------------------------------------------------------------------------------------------------------------

std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        std::fprintf(stderr, "error: %s cannot be read\n", path.c_str());
        std::_Exit(2);
    }
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines_of(const fs::path& path) {
    std::vector<std::string> lines;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The words of a dictionary as libFuzzer has it: one a line, in double quotes, \xNN for a byte.
std::vector<std::string> words_of(const fs::path& path) {
    std::vector<std::string> words;
    for (const std::string& line : lines_of(path)) {
        const std::size_t begin = line.find('"'), end = line.rfind('"');
        if (line.starts_with('#') || begin == std::string::npos || end == begin) continue;
        std::string word;
        for (std::size_t i = begin + 1; i < end; ++i) {
            const bool is_escape = line[i] == '\\' && i + 1 < end;
            if (is_escape && line[i + 1] == 'x' && i + 3 < end) {
                word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
                i += 3;
            } else {
                word += line[is_escape ? ++i : i];
            }
        }
        words.push_back(word);
    }
    return words;
}

// The files of a folder in the order of their names, or the one file.
void add_files(const fs::path& path, std::vector<std::string>& inputs) {
    std::vector<fs::path> files;
    if (fs::is_directory(path)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(path)) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
    } else {
        files.push_back(path);
    }
    for (const fs::path& file : files) inputs.push_back(bytes_of(file));
}

struct Options {
    long runs = 0;
    long seconds = 0;
    unsigned long seed = 1;
    std::size_t most = 4096;
    std::vector<std::string> words;
    std::string keep;
    std::vector<std::string> seeds;
};

Options read_options(std::span<char*> arguments) {
    Options options;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string name = arguments[i];
        if (!name.starts_with("--")) {
            add_files(name, options.seeds);
            continue;
        }
        if (++i == arguments.size()) {
            std::fprintf(stderr, "error: %s takes a value\n", name.c_str());
            std::_Exit(2);
        }
        const std::string value = arguments[i];
        if (name == "--runs") {
            options.runs = std::stol(value);
        } else if (name == "--seconds") {
            options.seconds = std::stol(value);
        } else if (name == "--seed") {
            options.seed = std::stoul(value);
        } else if (name == "--most") {
            options.most = std::stoul(value);
        } else if (name == "--words") {
            options.words = words_of(value);
        } else if (name == "--keep") {
            options.keep = value;
        } else if (name == "--links") {
            for (const std::string& link : lines_of(value)) options.seeds.push_back(input_of_link(link));
        } else {
            std::fprintf(stderr, "error: no option %s\n", name.c_str());
            std::_Exit(2);
        }
    }
    return options;
}

}  // namespace

// Called by the rooms at each place that they reach, where they are built so.
extern "C" void __sanitizer_cov_trace_pc() {
    const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const std::size_t mixed = (place ^ (place >> 16U)) % kPlaces;
    const std::size_t step = (mixed ^ (last_place >> 1U)) % kPlaces;
    last_place = mixed;
    if (reached[step] != 0) return;
    reached[step] = 1;
    reaches_new = true;
}

// A sanitizer that found something ends as a failed check does: by a signal.
extern "C" const char* __asan_default_options() {
    return "abort_on_error=1:handle_abort=0:handle_segv=1";
}
extern "C" const char* __ubsan_default_options() {
    return "abort_on_error=1:print_stacktrace=1";
}

int main(int argument_count, char** arguments) {
    Options options = read_options({arguments, static_cast<std::size_t>(argument_count)});
    const std::string name = fs::path(arguments[0]).filename().string();
    found_file = (options.keep.empty() ? fs::path() : fs::path(options.keep)) / ("found-by-" + name);
    if (!options.keep.empty()) fs::create_directories(options.keep);
    for (const int signal : {SIGABRT, SIGALRM, SIGPROF, SIGFPE, SIGILL}) std::signal(signal, write_found);

    std::vector<std::string>& inputs = options.seeds;
    if (inputs.empty()) inputs.emplace_back();
    const std::size_t num_seeds = inputs.size();
    for (std::size_t i = 0; i < num_seeds; ++i) try_input(inputs[i]);

    Changer changer(options.seed, options.most, std::move(options.words));
    std::erase_if(inputs, [&](const std::string& input) { return input.size() > 4 * options.most; });
    if (inputs.empty()) inputs.emplace_back();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds);
    long runs = 0;
    for (; runs < options.runs || std::chrono::steady_clock::now() < end; ++runs) {
        const std::string input =
            changer.changed(inputs[changer.below(inputs.size())], inputs[changer.below(inputs.size())]);
        try_input(input);
        if (!reaches_new || inputs.size() >= kMostKept) continue;
        inputs.push_back(input);
        if (options.keep.empty()) continue;
        std::ofstream(fs::path(options.keep) / ("kept-" + std::to_string(inputs.size())), std::ios::binary) << input;
    }
    std::printf("%s: %zu seeds and %ld changed inputs, nothing found\n", name.c_str(), num_seeds, runs);
    return 0;
}
