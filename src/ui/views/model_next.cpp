// The next words of view=model: bars that can be pressed, what says one, and the comparison with B.
#include <imgui.h>

#include <string>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/kit/lock.h"
#include "ui/views/model_parts.h"
#include "views/model/model_text.h"

namespace attn {
namespace {

Saying saying_of(ModelParts& parts) {
    return {.frame = parts.frame,
            .memory = parts.memory.saying,
            .shown = *parts.memory.shown,
            .row = parts.drawing.picture.row,
            .logits = parts.drawing.picture.logits};
}

// What follows the sentence's new end, not what followed the old one.
void look_after_new_word(UiFrame& frame) {
    frame.next.view.cell.reset();
    frame.next.view.word.clear();
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
    const LockScope lock(frame, "compare", frame.palette.paper);
    if (next_button(frame, right, "compare=now", has_b ? "B = A as it is now" : "Compare with this state"))
        frame.next.view.compare = link_as_other(frame.state);
    if (has_b && next_button(frame, right, "compare=none", "Remove B")) frame.next.view.compare.clear();
}

void put_say_and_compare(ModelParts& parts, float right) {
    if (put_say_buttons(saying_of(parts))) look_after_new_word(parts.frame);
    put_comparison(parts, right);
}

}  // namespace

void keep_writing(ModelParts& parts) {
    if (keep_writing(saying_of(parts))) look_after_new_word(parts.frame);
}

void put_next(ModelParts& parts) {
    UiFrame& frame = parts.frame;
    const ModelPicture& picture = parts.drawing.picture;
    if (!picture.has_next()) return;
    const float right = ImGui::GetCursorScreenPos().x + parts.width;
    put_heading(frame, "THE NEXT WORD");
    put_wrapped_text(small(frame), concat("… ", place_of_next(picture), ". Press a word to see who votes for it."));
    // The buttons above the bars, which B makes taller; a low canvas shows the words first.
    const bool is_low = is_low_for_model();
    if (!is_low) put_say_and_compare(parts, right);
    ImVec2 corner;
    const FigureBlock& scene = parts.put<model_next_scene>(parts.memory.next, corner);
    const auto words = [&](const ScenePlace& place) {
        const float p = picture.probabilities[static_cast<std::size_t>(place.index)];
        return concat("“", word_of_token(parts.drawing.tokenizer, place.index), "”, ",
                      probability_in_words(static_cast<double>(p)),
                      parts.drawing.word == place.index ? ", chosen" : "");
    };
    put_model_places(frame, scene, corner, words, [&](const ScenePlace& place) {
        frame.next.view.word = word_of_token(parts.drawing.tokenizer, place.index);
    });
    if (is_low) put_say_and_compare(parts, right);
    if (parts.drawing.other) put_wrapped_text(small(frame), parts.drawing.other->words);
    put_draws(frame, parts.memory.saying, parts.width);
}

}  // namespace attn
