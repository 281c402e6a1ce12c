// view=patch on the screen: the second text, the choice between two words, and maps of patches that can be pressed.
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/state_url.h"
#include "playground/state/open_models.h"
#include "playground/text/notes.h"
#include "ui/kit/fields.h"
#include "ui/kit/lock.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/model.h"
#include "ui/views/model_card.h"
#include "ui/views/model_parts.h"
#include "views/door/doors.h"
#include "views/model/other_picture.h"
#include "views/patch/patch_picture.h"

namespace attn {

// What decides the picture.
struct PatchSceneKey {
    int version = -1;  // of the effects
    int num_done = 0;
    bool has_both = false, has_patched = false;
    std::vector<Patch> patches = {};
    float width = 0;

    bool operator==(const PatchSceneKey&) const = default;
};

struct PatchViewMemory : KeptText {
    Inputs texts_of;  // what is below is found again only where one of the texts may be another
    std::string other_link;
    int texts_sentence = -1, num_changes = -1;
    std::optional<PlaygroundState> other;  // B
    std::optional<PatchTexts> texts;       // nothing without a model or a second text
    std::string problem;                   // why there are none
    std::shared_ptr<PatchEffects> work;    // of `texts` and of these words
    std::string word, against;
    std::shared_ptr<NextOfRow> patched;
    StoppableWork stop;
    int version = 0;
    std::string typed_for;  // the sentence that `typed` began with
    std::string typed;      // in the field of B's text
    KeptScene<PatchSceneKey> choices, streams, heads;
};

namespace {

// Both texts and the patched one, found again only where one of them may be another.
void keep_texts(const PlaygroundState& state, PatchViewMemory& memory) {
    const View& view = state.view;
    const bool is_same = memory.texts_of == state.inputs && memory.other_link == view.compare &&
                         memory.texts_sentence == view.sentence && memory.num_changes == num_model_changes();
    if (is_same) return;
    memory.other = other_state(view);
    memory.texts = patch_texts(state, memory.problem);
    memory.texts_of = state.inputs;
    memory.other_link = view.compare;
    memory.texts_sentence = view.sentence;
    memory.num_changes = num_model_changes();
    // Where a patch alone has come or gone, the map stays.
    const bool has_texts = memory.texts && memory.work &&
                           &memory.work->run().model() == memory.texts->here.model.get() &&
                           memory.work->run().input() == memory.texts->here.input &&
                           memory.work->other().input() == memory.texts->there.input;
    if (!has_texts) memory.work.reset();
    memory.patched.reset();
}

// Begins the effects of other texts or words, and goes on with them; the run that the link patches comes first.
void keep_patches(UiFrame& frame, PatchViewMemory& memory) {
    const PlaygroundState& state = frame.state;
    keep_text(state, memory);
    keep_texts(state, memory);
    if (!memory.texts) return;
    const PatchTexts& texts = *memory.texts;
    const View& view = state.view;
    const int row = next_row(view, texts.here.input.num_tokens());
    if (!memory.work || memory.work->row() != row || memory.word != view.word || memory.against != view.against) {
        memory.work = begin_patches(view, texts);
        memory.word = view.word;
        memory.against = view.against;
        memory.patched.reset();
        memory.stop = stoppable(*texts.here.run);
        ++memory.version;
    }
    if (texts.patched && !memory.patched) memory.patched = std::make_shared<NextOfRow>(texts.patched->run, row);
    const auto seen = [](const auto& work) { return work.progress(); };
    if (memory.patched && !memory.patched->is_done())
        return go_on_between_frames(frame.widgets, memory.stop, memory.patched, seen);
    go_on_between_frames(frame.widgets, memory.stop, memory.work, seen);
}

using PatchParts = PartsOfPicture<PatchViewMemory, PatchDrawing, PatchSceneKey>;

// B's text becomes this one; what else B is stays, or is as here.
void take_other_text(UiFrame& frame, const PatchViewMemory& memory, std::string text) {
    PlaygroundState other = memory.other.value_or(frame.state);
    other.inputs.model = frame.state.inputs.model;
    other.inputs.texts[static_cast<std::size_t>(other.view.sentence)] = std::move(text);
    frame.next.view.compare = link_as_other(other);
}

void put_other_text(UiFrame& frame, PatchViewMemory& memory) {
    const bool has_other = memory.other.has_value();
    const std::string text = shown_sentence(has_other ? *memory.other : frame.state);
    if (memory.typed_for != text) memory.typed = memory.typed_for = text;
    put_text(bold(frame), has_other ? "B’s text" : "The second text, B");
    const LockScope lock(frame, "compare", frame.palette.paper);
    const float room = ImGui::GetContentRegionAvail().x - 6;
    if (text_field(frame, "other text", memory.typed, room, "B's text") && (has_other || memory.typed != text)) {
        memory.typed_for = memory.typed;
        take_other_text(frame, memory, memory.typed);
    }
    if (has_other) return;
    put_wrapped_text(small(frame), "Change a word of it, or take one of these sentences.");
    bool is_first = true;
    for (const DoorStart& start : door_starts()) {
        if (start.text == shown_sentence(frame.state)) continue;
        constexpr float kIndents = 24;
        if (!is_first) ImGui::SameLine(0, 6);
        if (!is_first && ImGui::GetContentRegionAvail().x < text_size(body(frame), start.label).x + kIndents)
            ImGui::NewLine();
        if (button(frame, concat("other=", start.label), start.label))
            take_other_text(frame, memory, std::string(start.text));
        is_first = false;
    }
}

void put_patching_words(PatchParts& parts) {
    for (const std::string& sentence : patching_in_words(parts.drawing)) put_wrapped_text(small(parts.frame), sentence);
    ImGui::Dummy({1, 4});
}

void put_choices(PatchParts& parts) {
    UiFrame& frame = parts.frame;
    const std::string choice = choice_in_words(parts.drawing);
    put_wrapped_text(bold(frame), choice.empty() ? "The choice between two words" : choice);
    ImVec2 corner;
    parts.put<patch_choices_scene>(parts.memory.choices, corner);
    const PatchEffects& work = *parts.memory.work;
    if (!work.is_done() && parts.memory.stop.is_long)
        put_progress(frame, parts.memory.stop,
                     work.both() ? concat(work.num_effects_done(), " of ", work.num_effects(), " patches are computed")
                                 : progress_in_words(work.progress()));
    if (parts.drawing.patches.empty()) return;
    std::string patched;
    for (const Patch& patch : parts.drawing.patches)
        patched += concat(patched.empty() ? "Patched: " : ", ", patch_in_words(parts.drawing, patch));
    put_wrapped_text(body(frame), patched + ".");
    {
        const LockScope lock(frame, "patch", frame.palette.paper);
        if (button(frame, "patch=", "Take it out")) frame.next.inputs.patches.clear();
    }
    ImGui::SameLine(0, 6);
    const LockScope lock(frame, "view", frame.palette.paper);
    if (button(frame, "patch=numbers", "Its numbers", ButtonKind::quiet)) open_patched(frame.next, *parts.memory.texts);
}

void press_place(PatchParts& parts, const Patch& patch) {
    press_patch(parts.frame.next.inputs, patch);
}

std::string words_of_effect(const PatchDrawing& drawing, const Patch& patch, const PatchedChoice* choice) {
    return concat(patch_in_words(drawing, patch), ": ", effect_in_words(drawing, choice),
                  drawing.has_patch(patch) ? ", patched" : "");
}

std::string_view key_of_patch(const ScenePlace& /*place*/) {
    return "patch";
}

void put_streams(PatchParts& parts) {
    ImGui::Dummy({1, 6});
    put_wrapped_text(bold(parts.frame), "The stream before each layer, patched at one token");
    put_wrapped_text(small(parts.frame), "Press a cell to run the model with that patch.");
    ImVec2 corner;
    const FigureBlock& scene = parts.put<patch_streams_scene>(parts.memory.streams, corner);
    const int num_tokens = static_cast<int>(parts.drawing.words.size());
    const auto patch_of = [&](const ScenePlace& place) {
        return stream_patch(place.index / num_tokens, place.index % num_tokens);
    };
    const auto words = [&](const ScenePlace& place) {
        const Patch patch = patch_of(place);
        return words_of_effect(parts.drawing, patch, parts.drawing.work.of_stream(patch.layer, patch.row));
    };
    put_model_places(
        parts.frame, scene, corner, words, [&](const ScenePlace& place) { press_place(parts, patch_of(place)); },
        key_of_patch);
}

void put_patched_heads(PatchParts& parts) {
    ImGui::Dummy({1, 6});
    put_wrapped_text(bold(parts.frame), "Each head, patched at every token");
    ImVec2 corner;
    const FigureBlock& scene = parts.put<patch_heads_scene>(parts.memory.heads, corner);
    const int num_heads = parts.drawing.model().config.num_heads;
    const auto patch_of = [&](const ScenePlace& place) {
        return head_patch(place.index / num_heads, place.index % num_heads);
    };
    const auto words = [&](const ScenePlace& place) {
        const Patch patch = patch_of(place);
        return words_of_effect(parts.drawing, patch, parts.drawing.work.of_head(patch.layer, patch.head));
    };
    put_model_places(
        parts.frame, scene, corner, words, [&](const ScenePlace& place) { press_place(parts, patch_of(place)); },
        key_of_patch);
    ImGui::Dummy({1, 8});
}

void put_patch_maps(UiFrame& frame, PatchViewMemory& memory) {
    PatchDrawing drawing = patch_drawing(*memory.work, *memory.texts, frame.state.inputs);
    drawing.patched = memory.patched.get();
    drawing.prints_values = !hides_part(frame.state.view, "values");
    const PatchSceneKey key = {.version = memory.version,
                               .num_done = memory.work->num_effects_done(),
                               .has_both = memory.work->both().has_value(),
                               .has_patched = memory.patched && memory.patched->is_done(),
                               .patches = drawing.patches};
    PatchParts parts = {frame, memory, std::move(drawing), key};
    const float room = ImGui::GetContentRegionAvail().x - 6;
    if (memory.work->has_no_choice()) return put_column(parts, room, put_choices, put_patching_words);
    if (is_low_for_model() || frame.layout == LayoutKind::phone)
        return put_column(parts, room, put_choices, put_streams, put_patched_heads, put_patching_words);
    put_column(parts, room, put_patching_words, put_choices, put_streams, put_patched_heads);
}

}  // namespace

void draw_patch(UiFrame& frame) {
    if (!frame.memory.patch_view) frame.memory.patch_view = std::make_shared<PatchViewMemory>();
    PatchViewMemory& memory = *frame.memory.patch_view;
    keep_patches(frame, memory);
    ImGui::Dummy({1, 2});
    put_model_card(frame, memory.shown ? &*memory.shown : nullptr);
    ImGui::BeginChild("patching", {0, 0}, ImGuiChildFlags_NavFlattened);
    if (memory.shown) put_other_text(frame, memory);
    if (memory.shown && !memory.work) put_wrapped_text(body(frame), memory.problem);
    if (memory.work) put_patch_maps(frame, memory);
    ImGui::Dummy({1, 8});
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
