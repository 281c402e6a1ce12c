// view=model on the screen: cards, bars and votes that can be pressed, and the words that are drawn.
#include "ui/views/model.h"

#include <imgui.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "core/ground/check.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/model_card.h"
#include "ui/views/model_parts.h"
#include "views/model/model_text.h"

namespace attn {

namespace {

constexpr std::int64_t kModelSlice = 6'000'000;  // multiply-adds a frame
constexpr float kTwoColumns = 700;
constexpr float kBetweenColumns = 28;

ModelViewMemory& view_memory(PanelMemory& memory) {
    if (!memory.model_view) memory.model_view = std::make_shared<ModelViewMemory>();
    return *memory.model_view;
}

// Begins the picture of other numbers, and goes on with it.
void keep_work(const UiFrame& frame, ModelViewMemory& memory) {
    const bool is_same_text = memory.text_of == frame.state.inputs && memory.sentence == frame.state.view.sentence;
    if (!is_same_text || !memory.shown) {
        memory.text_of = frame.state.inputs;
        memory.sentence = frame.state.view.sentence;
        memory.shown = model_text(frame.state.inputs, frame.state.view.sentence);
    }
    const std::optional<ModelText>& shown = memory.shown;
    if (!shown) {
        memory.work.reset();
        memory.key = {};
        return;
    }
    const HeadOff head = looked_at(frame.state, shown->model->config);
    ModelKey key = {shown->model.get(), shown->input, next_row(frame.state.view, shown->input.num_tokens())};
    if (!memory.work || key != memory.key) {
        memory.work = std::make_unique<ModelPictureWork>(*shown->model, shown->input, shown->words, key.row, head);
        memory.key = std::move(key);
        ++memory.version;
    }
    memory.work->choose_head(head);
    std::int64_t left = kModelSlice;
    while (left > 0 && !memory.work->is_done()) {
        memory.work->advance(kModelSlice / 8);
        left -= kModelSlice / 8;
    }
    if (!memory.work->is_done()) frame.widgets.is_moving = true;
}

// A press on the head that one looks at already opens it.
void press_head(UiFrame& frame, const ModelDrawing& drawing, const HeadOff& head) {
    if (drawing.map == LayerMap::head && HeadOff{drawing.layer, drawing.head} == head)
        return open_laboratory(frame.next, head);
    frame.next.view.map = LayerMap::head;
    look_at_head(frame.next, head);
}

void put_heads(ModelParts& parts) {
    put_heading(parts.frame, "LAYERS × HEADS");
    ImVec2 corner;
    const FigureBlock& scene = parts.put<model_heads_scene>(parts.memory.heads, corner);
    put_model_places(parts.frame, scene, corner, [&](const ScenePlace& place) {
        const int count = parts.drawing.picture.config.num_heads;
        const int layer = place.index / (count + 2), which = place.index % (count + 2);
        if (which < count) return press_head(parts.frame, parts.drawing, {layer, which});
        parts.frame.next.view.map = which == count ? LayerMap::mean : LayerMap::rollout;
        parts.frame.next.inputs.layer = layer;
    });
}

void put_votes(ModelParts& parts) {
    const ModelDrawing& drawing = parts.drawing;
    const std::string word = drawing.word ? word_of_token(drawing.tokenizer, *drawing.word) : std::string();
    put_wrapped_text(bold(parts.frame), drawing.word ? concat("Who votes for “", word, "”?")
                                                     : std::string("Who votes for the next word?"));
    ImVec2 corner;
    const FigureBlock& scene = parts.put<model_votes_scene>(parts.memory.votes, corner);
    put_model_places(parts.frame, scene, corner, [&](const ScenePlace& place) {
        const int count = drawing.picture.config.num_heads;
        press_head(parts.frame, parts.drawing, {place.index / count, place.index % count});
    });
}

void put_head_buttons(ModelParts& parts) {
    UiFrame& frame = parts.frame;
    put_wrapped_text(bold(frame), map_title(parts.drawing));
    if (parts.drawing.map != LayerMap::head) return;
    const HeadOff head = {parts.drawing.layer, parts.drawing.head};
    const bool is_off = parts.drawing.picture.is_off(head.layer, head.head);
    {
        const LockScope lock(frame, "off", frame.palette.paper);
        if (button(frame, concat("off=", head.layer + 1, ":", head.head + 1),
                   is_off ? "Switch this head on" : "Switch this head off"))
            switch_head(frame.next.inputs, head, parts.drawing.picture.config.num_heads);
    }
    ImGui::SameLine(0, 8);
    if (ImGui::GetContentRegionAvail().x < 190) ImGui::NewLine();
    if (button(frame, "model=laboratory", "Open in the laboratory")) open_laboratory(frame.next, head);
}

void put_map(ModelParts& parts) {
    put_wrapped_text(bold(parts.frame), map_title(parts.drawing));
    ImVec2 corner;
    parts.put<model_map_scene>(parts.memory.map, corner);
    ImGui::Dummy({1, 4});
    parts.put<model_head_scene>(parts.memory.head, corner);
}

void put_stream(ModelParts& parts) {
    ImGui::Dummy({1, 6});
    ImVec2 corner;
    parts.put<model_stream_scene>(parts.memory.stream, corner);
}

void put_columns(ModelParts& parts) {
    const float room = ImGui::GetContentRegionAvail().x - 6;
    if (room < kTwoColumns) {
        parts.width = room;
        put_heads(parts);
        put_head_buttons(parts);
        put_next(parts);
        ImGui::Dummy({1, 6});
        put_votes(parts);
        ImGui::Dummy({1, 6});
        put_map(parts);
        return put_stream(parts);
    }
    parts.width = std::floor((room - kBetweenColumns) * 0.46F);
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + parts.width);
    put_heads(parts);
    put_next(parts);
    put_stream(parts);
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    ImGui::SameLine(0, kBetweenColumns);
    parts.width = room - kBetweenColumns - parts.width;
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + parts.width);
    put_head_buttons(parts);
    put_votes(parts);
    ImGui::Dummy({1, 8});
    put_map(parts);
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
}

}  // namespace

void draw_model(UiFrame& frame) {
    ModelViewMemory& memory = view_memory(frame.memory);
    keep_work(frame, memory);
    ImGui::Dummy({1, 2});
    put_model_card(frame, memory.shown ? &*memory.shown : nullptr);
    ImGui::BeginChild("model", {0, 0}, ImGuiChildFlags_NavFlattened);
    if (memory.work && memory.work->has_picture()) {
        const ModelDrawing drawing = model_drawing(frame.state, *memory.work, memory.shown->tokenizer.get());
        ModelParts parts = {frame,
                            memory,
                            drawing,
                            {.version = memory.version,
                             .head = {drawing.layer, drawing.head},
                             .map = drawing.map,
                             .word = drawing.word,
                             .has_switched = has_switched(drawing.picture)}};
        keep_writing(parts);
        put_columns(parts);
    } else if (memory.work) {
        put_wrapped_text(small(frame), "The layers are being computed …");
    }
    ImGui::Dummy({1, 8});
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
