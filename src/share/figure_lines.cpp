// view=lines: queries on the left, keys on the right, the weights as lines between them.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/check.h"
#include "core/masking.h"
#include "playground/attention_lines.h"
#include "playground/blanks.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "playground/stage_labels.h"
#include "share/figure_stage.h"
#include "share/figure_views.h"

namespace attn {
namespace {

constexpr double kHeader = 22;       // "query", "key"
constexpr double kSpan = 400;        // from a query's dot to a key's
constexpr double kDotDistance = 12;  // from a token's label to where its lines begin
constexpr double kWidestLabel = 170;
constexpr double kPadding = 6;  // inside a label's box

struct LinesPicture {
    const FigureTask& task;
    const ShownWeights& weights;
    HeadRange heads;
    const LineChoice& choice;
    const LineSet& lines;
    float high = 1;       // the weight from which on lines are widest
    bool is_cut = false;  // some weights are larger
    double pitch = 28;    // from one token to the next
    double label = 0;     // width of a column of tokens
    FigureBlock block = {};

    double middle(int token) const { return kHeader + (token + 0.5) * pitch; }
    FigurePoint query_dot(int token) const { return {label + kDotDistance, middle(token)}; }
    FigurePoint key_dot(int token) const { return {label + kDotDistance + kSpan, middle(token)}; }
    // Heads keep a little apart.
    double offset(int head) const {
        const double apart = std::min(3.0, pitch * 0.6 / heads.count());
        return (head - heads.first - (heads.count() - 1) / 2.0) * apart;
    }
    Rgb color(int head) const { return weights.is_combined() ? task.colors.accent : task.head(head); }
};

// The query that is pinned, if the sentence has it.
std::optional<Cell> pinned_of(const LinesPicture& picture) {
    const std::optional<Cell>& cell = picture.task.view().cell;
    if (!cell || cell->row >= picture.weights.num_tokens()) return std::nullopt;
    return cell;
}

// All of their width while there are few.
double room_for_lines(std::size_t count) {
    constexpr double kFew = 150;
    return std::sqrt(std::min(1.0, kFew / static_cast<double>(std::max<std::size_t>(count, 1))));
}

void draw_strokes(LinesPicture& picture) {
    constexpr double kThinnest = 0.75;
    constexpr double kWidest = 6.5;
    const double room = room_for_lines(picture.lines.lines.size());
    for (const AttentionLine& line : picture.lines.lines) {
        // Both grow with the weight: a line that is as wide as another is never fainter.
        const double strength = static_cast<double>(line_strength(line.weight, picture.high));
        const double offset = picture.offset(line.head);
        const FigurePoint from = picture.query_dot(line.query);
        const FigurePoint to = picture.key_dot(line.key);
        FigurePath path;
        path.pieces = {{.step = FigureStep::move, .to = {from.x, from.y + offset}},
                       {.step = FigureStep::line, .to = {to.x, to.y + offset}}};
        path.look.line = picture.color(line.head);
        path.look.line_width = kThinnest + (kWidest * room - kThinnest) * strength;
        path.look.opacity = (0.1 + 0.85 * strength) * (0.3 + 0.7 * room);
        const std::string whose = picture.weights.is_combined() ? "" : concat("head ", line.head + 1, " · ");
        path.tip = concat(whose, isolated(shortened_text(token_text(picture.task.evaluation, line.query), 400, 12)),
                          " → ", isolated(shortened_text(token_text(picture.task.evaluation, line.key), 400, 12)));
        if (picture.task.has_values()) path.tip += concat(": ", shown_number(static_cast<double>(line.weight)));
        picture.block.elements.emplace_back(std::move(path));
    }
}

void draw_dots(LinesPicture& picture) {
    const double radius = std::min(2.5, picture.pitch / 3);
    for (int token = 0; token < picture.weights.num_tokens(); ++token) {
        for (const FigurePoint dot : {picture.query_dot(token), picture.key_dot(token)}) {
            draw_circle(picture.block, dot, radius, {.fill = picture.task.colors.soft_ink});
        }
    }
}

void draw_token(LinesPicture& picture, int token, bool is_query) {
    const FigureTask& task = picture.task;
    const std::optional<Cell> pinned = pinned_of(picture);
    const bool has_keys = stage_info(task.view().stage).columns == Axis::key_token;
    const bool is_pinned = is_query && pinned && pinned->row == token;
    const bool is_partner = !is_query && pinned && has_keys && pinned->column == token;
    const bool is_selected = is_query && task.view().select.contains(token);
    const bool is_masked =
        !is_query && pinned && is_masked_stage(picture.weights.stage()) &&
        task.evaluation.problem->hidden(static_cast<std::size_t>(pinned->row), static_cast<std::size_t>(token)) != 0;
    const double left = is_query ? 0 : picture.key_dot(token).x + kDotDistance;
    const double top = picture.middle(token) - picture.pitch / 2 + 1;
    const double height = picture.pitch - 2;
    const Rgb frame = !pinned || !stage_info(task.view().stage).has_heads || picture.weights.is_combined()
                          ? task.colors.accent
                          : task.head(pinned->head);
    const bool has_room = picture.pitch >= 12;  // for frames
    if (is_pinned && has_room) {
        draw_rect(picture.block, {left, top}, picture.label, height, task.colors.lit, 6);
        draw_frame(picture.block, {left, top}, picture.label, height, frame, 2, 6);
    }
    if (is_partner && has_room) draw_frame(picture.block, {left, top}, picture.label, height, frame, 1.5, 6, {5, 4});
    if (is_selected && !is_pinned && has_room) {
        draw_frame(picture.block, {left, top}, picture.label, height, task.colors.accent, 1.5, 6);
    }
    if (is_selected && has_room) {
        draw_check_mark(picture.block, {left + kPadding + 3, picture.middle(token)}, 9, task.colors.accent);
    }
    const TextLook look = {.ink = is_masked ? task.colors.soft_ink : task.colors.ink,
                           .size = picture.pitch < 15 ? 9 : kFigureBody + 0.5,
                           .font = is_pinned || (is_partner && !has_room) ? FigureFont::sans_bold : FigureFont::sans,
                           .anchor = is_query ? FigureAnchor::end : FigureAnchor::start};
    const double room = picture.label - 2 * kPadding - (is_selected ? 12 : 0);
    const std::string text = shortened_text(one_line(token_text(task.evaluation, token)), room, look.size, look.font);
    draw_text_at_middle(picture.block, is_query ? picture.label - kPadding : left + kPadding, picture.middle(token),
                        text, look);
}

void draw_tokens(LinesPicture& picture) {
    const TextLook soft = {.ink = picture.task.colors.soft_ink, .size = kFigureSmall};
    TextLook soft_end = soft;
    soft_end.anchor = FigureAnchor::end;
    draw_text_at_middle(picture.block, picture.label - kPadding, kHeader / 2, "query", soft_end);
    draw_text_at_middle(picture.block, picture.key_dot(0).x + kDotDistance + kPadding, kHeader / 2, "key", soft);
    const int step = label_step(10, picture.pitch);
    const std::optional<Cell> pinned = pinned_of(picture);
    for (int token = 0; token < picture.weights.num_tokens(); ++token) {
        const bool is_pinned_query = pinned && pinned->row == token;
        if (token % step == 0 || is_pinned_query) draw_token(picture, token, true);
        if (token % step == 0 || (pinned && pinned->column == token)) draw_token(picture, token, false);
    }
}

// The weights at the ends of the lines of one query, each with its head's colour, on paper; where there is no room for
// all heads the largest, with its head.
void draw_weights(LinesPicture& picture) {
    constexpr double kSquare = 8;
    constexpr double kGap = 4;
    const bool is_of_one = picture.choice.queries.size() == 1 && pinned_of(picture).has_value();
    if (!is_of_one || !picture.task.has_values() || picture.pitch < 15) return;
    const TextLook look = {.ink = picture.task.colors.ink, .size = kFigureSmall};
    std::map<int, std::vector<const AttentionLine*>> by_key;
    double widest = 0;
    for (const AttentionLine& line : picture.lines.lines) {
        by_key[line.key].push_back(&line);
        widest = std::max(widest, text_width(cell_number(static_cast<double>(line.weight)), look.size));
    }
    const bool has_squares = picture.weights.num_heads() > 1;
    const double piece = widest + kGap + (has_squares ? kSquare + kGap : 0);
    const bool is_largest_alone = picture.heads.count() > 1 && picture.heads.count() * piece > kSpan * 0.45;
    const double height = std::min(picture.pitch - 3, 18.0);
    for (auto& [key, lines] : by_key) {
        std::string name;
        if (is_largest_alone) {
            lines = {lines.back()};  // they come from the weakest to the strongest
            name = concat("head ", lines.front()->head + 1);
        }
        std::sort(lines.begin(), lines.end(),
                  [](const AttentionLine* a, const AttentionLine* b) { return a->head < b->head; });
        const double name_width = name.empty() ? 0 : text_width(name, look.size) + kGap;
        const double width = piece * static_cast<double>(lines.size()) + name_width + kGap;
        const FigurePoint dot = picture.key_dot(key);
        const FigurePoint at = {dot.x - 9 - width, dot.y - height / 2};
        draw_rect(picture.block, at, width, height, picture.task.colors.paper, 5);
        draw_frame(picture.block, at, width, height, picture.task.colors.line, 1, 5);
        double x = at.x + kGap;
        for (const AttentionLine* line : lines) {
            if (has_squares) {
                draw_rect(picture.block, {x, dot.y - kSquare / 2}, kSquare, kSquare, picture.color(line->head), 2);
            }
            TextLook number = look;
            number.anchor = FigureAnchor::end;
            draw_text_at_middle(picture.block, x + piece - kGap, dot.y, cell_number(static_cast<double>(line->weight)),
                                number);
            x += piece;
        }
        TextLook soft = look;
        soft.ink = picture.task.colors.soft_ink;
        draw_text_at_middle(picture.block, x, dot.y, name, soft);
    }
}

void draw_wishes(LinesPicture& picture) {
    for (const Wish& wish : picture.task.view().wish) {
        draw_wish(picture.block, picture.task.colors, picture.query_dot(wish.query), picture.key_dot(wish.key), 5);
    }
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
    pieces.push_back(legend_text(task, concat("width: ", stage_title(task.state.inputs, picture.weights.stage()))));
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
    if (!task.view().wish.empty()) {
        LegendPiece piece{.block = {}};
        draw_wish(piece.block, task.colors, {5, kLegendLine / 2}, {47, kLegendLine / 2}, 4);
        place_block(piece.block, legend_text(task, "wished for").block, {58, 0});
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

}  // namespace

Result<Figure> figure_of_lines(const FigureTask& task) {
    constexpr double kHighest = 2600;  // of many tokens
    const TensorId stage = lines_stage(task.evaluation, task.view().stage);
    if (Blanks(task.state).touches(stage)) {
        return Result<Figure>::failure(concat("There is no figure of the lines while ", tensor_name(stage),
                                              " are left blank: it would give them away."));
    }
    const Combine combine = task.options.head ? Combine::none : task.view().combine;
    const ShownWeights weights(task.evaluation, stage, combine);
    const LineChoice& choice = task.stage->choice;
    LinesPicture picture{
        .task = task, .weights = weights, .heads = choice.heads, .choice = choice, .lines = task.stage->lines};
    const int num_tokens = weights.num_tokens();
    picture.high = task.stage->range.high;
    picture.is_cut = task.stage->is_cut();
    picture.pitch = std::clamp(std::floor(kHighest / num_tokens), 2.0, 28.0);
    for (int i = 0; i < num_tokens && picture.label < kWidestLabel; ++i) {
        picture.label = std::max(picture.label, text_width(one_line(token_text(task.evaluation, i)), kFigureBody + 0.5,
                                                           FigureFont::sans_bold));
    }
    const double extra = 2 * kPadding + (task.view().select.empty() ? 0 : 12);
    picture.label = std::ceil(std::clamp(picture.label, 40.0, kWidestLabel) + extra);
    picture.block.width = 2 * (picture.label + kDotDistance) + kSpan;
    picture.block.height = kHeader + num_tokens * picture.pitch;
    draw_strokes(picture);
    draw_dots(picture);
    draw_wishes(picture);
    draw_tokens(picture);
    draw_weights(picture);

    FigureWords words;
    const StageInfo& info = stage_info(stage);
    words.title = quoted_sentence(task);
    words.subtitle = concat(info.title, " ", info.symbol, ": ", info.formula);
    if (picture.lines.is_cut()) {
        words.remarks.push_back(concat("The strongest ", with_thousands(static_cast<std::int64_t>(kMostLines)), " of ",
                                       with_thousands(picture.lines.num_found), " lines."));
    }
    words.description = std::string(info.meaning);
    std::vector<LegendPiece> legend = legend_of(picture);
    FigureBlock whole = stacked_blocks(std::move(picture.block), wish_table(task), 18);
    return finished_figure(task, std::move(words), std::move(whole), std::move(legend));
}

}  // namespace attn
