#include "model/words/added_tokens.h"

#include <algorithm>
#include <utility>

namespace attn {

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
    std::ranges::stable_sort(tokens_, {}, &AddedToken::text);
}

bool AddedTokens::has(int id) const {
    return std::ranges::any_of(tokens_, [&](const AddedToken& one) { return one.id == id; });
}

const AddedToken* AddedTokens::longest_at(std::string_view text) const {
    // Sorted by text, what begins with the same letters stands together, the shorter first.
    const AddedToken* longest = nullptr;
    auto from = tokens_.begin();
    for (std::size_t size = 1; size <= text.size(); ++size) {
        const std::string_view begin = text.substr(0, size);
        from = std::lower_bound(from, tokens_.end(), begin,
                                [](const AddedToken& one, std::string_view wanted) { return one.text < wanted; });
        if (from == tokens_.end() || !from->text.starts_with(begin)) break;
        if (from->text.size() == size) longest = &*from;
    }
    return longest;
}

std::vector<AddedTokens::Piece> AddedTokens::pieces_of(const Text& text) const {
    std::vector<Piece> pieces;
    const auto [letters, places] = unicode::utf8_of(text);
    const auto is_of_word = [&](std::size_t at) { return unicode::is_of_word(text[at].code); };
    const auto is_space = [&](std::size_t at) { return unicode::is_white_space(text[at].code); };
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size() && !tokens_.empty();) {
        const AddedToken* token = longest_at(std::string_view(letters).substr(places[at]));
        if (token == nullptr) {
            ++at;
            continue;
        }
        std::size_t first = at, last = at;
        while (places[last] < places[at] + token->text.size()) ++last;
        at = last;
        const bool touches = (first > 0 && is_of_word(first - 1)) || (last < text.size() && is_of_word(last));
        if (token->is_single_word && touches) continue;
        while (token->takes_space_before && first > begin && is_space(first - 1)) --first;
        while (token->takes_space_behind && last < text.size() && is_space(last)) ++last;
        if (first > begin) pieces.push_back({.begin = begin, .end = first});
        pieces.push_back({.begin = first, .end = last, .id = token->id});
        begin = at = last;
    }
    if (begin < text.size()) pieces.push_back({.begin = begin, .end = text.size()});
    return pieces;
}

}  // namespace attn
