// Merges by a heap.
#include "model/words/byte_pairs.h"

#include <algorithm>
#include <array>
#include <queue>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

using unicode::Character;

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

std::uint64_t pair_of(int left, int right) {
    return static_cast<std::uint64_t>(left) << 32U | static_cast<std::uint32_t>(right);
}

}  // namespace

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

std::string token_of_byte(std::uint8_t byte) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    return concat("<0x", kDigits[byte >> 4U], kDigits[byte & 15U], ">");
}

std::vector<int> byte_tokens(const Vocabulary& vocabulary) {
    std::vector<int> ids;
    for (unsigned byte = 0; byte < 256; ++byte)
        ids.push_back(vocabulary.find(token_of_byte(static_cast<std::uint8_t>(byte))).value_or(-1));
    return ids;
}

Text bytes_as_letters(std::span<const Character> text) {
    Text letters;
    for (const Character& one : text) {
        std::string bytes;
        unicode::append_utf8(bytes, one.code);
        for (std::size_t k = 0; k < bytes.size(); ++k)
            letters.push_back({.code = character_of_byte(static_cast<std::uint8_t>(bytes[k])),
                               .begin = one.is_typed ? one.begin + k : one.begin,
                               .end = one.is_typed ? one.begin + k + 1 : one.end});
    }
    return letters;
}

bool add_byte_tokens(std::span<const int> byte_ids, const Character& one, std::vector<ModelToken>& tokens) {
    const std::size_t num_before = tokens.size();
    for (const Character& letter : bytes_as_letters(std::span(&one, 1))) {
        const auto byte = std::ranges::find(alphabet(), letter.code) - alphabet().begin();
        const int id = byte_ids[static_cast<std::size_t>(byte)];
        if (id < 0) {
            tokens.resize(num_before);
            return false;
        }
        tokens.push_back({.id = id, .begin = letter.begin, .end = letter.end});
    }
    return true;
}

Result<BytePairs> BytePairs::make(const Vocabulary& vocabulary,
                                  std::span<const std::pair<std::string_view, std::string_view>> merges,
                                  const PairRules& rules) {
    BytePairs result;
    result.rules_ = rules;
    if (rules.has_byte_fallback) result.byte_ids_ = byte_tokens(vocabulary);
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const auto& [left, right] = merges[i];
        const std::string_view inner =
            right.starts_with(rules.inner_prefix) ? right.substr(rules.inner_prefix.size()) : right;
        const std::string both = concat(left, inner);
        const std::optional<int> ids[3] = {vocabulary.find(left), vocabulary.find(right), vocabulary.find(both)};
        for (int k = 0; k < 3; ++k) {
            if (ids[k]) continue;
            const std::string_view missing = k == 0 ? left : k == 1 ? right : std::string_view(both);
            return Result<BytePairs>::failure(concat("Merge ", i + 1, " of the tokenizer makes ", attn::quoted(both),
                                                     " of ", attn::quoted(left), " and ", attn::quoted(right),
                                                     ", but its vocabulary has no ", attn::quoted(missing), "."));
        }
        result.merges_.push_back(
            {.pair = pair_of(*ids[0], *ids[1]), .rank = static_cast<std::int32_t>(i), .id = *ids[2]});
    }
    result.sort_merges();
    return result;
}

BytePairs BytePairs::by_rank(const Vocabulary& vocabulary, std::span<const std::int32_t> ranks,
                             const PairRules& rules) {
    BytePairs result;
    result.rules_ = rules;
    if (rules.has_byte_fallback) result.byte_ids_ = byte_tokens(vocabulary);
    const auto is_one = [&](int id) {
        return static_cast<std::size_t>(id) < ranks.size() && ranks[static_cast<std::size_t>(id)] >= 0;
    };
    for (int id = 0; id < vocabulary.size(); ++id) {
        if (!is_one(id)) continue;
        const std::string_view text = vocabulary.text(id);
        for (const auto& [left, size] : vocabulary.prefixes_of(text)) {
            const std::optional<int> right = size < text.size() ? vocabulary.find(text.substr(size)) : std::nullopt;
            if (right && is_one(left) && is_one(*right))
                result.merges_.push_back(
                    {.pair = pair_of(left, *right), .rank = ranks[static_cast<std::size_t>(id)], .id = id});
        }
    }
    result.sort_merges();
    return result;
}

// Of a pair that is there twice the last rank counts, as in other readers.
void BytePairs::sort_merges() {
    std::sort(merges_.begin(), merges_.end(),
              [](const Merge& a, const Merge& b) { return a.pair != b.pair ? a.pair < b.pair : a.rank > b.rank; });
}

const BytePairs::Merge* BytePairs::find(int left, int right) const {
    if (left < 0 || right < 0) return nullptr;
    const std::uint64_t pair = pair_of(left, right);
    const auto found = std::lower_bound(merges_.begin(), merges_.end(), pair,
                                        [](const Merge& merge, std::uint64_t wanted) { return merge.pair < wanted; });
    return found == merges_.end() || found->pair != pair ? nullptr : &*found;
}

// What is there before the first merge.
std::vector<ModelToken> BytePairs::parts_of(const Vocabulary& vocabulary, std::span<const Character> word) const {
    std::vector<ModelToken> parts;
    bool was_unknown = false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        std::string letter = i > 0 ? rules_.inner_prefix : "";
        unicode::append_utf8(letter, word[i].code);
        if (i + 1 == word.size()) letter += rules_.end_suffix;
        const std::optional<int> id = vocabulary.find(letter);
        const bool is_fused = !id && was_unknown && rules_.fuses_unknown;
        was_unknown = false;
        if (id) {
            parts.push_back({.id = *id, .begin = word[i].begin, .end = word[i].end});
            continue;
        }
        if (rules_.has_byte_fallback && add_byte_tokens(byte_ids_, word[i], parts)) continue;
        was_unknown = true;
        if (is_fused)
            parts.back().end = std::max(parts.back().end, word[i].end);
        else
            parts.push_back({.id = rules_.unknown, .begin = word[i].begin, .end = word[i].end});
    }
    return parts;
}

void BytePairs::encode(const Vocabulary& vocabulary, std::span<const Character> word,
                       std::vector<ModelToken>& tokens) const {
    if (word.empty()) return;
    if (rules_.ignores_merges) {
        std::string letters;
        for (const Character& one : word) unicode::append_utf8(letters, one.code);
        if (const std::optional<int> id = vocabulary.find(letters)) {
            tokens.push_back({.id = *id, .begin = word.front().begin, .end = word.back().end});
            return;
        }
    }
    merge(parts_of(vocabulary, word), tokens);
}

// A list of what is left, and a heap of the merges that are possible; those that no longer are fall out when they are
// taken.
void BytePairs::merge(const std::vector<ModelToken>& first_parts, std::vector<ModelToken>& tokens) const {
    struct Part {
        ModelToken token;
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
    const auto size = static_cast<std::ptrdiff_t>(first_parts.size());
    for (std::ptrdiff_t i = 0; i < size; ++i)
        parts.push_back(
            {.token = first_parts[static_cast<std::size_t>(i)], .before = i - 1, .after = i + 1 < size ? i + 1 : -1});
    const auto part = [&](std::ptrdiff_t at) -> Part& { return parts[static_cast<std::size_t>(at)]; };
    std::priority_queue<Candidate> candidates;
    const auto consider = [&](std::ptrdiff_t left) {
        if (left < 0 || part(left).after < 0) return;
        const int left_id = part(left).token.id, right_id = part(part(left).after).token.id;
        if (const Merge* merge = find(left_id, right_id))
            candidates.push({.rank = merge->rank, .left = left, .left_id = left_id, .right_id = right_id});
    };
    for (std::ptrdiff_t i = 0; i < size; ++i) consider(i);
    constexpr int kGone = -2;
    while (!candidates.empty()) {
        const Candidate next = candidates.top();
        candidates.pop();
        Part& left = part(next.left);
        if (left.token.id != next.left_id || left.after < 0 || part(left.after).token.id != next.right_id) continue;
        Part& right = part(left.after);
        left.token.id = find(next.left_id, next.right_id)->id;
        left.token.end = right.token.end;
        right.token.id = kGone;
        left.after = right.after;
        if (right.after >= 0) part(right.after).before = next.left;
        consider(left.before);
        consider(next.left);
    }
    for (std::ptrdiff_t at = size > 0 ? 0 : -1; at >= 0; at = part(at).after) {
        ModelToken token = part(at).token;
        if (token.id < 0) token.id = rules_.unknown;
        tokens.push_back(token);
    }
}

}  // namespace attn
