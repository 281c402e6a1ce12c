// Each door changes the state as a link would: there is nothing behind it that a link cannot say.
#include "views/door/doors.h"

#include <array>
#include <utility>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/state/origin.h"

namespace attn {
namespace {

constexpr std::array<DoorStart, 4> kStarts = {
    {{"the dogs near the cat …", kDoorSentence},
     {"who has the brush?", "the artist painted the portrait of a woman with a brush . who has the brush ? the"},
     {"k f p q t w k f p q …", "k f p q t w k f p q"},
     {"the dog behind the cats …", "the dog behind the cats"}}};

constexpr std::array<Door, 4> kDoors = {
    {{"numbers", "See every number",
      "Queries, keys, scores, softmax: press any cell to see where its number comes from.", "views"},
     {"teach", "Teach a head", "Paint where it should look, press Train, and watch it learn.", "views"},
     {"cache", "Run a KV cache", "Token by token: what is kept, what it saves, and what GQA and MLA save on top.",
      "views"},
     {"lesson", "Take a lesson",
      "From dot products to trained heads, step by step. Start with attention without weights.", "lessons"}}};

// Another state, in the page that its author made.
void change_to(PlaygroundState& state, PlaygroundState other) {
    other.view.theme = state.view.theme;
    other.view.lang = state.view.lang;
    other.view.hide = state.view.hide;
    other.view.lock = state.view.lock;
    state = std::move(other);
}

void see_numbers(PlaygroundState& state, const DoorDrawing& drawing) {
    const int head = drawing.heads.empty() ? 0 : drawing.heads[0];
    const int key = drawing.arcs.empty() ? 0 : drawing.arcs[0].key;
    open_laboratory(state, {.layer = drawing.layer, .head = head});
    if (!drawing.tokens.empty()) state.view.cell = Cell{.head = head, .row = drawing.row, .column = key};
}

// The brush sentence, which two readings tell apart, with one target to begin with.
void teach_head(PlaygroundState& state) {
    constexpr TargetCell kBrushToArtist = {.head = 0, .query = 10, .key = 1};
    PlaygroundState taught;
    taught.inputs.goal = GoalKind::pattern;
    taught.inputs.targets = {kBrushToArtist};
    taught.inputs.optimizer = OptimizerKind::adam;
    taught.inputs.rate = 0.05;
    taught.view.head = 0;
    change_to(state, std::move(taught));
}

void run_cache(PlaygroundState& state) {
    state.view.view = ViewKind::cache;
    state.view.cell.reset();
#ifndef ATTN_FORWARD_ONLY
    state.view.at = 0;
#endif
}

}  // namespace

std::span<const DoorStart> door_starts() {
    return kStarts;
}

void start_with(PlaygroundState& state, std::string_view text) {
    make_trained(state.inputs, kFirstWords);
    state.inputs.off.clear();
    state.inputs.texts = {std::string(text)};
    state.view.sentence = 0;
    leave_place(state.view);
}

void start_over(PlaygroundState& state) {
    change_to(state, door_state());
}

void switch_heads_in_use(PlaygroundState& state, const DoorDrawing& drawing) {
    const bool were_off = drawing.are_off();
    const auto num_heads = static_cast<int>(drawing.is_off.size());
    for (const int head : drawing.heads)
        if (drawing.is_off[static_cast<std::size_t>(head)] == were_off)
            switch_head(state.inputs, {.layer = drawing.layer, .head = head}, num_heads);
}

std::span<const Door> doors() {
    return kDoors;
}

void go_through(PlaygroundState& state, std::string_view name, const DoorDrawing& drawing) {
    if (name == "numbers") return see_numbers(state, drawing);
    if (name == "teach") return teach_head(state);
    if (name == "cache") return run_cache(state);
    if (name == "lesson") return go_to_step(state, lessons().front(), 0);
    ATTN_CHECK(false, "no door is called ", name);
}

}  // namespace attn
