// Sorted once, then searched.
#include "model/words/vocabulary.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {

Result<Vocabulary> Vocabulary::make(std::vector<std::pair<std::string, int>> tokens) {
    Vocabulary result;
    std::sort(tokens.begin(), tokens.end());
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

std::string_view Vocabulary::text(int id) const {
    if (id < 0 || id >= size() || places_[static_cast<std::size_t>(id)] < 0) return "";
    return tokens_[static_cast<std::size_t>(places_[static_cast<std::size_t>(id)])].first;
}

}  // namespace attn
