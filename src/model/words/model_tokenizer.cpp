// Special tokens are cut out first; the rest is changed, cut into words, and each word goes to the model.
#include "model/words/model_tokenizer.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::string_view kBlankSign = "\u2581";

std::string with_blanks(std::string_view text) {
    std::string written;
    for (std::size_t at = 0; at < text.size();) {
        const bool is_blank = text.substr(at).starts_with(kBlankSign);
        written += is_blank ? ' ' : text[at];
        at += is_blank ? kBlankSign.size() : 1;
    }
    return written;
}

// "<0x0A>" is one byte.
std::optional<char> byte_of(std::string_view token) {
    for (unsigned byte = 0; token.size() == 6 && byte < 256; ++byte)
        if (token == token_of_byte(static_cast<std::uint8_t>(byte)))
            return static_cast<char>(static_cast<unsigned char>(byte));
    return std::nullopt;
}

// A number below `end`, and those that begin with its digits, in the order of texts.
void add_numbers_of(int number, int end, std::vector<std::pair<std::string, int>>& tokens) {
    if (number >= end) return;
    tokens.emplace_back(std::to_string(number), number);
    for (int next = 10 * number; number > 0 && next < 10 * number + 10; ++next) add_numbers_of(next, end, tokens);
}

}  // namespace

ModelTokenizer ModelTokenizer::of_numbers(int count) {
    std::vector<std::pair<std::string, int>> tokens;
    const int end = std::min(count, Vocabulary::kMaxTokens);
    for (int first = 0; first < std::min(10, end); ++first) add_numbers_of(first, end, tokens);
    Result<Vocabulary> vocabulary = Vocabulary::make(std::move(tokens));
    ATTN_CHECK(static_cast<bool>(vocabulary), count, " numbers are no vocabulary");
    ModelTokenizer tokenizer(std::move(*vocabulary));
    tokenizer.writing_ = Writing::words;
    tokenizer.cuts_.push_back({.run = [](const StepSettings&, Text text) {
        static const Pattern between = Pattern::of_set({.ranges = {{',', ','}}, .has_white_space = true});
        return cut(text, between, CutBehavior::removed);
    }});
    return tokenizer;
}

void ModelTokenizer::encode_word(const Text& word, std::vector<ModelToken>& tokens) const {
    if (const auto* pairs = std::get_if<BytePairs>(&model_)) return pairs->encode(vocabulary_, word, tokens);
    if (const auto* unigram = std::get_if<Unigram>(&model_)) return unigram->encode(vocabulary_, word, tokens);
    if (const auto* pieces = std::get_if<WordPieceRules>(&model_))
        return encode_word_pieces(vocabulary_, *pieces, word, tokens);
    encode_whole_word(vocabulary_, unknown_, word, tokens);
}

void ModelTokenizer::encode_part(Text text, std::vector<ModelToken>& tokens) const {
    for (const TextChange& change : changes_) text = change(std::move(text));
    for (const AddedTokens::Piece& piece : added_changed_.pieces_of(text)) {
        const Text part(text.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                        text.begin() + static_cast<std::ptrdiff_t>(piece.end));
        if (piece.id >= 0) {
            tokens.push_back({.id = piece.id, .begin = part.front().begin, .end = part.back().end});
            continue;
        }
        std::vector<Text> words = {part};
        for (const WordCut& one : cuts_) {
            std::vector<Text> further;
            for (const Text& word : words)
                for (Text& made : one(word)) further.push_back(std::move(made));
            words = std::move(further);
        }
        for (const Text& word : words) encode_word(word, tokens);
    }
}

ModelTokens ModelTokenizer::encode(std::string_view text, bool adds_special) const {
    ModelTokens result;
    std::vector<ModelToken>& tokens = result.tokens;
    if (adds_special) {
        for (const int id : before_) tokens.push_back({.id = id, .begin = 0, .end = 0});
    }
    const Text characters = unicode::characters_of(text);
    for (const AddedTokens::Piece& piece : added_.pieces_of(characters)) {
        const auto first = characters.begin() + static_cast<std::ptrdiff_t>(piece.begin);
        const auto last = characters.begin() + static_cast<std::ptrdiff_t>(piece.end);
        if (piece.id < 0)
            encode_part({first, last}, tokens);
        else
            tokens.push_back({.id = piece.id, .begin = first->begin, .end = (last - 1)->end});
    }
    if (adds_special) {
        for (const int id : behind_) tokens.push_back({.id = id, .begin = text.size(), .end = text.size()});
    }
    for (const ModelToken& token : tokens) result.num_unknown += token.id < 0 || token.id == unknown_ ? 1 : 0;
    return result;
}

std::string ModelTokenizer::written_text_of(int id) const {
    const std::string_view text = vocabulary_.text(id);
    const bool is_added = added_.has(id) || added_changed_.has(id);
    const bool writes_blank = writing_ == Writing::word_pieces || writing_ == Writing::words;
    if (is_added && !writes_blank) return std::string(text);
    switch (writing_) {
        case Writing::plain:
            return std::string(text);
        case Writing::bytes:
            return bytes_of_token(text);
        case Writing::blanks: {
            const std::optional<char> byte = byte_of(text);
            return byte ? std::string(1, *byte) : with_blanks(text);
        }
        case Writing::suffixed: {
            const bool ends_word = text.ends_with(suffix_);
            return ends_word ? std::string(text.substr(0, text.size() - suffix_.size())) + " " : std::string(text);
        }
        case Writing::word_pieces:
            if (!is_added && text.starts_with(prefix_) && text.size() > prefix_.size())
                return std::string(text.substr(prefix_.size()));
            break;
        case Writing::words:
            break;
    }
    return " " + std::string(text);
}

}  // namespace attn
