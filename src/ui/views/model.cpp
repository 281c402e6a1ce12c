// view=model on the screen: cards, bars and votes that can be pressed, and the words that are drawn.
#include "ui/views/model.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "core/ground/check.h"
#include "model/roles/lens.h"
#include "playground/lessons/lessons.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/model_card.h"
#include "ui/views/model_parts.h"
#include "views/model/model_text.h"
#include "views/model/other_picture.h"

namespace attn {

namespace {

constexpr float kTwoColumns = 700, kThreeColumns = 1400;
constexpr float kBetweenColumns = 28;

// The same of B, which a link keeps.
void keep_other(const UiFrame& frame, ModelViewMemory& memory) {
    const View& view = frame.state.view;
    if (!memory.other || memory.other_link != view.compare) memory.other = other_state(view);
    memory.other_link = view.compare;
    if (!memory.other) {
        memory.of_other = {};
        return;
    }
    memory.of_other.stop.is_stopped = memory.stop.is_stopped;
    keep_picture(frame, *memory.other, memory.of_other);
}

// A press on the head that one looks at already opens it.
void press_head(UiFrame& frame, const ModelDrawing& drawing, const HeadOff& head) {
    if (drawing.map == LayerMap::head && HeadOff{drawing.layer, drawing.head} == head)
        return open_laboratory(frame.next, head);
    frame.next.view.map = LayerMap::head;
    look_at_head(frame.next, head);
}

// "layer 2, head 3: token before .97"
std::string words_of_card(const ModelPicture& picture, int layer, int which) {
    const int count = picture.config.num_heads;
    if (which >= count) return concat("layer ", layer + 1, which == count ? ": mean of the heads" : ": rollout");
    const HeadPicture& head = picture.layers[static_cast<std::size_t>(layer)].heads[static_cast<std::size_t>(which)];
    const std::string role = picture.is_off(layer, which) ? "off" : role_in_words(head);
    return concat("layer ", layer + 1, ", head ", which + 1, role.empty() ? "" : ": ", role);
}

// "layer 2, head 3 adds +0.907"
std::string words_of_vote(const ModelDrawing& drawing, int index) {
    const int count = drawing.picture.config.num_heads;
    const int layer = index / count, head = index % count;
    const auto& lines = drawing.votes->lines;
    const auto line =
        std::ranges::find_if(lines, [&](const VoteLine& one) { return one.layer == layer && one.head == head; });
    const std::string adds = line == lines.end() ? "" : concat(" adds ", shown_thousandths(line->thousandths, true));
    return concat("layer ", layer + 1, ", head ", head + 1, adds);
}

void put_heads(ModelParts& parts) {
    put_heading(parts.frame, "LAYERS × HEADS");
    const TextStyle hint = small(parts.frame);
    constexpr std::string_view kHint = "A card shows where one head of one layer looks. Press one.";
    ImGui::SameLine(0, 10);
    if (text_size(hint, kHint).x < ImGui::GetContentRegionAvail().x) {
        put_text(hint, kHint);
    } else {
        ImGui::NewLine();
    }
    ImVec2 corner;
    const FigureBlock& scene = parts.put<model_heads_scene>(parts.memory.heads, corner);
    const int count = parts.drawing.picture.config.num_heads;
    const auto words = [&](const ScenePlace& place) {
        return words_of_card(parts.drawing.picture, place.index / (count + 2), place.index % (count + 2));
    };
    put_model_places(parts.frame, scene, corner, words, [&](const ScenePlace& place) {
        const int layer = place.index / (count + 2), which = place.index % (count + 2);
        if (which < count) return press_head(parts.frame, parts.drawing, {layer, which});
        parts.frame.next.view.map = which == count ? LayerMap::mean : LayerMap::rollout;
        parts.frame.next.inputs.layer = layer;
    });
    ImGui::Dummy({1, 2});
}

void put_votes(ModelParts& parts) {
    const ModelDrawing& drawing = parts.drawing;
    ImGui::Dummy({1, 6});
    const std::string word = drawing.word ? word_of_token(drawing.tokenizer, *drawing.word) : std::string();
    put_wrapped_text(bold(parts.frame), drawing.word ? concat("Who votes for “", word, "”?")
                                                     : std::string("Who votes for the next word?"));
    ImVec2 corner;
    const FigureBlock& scene = parts.put<model_votes_scene>(parts.memory.votes, corner);
    const int count = drawing.picture.config.num_heads;
    const auto words = [&](const ScenePlace& place) { return words_of_vote(drawing, place.index); };
    put_model_places(parts.frame, scene, corner, words, [&](const ScenePlace& place) {
        press_head(parts.frame, parts.drawing, {place.index / count, place.index % count});
    });
}

// "token before .35" beside the name of the head that one looks at.
std::string role_of_chosen(const ModelDrawing& drawing) {
    const LayerPicture& layer = drawing.picture.layers[static_cast<std::size_t>(drawing.layer)];
    return drawing.map == LayerMap::head ? role_in_words(layer.heads[static_cast<std::size_t>(drawing.head)]) : "";
}

// The head stays the one that is looked at, whatever decides the word without it.
void toggle_chosen(UiFrame& frame, const HeadOff& head, int num_heads) {
    switch_head(frame.next.inputs, head, num_heads);
    look_at_head(frame.next, head);
}

// What the parts below are about, and what can be done with it.
void put_chosen(ModelParts& parts) {
    UiFrame& frame = parts.frame;
    ImGui::Dummy({1, 6});
    put_text(bold(frame), map_title(parts.drawing));
    ImGui::SameLine(0, 8);
    put_text(small(frame), role_of_chosen(parts.drawing));
    if (parts.drawing.map != LayerMap::head) return;
    const HeadOff head = {parts.drawing.layer, parts.drawing.head};
    const bool is_off = parts.drawing.picture.is_off(head.layer, head.head);
    {
        const LockScope lock(frame, "off", frame.palette.paper);
        if (button(frame, concat("off=", head.layer + 1, ":", head.head + 1),
                   is_off ? "Switch this head on" : "Switch this head off"))
            toggle_chosen(frame, head, parts.drawing.picture.config.num_heads);
    }
    constexpr std::string_view kEveryNumber = "See every number";
    constexpr float kButtonEdges = 2 * 12;
    ImGui::SameLine(0, 8);
    if (ImGui::GetContentRegionAvail().x < text_size(body(frame), kEveryNumber).x + kButtonEdges) ImGui::NewLine();
    if (button(frame, "model=laboratory", kEveryNumber)) open_laboratory(frame.next, head);
}

// The row that decides the next word, and what the head is worth to it.
void put_row(ModelParts& parts) {
    ImGui::Dummy({1, 4});
    ImVec2 corner;
    parts.put<model_row_scene>(parts.memory.row, corner);
    ImGui::Dummy({1, 4});
    parts.put<model_switched_scene>(parts.memory.switched, corner);
}

// What the head does on this text, and all of its map.
void put_map(ModelParts& parts) {
    ImGui::Dummy({1, 6});
    ImVec2 corner;
    parts.put<model_scores_scene>(parts.memory.scores, corner);
    ImGui::Dummy({1, 4});
    parts.put<model_map_scene>(parts.memory.map, corner);
}

void put_stream(ModelParts& parts) {
    ImGui::Dummy({1, 6});
    ImVec2 corner;
    parts.put<model_stream_scene>(parts.memory.stream, corner);
    UiFrame& frame = parts.frame;
    const LockScope lock(frame, "view", frame.palette.paper);
    if (button(frame, "model=journey", "Journey: one token through all layers"))
        frame.next.view.view = ViewKind::journey;
    if (!find_lens_problem(parts.memory.shown->model->weights).empty()) return;
    if (button(frame, "model=lens", "Logit lens: the word after each layer")) frame.next.view.view = ViewKind::lens;
}

// Nothing: the heads stand over all already.
void put_no_heads(ModelParts& /*parts*/) {}

// The next word and what the chosen head does to it come first, where all the cards fit behind them; a lesson's step
// that points at a card has them first, too.
bool shows_cards_first(const Display& display, float room) {
    if (has_lesson(display)) {
        const auto& targets = step_of(display.state.view)->points_at;
        return std::ranges::any_of(targets, [](std::string_view name) { return name.starts_with("layer="); });
    }
    return room < kTwoColumns || is_low_for_model();
}

void put_parts(ModelParts& parts) {
    const float room = ImGui::GetContentRegionAvail().x - 6;
    const bool are_first = shows_cards_first(parts.frame, room);
    const auto put_rest_of_heads = are_first ? put_no_heads : put_heads;
    if (are_first) put_column(parts, room, put_heads);
    if (room < kTwoColumns) {
        return put_column(parts, room, put_next, put_chosen, put_row, put_votes, put_rest_of_heads, put_map,
                          put_stream);
    }
    if (room < kThreeColumns) {
        const float left = (room - kBetweenColumns) * 0.42F;
        put_column(parts, left, put_next, put_votes, put_stream);
        ImGui::SameLine(0, kBetweenColumns);
        return put_column(parts, room - kBetweenColumns - left, put_chosen, put_row, put_rest_of_heads, put_map);
    }
    const float left = (room - 2 * kBetweenColumns) * 0.27F;
    put_column(parts, left, put_next, put_stream);
    ImGui::SameLine(0, kBetweenColumns);
    put_column(parts, left, put_votes);
    ImGui::SameLine(0, kBetweenColumns);
    put_column(parts, room - 2 * (kBetweenColumns + left), put_chosen, put_row, put_rest_of_heads, put_map);
}

}  // namespace

void draw_model(UiFrame& frame) {
    ModelViewMemory& memory = model_view_memory(frame.memory);
    keep_picture(frame, frame.state, memory);
    keep_other(frame, memory);
    ImGui::Dummy({1, 2});
    put_model_card(frame, memory.shown ? &*memory.shown : nullptr);
    ImGui::BeginChild("model", {0, 0}, ImGuiChildFlags_NavFlattened);
    if (memory.work && memory.work->has_picture()) {
        ModelDrawing drawing = model_drawing(frame.state, *memory.work, memory.shown->tokenizer.get());
        const KeptPicture& b = memory.of_other;
        if (memory.other)
            drawing.other =
                other_picture(frame.state, *memory.other, b.shown ? &*b.shown : nullptr, b.work.get(), drawing);
        ModelParts parts = {frame,
                            memory,
                            drawing,
                            {.version = memory.version,
                             .other_version = has_other(drawing) ? b.version : -1,
                             .head = {drawing.layer, drawing.head},
                             .map = drawing.map,
                             .word = drawing.word,
                             .has_switched = has_switched(drawing.picture)}};
        keep_writing(parts);
        put_parts(parts);
    } else if (memory.work) {
        put_progress(frame, memory.stop, memory.work->progress());
    }
    ImGui::Dummy({1, 8});
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
