// Viterbi (1967), from the first character on.
#include "model/words/unigram.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attn {

using unicode::Character;

Unigram::Unigram(const Vocabulary& vocabulary, std::vector<double> scores, const UnigramRules& rules)
    : scores_(std::move(scores)), rules_(rules) {
    constexpr double kPenalty = 10;  // of the unknown, below the least of all scores
    double least = 0;
    for (const double score : scores_) least = std::isnan(score) ? least : std::min(least, score);
    score_of_unknown_ = rounded(least - kPenalty);
    if (rules.has_byte_fallback) byte_ids_ = byte_tokens(vocabulary);
}

double Unigram::rounded(double score) const {
    return rules_.is_single ? static_cast<double>(static_cast<float>(score)) : score;
}

void Unigram::encode(const Vocabulary& vocabulary, std::span<const Character> word,
                     std::vector<ModelToken>& tokens) const {
    const auto [letters, places] = unicode::utf8_of(word);

    // The best way to each character: where its last token begins, and which one that is.
    struct Way {
        double score = 0;
        std::size_t from = 0;
        int id = -1;
        bool is_known = false;
        bool is_there = false;
    };
    std::vector<Way> ways(word.size() + 1);
    ways[0].is_there = true;
    const auto consider = [&](std::size_t from, std::size_t to, int id, double score, bool is_known) {
        // SentencePiece compares before it rounds, where the token is known.
        const double all = is_known ? score + ways[from].score : rounded(score + ways[from].score);
        if (ways[to].is_there && !(all > ways[to].score)) return;
        ways[to] = {.score = rounded(all), .from = from, .id = id, .is_known = is_known, .is_there = true};
    };
    for (std::size_t at = 0; at < word.size(); ++at) {
        bool has_own = false;  // the character is a token
        std::size_t end = at;
        for (const auto& [id, size] : vocabulary.prefixes_of(std::string_view(letters).substr(places[at]))) {
            while (places[end] < places[at] + size) ++end;
            if (places[end] != places[at] + size) continue;  // within a character
            const auto place = static_cast<std::size_t>(id);
            if (place >= scores_.size() || std::isnan(scores_[place])) continue;
            consider(at, end, id, scores_[place], true);
            has_own = has_own || end == at + 1;
        }
        if (!has_own) consider(at, at + 1, rules_.unknown, score_of_unknown_, false);
    }

    std::vector<std::size_t> ends;
    for (std::size_t at = word.size(); at > 0; at = ways[at].from) ends.push_back(at);
    std::ranges::reverse(ends);
    bool was_unknown = false;
    for (const std::size_t end : ends) {
        const Way& way = ways[end];
        const std::span<const Character> part = word.subspan(way.from, end - way.from);
        if (!way.is_known && rules_.has_byte_fallback) {
            const std::size_t num_before = tokens.size();
            const auto is_of_bytes = [&](const Character& one) { return add_byte_tokens(byte_ids_, one, tokens); };
            if (std::ranges::all_of(part, is_of_bytes)) continue;
            tokens.resize(num_before);
        }
        const bool is_fused = !way.is_known && was_unknown;
        was_unknown = !way.is_known;
        if (is_fused) {
            tokens.back().end = std::max(tokens.back().end, part.back().end);
        } else {
            tokens.push_back({.id = way.id, .begin = part.front().begin, .end = part.back().end});
        }
    }
}

}  // namespace attn
