// tiktoken's lists of ranks: each line has the bytes of a token in base64, and its number. Such a list does not say how
// texts are cut: its length tells which one it is.
#include <algorithm>
#include <array>
#include <charconv>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/words/tokenizer_reader.h"

namespace attn {
namespace {

// A list that is known by how many tokens it has.
struct KnownRanks {
    std::size_t count;
    std::string_view words;  // empty: GPT-2's
    std::string_view special;
    int id;
    bool begins;  // the special token stands before each text
};
constexpr std::array<KnownRanks, 5> kKnown = {{{50256, "", "<|endoftext|>", 50256, false},
                                               {100256, kWordsOfCl100k, "<|endoftext|>", 100257, false},
                                               {128000, kWordsOfCl100k, "<|begin_of_text|>", 128000, true},
                                               {151643, kWordsOfQwen, "<|endoftext|>", 151643, false},
                                               {199998, kWordsByCase, "<|endoftext|>", 199999, false}}};

}  // namespace

Result<ModelTokenizer> TokenizerReader::read_ranks(const TokenizerFiles& files) {
    Tokens tokens;
    std::string_view rest = files.tokenizer_model;
    for (std::size_t line_number = 1; !rest.empty(); ++line_number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::optional<std::string> bytes = from_base64(line.substr(0, blank));
        const std::string_view digits = line.substr(std::min(blank + 1, line.size()));
        int id = -1;
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), id);
        const bool is_right = bytes && !bytes->empty() && parsed.ec == std::errc() && !digits.empty() &&
                              parsed.ptr == digits.data() + digits.size() && id >= 0 && id < Vocabulary::kMaxTokens;
        if (!is_right)
            return Read::failure(concat("Line ", line_number,
                                        " of tokenizer.model is no token in base64 with its number: it is neither a "
                                        "list of tiktoken's nor a file of SentencePiece."));
        std::string letters;
        for (const char byte : *bytes)
            unicode::append_utf8(letters, character_of_byte(static_cast<std::uint8_t>(byte)));
        tokens.emplace_back(std::move(letters), id);
    }
    const auto known = std::ranges::find(kKnown, tokens.size(), &KnownRanks::count);
    if (known == kKnown.end())
        return Read::failure(concat("tokenizer.model is a list of ", tokens.size(),
                                    " tokens in tiktoken's form, which does not say how texts are cut: this program "
                                    "knows those of 50,256, 100,256, 128,000, 151,643 and 199,998 tokens."));
    const int special = known->id;
    tokens.emplace_back(known->special, special);
    Result<Vocabulary> vocabulary = Vocabulary::make(std::move(tokens));
    if (!vocabulary) return Read::failure(vocabulary.error());
    ModelTokenizer tokenizer(std::move(*vocabulary));
    std::vector<std::int32_t> ranks;
    for (int id = 0; id < tokenizer.size(); ++id)
        ranks.push_back(id == special || tokenizer.text_of(id).empty() ? -1 : id);
    tokenizer.model_ = BytePairs::by_rank(tokenizer.vocabulary_, ranks, {.ignores_merges = true});
    tokenizer.writing_ = ModelTokenizer::Writing::bytes;
    tokenizer.added_ = AddedTokens({{.text = std::string(known->special), .id = special}});
    if (known->begins) tokenizer.before_ = {special};
    const bool is_gpt2 = known->words.empty();
    if (!is_gpt2) {
        Result<Pattern> words = Pattern::read(known->words);
        ATTN_CHECK(static_cast<bool>(words), known->words);
        tokenizer.cuts_.push_back(
            {.run = [](const StepSettings& own, Text text) { return cut(text, *own.pattern, CutBehavior::isolated); },
             .settings = {.pattern = std::move(*words)}});
    }
    tokenizer.cuts_.push_back(cut_of_gpt2(false, is_gpt2));
    return tokenizer;
}

}  // namespace attn
