// Upper bounds with room to spare; tests/share/memory/file_memory_test.cpp checks them for every kind of file.
#include "share/opening/file_memory.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "playground/numbers/memory_needs.h"
#include "playground/state/shapes.h"
#include "playground/text/number_block.h"

namespace attn {
namespace {

constexpr std::int64_t kLittle = 1 << 20;        // sentences, tables of keys and lessons, what unpacks an archive
constexpr std::int64_t kMostChoices = 16;        // a tensor is offered once, the learned matrices perhaps transposed
constexpr std::int64_t kCopiesKept = 8;          // of a state, by the session and its history
constexpr std::int64_t kBytesOfEdit = 64;        // in a list that grows, and sorted
constexpr std::int64_t kBytesOfRow = 64;         // beside its numbers
constexpr std::int64_t kBytesOfCharacter = 256;  // of a text that is cut into tokens and their pieces
constexpr std::int64_t kFloat = sizeof(float);

}  // namespace

std::int64_t bytes_to_look(const PlaygroundState& state) {
    const bool is_torch = state.inputs.embed == EmbeddingKind::torch;  // looks at all sentences at once
    std::int64_t longest = 0, all = 0;
    for (const std::string& text : state.inputs.texts) {
        longest = std::max(longest, static_cast<std::int64_t>(text.size()));
        all += static_cast<std::int64_t>(text.size());
    }
    return kLittle + kBytesOfCharacter * (is_torch ? all : longest);
}

std::int64_t bytes_to_read_session(std::size_t num_bytes) {
    return 4 * kLittle + 32 * static_cast<std::int64_t>(num_bytes);
}

std::int64_t bytes_to_read_table(std::size_t num_bytes) {
    return kLittle + 12 * static_cast<std::int64_t>(num_bytes);
}

OfferMemory::OfferMemory(const PlaygroundState& state) : state_(state) {
    for (std::size_t s = 0; s < state.inputs.texts.size(); ++s) num_tokens_.push_back(count_tokens(state.inputs, s));
}

void OfferMemory::add(std::span<const std::int64_t> shape) {
    constexpr auto kMost = static_cast<std::int64_t>(kMaxBlockSide);  // what is longer is refused
    std::int64_t count = 1, longest = 1;
    for (const std::int64_t length : shape) {
        count *= length;
        longest = std::clamp(length, longest, kMost);
        sides_.insert(length);
    }
    if (shape.size() == 1) sides_.insert(1);
    longest_ = std::max(longest_, longest);
    num_numbers_ += count;
    num_rows_ += longest;
}

std::int64_t OfferMemory::bytes() const {
    // The sizes follow what is placed: no wider than this, and of no more heads than the nearest divisor can be.
    Inputs widest = state_.inputs;
    widest.d_in = std::max(widest.d_in, static_cast<int>(std::min<std::int64_t>(longest_, kMaxWidth)));
    widest.d_out = std::max(widest.d_in, widest.d_out);
    widest.edits.resize(1);
    std::int64_t evaluation = bytes_needed(widest, 1), all_tokens = 0, most_tokens = 0;
    for (const int num_tokens : num_tokens_) {
        all_tokens += num_tokens;
        most_tokens = std::max<std::int64_t>(most_tokens, num_tokens);
        if (num_tokens == 0 || !sides_.contains(num_tokens)) continue;  // not a row a token
        const std::int64_t most_heads = kMaxScoreElements / (std::int64_t{num_tokens} * num_tokens);
        widest.num_heads = static_cast<int>(std::min<std::int64_t>(2 * state_.inputs.num_heads, most_heads));
        evaluation = std::max(evaluation, bytes_needed(widest, num_tokens));
    }
    // X of the other sentences is typed beside the one that comes in.
    const bool is_torch = state_.inputs.embed == EmbeddingKind::torch;
    const std::int64_t vectors = kFloat * widest.d_in * (3 * most_tokens + (is_torch ? all_tokens : 0));
    // The copies made while reading, transposing, placing and asking again: 8 bytes a number once or twice, 4 up to
    // four times.
    const std::int64_t numbers = 32 * num_numbers_ + 6 * kBytesOfRow * num_rows_;
    const std::int64_t num_typed = std::min<std::int64_t>(num_numbers_, kMaxTypedNumbers);
    const std::int64_t num_edits = std::min<std::int64_t>(num_numbers_, kMaxEdits);
    const std::int64_t taken =
        bytes_of(state_) + 2 * kFloat * num_typed + kBytesOfRow * num_rows_ + kBytesOfEdit * num_edits;
    return bytes_to_look(state_) + vectors + numbers + evaluation + (kMostChoices + kCopiesKept) * taken;
}

std::int64_t bytes_of(const PlaygroundState& state) {
    constexpr std::int64_t kOfLinkNumber = 32;
    std::int64_t bytes = 1 << 13;
    for (const std::string& text : state.inputs.texts) bytes += 4 * static_cast<std::int64_t>(text.size());
    for (const TypedRows& rows : state.inputs.typed) {
        for (const std::vector<float>& row : rows)
            bytes += kBytesOfRow + (kFloat + kOfLinkNumber) * static_cast<std::int64_t>(row.size());
    }
    bytes += (kBytesOfEdit + 2 * kOfLinkNumber) * static_cast<std::int64_t>(state.inputs.edits.size());
    constexpr std::int64_t kOfTarget = 192;  // itself, where it is sorted, in the link
    bytes += kOfTarget * static_cast<std::int64_t>(state.inputs.targets.size());
    return bytes + 4 * static_cast<std::int64_t>(state.view.compare.size());
}

std::string why_no_room(std::int64_t bytes) {
    if (has_room_for(bytes)) return "";
    return concat("This file needs ", megabytes(bytes),
                  " of memory, and there is not that much left. What you have stays.");
}

}  // namespace attn
