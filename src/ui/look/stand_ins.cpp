// Gives out private-use characters, and takes back the least recently used one.
#include "ui/look/stand_ins.h"

#include <algorithm>

namespace attn {

std::optional<StandIns::Given> StandIns::give(std::string_view text, int frame) {
    const auto character_of = [](int entry) { return kFirst + static_cast<unsigned>(entry); };
    if (const auto found = by_text_.find(text); found != by_text_.end()) {
        entries_[found->second].last_used = frame;
        return Given{character_of(found->second), false};
    }
    int entry = static_cast<int>(entries_.size());
    const bool is_reused = entry == kCount;
    if (is_reused) {
        const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                             [](const Entry& a, const Entry& b) { return a.last_used < b.last_used; });
        if (oldest->last_used >= frame) return std::nullopt;
        by_text_.erase(oldest->text);
        *oldest = {std::string(text), frame};
        entry = static_cast<int>(oldest - entries_.begin());
    } else {
        entries_.push_back({std::string(text), frame});
    }
    by_text_.emplace(text, entry);
    return Given{character_of(entry), is_reused};
}

std::optional<std::string_view> StandIns::meaning(unsigned character) const {
    if (character < kFirst || character - kFirst >= entries_.size()) return std::nullopt;
    return entries_[character - kFirst].text;
}

}  // namespace attn
