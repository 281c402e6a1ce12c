// Check me: if a stage is blank, a grid to type its numbers into replaces its picture.
#pragma once

#include <vector>

#include "playground/check/check_course.h"
#include "ui/frame/frame.h"
#include "views/stage/place_words.h"

namespace attn {

// The button on the view bar that begins and ends a check of the shown stage.
void put_check_button(UiFrame& frame);
float check_button_width(const Look& look);

// Replaces a view that would show blank numbers. Draws into the current window at the cursor.
void draw_check(UiFrame& frame);

// What the inspector says instead of arithmetic that would give a blank number away.
void put_blank_remark(Display& display);

// For a cell with a blank number, its own or one in its arithmetic; offers to type its own.
void put_blank_arithmetic(UiFrame& frame, bool is_own);

// What the parts of the grid share.
struct CheckPicture {
    UiFrame& frame;
    TensorId stage;
    Blanks blanks;
    std::vector<Question> questions;
    std::optional<Question> current;  // the one being answered; nothing when all are solved
    bool is_exercise = false;         // a lesson's step asks: for these numbers alone
    bool is_out_of_date = false;      // this very frame asked for other numbers, so the evaluation is the old one

    // The rows that are shown: an exercise whose other numbers are blank has nothing to show in the others.
    int first_row() const { return shows_all_rows() ? 0 : questions.front().row; }
    int last_row(int num_rows) const { return shows_all_rows() ? num_rows : questions.back().row + 1; }
    bool shows_all_rows() const { return !is_exercise || questions.empty() || !blanks.has_stage(stage); }

    Answers& answers() const { return frame.session.answers(); }
    // The visitor's answer so far; null: none.
    const Answer* answer_to(const Question& question) const;
    void go_to(const Question& question) const;
    // The next unsolved question after `question`; after the last one it begins again.
    std::optional<Question> next_after(const Question& question) const;
};

// The grid, at the cursor; scrolls inside `size`. And its full height.
float answer_grid_height(const CheckPicture& picture, float width);
void put_answer_grid(const CheckPicture& picture, ImVec2 size);

// The colour of what is right, beside the palette's warning; a contrast theme has none.
ImU32 right_color(const Palette& palette);

// Takes a hint, or gives up, and says it to screen readers.
void tell_hint(const CheckPicture& picture, const Question& question);
void tell_answer(const CheckPicture& picture, const Question& question);

// The question in words, the verdict on the answer, hints and buttons; in `size`.
void put_question(const CheckPicture& picture, ImVec2 size);

}  // namespace attn
