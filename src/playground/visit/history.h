// The texts that one text went through, for undo and redo without end. Each step keeps only what it changed, so that a
// million steps on a short text are some 20 MB. Knows no states and no links: a session gives it the links of its
// inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

class History {
public:
    // Begins anew with this text; there is nothing to undo.
    explicit History(std::string_view start = {}) : present_(start) {}

    // The text as of the last step, undo or redo.
    const std::string& present() const { return present_; }

    // One step more, which makes the text into `text`. What was undone and not redone is forgotten. A text that is the
    // present one is no step. Texts are shorter than 4 GiB.
    void add(std::string_view text);

    bool can_undo() const { return num_done_ > 0; }
    bool can_redo() const { return num_done_ < splices_.size(); }
    // One step back or forward; false where there is none.
    bool undo();
    bool redo();

private:
    // At `position` of the text, `num_before` bytes were replaced by `num_after` others. Both stand in bytes_, the old
    // ones first, beginning at `place`.
    struct Splice {
        std::size_t place;
        std::uint32_t position, num_before, num_after;
    };

    std::string present_;
    std::vector<Splice> splices_;
    std::size_t num_done_ = 0;  // of the splices; the rest was undone
    std::string bytes_;
};

}  // namespace attn
