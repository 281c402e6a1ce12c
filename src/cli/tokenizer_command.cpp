// Texts in, one file out.
#include "cli/tokenizer_command.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>
#include <vector>

#include "cli/files.h"
#include "cli/tell.h"
#include "cli/tokenizer_text.h"
#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/words/code_points.h"
#include "model/words/pair_training.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr int kRefusedTokenizer = 2;
constexpr int kFewestTokens = 257, kMostTokens = 65'536;  // the bytes and the end; two bytes a number

struct TokenizerOptions {
    int num_tokens = 4096;  // the bytes and the end of a text among them
    PairTokenizerTraits traits = {.end = "<|endoftext|>"};
    std::string output;  // empty: standard output
    std::vector<std::string> files;
};

std::string put_tokenizer_option(TokenizerOptions& options, const std::string& name, const std::string& value) {
    if (name == "--tokens") {
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.num_tokens);
        const bool is_whole = error == std::errc() && end == value.data() + value.size();
        if (!is_whole || options.num_tokens < kFewestTokens || options.num_tokens > kMostTokens)
            return concat("--tokens wants a whole number from ", kFewestTokens, " to 65,536, not ", quoted(value), ".");
    } else if (name == "--begin" || name == "--blank") {
        if (value != "yes" && value != "no") return concat(name, " wants yes or no, not ", quoted(value), ".");
        (name == "--begin" ? options.traits.begins : options.traits.adds_blank) = value == "yes";
    } else if (name == "--out") {
        options.output = value;
    } else {
        return concat("attn tokenizer has no option ", quoted(name), "; attn --help lists them.");
    }
    return "";
}

std::string read_tokenizer_options(std::span<const std::string> arguments, TokenizerOptions& options) {
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with("--")) {
            options.files.push_back(arguments[i]);
            continue;
        }
        if (i + 1 == arguments.size()) return concat(quoted(arguments[i]), " wants a value after it.");
        std::string refusal = put_tokenizer_option(options, arguments[i], arguments[i + 1]);
        if (!refusal.empty()) return refusal;
        ++i;
    }
    if (options.files.empty()) return "Say what to learn from: attn tokenizer [--tokens N] TEXT_FILE...";
    return "";
}

}  // namespace

bool is_about_tokenizer(std::span<const std::string> arguments) {
    return !arguments.empty() && arguments[0] == "tokenizer" &&
           std::find(arguments.begin(), arguments.end(), "--help") == arguments.end();
}

int run_tokenizer_command(std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
    const auto refuse = [&](std::string_view sentence) {
        tell(err, sentence);
        return kRefusedTokenizer;
    };
    TokenizerOptions options;
    const std::string refusal = read_tokenizer_options(arguments, options);
    if (!refusal.empty()) return refuse(refusal);
    PairTraining training;
    std::istringstream no_input;
    std::int64_t num_bytes = 0;
    for (const std::string& file : options.files) {
        const Result<std::string> text = read_bytes(file, no_input);
        if (!text) return refuse(text.error());
        // Each letter with its place while words are cut, and at worst a word of two letters in the count.
        constexpr std::int64_t kBytesAByte = 64;
        const std::int64_t bytes = kBytesAByte * static_cast<std::int64_t>(text->size());
        if (!has_room_for(bytes))
            return refuse(concat("Learning from ", quoted(file), " takes up to ", bytes_in_words(bytes),
                                 " of memory, which cannot be had: a shorter text takes less."));
        training.add(*text);
        num_bytes += static_cast<std::int64_t>(text->size());
    }
    const LearnedPairs pairs = training.learn(options.num_tokens - 1);
    const auto num_tokens = static_cast<int>(pairs.tokens.size()) + 1;
    const std::string json = pair_tokenizer_text(pairs, options.traits);
    tell(err, concat(num_bytes, " bytes, ", training.num_words(), " words, ", num_tokens, " tokens"));
    if (num_tokens < options.num_tokens)
        tell_note(err, concat("no other pair stands twice, so there are not ", options.num_tokens, " tokens"));
    if (options.output.empty()) {
        out << json;
        return 0;
    }
    const std::string problem = write_bytes(options.output, "tokenizer.json", json);
    return problem.empty() ? 0 : refuse(problem);
}

std::string tokenizer_help_text() {
    return "  attn tokenizer TEXT_FILE...   learns byte pairs from texts, and prints a tokenizer.json\n"
           "      --tokens N          so many, with the 256 bytes and the end of a text (default: 4096)\n"
           "      --begin yes         the end of a text stands before each text, too\n"
           "      --blank yes         a blank stands before a text that has none, so that its first word is a word as "
           "others\n"
           "      --out FILE          write it there\n"
           "\n";
}

}  // namespace attn
