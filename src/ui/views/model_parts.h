// What the files of view=model share: what it remembers, and the parts of its picture.
#pragma once

#include <imgui.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "ui/kit/lock.h"
#include "ui/kit/scene_pen.h"
#include "ui/kit/widgets.h"
#include "ui/views/saying.h"
#include "views/model/shown_model.h"

namespace attn {

// What the numbers of the picture are of.
struct ModelKey {
    const Model* model = nullptr;
    ModelInput input;
    int row = 0;

    bool operator==(const ModelKey&) const = default;
};

// What decides a part of the picture beside them.
struct ModelSceneKey {
    int version = -1;        // of the numbers
    int other_version = -1;  // of B's; -1 without B, or while there is no picture of it
    HeadOff head;
    LayerMap map = LayerMap::head;
    std::optional<int> word;
    bool has_switched = false;
    float width = 0;

    bool operator==(const ModelSceneKey&) const = default;
};

// The model and the text of a state, found again only where they may be others.
struct KeptText {
    Inputs text_of;  // that `shown` was found for
    int sentence = -1;
    std::optional<ModelText> shown;
};
// Nothing is shown where the state's model is not open. Returns whether the same model reads the same tokens as before:
// which layer's attention is looked at decides none of its numbers.
bool keep_text(const PlaygroundState& state, KeptText& memory);

// The picture of one state, kept while nothing changes that decides its numbers.
struct KeptPicture : KeptText {
    ModelKey key;
    int version = 0;
    std::shared_ptr<ModelPictureWork> work;  // of `key`
    StoppableWork stop;                      // of it
};

struct ModelViewMemory : KeptPicture {
    std::string other_link;                // that `other` is of
    std::optional<PlaygroundState> other;  // B
    KeptPicture of_other;
    KeptScene<ModelSceneKey> heads, next, votes, row, map, switched, scores, stream;
    SayingMemory saying;
};

ModelViewMemory& model_view_memory(PanelMemory& memory);

// Begins the picture of other numbers, and goes on with it. No text and no work where the state's model is not open.
void keep_picture(const Canvas& canvas, const PlaygroundState& state, KeptPicture& memory);

// Which link key's control a place is; "": none.
inline std::string_view no_key(const ScenePlace& /*place*/) {
    return "";
}

// The items of a scene that was put at `corner`; press(place) for the one that was pressed, words(place) for the ear,
// key_of(place) for what a teacher may lock.
template <typename Words, typename Press, typename KeyOf = decltype(&no_key)>
void put_model_places(UiFrame& frame, const FigureBlock& scene, ImVec2 corner, const Words& words, const Press& press,
                      const KeyOf& key_of = no_key) {
    const ImVec2 end = ImGui::GetCursorScreenPos();
    for (const ScenePlace& place : scene.places) {
        std::optional<LockScope> lock;
        if (const std::string_view key = key_of(place); !key.empty()) lock.emplace(frame, key, frame.palette.paper);
        const ImVec2 min = {corner.x + static_cast<float>(place.box.left),
                            corner.y + static_cast<float>(place.box.top)};
        ImGui::SetCursorScreenPos(min);
        ImGui::SetNextItemAllowOverlap();
        const ItemState state = item(frame, place.name,
                                     {static_cast<float>(place.box.right - place.box.left),
                                      static_cast<float>(place.box.bottom - place.box.top)});
        // A frame around a line of text would cut its first and last letters.
        const bool is_line = state.max.y - state.min.y < 2 * ImGui::GetTextLineHeight();
        const ImU32 accent = frame.palette.accent;
        if (state.is_hovered && is_line) fill_box({state.min.x, state.max.y - 1}, state.max, accent, 0);
        if (state.is_hovered && !is_line) frame_box(state.min, state.max, accent, 1, 6);
        if (state.is_focused) call_item(frame, state, words(place));
        if (state.is_pressed) press(place);
    }
    ImGui::SetCursorScreenPos(end);
}

// A picture in parts that are put below each other: what they are drawn from, what the view remembers, and the key that
// decides whether a part is drawn anew.
template <typename Memory, typename Drawing, typename Key>
struct PartsOfPicture {
    UiFrame& frame;
    Memory& memory;
    const Drawing drawing;
    Key key;
    float width = 0;

    template <auto kSceneOf>
    const FigureBlock& put(KeptScene<Key>& kept, ImVec2& corner) {
        key.width = width;
        const FigureBlock& scene = kept.at(
            frame, key, [&](const SceneStyle& style) { return kSceneOf(style, drawing, static_cast<double>(width)); });
        corner = ImGui::GetCursorScreenPos();
        put_scene(frame, scene);
        return scene;
    }
};

// Parts below each other, `width` wide.
template <typename Parts, typename... Put>
void put_column(Parts& parts, float width, Put... put) {
    parts.width = std::floor(width);
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + parts.width);
    (put(parts), ...);
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
}

// A canvas too low for the chips, and for all cards below what decides the next word.
inline bool is_low_for_model() {
    constexpr float kHigh = 640;
    return ImGui::GetIO().DisplaySize.y < kHigh;
}

// Whether a note says that something failed: a model that is not there will not come by itself.
bool will_not_come(const UiFrame& frame);

using ModelParts = PartsOfPicture<ModelViewMemory, ModelDrawing, ModelSceneKey>;

// The next words, and what says one: model_next.cpp.
void put_next(ModelParts& parts);

// Writes word by word, while that is on.
void keep_writing(ModelParts& parts);

}  // namespace attn
