// The regular expressions by hand, and merges by a heap.
#include "model/words/byte_pairs.h"

#include <algorithm>
#include <array>
#include <queue>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

using unicode::Character;

// What follows an apostrophe; no one begins another.
constexpr std::array<std::string_view, 7> kContractions = {"s", "t", "re", "ve", "m", "ll", "d"};

class Splitter {
public:
    Splitter(std::span<const Character> text, WordSplit split) : text_(text), split_(split) {}

    // The end of the word that begins at `at`.
    std::size_t word_end(std::size_t at) const {
        if (const std::size_t end = contraction_end(at); end != at) return end;
        return split_ == WordSplit::gpt2 ? gpt2_end(at) : newer_end(at);
    }

private:
    bool is_letter(std::size_t at) const { return at < text_.size() && unicode::is_letter(text_[at].code); }
    bool is_number(std::size_t at) const { return at < text_.size() && unicode::is_number(text_[at].code); }
    bool is_space(std::size_t at) const { return at < text_.size() && unicode::is_white_space(text_[at].code); }
    bool is_break(std::size_t at) const {
        return at < text_.size() && (text_[at].code == '\r' || text_[at].code == '\n');
    }
    bool is_symbol(std::size_t at) const {
        return at < text_.size() && !is_space(at) && !is_letter(at) && !is_number(at);
    }
    template <class Is>
    std::size_t run_end(std::size_t at, Is is) const {
        while ((this->*is)(at)) ++at;
        return at;
    }

    // The letter of a contraction: whatever its case in newer files, with the long s, which is an s of another case.
    bool is_same(std::uint32_t code, char letter) const {
        const auto small = static_cast<std::uint32_t>(letter);
        if (code == small) return true;
        return split_ != WordSplit::gpt2 && (code == small - 32 || (letter == 's' && code == 0x17f));
    }

    std::size_t contraction_end(std::size_t at) const {
        if (text_[at].code != '\'') return at;
        for (const std::string_view letters : kContractions) {
            std::size_t end = at + 1;
            for (const char letter : letters) {
                if (end >= text_.size() || !is_same(text_[end].code, letter)) break;
                ++end;
            }
            if (end - at - 1 == letters.size()) return end;
        }
        return at;
    }

    // A run of white space before a word leaves its last character to the word.
    std::size_t space_end(std::size_t at) const {
        const std::size_t end = run_end(at, &Splitter::is_space);
        return end < text_.size() && end - at > 1 ? end - 1 : end;
    }

    std::size_t gpt2_end(std::size_t at) const {
        const std::size_t first = text_[at].code == ' ' ? at + 1 : at;
        if (is_letter(first)) return run_end(first, &Splitter::is_letter);
        if (is_number(first)) return run_end(first, &Splitter::is_number);
        if (is_symbol(first)) return run_end(first, &Splitter::is_symbol);
        return space_end(at);
    }

    std::size_t newer_end(std::size_t at) const {
        if (is_letter(at)) return run_end(at, &Splitter::is_letter);
        if (!is_break(at) && !is_number(at) && is_letter(at + 1)) return run_end(at + 1, &Splitter::is_letter);
        if (is_number(at)) {
            const std::size_t most = split_ == WordSplit::llama3 ? 3 : 1;
            return std::min(run_end(at, &Splitter::is_number), at + most);
        }
        const std::size_t first = text_[at].code == ' ' ? at + 1 : at;
        if (is_symbol(first)) return run_end(run_end(first, &Splitter::is_symbol), &Splitter::is_break);
        // \s*[\r\n]+ takes white space up to its last line break.
        std::size_t end = run_end(at, &Splitter::is_space);
        while (end > at && !is_break(end - 1)) --end;
        return end > at ? end : space_end(at);
    }

    std::span<const Character> text_;
    WordSplit split_;
};

bool stands_for_itself(std::uint32_t byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

std::array<std::uint32_t, 256> make_alphabet() {
    std::array<std::uint32_t, 256> alphabet = {};
    std::uint32_t next = 0x100;
    for (std::uint32_t byte = 0; byte < 256; ++byte) alphabet[byte] = stands_for_itself(byte) ? byte : next++;
    return alphabet;
}

const std::array<std::uint32_t, 256>& alphabet() {
    static const std::array<std::uint32_t, 256> kAlphabet = make_alphabet();
    return kAlphabet;
}

std::string text_of_word(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) unicode::append_utf8(text, character_of_byte(static_cast<std::uint8_t>(byte)));
    return text;
}

std::uint64_t pair_of(int left, int right) {
    return static_cast<std::uint64_t>(left) << 32U | static_cast<std::uint32_t>(right);
}

}  // namespace

std::vector<std::size_t> split_words(std::span<const Character> text, WordSplit split, DigitCut digits) {
    std::vector<std::size_t> ends;
    const auto is_number = [&](std::size_t at) { return unicode::is_number(text[at].code); };
    for (std::size_t begin = 0; begin < text.size();) {
        // A piece of numbers alone, or of none.
        std::size_t end = digits == DigitCut::none ? text.size() : begin + 1;
        const bool is_one = digits == DigitCut::each && is_number(begin);
        while (!is_one && end < text.size() && is_number(end) == is_number(begin)) ++end;
        if (split == WordSplit::none) {
            ends.push_back(end);
        } else {
            const Splitter splitter(text.subspan(begin, end - begin), split);
            for (std::size_t at = 0; at < end - begin; ends.push_back(begin + at)) at = splitter.word_end(at);
        }
        begin = end;
    }
    return ends;
}

std::uint32_t character_of_byte(std::uint8_t byte) {
    return alphabet()[byte];
}

std::string bytes_of_token(std::string_view text) {
    std::string bytes;
    for (const Character& one : unicode::characters_of(text)) {
        const auto found = std::find(alphabet().begin(), alphabet().end(), one.code);
        if (found != alphabet().end()) {
            bytes += static_cast<char>(static_cast<unsigned char>(found - alphabet().begin()));
        } else {
            bytes += text.substr(one.begin, one.end - one.begin);
        }
    }
    return bytes;
}

Result<BytePairs> BytePairs::make(const Vocabulary& vocabulary,
                                  std::span<const std::pair<std::string_view, std::string_view>> merges, int unknown,
                                  bool ignores_merges) {
    BytePairs result;
    result.unknown_ = unknown;
    result.ignores_merges_ = ignores_merges;
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::string text;
        unicode::append_utf8(text, character_of_byte(static_cast<std::uint8_t>(byte)));
        result.byte_ids_.push_back(vocabulary.find(text).value_or(-1));
    }
    for (std::size_t rank = 0; rank < merges.size(); ++rank) {
        const auto& [left, right] = merges[rank];
        const std::string both = concat(left, right);
        const std::optional<int> ids[3] = {vocabulary.find(left), vocabulary.find(right), vocabulary.find(both)};
        for (int i = 0; i < 3; ++i) {
            if (ids[i]) continue;
            const std::string_view missing = i == 0 ? left : i == 1 ? right : std::string_view(both);
            return Result<BytePairs>::failure(concat("Merge ", rank + 1, " of the tokenizer makes ", attn::quoted(both),
                                                     " of ", attn::quoted(left), " and ", attn::quoted(right),
                                                     ", but its vocabulary has no ", attn::quoted(missing), "."));
        }
        result.merges_.push_back(
            {.pair = pair_of(*ids[0], *ids[1]), .rank = static_cast<std::int32_t>(rank), .id = *ids[2]});
    }
    // Of a pair that is there twice the last rank counts, as in other readers.
    std::sort(result.merges_.begin(), result.merges_.end(),
              [](const Merge& a, const Merge& b) { return a.pair != b.pair ? a.pair < b.pair : a.rank > b.rank; });
    return result;
}

const BytePairs::Merge* BytePairs::find(int left, int right) const {
    if (left < 0 || right < 0) return nullptr;
    const std::uint64_t pair = pair_of(left, right);
    const auto found = std::lower_bound(merges_.begin(), merges_.end(), pair,
                                        [](const Merge& merge, std::uint64_t wanted) { return merge.pair < wanted; });
    return found == merges_.end() || found->pair != pair ? nullptr : &*found;
}

void BytePairs::encode(const Vocabulary& vocabulary, std::string_view word, std::size_t begin,
                       std::vector<ModelToken>& tokens) const {
    if (ignores_merges_) {
        if (const std::optional<int> id = vocabulary.find(text_of_word(word))) {
            tokens.push_back({.id = *id, .begin = begin, .end = begin + word.size()});
            return;
        }
    }
    // A list of what is left, and a heap of the merges that are possible; those that no longer are fall out when they
    // are taken.
    struct Part {
        int id;
        std::size_t begin, end;
        std::ptrdiff_t before, after;
    };
    struct Candidate {
        std::int32_t rank;
        std::ptrdiff_t left;
        int left_id, right_id;
        bool operator<(const Candidate& other) const {  // the top of a heap is its largest
            return rank != other.rank ? rank > other.rank : left > other.left;
        }
    };
    std::vector<Part> parts;
    const auto size = static_cast<std::ptrdiff_t>(word.size());
    for (std::ptrdiff_t i = 0; i < size; ++i) {
        const auto at = static_cast<std::size_t>(i);
        parts.push_back({.id = byte_ids_[static_cast<unsigned char>(word[at])],
                         .begin = begin + at,
                         .end = begin + at + 1,
                         .before = i - 1,
                         .after = i + 1 < size ? i + 1 : -1});
    }
    const auto part = [&](std::ptrdiff_t at) -> Part& { return parts[static_cast<std::size_t>(at)]; };
    std::priority_queue<Candidate> candidates;
    const auto consider = [&](std::ptrdiff_t left) {
        if (left < 0 || part(left).after < 0) return;
        const int right_id = part(part(left).after).id;
        if (const Merge* merge = find(part(left).id, right_id)) {
            candidates.push({.rank = merge->rank, .left = left, .left_id = part(left).id, .right_id = right_id});
        }
    };
    for (std::ptrdiff_t i = 0; i < size; ++i) consider(i);
    constexpr int kGone = -2;
    while (!candidates.empty()) {
        const Candidate next = candidates.top();
        candidates.pop();
        Part& left = part(next.left);
        if (left.id != next.left_id || left.after < 0 || part(left.after).id != next.right_id) continue;
        Part& right = part(left.after);
        left.id = find(next.left_id, next.right_id)->id;
        left.end = right.end;
        right.id = kGone;
        left.after = right.after;
        if (right.after >= 0) part(right.after).before = next.left;
        consider(left.before);
        consider(next.left);
    }
    for (std::ptrdiff_t at = size > 0 ? 0 : -1; at >= 0; at = part(at).after)
        tokens.push_back(
            {.id = part(at).id < 0 ? unknown_ : part(at).id, .begin = part(at).begin, .end = part(at).end});
}

}  // namespace attn
