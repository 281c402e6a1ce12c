// Notes: which values were moved, dropped or refused, in plain words, above the picture until the visitor has read
// them.
#include <imgui.h>

#include <algorithm>

#include "playground/link/legal.h"
#include "playground/link/next_word_offer.h"
#include "playground/link/random_rows_offer.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"
#include "playground/state/view_table.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"

namespace attn {
namespace {

constexpr float kPadding = 10;
constexpr float kTallest = 120;  // more of them scroll

bool contains(const Notes& notes, const std::string& note) {
    return std::find(notes.begin(), notes.end(), note) != notes.end();
}

// Until it is here the picture stays the one before.
bool awaits_own_model(const UiFrame& frame) {
    const Inputs& wanted = frame.session.state().inputs;
    return find_own_model(wanted.model) && frame.state.inputs.model != wanted.model && !open_model_of(wanted);
}

// The notes to read: about the visitor's last changes, and about this sentence. Nothing new during typing.
[[gnu::noinline]] Notes unread(UiFrame& frame) {
    Notes notes = frame.notes;
    if (frame.evaluation.is_empty()) return notes;  // the whole picture says so
    PanelMemory& memory = frame.memory;
    Notes now;
    const bool tells_outcome = frame.evaluation.run && !shows_part(frame, "training");
    const std::string outcome = frame.evaluation.run ? frame.evaluation.run->outcome() : std::string();
    const Notes told = tells_nothing_to_learn(frame) && frame.evaluation.run ? frame.evaluation.run->notes() : Notes{};
    // These views tell it themselves, in the place of numbers.
    const ViewKind view = frame.state.view.view;
    const bool waits = (view == ViewKind::door || view_info(view).is_of_model()) && !frame.state.inputs.model.empty();
    const std::string absent = waits ? note_on_absent_model(frame.state.inputs) : std::string();
    for (const std::string& note : frame.evaluation.notes) {
        const auto has = [&](std::string_view words) { return note.find(words) != std::string::npos; };
        const bool is_struck_through = view == ViewKind::door && has(kLeftOutByModel);
        const bool is_told = has_lesson(frame) && has(kAsSingleBytes);  // the step says it
        if (note == absent || is_struck_through || is_told) continue;
        if (note == outcome && !tells_outcome) continue;  // the bar of training tells it
        if (contains(told, note)) continue;               // the view tells it
        if (contains(memory.read_notes, note)) continue;
        if (!frame.session.is_typing() || contains(memory.told_notes, note)) now.push_back(note);
    }
    if (!frame.session.is_typing()) memory.told_notes = now;
    append_notes(notes, now);
    return notes;
}

// Not inlined: with nothing to say, as nearly always, it comes with a later part of the page.
[[gnu::noinline]] void put_notes(UiFrame& frame, const Notes& notes) {
    const Palette& palette = frame.palette;
    const TextStyle style = body(frame);
    const float close = control_height(frame) + 4;
    const float width = ImGui::GetContentRegionAvail().x;
    const float text_width = width - close - 3 * kPadding;
    float text_height = 0;
    for (const std::string& note : notes) text_height += wrapped_height(style, note, text_width) + 2;
    const std::optional<HeadsOffer> offer = heads_offer(notes, frame.state.view);
    const std::optional<Inputs> next_word = next_word_offer(notes, frame.state);
    const std::optional<Inputs> random_rows = random_rows_offer(notes, frame.state);
    const float offer_height = offer || next_word || random_rows ? close + kPadding : 0;
    const float height = std::max(std::min(text_height, kTallest) + 2 * kPadding, close + 8) + offer_height;

    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 opposite = {corner.x + width, corner.y + height};
    const bool has_failure =
        std::ranges::any_of(notes, [&](const std::string& note) { return frame.session.is_failure(note); });
    fill_box(corner, opposite, has_failure ? mix(palette.panel, palette.warning, 0.1F) : palette.panel);
    frame_box(corner, opposite, has_failure ? palette.warning : palette.edge);

    ImGui::SetCursorScreenPos(
        {corner.x + kPadding, corner.y + std::max(kPadding, (height - offer_height - text_height) / 2)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 2));
    ImGui::BeginChild("notes", {text_width + kPadding, std::min(text_height, kTallest)}, ImGuiChildFlags_NavFlattened);
    ImGui::PushTextWrapPos(text_width);
    for (const std::string& note : notes) put_wrapped_text(style, note);
    ImGui::PopTextWrapPos();
    scroll_by_finger(frame);
    ImGui::EndChild();
    ImGui::PopStyleVar();

    if (offer) {
        ImGui::SetCursorScreenPos({corner.x + kPadding, opposite.y - close - kPadding});
        if (button(frame, "notes=heads", heads_offer_label(*offer), ButtonKind::quiet)) {
            frame.next.inputs.num_heads = offer->num_heads;
            frame.next.inputs.d_out = offer->d_out;
        }
    } else if (next_word) {
        ImGui::SetCursorScreenPos({corner.x + kPadding, opposite.y - close - kPadding});
        if (button(frame, "notes=next", next_word_offer_label(*next_word), ButtonKind::quiet))
            frame.next.inputs = *next_word;
    } else if (random_rows) {
        ImGui::SetCursorScreenPos({corner.x + kPadding, opposite.y - close - kPadding});
        if (button(frame, "notes=random", kRandomRowsLabel, ButtonKind::quiet)) frame.next.inputs = *random_rows;
    }
    ImGui::SetCursorScreenPos({opposite.x - close - 4, corner.y + 4});
    if (icon_button(frame, "notes=read", Icon::close, "I have read this")) {
        frame.notes.clear();
        frame.memory.read_notes = frame.evaluation.notes;
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, height});
}

}  // namespace

void draw_notes(UiFrame& frame) {
    const bool is_awaited = awaits_own_model(frame);
    if (!is_awaited && frame.notes.empty() && frame.evaluation.notes.empty()) return;
    const Notes notes = is_awaited ? Notes{std::string(kOpeningModel)} : unread(frame);
    if (!notes.empty()) put_notes(frame, notes);
    frame.memory.shown_notes = notes;
}

}  // namespace attn
