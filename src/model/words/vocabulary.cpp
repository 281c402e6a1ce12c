// Sorted once, then searched.
#include "model/words/vocabulary.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {

Result<Vocabulary> Vocabulary::make(std::vector<std::pair<std::string, int>> tokens) {
    Vocabulary result;
    // A list of numbers is in order (ModelTokenizer::of_numbers).
    if (!std::ranges::is_sorted(tokens)) std::sort(tokens.begin(), tokens.end());
    int size = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        ATTN_CHECK(tokens[i].second >= 0 && tokens[i].second < kMaxTokens, "token number ", tokens[i].second);
        size = std::max(size, tokens[i].second + 1);
        if (i > 0 && tokens[i].first == tokens[i - 1].first) {
            return Result<Vocabulary>::failure(
                concat("The vocabulary has the token ", attn::quoted(tokens[i].first), " twice."));
        }
    }
    result.places_.assign(static_cast<std::size_t>(size), -1);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::int32_t& place = result.places_[static_cast<std::size_t>(tokens[i].second)];
        if (place >= 0) {
            return Result<Vocabulary>::failure(concat("The vocabulary has the number ", tokens[i].second,
                                                      " twice: for ",
                                                      attn::quoted(tokens[static_cast<std::size_t>(place)].first),
                                                      " and ", attn::quoted(tokens[i].first), "."));
        }
        place = static_cast<std::int32_t>(i);
    }
    result.tokens_ = std::move(tokens);
    return result;
}

std::optional<int> Vocabulary::find(std::string_view text) const {
    const auto found =
        std::lower_bound(tokens_.begin(), tokens_.end(), text,
                         [](const auto& token, std::string_view wanted) { return token.first < wanted; });
    if (found == tokens_.end() || found->first != text) return std::nullopt;
    return found->second;
}

std::vector<std::pair<int, std::size_t>> Vocabulary::prefixes_of(std::string_view text) const {
    std::vector<std::pair<int, std::size_t>> found;
    auto first = tokens_.begin(), last = tokens_.end();
    // Those that begin with the same letters stand together, the shortest first.
    for (std::size_t size = 0; size < text.size() && first != last; ++size) {
        const auto byte = static_cast<unsigned char>(text[size]);
        const auto byte_of = [&](const auto& token) {
            return token.first.size() > size ? static_cast<unsigned char>(token.first[size]) : -1;
        };
        first =
            std::lower_bound(first, last, byte, [&](const auto& token, int wanted) { return byte_of(token) < wanted; });
        last =
            std::upper_bound(first, last, byte, [&](int wanted, const auto& token) { return wanted < byte_of(token); });
        if (first != last && first->first.size() == size + 1) found.emplace_back(first->second, size + 1);
    }
    return found;
}

std::string_view Vocabulary::text(int id) const {
    if (id < 0 || id >= size() || places_[static_cast<std::size_t>(id)] < 0) return "";
    return tokens_[static_cast<std::size_t>(places_[static_cast<std::size_t>(id)])].first;
}

}  // namespace attn
