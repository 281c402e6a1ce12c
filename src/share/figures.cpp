// See the header. Which generator draws which view, and what no view can draw.
#include "share/figures.h"

#include <algorithm>
#include <iterator>

#include "core/check.h"
#include "playground/blanks.h"
#include "playground/check_me.h"
#include "playground/notes.h"
#include "playground/words.h"
#include "share/figure_views.h"

namespace attn {
namespace {

struct Row {
    ViewKind view;
    FigureGenerator generate;
    bool shows_stage = false;  // FigureTask::stage is asked for
};

constexpr Row kTable[] = {
    {ViewKind::matrix, figure_of_matrix, true},
    {ViewKind::lines, figure_of_lines, true},
    {ViewKind::numbers, figure_of_numbers, true},
    {ViewKind::compare, figure_of_compare, true},
    {ViewKind::edit, figure_of_edit},
    {ViewKind::vectors, figure_of_vectors},
    {ViewKind::split, figure_of_split},
    {ViewKind::stacked, figure_of_stacked},
    {ViewKind::cost, figure_of_cost},
    {ViewKind::dots, figure_of_dots},
    {ViewKind::softmax, figure_of_softmax},
};

// Null where the view has no figure.
const Row* row_of_view(ViewKind view) {
    const auto* const row =
        std::find_if(std::begin(kTable), std::end(kTable), [&](const Row& each) { return each.view == view; });
    return row == std::end(kTable) ? nullptr : row;
}

Result<Figure> failure(std::string sentence) {
    return Result<Figure>::failure(std::move(sentence));
}

// Whether the view draws "?" for a number that is blank; the others would give it away by where things stand.
bool draws_blanks(ViewKind view) {
    return view == ViewKind::matrix || view == ViewKind::numbers || view == ViewKind::split ||
           view == ViewKind::stacked;
}

}  // namespace

FigureWork::FigureWork(const PlaygroundState& state, const Evaluator& evaluator, const FigureOptions& options)
    : options_(options) {
    const Row* row = row_of_view(state.view.view);
    const bool has_stage = row != nullptr && row->shows_stage && !evaluator.shown().is_empty();
    if (has_stage) scan_.emplace(state, evaluator.shown(), options);
    shows_stacked_ = state.view.view == ViewKind::stacked && !evaluator.shown().is_empty();
}

bool FigureWork::advance(const Evaluator& evaluator) {
    if (shows_stacked_ && !stacked_) {
        stacked_ = stacked_picture(evaluator.shown());
        return false;
    }
    if (scan_ && !is_scanned_) {
        is_scanned_ = scan_->advance(evaluator.shown());
        return false;
    }
    return true;
}

Result<Figure> FigureWork::figure(const PlaygroundState& state, const Evaluator& evaluator) const {
    const Evaluation& evaluation = evaluator.shown();
    if (evaluation.is_empty()) return failure("There is no figure of an empty sentence.");
    if (!draws_blanks(state.view.view) && shows_blank(state)) {
        return failure("There is no figure of this view while numbers are left blank: it would give them away.");
    }
    const Row* row = row_of_view(state.view.view);
    if (row == nullptr) {
        return failure(concat("There is no figure of the view ", word_of(kViewWords, state.view.view), "."));
    }
    const FigureTask task = {.state = state,
                             .evaluator = evaluator,
                             .evaluation = evaluation,
                             .options = options_,
                             .stage = scan_ ? &scan_->stage() : nullptr,
                             .stacked = stacked_ ? &*stacked_ : nullptr,
                             .colors = figure_colors(options_.is_dark)};
    Result<Figure> figure = row->generate(task);
    if (figure && figure->elements.size() > kMaxFigureElements) {
        return failure(concat("The figure would have ",
                              with_thousands(static_cast<std::int64_t>(figure->elements.size())),
                              " parts: programs that draw it open at most some ",
                              with_thousands(static_cast<std::int64_t>(kMaxFigureElements)), "."));
    }
    return figure;
}

Result<Figure> figure_of(const PlaygroundState& state, const Evaluator& evaluator, const FigureOptions& options) {
    FigureWork work(state, evaluator, options);
    while (!work.advance(evaluator)) continue;
    return work.figure(state, evaluator);
}

}  // namespace attn
