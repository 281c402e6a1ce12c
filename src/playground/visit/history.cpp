// A step is kept as a splice: without what the old and the new text have in common at both ends.
#include "playground/visit/history.h"

#include <algorithm>
#include <limits>

#include "core/ground/check.h"

namespace attn {

void History::add(std::string_view text) {
    ATTN_CHECK(text.size() <= std::numeric_limits<std::uint32_t>::max(), "a text of ", text.size(), " bytes");
    if (text == present_) return;
    const std::string_view before = present_;
    const std::size_t shorter = std::min(before.size(), text.size());
    std::size_t prefix = 0;
    while (prefix < shorter && before[prefix] == text[prefix]) ++prefix;
    std::size_t suffix = 0;
    while (suffix < shorter - prefix && before[before.size() - 1 - suffix] == text[text.size() - 1 - suffix]) ++suffix;

    if (can_redo()) {
        bytes_.resize(splices_[num_done_].place);
        splices_.resize(num_done_);
    }
    const std::string_view old_bytes = before.substr(prefix, before.size() - prefix - suffix);
    const std::string_view new_bytes = text.substr(prefix, text.size() - prefix - suffix);
    splices_.push_back({.place = bytes_.size(),
                        .position = static_cast<std::uint32_t>(prefix),
                        .num_before = static_cast<std::uint32_t>(old_bytes.size()),
                        .num_after = static_cast<std::uint32_t>(new_bytes.size())});
    bytes_ += old_bytes;
    bytes_ += new_bytes;
    num_done_ = splices_.size();
    present_ = text;
}

bool History::undo() {
    if (!can_undo()) return false;
    const Splice& splice = splices_[--num_done_];
    present_.replace(splice.position, splice.num_after, bytes_, splice.place, splice.num_before);
    return true;
}

bool History::redo() {
    if (!can_redo()) return false;
    const Splice& splice = splices_[num_done_++];
    present_.replace(splice.position, splice.num_before, bytes_, splice.place + splice.num_before, splice.num_after);
    return true;
}

}  // namespace attn
