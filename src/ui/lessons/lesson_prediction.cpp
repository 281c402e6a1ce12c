// What a step asks, on the card: lays the choices out in rows of buttons, and draws them.
#include "ui/lessons/lesson_panel.h"

#include <algorithm>
#include <vector>

#include "core/ground/check.h"
#include "playground/lessons/prediction.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kAbovePrediction = 8;  // between the parts
constexpr float kBetweenChoices = 6;

PredictionCourse& course_of(UiFrame& frame) {
    PredictionCourse& course = frame.session.prediction();
    keep_prediction(course, frame.session.answers().log, frame.state);
    return course;
}

bool is_order(const UiFrame& frame) {
    return asked_row(frame.state.view)->kind == PredictionKind::order;
}

float choice_width(const Look& look, std::string_view says) {
    return text_size(body(look), says).x + 24;  // as button() draws it
}

// How many rows of buttons the choices take.
int num_rows(const UiFrame& frame, const PredictionCourse& course, float width) {
    if (is_order(frame)) return static_cast<int>(course.choices.size()) + 1;  // and the button below
    int rows = 1;
    float x = 0;
    for (const PredictionCourse::Choice& choice : course.choices) {
        const float wide = choice_width(frame, choice.says);
        if (x > 0 && x + wide > width) {
            ++rows;
            x = 0;
        }
        x += wide + kBetweenChoices;
    }
    return rows;
}

float row_height(const Look& look) {
    return control_height(look) + kBetweenChoices;
}

void take_choice(UiFrame& frame, PredictionCourse& course, int choice) {
    frame.said.push_back(choose(course, frame.session.answers().log, frame.state, frame.next, choice));
}

// One of several: pressing it is the answer.
void put_choices(UiFrame& frame, PredictionCourse& course, float width) {
    float x = 0;
    for (int i = 0; i < static_cast<int>(course.choices.size()); ++i) {
        const std::string& says = course.choices[static_cast<std::size_t>(i)].says;
        const float wide = choice_width(frame, says);
        if (x > 0 && x + wide > width) x = 0;
        if (x > 0) ImGui::SameLine(0, kBetweenChoices);
        x += wide + kBetweenChoices;
        const bool is_chosen = course.chosen == i;
        const bool is_pressed = button(frame, concat("predict=", i + 1), says,
                                       is_chosen ? ButtonKind::primary : ButtonKind::quiet, !course.is_right);
        call_last_item(frame, choice_in_words(course, i));
        if (is_pressed) take_choice(frame, course, i);
    }
}

// A line for each, with a button up and one down: for a pointer, a finger and the keyboard alike.
void put_order(UiFrame& frame, PredictionCourse& course) {
    const int count = static_cast<int>(course.choices.size());
    for (int i = 0; i < count; ++i) {
        const std::string says = course.choices[static_cast<std::size_t>(i)].says;
        int way = 0;
        if (icon_button(frame, concat("predict up=", i + 1), Icon::up, "One place up", !course.is_right && i > 0))
            way = -1;
        call_last_item(frame, concat(says, ", place ", i + 1, " of ", count, ": one place up"));
        ImGui::SameLine(0, kBetweenChoices);
        if (icon_button(frame, concat("predict down=", i + 1), Icon::down, "One place down",
                        !course.is_right && i + 1 < count))
            way = 1;
        call_last_item(frame, concat(says, ", place ", i + 1, " of ", count, ": one place down"));
        ImGui::SameLine(0, kBetweenChoices + 4);
        put_text(body(frame), concat(i + 1, ". ", says), control_height(frame) + 4);
        if (way != 0) frame.said.push_back(move_choice(course, i, way));
    }
    if (button(frame, "predict=order", "This is my order", ButtonKind::primary, !course.is_right))
        take_choice(frame, course, 0);
}

}  // namespace

float prediction_height(UiFrame& frame, float width) {
    if (asked_row(frame.state.view) == nullptr) return 0;
    const PredictionCourse& course = course_of(frame);
    const PredictionRow& row = *asked_row(frame.state.view);
    float height = kAbovePrediction + wrapped_height(bold(frame), row.question, width) + kBetweenChoices;
    height += static_cast<float>(num_rows(frame, course, width)) * (row_height(frame) + 6);
    if (!course.said.empty()) height += kAbovePrediction + wrapped_height(body(frame), course.said, width);
    return height;
}

void put_prediction(UiFrame& frame, float width) {
    if (asked_row(frame.state.view) == nullptr) return;
    PredictionCourse& course = course_of(frame);
    const std::optional<int> pressed = choice_in_picture(course, frame.state.view);
    // The arrow keys walk over cells; only a press of the pointer chooses one.
    if (pressed && !ImGui::GetIO().NavVisible) take_choice(frame, course, *pressed);
    ImGui::Dummy({1, kAbovePrediction});
    put_wrapped_text(bold(frame), asked_row(frame.state.view)->question);
    ImGui::Dummy({1, 2});
    if (course.choices.empty()) {
        put_wrapped_text(body(frame), "The model is still being read.");
        return;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(kBetweenChoices, kBetweenChoices));
    is_order(frame) ? put_order(frame, course) : put_choices(frame, course, width);
    ImGui::PopStyleVar();
    if (course.said.empty()) return;
    ImGui::Dummy({1, 2});
    put_wrapped_text(body(frame), course.said);
}

}  // namespace attn
