// The next words of view=model: bars that can be pressed, and a word that is drawn as a notebook draws it.
#include <imgui.h>

#include <cmath>
#include <optional>
#include <string>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/kit/lock.h"
#include "ui/kit/setting_rows.h"
#include "ui/views/model_parts.h"
#include "views/model/model_text.h"

namespace attn {
namespace {

constexpr double kSecondsOfWord = 0.5;

// The sentence grows by a word; false where it cannot, and why is said.
bool say_next(ModelParts& parts) {
    UiFrame& frame = parts.frame;
    const ModelText& shown = *parts.memory.shown;
    const std::string problem = find_saying_problem(shown, parts.drawing.picture);
    if (!problem.empty()) {
        parts.memory.refusal = problem;
        return false;
    }
    const NextDraw draw = next_draw(frame.state.view);
    const int token = drawn_token(parts.drawing.picture.logits, draw);
    const auto sentence = static_cast<std::size_t>(frame.state.view.sentence);
    const std::string longer =
        sentence_with_token(*shown.tokenizer, frame.state.inputs.texts[sentence], shown.input.ids, token);
    if (longer.empty()) {
        parts.memory.refusal = concat("“", word_of_token(shown.tokenizer.get(), token),
                                      "” was drawn, but behind this sentence it would be read as other tokens.");
        return false;
    }
    parts.memory.refusal.clear();
    frame.next.inputs.texts[sentence] = longer;
    frame.next.view.said = draw.num_drawn + 1;
    frame.next.view.cell.reset();  // the next word is looked at after the new one
    frame.next.view.word.clear();
    return true;
}

std::optional<std::string> beside(double value, double step, double low, double high) {
    const double next = std::round((value + step) * 1e6) / 1e6;
    return next < low || next > high ? std::nullopt : std::optional(exact_number(next));
}

void put_draws(ModelParts& parts) {
    UiFrame& frame = parts.frame;
    const View& view = frame.state.view;
    if (text_link(frame, "draws", {frame.fonts.sans, kTextSize, frame.palette.link},
                  parts.memory.shows_draws ? "How words are drawn ▴" : "How words are drawn ▾"))
        parts.memory.shows_draws = !parts.memory.shows_draws;
    if (!parts.memory.shows_draws) return;
    ImGui::BeginChild("draws", {parts.width, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    number_row(frame, "next_temperature", exact_number(view.next_temperature),
               {.less = beside(view.next_temperature, -0.1, 0, kMaxNextTemperature),
                .more = beside(view.next_temperature, 0.1, 0, kMaxNextTemperature)});
    number_row(frame, "top_k", concat(view.top_k),
               {.less = beside(view.top_k, -1, 0, kMaxTopK), .more = beside(view.top_k, 1, 0, kMaxTopK)});
    number_row(frame, "top_p", exact_number(view.top_p),
               {.less = beside(view.top_p, -0.05, kMinTopP, 1), .more = beside(view.top_p, 0.05, kMinTopP, 1)});
    seed_row(frame, "next_seed", view.next_seed);
    put_wrapped_text(small(frame), concat("Drawn since the seed: ", counted(view.said, "word"),
                                          ". A notebook that seeds once and calls torch.multinomial for each word "
                                          "draws the same ones."));
    ImGui::EndChild();
}

// A button behind the one before, or below it where the column has no room up to `right`.
bool next_button(UiFrame& frame, float right, const std::string& name, std::string_view label) {
    constexpr float kButtonEdges = 2 * 12;
    ImGui::SameLine(0, 6);
    const float end = ImGui::GetCursorScreenPos().x + text_size(body(frame), label).x + kButtonEdges;
    if (end > right) ImGui::NewLine();
    return button(frame, name, label);
}

// B, whose words and votes stand beside: this state as it is now, or the one that view=compare has.
void put_comparison(ModelParts& parts, float right) {
    UiFrame& frame = parts.frame;
    const bool has_b = parts.drawing.other.has_value();
    {
        const LockScope lock(frame, "compare", frame.palette.paper);
        if (next_button(frame, right, "compare=now", has_b ? "B = A as it is now" : "Compare with this state"))
            frame.next.view.compare = link_as_other(frame.state);
        if (has_b && next_button(frame, right, "compare=none", "Remove B")) frame.next.view.compare.clear();
    }
    if (has_b) put_wrapped_text(small(frame), parts.drawing.other->words);
}

}  // namespace

void keep_writing(ModelParts& parts) {
    ModelViewMemory& memory = parts.memory;
    if (!memory.is_writing) return;
    if (locks_control(parts.frame.state.view, "text") || !memory.work->has_picture()) {
        memory.is_writing = memory.is_writing && !memory.work->has_picture();
        return;
    }
    parts.frame.widgets.is_moving = true;
    if (ImGui::GetTime() < memory.next_time) return;
    parts.frame.session.go_on_changing();
    memory.is_writing = say_next(parts);
    memory.next_time = ImGui::GetTime() + kSecondsOfWord;
}

void put_next(ModelParts& parts) {
    UiFrame& frame = parts.frame;
    const ModelPicture& picture = parts.drawing.picture;
    if (!picture.has_next()) return;
    const float right = ImGui::GetCursorScreenPos().x + parts.width;
    put_heading(frame, "THE NEXT WORD");
    put_wrapped_text(small(frame), concat("… ", place_of_next(picture), ". Press a word to see who votes for it."));
    ImVec2 corner;
    const FigureBlock& scene = parts.put<model_next_scene>(parts.memory.next, corner);
    const auto words = [&](const ScenePlace& place) {
        return concat(word_of_token(parts.drawing.tokenizer, place.index), ", ",
                      shown_number(static_cast<double>(picture.probabilities[static_cast<std::size_t>(place.index)])));
    };
    put_model_places(frame, scene, corner, words, [&](const ScenePlace& place) {
        frame.next.view.word = word_of_token(parts.drawing.tokenizer, place.index);
    });
    {
        const LockScope lock(frame, "text", frame.palette.paper);
        if (button(frame, "next=say", "Say the next word", ButtonKind::primary)) {
            parts.memory.is_writing = false;
            say_next(parts);
        }
        ImGui::SameLine(0, 6);
        const bool is_writing = parts.memory.is_writing;
        if (!frame.reduces_motion && icon_button(frame, "next=write", is_writing ? Icon::pause : Icon::play,
                                                 is_writing ? "Pause" : "Write word by word")) {
            parts.memory.is_writing = !is_writing;
            parts.memory.next_time = ImGui::GetTime();
            frame.widgets.is_moving = true;
        }
    }
    put_comparison(parts, right);
    if (!parts.memory.refusal.empty()) put_wrapped_text(small(frame), parts.memory.refusal);
    put_draws(parts);
}

}  // namespace attn
