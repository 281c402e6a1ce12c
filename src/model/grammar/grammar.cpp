// Draws by PyTorch's generator, a 32-bit number at a time.
#include "model/grammar/grammar.h"

#include <algorithm>
#include <array>

#include "core/ground/check.h"

namespace attn {

int draw_below(TorchGenerator& generator, int count) {
    ATTN_CHECK(count > 0, "a draw from nothing");
    return static_cast<int>(std::uint64_t{generator.draw32()} * static_cast<std::uint64_t>(count) >> 32U);
}

std::optional<int> Grammar::find(std::string_view word) const {
    const auto found = std::find(words_.begin(), words_.end(), word);
    if (found == words_.end()) return std::nullopt;
    return static_cast<int>(found - words_.begin());
}

std::span<const int> Grammar::words_of_class(int word_class) const {
    return classes_.at(static_cast<std::size_t>(word_class)).words;
}

std::vector<int> Grammar::make(const SentenceTemplate& from, TorchGenerator& generator) const {
    std::vector<int> ids;
    std::array<int, kMaxKept> kept = {};
    for (const GrammarSlot& slot : from.slots) {
        int id = slot.word;
        if (slot.kind == GrammarSlot::Kind::repeat) id = kept[static_cast<std::size_t>(slot.number)];
        if (slot.kind == GrammarSlot::Kind::draw) {
            // Others than those that it must not be, each as likely as the next.
            const std::vector<int>& words = classes_[static_cast<std::size_t>(slot.word_class)].words;
            const auto is_free = [&](int word) {
                return std::none_of(slot.unlike.begin(), slot.unlike.end(),
                                    [&](int number) { return kept[static_cast<std::size_t>(number)] == word; });
            };
            const auto num_free = std::count_if(words.begin(), words.end(), is_free);
            int left = draw_below(generator, static_cast<int>(num_free));
            for (const int word : words) {
                if (!is_free(word)) continue;
                id = word;
                if (left-- == 0) break;
            }
            if (slot.number >= 0) kept[static_cast<std::size_t>(slot.number)] = id;
        }
        ids.push_back(id);
    }
    return ids;
}

const SentenceTemplate& Grammar::draw(TorchGenerator& generator, bool held_out) const {
    double rest = generator.uniform53();
    const SentenceTemplate* drawn = nullptr;
    for (const SentenceTemplate& one : templates_) {
        if (one.is_held_out != held_out) continue;
        drawn = &one;  // the last one, should rounding leave something
        rest -= one.share;
        if (rest < 0) break;
    }
    ATTN_CHECK(drawn != nullptr, "a grammar without templates");
    return *drawn;
}

std::vector<int> Grammar::make_text(TorchGenerator& generator, int size, bool held_out) const {
    std::vector<int> ids = {kBegin};
    while (static_cast<int>(ids.size()) < size) {
        const std::vector<int> sentence = make(draw(generator, held_out), generator);
        ids.insert(ids.end(), sentence.begin(), sentence.end());
    }
    ids.resize(static_cast<std::size_t>(size));
    return ids;
}

}  // namespace attn
