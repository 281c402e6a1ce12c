// Which generator draws which view, and which states no view can draw.
#include "views/figures.h"

#include <cstddef>

#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/link/blanks.h"
#include "playground/state/view_table.h"
#include "playground/text/notes.h"
#include "views/cache/figure_cache.h"
#include "views/compare/figure_compare.h"
#include "views/cost/figure_cost.h"
#include "views/door/shown_door.h"
#include "views/dots/figure_dots.h"
#include "views/edit/figure_edit.h"
#include "views/journey/journey_picture.h"
#include "views/learn/figure_learn.h"
#include "views/lens/shown_lens.h"
#include "views/lines/figure_lines.h"
#include "views/matrix/figure_matrix.h"
#include "views/matrix/figure_numbers.h"
#include "views/model/figure_model.h"
#include "views/patch/patch_picture.h"
#include "views/softmax/figure_softmax.h"
#include "views/split/figure_split.h"
#include "views/stacked/figure_stacked.h"
#include "views/vectors/figure_vectors.h"

namespace attn {
namespace {

Result<Figure> failure(std::string sentence) {
    return Result<Figure>::failure(std::move(sentence));
}

using FigureGenerator = Result<Figure> (*)(const FigureTask& task);
constexpr FigureGenerator kGenerators[] = {
#define ATTN_VIEW_FIGURE(name, ...) figure_of_##name,
    ATTN_VIEWS(ATTN_VIEW_FIGURE)
#undef ATTN_VIEW_FIGURE
};

// Whether the view draws "?" for a blank number; other views would give it away by where things stand.
bool draws_blanks(ViewKind view) {
    const ViewBlanks blanks = view_info(view).blanks;
    return blanks == ViewBlanks::as_stage || blanks == ViewBlanks::prints_marks;
}

}  // namespace

FigureWork::FigureWork(const PlaygroundState& state, const Evaluator& evaluator, const FigureOptions& options)
    : options_(options) {
    const bool has_stage = view_info(state.view.view).scans_stage() && !evaluator.shown().is_empty();
    const bool is_of_lines = has_stage && state.view.view == ViewKind::lines;
    const auto& shown = evaluator.shown();
    if (has_stage) {
        const TensorId stage = is_of_lines ? lines_stage(shown, state.view.stage) : state.view.stage;
        scan_ = std::make_unique<StageScan>(state, shown, options, stage);
    }
    if (is_of_lines) lines_.emplace(state, shown, options);
    if (state.view.view == ViewKind::learn && !evaluator.shown().is_empty() && evaluator.shown().run) {
        want_strip(earlier_.emplace(), state, evaluator.shown());
    }
    shows_stacked_ = state.view.view == ViewKind::stacked && !evaluator.shown().is_empty();
}

bool FigureWork::advance(const Evaluator& evaluator) {
    constexpr std::int64_t kSlice = 4'000'000;  // multiply-adds: some milliseconds
    if (earlier_ && !earlier_->advance(kSlice)) return false;
    if (shows_stacked_ && !stacked_) {
        stacked_ = stacked_picture(evaluator.shown());
        return false;
    }
    if (scan_ && !is_scanned_) {
        is_scanned_ = scan_->advance();
        return false;
    }
    if (lines_ && !has_lines_) {
        has_lines_ = lines_->advance(evaluator.shown());
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
    const FigureTask task = {{.colors = figure_colors(options_.is_dark)},
                             state,
                             evaluator,
                             evaluation,
                             options_,
                             scan_ ? &scan_->stage() : nullptr,
                             lines_ ? &*lines_ : nullptr,
                             stacked_ ? &*stacked_ : nullptr,
                             earlier_ ? &*earlier_ : nullptr};
    Result<Figure> figure = kGenerators[static_cast<std::size_t>(state.view.view)](task);
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
