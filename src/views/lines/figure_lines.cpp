// view=lines: queries on the left, keys on the right, the weights as lines between them.
#include "views/lines/figure_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/link/blanks.h"
#include "playground/numbers/stage_labels.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_text.h"
#include "views/lines/figure_targets.h"
#include "views/lines/lines_scene.h"
#include "views/stage/figure_stage.h"

namespace attn {
namespace {

constexpr double kHeader = 22;  // "query", "key"
constexpr double kWidestLabel = 170;
constexpr double kPadding = 6;  // inside a label's box

// The pen that puts the lines on paper.
class PaperPen final : public LinesPen {
public:
    PaperPen(const FigureTask& task, bool is_combined) : task_(task), is_combined_(is_combined) {}

    FigureBlock block;

    void stroke(FigurePoint from, FigurePoint to, const AttentionLine& line, Rgb color, double width,
                double opacity) override {
        FigurePath path;
        path.pieces = {{.step = FigureStep::move, .to = from}, {.step = FigureStep::line, .to = to}};
        path.look.line = color;
        path.look.line_width = width;
        path.look.opacity = opacity;
        const std::string whose = is_combined_ ? "" : concat("head ", line.head + 1, " · ");
        const auto token = [&](int index) { return shortened_text(token_text(task_.evaluation, index), 400, 12); };
        path.tip = concat(whose, from_to(token(line.query), token(line.key)));
        if (task_.has_values()) path.tip += concat(": ", shown_number(static_cast<double>(line.weight)));
        block.elements.emplace_back(std::move(path));
    }
    void dot(FigurePoint center, double radius, Rgb color) override {
        draw_circle(block, center, radius, {.fill = color});
    }
    void fill(const FigureBox& box, Rgb color, double corner) override {
        draw_rect(block, {box.left, box.top}, box.right - box.left, box.bottom - box.top, color, corner);
    }
    void frame(const FigureBox& box, Rgb color, double width, double corner, bool is_dashed) override {
        draw_frame(block, {box.left, box.top}, box.right - box.left, box.bottom - box.top, color, width, corner,
                   is_dashed ? std::vector<double>{5, 4} : std::vector<double>());
    }
    void check_mark(FigurePoint center, double size, Rgb color) override {
        draw_check_mark(block, center, size, color);
    }
    void target(FigurePoint from, FigurePoint to, Rgb color) override {
        draw_target(block, task_.colors.paper, color, from, to, 5);
    }
    void text(FigurePoint place, std::string_view text, const TextLook& look, double room) override {
        const std::string line =
            room > 0 ? shortened_text(one_line(text), room, look.size, look.font) : std::string(text);
        draw_text_at_middle(block, place.x, place.y, line, look);
    }
    void weights_stand_in(int, int, const FigureBox&) override {}

private:
    const FigureTask& task_;
    bool is_combined_;
};

struct LinesPicture {
    const FigureTask& task;
    const ShownWeights& weights;
    HeadRange heads;
    const LineChoice& choice;
    float high = 1;       // the weight from which on lines are widest
    bool is_cut = false;  // some weights are larger
    std::vector<DrawnTarget> targets = {};

    Rgb color(int head) const { return weights.is_combined() ? task.colors.accent : task.head(head); }
};

LinesLayout layout_for(const FigureTask& task, int num_tokens) {
    constexpr double kHighest = 2600;  // of many tokens
    LinesLayout layout{.header = kHeader};
    layout.pitch = std::clamp(std::floor(kHighest / num_tokens), 2.0, 28.0);
    layout.text = layout.pitch < 15 ? 9 : kFigureBody + 0.5;
    for (int i = 0; i < num_tokens && layout.label < kWidestLabel; ++i) {
        layout.label = std::max(layout.label, text_width(one_line(token_text(task.evaluation, i)), kFigureBody + 0.5,
                                                         FigureFont::sans_bold));
    }
    const double extra = 2 * kPadding + (task.view().select.empty() ? 0 : 12);
    layout.label = std::ceil(std::clamp(layout.label, 40.0, kWidestLabel) + extra);
    return layout;
}

// The two columns and the lines between them.
FigureBlock lines_block(const LinesPicture& picture) {
    const FigureTask& task = picture.task;
    const int num_tokens = picture.weights.num_tokens();
    const LinesLayout layout = layout_for(task, num_tokens);
    const LinesDrawn drawn = {.view = task.view(),
                              .weights = picture.weights,
                              .heads = picture.heads,
                              .choice = picture.choice,
                              .lines = task.lines->lines(),
                              .targets = picture.targets,
                              .high = picture.high,
                              .has_values = task.has_values(),
                              .end = num_tokens};
    PaperPen pen(task, picture.weights.is_combined());
    draw_lines_scene(pen, task, drawn, layout);
    FigureBlock block = std::move(pen.block);
    block.width = layout.width();
    block.height = kHeader + num_tokens * layout.pitch;
    return block;
}

// A line that grows from the weakest to the strongest.
LegendPiece legend_wedge(const LinesPicture& picture) {
    constexpr double kWedge = 90;
    const FigureTask& task = picture.task;
    LegendPiece piece = legend_text(task, "0");
    const double left = piece.block.width + 6;
    FigurePath wedge;
    wedge.pieces = {{.step = FigureStep::move, .to = {left, kLegendLine / 2}},
                    {.step = FigureStep::line, .to = {left + kWedge, kLegendLine / 2 - 3.25}},
                    {.step = FigureStep::line, .to = {left + kWedge, kLegendLine / 2 + 3.25}},
                    {.step = FigureStep::close}};
    wedge.look.fill = task.colors.soft_ink;
    piece.block.elements.emplace_back(std::move(wedge));
    const std::string high = concat(range_end_text(picture.high), picture.is_cut ? " and more" : "");
    place_block(piece.block, legend_text(task, high).block, {left + kWedge + 6, 0});
    return piece;
}

std::vector<LegendPiece> legend_of(const LinesPicture& picture) {
    constexpr int kMostHeads = 16;
    const FigureTask& task = picture.task;
    std::vector<LegendPiece> pieces = {legend_wedge(picture)};
    pieces.push_back(legend_text(task, concat("width: ", stage_title(picture.weights.stage()))));
    if (picture.weights.is_combined()) {
        pieces.push_back(legend_text(task, combined_title(task.view().combine, task.evaluation.sizes.num_heads)));
    } else if (picture.heads.count() > kMostHeads) {
        pieces.push_back(legend_text(task, concat("colour: ", counted(picture.heads.count(), "head"))));
    } else if (picture.weights.num_heads() > 1) {
        for (int h = picture.heads.first; h < picture.heads.end; ++h) {
            LegendPiece piece{.block = {}, .distance = h == picture.heads.first ? 28.0 : 14.0};
            draw_rect(piece.block, {0, (kLegendLine - 10) / 2}, 10, 10, picture.color(h), 2.5);
            place_block(piece.block, legend_text(task, concat("head ", h + 1)).block, {16, 0});
            pieces.push_back(std::move(piece));
        }
    }
    const bool is_of_selected = !task.view().select.empty() && picture.choice.queries.size() > 1;
    if (is_of_selected) pieces.push_back(legend_text(task, "lines of the selected queries"));
    if (!picture.targets.empty()) {
        LegendPiece piece{.block = {}};
        draw_target(piece.block, task.colors.paper, task.colors.ink, {5, kLegendLine / 2}, {47, kLegendLine / 2}, 4);
        place_block(piece.block, legend_text(task, "target").block, {58, 0});
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

// Of the heads whose lines are drawn.
std::vector<DrawnTarget> targets_of(const FigureTask& task) {
    PlaygroundState state = task.state;
    if (task.options.head) {
        state.view.head = task.options.head;
        state.view.combine = Combine::none;
    }
    return drawn_targets(state);
}

// The lines of the view, from all heads that it shows.
LineChoice choice_of(const PlaygroundState& state, const ShownWeights& all, const FigureOptions& options) {
    LineChoice choice = choose_lines(state.view, all, 0, all.num_tokens(), {});
    choice.heads = heads_looked_at(all, options.head ? options.head : state.view.head);
    return choice;
}

}  // namespace

LineScan::LineScan(const PlaygroundState& state, const Evaluation& evaluation, const FigureOptions& options)
    : stage_(lines_stage(evaluation, state.view.stage)),
      combine_(options.head ? Combine::none : state.view.combine),
      choice_(choice_of(state, weights(evaluation), options)),
      search_(choice_, kMostLines) {}

bool LineScan::advance(const Evaluation& evaluation) {
    constexpr int kRows = 32;  // each may stand for several heads
    if (is_found_) return true;
    is_found_ = search_.advance(weights(evaluation), kRows);
    if (is_found_) lines_ = search_.take();
    return is_found_;
}

Result<Figure> figure_of_lines(const FigureTask& task) {
    const TensorId stage = lines_stage(task.evaluation, task.view().stage);
    if (Blanks(task.state).touches(stage)) {
        return Result<Figure>::failure(concat("There is no figure of the lines while ", tensor_name(stage),
                                              " are left blank: it would give them away."));
    }
    const Combine combine = task.options.head ? Combine::none : task.view().combine;
    const ShownWeights weights(task.evaluation, stage, combine);
    const LineChoice& choice = task.lines->choice();
    const LinesPicture picture{.task = task,
                               .weights = weights,
                               .heads = choice.heads,
                               .choice = choice,
                               .high = task.stage->range.high,
                               .is_cut = task.stage->is_cut(),
                               .targets = targets_of(task)};
    FigureWords words;
    const Inputs& inputs = task.state.inputs;
    const StageInfo& info = stage_info(stage);
    const StageWords stage_text = stage_words(stage, layer_parts(inputs), inputs.goal);
    words.title = quoted_sentence(task);
    words.subtitle = concat(info.title, " ", info.symbol, ": ", stage_text.formula);
    if (task.lines->lines().is_cut()) {
        words.remarks.push_back(concat("The strongest ", with_thousands(static_cast<std::int64_t>(kMostLines)), " of ",
                                       with_thousands(task.lines->lines().num_found), " lines."));
    }
    words.description = std::string(stage_text.meaning);
    std::vector<LegendPiece> legend = legend_of(picture);
    FigureBlock whole = stacked_blocks(lines_block(picture), target_table(task), 18);
    return finished_figure(task, std::move(words), std::move(whole), std::move(legend));
}

}  // namespace attn
