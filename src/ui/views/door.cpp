// view=door on the screen. The scene comes from views/door; here stand the things that can be pressed.
#include "ui/views/door.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "core/ground/check.h"
#include "playground/state/origin.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/scene_pen.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/door_ways.h"
#include "ui/views/model_parts.h"
#include "views/door/door_scene.h"
#include "views/door/door_text.h"
#include "views/model/model_text.h"

namespace attn {

// What decides the scene.
struct DoorKey {
    int version = -1;    // of the evaluation
    int of_picture = 0;  // of the model's picture; 0: there is none
    std::string model, word;
    std::optional<int> head;
    int row = 0;

    bool operator==(const DoorKey&) const = default;
};

// And a part of its picture.
struct DoorSceneKey {
    int version = 0;  // of the drawing
    float width = 0, height = 0;

    bool operator==(const DoorSceneKey&) const = default;
};

// The last drawing stays until the next one is there, with all that it is of.
struct DoorMemory {
    DoorKey key;
    DoorDrawing drawing;
    int version = 0;
    std::optional<ModelText> text;
    std::shared_ptr<ModelPictureWork> work;
    KeptScene<DoorSceneKey> sentence, next, heads;
};

namespace {

constexpr float kTwoDoorColumns = 700;     // from here on the next words stand beside the sentence
constexpr float kBetweenDoorColumns = 28;  // columns
constexpr float kWidestScene = 1720;       // a wider canvas has margins
constexpr float kWidestSide = 560;
constexpr float kHighCanvas = 860;  // a higher one has some of its spare room above the scene and below the doors
constexpr float kQuestionSize = 32;

// Above and below a scene of this height.
float room_around(float height) {
    return std::max(0.0F, (height - kHighCanvas) * 0.35F);
}

DoorMemory& door_memory(PanelMemory& memory) {
    if (!memory.door) memory.door = std::make_shared<DoorMemory>();
    return *memory.door;
}

// Nothing is drawn of the model before its picture is whole: until then the drawing before it stays.
void keep_drawing(UiFrame& frame, DoorMemory& memory) {
    ModelViewMemory& model = model_view_memory(frame.memory);
    keep_picture(frame, frame.state, model);
    const bool has_picture = model.work && model.work->has_picture();
    const bool is_random = frame.state.inputs.model.empty();
    const bool waits = !is_random && model.work && !has_picture && memory.drawing.model;
    if (waits) return;
    DoorKey key = {.version = frame.version,
                   .of_picture = has_picture ? model.version : 0,
                   .model = std::string(std::string_view(frame.state.inputs.model)),
                   .word = frame.state.view.word,
                   .head = frame.state.view.head,
                   .row = next_row(frame.state.view, frame.evaluation.num_tokens())};
    if (key == memory.key && memory.version > 0) return;
    memory.key = std::move(key);
    ++memory.version;
    memory.text = model.shown;
    memory.work = has_picture ? model.work : nullptr;
    memory.drawing =
        door_drawing(frame.state, frame.evaluation, memory.text ? &*memory.text : nullptr, memory.work.get());
}

struct DoorParts {
    UiFrame& frame;
    DoorMemory& memory;
    float height = 0;  // of the whole scene
    float width = 0;   // of this part

    const DoorDrawing& drawing() const { return memory.drawing; }
    template <typename Make>
    const FigureBlock& put(KeptScene<DoorSceneKey>& kept, ImVec2& corner, const Make& make) {
        corner = ImGui::GetCursorScreenPos();
        const FigureBlock& scene = kept.at(frame, {memory.version, width, height}, make);
        put_scene(frame, scene);
        return scene;
    }
};

void put_question(DoorParts& parts) {
    UiFrame& frame = parts.frame;
    const bool is_small = frame.is_small();
    const DoorDrawing& drawing = parts.drawing();
    put_wrapped_text({frame.fonts.sans_bold, is_small ? 22 : kQuestionSize, frame.palette.ink},
                     drawing.reader == DoorReader::random ? kRandomQuestion : kDoorQuestion);
    const bool is_absent = drawing.reader == DoorReader::none && will_not_come(frame);
    const std::string words = is_absent ? std::string(kDoorAbsent) : door_subtitle(drawing, frame.state.inputs.model);
    put_wrapped_text({frame.fonts.sans, kTextSize, frame.palette.soft_ink}, words);
}

// The words where the scene will have them. Scenes and their pen come with a later part of the page.
void put_words_alone(const DoorParts& parts, const SentenceRoom& room) {
    const Look& look = parts.frame;
    const ScreenRuler ruler(look.fonts);
    const SetSentence set = set_sentence(ruler, parts.drawing(), room);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = text_style(look.fonts, {.ink = {}, .size = set.size});
    for (const SetWord& word : set.words) {
        if (word.is_room) continue;
        const auto at = [&](double x, double y) {
            return ImVec2{corner.x + static_cast<float>(x), corner.y + static_cast<float>(y)};
        };
        draw_text_in(at(word.box.left, word.box.top), at(word.box.right, word.box.bottom), {0.5F, 0.5F},
                     {style.font, style.size, look.palette.ink}, word.text);
    }
    ImGui::Dummy({parts.width, static_cast<float>(set.height)});
}

// Not inlined, as above.
[[gnu::noinline]] void put_drawn_sentence(DoorParts& parts, const SentenceRoom& room) {
    ImVec2 corner;
    parts.put(parts.memory.sentence, corner,
              [&](const SceneStyle& style) { return door_sentence_scene(style, parts.drawing(), room); });
}

void put_sentence_scene(DoorParts& parts) {
    SentenceRoom room = sentence_room(static_cast<double>(parts.width), static_cast<double>(parts.height));
    if (parts.frame.is_small()) room.largest = 22;
    if (parts.drawing().reader == DoorReader::none) {
        put_words_alone(parts, room);
    } else {
        put_drawn_sentence(parts, room);
    }
    ImGui::Dummy({1, 2});
}

// The one thing to press, and beside it what it does or did. Not inlined, as above.
[[gnu::noinline]] void put_switch_of_heads(DoorParts& parts) {
    UiFrame& frame = parts.frame;
    const DoorDrawing& drawing = parts.drawing();
    if (drawing.reader == DoorReader::random) return put_ways_to_read(frame, parts.width);
    if (!drawing.model || !drawing.model->word) return;
    const std::string effect = door_effect(drawing);
    const ImVec2 size = large_button_size(frame, switch_label(drawing));
    {
        const LockScope lock(frame, "off", frame.palette.paper);
        if (large_button(frame, "off=in use", switch_label(drawing))) switch_heads_in_use(frame.next, drawing);
    }
    const float rest = parts.width - size.x - 14;
    if (rest < 220) {
        put_wrapped_text(body(frame), effect);
        return;
    }
    const float height = wrapped_height(body(frame), effect, rest);
    ImGui::SameLine(0, 14);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({corner.x, corner.y + std::max(0.0F, (size.y - height) / 2)});
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + rest);
    put_wrapped_text(body(frame), effect);
    ImGui::PopTextWrapPos();
}

// Not inlined, as above.
[[gnu::noinline]] void put_drawn_words(DoorParts& parts) {
    UiFrame& frame = parts.frame;
    const DoorDrawing& drawing = parts.drawing();
    put_text(bold(frame), "The next word");
    ImVec2 corner;
    const FigureBlock& scene = parts.put(parts.memory.next, corner, [&](const SceneStyle& style) {
        return model_next_scene(style, *drawing.model, static_cast<double>(parts.width));
    });
    const ModelDrawing& model = *drawing.model;
    const auto words = [&](const ScenePlace& place) {
        const float p = model.picture.probabilities[static_cast<std::size_t>(place.index)];
        return concat("“", word_of_token(model.tokenizer, place.index), "”, ",
                      probability_in_words(static_cast<double>(p)), model.word == place.index ? ", chosen" : "");
    };
    put_model_places(frame, scene, corner, words, [&](const ScenePlace& place) {
        frame.next.view.word = word_of_token(model.tokenizer, place.index);
    });
    ImGui::Dummy({1, 4});
}

void choose_layer(UiFrame& frame, int layer) {
    frame.next.inputs.layer = layer;
    frame.next.view.head.reset();
}

// Not inlined, as above.
[[gnu::noinline]] void put_drawn_heads(DoorParts& parts) {
    UiFrame& frame = parts.frame;
    const DoorDrawing& drawing = parts.drawing();
    if (drawing.model && drawing.num_layers > 1 && drawing.num_layers <= 4) {
        put_text(bold(frame), "All heads of layer", control_height(frame));
        ImGui::SameLine(0, 8);
        std::vector<Segment> layers;
        for (int layer = 0; layer < drawing.num_layers; ++layer)
            layers.push_back({.name = concat("layer=", layer + 1), .label = concat(layer + 1)});
        const LockScope lock(frame, "layer", frame.palette.paper);
        const float width = segmented_width(frame, layers);
        if (const std::optional<int> layer = segmented(frame, layers, drawing.layer, width, "layer"))
            choose_layer(frame, *layer);
    } else {
        put_text(bold(frame), drawing.model ? concat("All heads of layer ", drawing.layer + 1) : "All heads");
    }
    put_wrapped_text(small(frame), "Each row is a word that looks back, each column one it looks at. Press a head.");
    ImVec2 corner;
    const FigureBlock& scene = parts.put(parts.memory.heads, corner, [&](const SceneStyle& style) {
        return door_heads_scene(style, drawing, static_cast<double>(parts.width));
    });
    const auto words = [&](const ScenePlace& place) {
        const bool is_off = drawing.is_off[static_cast<std::size_t>(place.index)];
        const bool is_in_use = std::ranges::find(drawing.heads, place.index) != drawing.heads.end();
        return concat("head ", place.index + 1, is_in_use ? ", in use" : "", is_off ? ", off" : "");
    };
    put_model_places(frame, scene, corner, words, [&](const ScenePlace& place) { frame.next.view.head = place.index; });
    ImGui::Dummy({1, 4});
}

void put_switch(DoorParts& parts) {
    if (parts.drawing().reader != DoorReader::none) return put_switch_of_heads(parts);
    if (will_not_come(parts.frame)) return put_way_back(parts.frame);
    ImGui::Dummy({1, large_button_size(parts.frame, {}).y});  // what is below stays where it is
}
void put_next_words(DoorParts& parts) {
    const DoorDrawing& drawing = parts.drawing();
    if (drawing.model && drawing.model->picture.has_next()) put_drawn_words(parts);
}
void put_heads_of_layer(DoorParts& parts) {
    if (!parts.drawing().maps.empty()) put_drawn_heads(parts);
}

void put_start_chips(DoorParts& parts) {
    put_door_starts(parts.frame, parts.width, parts.drawing().reader != DoorReader::none);
}

void put_door_row(DoorParts& parts) {
    ImGui::Dummy({1, 6});
    put_doors(parts.frame, parts.drawing(), parts.width);
}

void put_scene_parts(DoorParts& parts) {
    const float room = std::min(ImGui::GetContentRegionAvail().x - 6, kWidestScene);
    if (room < kTwoDoorColumns) {
        return put_column(parts, room, put_question, put_sentence_scene, put_switch, put_next_words, put_start_chips,
                          put_door_row, put_heads_of_layer);
    }
    const float side = std::min(kWidestSide, room * 0.34F);
    put_column(parts, room - side - kBetweenDoorColumns, put_question, put_sentence_scene, put_switch, put_start_chips);
    ImGui::SameLine(0, kBetweenDoorColumns);
    put_column(parts, side, put_next_words, put_heads_of_layer);
    // At the same place before the model is there, however high the columns are then.
    const float doors = doors_height(parts.frame, room) + 8;
    const float spare = ImGui::GetContentRegionAvail().y - doors - 30 - room_around(parts.height);
    if (spare > 0) ImGui::Dummy({1, spare});
    put_column(parts, room, put_door_row);
}

}  // namespace

void draw_door(UiFrame& frame) {
    DoorMemory& memory = door_memory(frame.memory);
    keep_drawing(frame, memory);
    ImGui::BeginChild("door", {0, 0}, ImGuiChildFlags_NavFlattened);
    const float height = ImGui::GetContentRegionAvail().y;
    const float spare = ImGui::GetContentRegionAvail().x - 6 - kWidestScene;
    if (spare > 0) ImGui::SetCursorPosX(std::floor(spare / 2));
    ImGui::BeginGroup();
    DoorParts parts = {.frame = frame, .memory = memory, .height = height};
    ImGui::Dummy({1, 6 + room_around(height)});
    put_scene_parts(parts);
    ImGui::Dummy({1, 8});
    ImGui::EndGroup();
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
