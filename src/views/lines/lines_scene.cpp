// Strokes below, then dots and targets, then tokens and numbers. What the page's first picture never draws has
// functions of its own: the page fetches their code later.
#include "views/lines/lines_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr double kScenePadding = 6;  // inside a label's box

// How a token stands in its column.
struct Standing {
    bool is_lit = false;       // under the pointer, or the other end of a line from there
    bool is_pinned = false;    // the pinned query
    bool is_partner = false;   // the pinned key
    bool is_selected = false;  // as a query
    bool begins_target = false;
    bool is_masked = false;  // hidden from the chosen query

    bool has_marks() const { return is_lit || is_pinned || is_partner || is_selected || begins_target; }
};

class LinesDrawing {
public:
    LinesDrawing(LinesPen& pen, const SceneStyle& style, const LinesDrawn& drawn, const LinesLayout& layout)
        : pen_(pen),
          style_(style),
          drawn_(drawn),
          layout_(layout),
          evaluation_(drawn.weights.evaluation()),
          pinned_(drawn.pinned()),
          has_keys_(stage_info(drawn.view.stage).columns == Axis::key_token) {}

    void draw() {
        draw_strokes();
        const double radius = std::min(2.5, layout_.pitch / 3);
        for (int token = drawn_.first; token < drawn_.end; ++token) {
            pen_.dot(layout_.query_dot(token), radius, style_.colors.soft_ink);
            pen_.dot(layout_.key_dot(token), radius, style_.colors.soft_ink);
        }
        draw_targets();
        if (layout_.header > 0) draw_header();
        draw_tokens();
        draw_weights();
    }

private:
    Rgb color(int head) const { return drawn_.weights.is_combined() ? style_.colors.accent : style_.head(head); }

    void draw_strokes() {
        constexpr double kThinnest = 0.75;
        constexpr double kWidest = 6.5;
        constexpr double kFew = 150;  // this many lines keep their full width
        const std::size_t count = std::max<std::size_t>(drawn_.lines.lines.size(), 1);
        const double room = std::sqrt(std::min(1.0, kFew / static_cast<double>(count)));
        const int num_heads = drawn_.heads.count();
        const double apart = std::min(3.0, layout_.pitch * 0.6 / num_heads);  // heads keep apart
        for (const AttentionLine& line : drawn_.lines.lines) {
            // Width and ink both grow with the weight, so of two equally wide lines the heavier is never fainter.
            const auto strength = static_cast<double>(line_strength(line.weight, drawn_.high));
            const double offset = (line.head - drawn_.heads.first - (num_heads - 1) / 2.0) * apart;
            const FigurePoint from = layout_.query_dot(line.query);
            const FigurePoint to = layout_.key_dot(line.key);
            pen_.stroke({from.x, from.y + offset}, {to.x, to.y + offset}, line, color(line.head),
                        kThinnest + (kWidest * room - kThinnest) * strength,
                        (0.1 + 0.85 * strength) * (0.3 + 0.7 * room));
        }
    }

    void draw_targets() {
        for (const DrawnTarget& target : drawn_.targets) {
            const auto [query, key] = target.pair;
            const bool is_above = std::max(query, key) < drawn_.first;
            const bool is_below = std::min(query, key) >= drawn_.end;
            if (is_above || is_below) continue;
            const Rgb color = target.head ? style_.head(*target.head) : style_.colors.ink;
            pen_.target(layout_.query_dot(query), layout_.key_dot(key), color);
        }
        if (drawn_.begins_target && drawn_.pointed_at.key) {
            pen_.target(layout_.query_dot(*drawn_.begins_target), layout_.key_dot(*drawn_.pointed_at.key),
                        style_.colors.ink);
        }
    }

    Standing standing_of(int token, bool is_query) const {
        const LineEnd& pointed_at = drawn_.pointed_at;
        const std::optional<Cell>& cell = drawn_.pointed_cell;
        Standing standing;
        if (is_query) {
            standing.is_lit = pointed_at.query == token || (cell && cell->row == token);
            standing.is_pinned = pinned_ && pinned_->row == token;
            standing.is_selected = drawn_.view.select.contains(token);
            standing.begins_target = drawn_.begins_target == token;
            return standing;
        }
        standing.is_lit = pointed_at.key == token || (cell && has_keys_ && cell->column == token);
        standing.is_partner = pinned_ && has_keys_ && pinned_->column == token;
        std::optional<int> query = pointed_at.query;
        if (!pointed_at.query && !pointed_at.key && pinned_) query = pinned_->row;
        standing.is_masked =
            query && is_masked_stage(drawn_.weights.stage()) &&
            evaluation_.problem->hidden(static_cast<std::size_t>(*query), static_cast<std::size_t>(token)) != 0;
        return standing;
    }

    [[gnu::noinline]] void draw_marks(const Standing& standing, const FigureBox& box) {
        constexpr double kCorner = 6;
        const FigureColors& colors = style_.colors;
        const bool has_head = pinned_ && stage_info(drawn_.view.stage).has_heads && !drawn_.weights.is_combined();
        const Rgb pin = has_head ? style_.head(pinned_->head) : colors.accent;
        if (standing.is_lit || standing.is_pinned) pen_.fill(box, colors.lit, kCorner);
        if (standing.is_pinned) pen_.frame(box, pin, 2, kCorner, false);
        if (standing.is_partner) pen_.frame(box, pin, 1.5, kCorner, true);
        if (standing.is_selected && !standing.is_pinned) pen_.frame(box, colors.accent, 1.5, kCorner, false);
        if (standing.begins_target) pen_.frame(box, colors.ink, 1.5, kCorner, true);
        if (standing.is_selected) {
            pen_.check_mark({box.left + kScenePadding + 3, (box.top + box.bottom) / 2}, 9, colors.accent);
        }
    }

    void draw_token(int token, bool is_query) {
        const FigureColors& colors = style_.colors;
        const Standing standing = standing_of(token, is_query);
        const double left = is_query ? 0 : layout_.key_dot(token).x + layout_.dot_distance;
        const double middle = layout_.middle(token);
        const double top = middle - layout_.pitch / 2 + 1;
        const FigureBox box = {left, top, left + layout_.label, top + layout_.pitch - 2};
        const bool has_room = layout_.pitch >= 12;  // for frames
        if (has_room && standing.has_marks()) draw_marks(standing, box);
        const bool is_bold = standing.is_lit || standing.is_pinned || (standing.is_partner && !has_room);
        const TextLook look = {.ink = standing.is_masked ? colors.soft_ink : colors.ink,
                               .size = layout_.text,
                               .font = is_bold ? FigureFont::sans_bold : FigureFont::sans,
                               .anchor = is_query ? FigureAnchor::end : FigureAnchor::start};
        const double room = layout_.label - 2 * kScenePadding - (standing.is_selected ? 12 : 0);
        pen_.text({is_query ? box.right - kScenePadding : left + kScenePadding, middle}, token_text(evaluation_, token),
                  look, room);
    }

    [[gnu::noinline]] void draw_header() {
        TextLook look = {.ink = style_.colors.soft_ink, .size = style_.small, .anchor = FigureAnchor::end};
        pen_.text({layout_.label - kScenePadding, layout_.header / 2}, "query", look, 0);
        look.anchor = FigureAnchor::start;
        pen_.text({layout_.key_dot(0).x + layout_.dot_distance + kScenePadding, layout_.header / 2}, "key", look, 0);
    }

    void draw_tokens() {
        const int step = label_step(10, layout_.pitch);
        for (int token = drawn_.first; token < drawn_.end; ++token) {
            if (token % step == 0 || (pinned_ && pinned_->row == token)) draw_token(token, true);
            if (token % step == 0 || (pinned_ && pinned_->column == token)) draw_token(token, false);
        }
    }

    // The weights at the far ends of one token's lines; the token is under the pointer or pinned.
    void draw_weights() {
        const LineChoice& choice = drawn_.choice;
        const bool is_of_query = choice.queries.size() == 1 && (drawn_.pointed_at.query || pinned_);
        if ((choice.key || is_of_query) && drawn_.has_values && layout_.pitch >= 15) write_weights(choice);
    }

    [[gnu::noinline]] void write_weights(const LineChoice& choice) {
        std::map<int, std::vector<const AttentionLine*>> by_end;
        double widest = 0;
        for (const AttentionLine& line : drawn_.lines.lines) {
            const int end = choice.key ? line.query : line.key;
            if (end < drawn_.first || end >= drawn_.end) continue;
            by_end[end].push_back(&line);
            widest = std::max(widest, style_.width(number_of(line), style_.small));
        }
        for (auto& [end, lines] : by_end) draw_weights_at(end, widest, lines);
    }

    static std::string number_of(const AttentionLine& line) { return cell_number(static_cast<double>(line.weight)); }

    // Each with its head's colour, on paper; without room for all heads only the largest, with its head. `lines`: from
    // the weakest to the strongest.
    void draw_weights_at(int end, double widest, std::vector<const AttentionLine*>& lines) {
        constexpr double kSquare = 8;
        constexpr double kGap = 4;
        const bool is_at_key = !drawn_.choice.key;
        const bool has_squares = drawn_.weights.num_heads() > 1;
        const double piece = widest + kGap + (has_squares ? kSquare + kGap : 0);
        const double height = std::min(layout_.pitch - 3, 18.0);
        std::string name;
        if (drawn_.heads.count() > 1 && drawn_.heads.count() * piece > layout_.span * 0.45) {
            lines = {lines.back()};
            name = concat("head ", lines.front()->head + 1);
        }
        std::sort(lines.begin(), lines.end(),
                  [](const AttentionLine* a, const AttentionLine* b) { return a->head < b->head; });
        TextLook look = {.ink = style_.colors.ink, .size = style_.small};
        const double name_width = name.empty() ? 0 : style_.width(name, look.size) + kGap;
        const double width = piece * static_cast<double>(lines.size()) + name_width + kGap;
        const FigurePoint dot = is_at_key ? layout_.key_dot(end) : layout_.query_dot(end);
        const double left = is_at_key ? dot.x - 9 - width : dot.x + 9;
        const FigureBox box = {left, dot.y - height / 2, left + width, dot.y + height / 2};
        pen_.fill(box, style_.colors.paper, 5);
        pen_.frame(box, style_.colors.line, 1, 5, false);
        double x = left + kGap;
        look.anchor = FigureAnchor::end;
        for (const AttentionLine* line : lines) {
            if (has_squares) {
                pen_.fill({x, dot.y - kSquare / 2, x + kSquare, dot.y + kSquare / 2}, color(line->head), 2);
            }
            pen_.text({x + piece - kGap, dot.y}, number_of(*line), look, 0);
            x += piece;
        }
        look.anchor = FigureAnchor::start;
        look.ink = style_.colors.soft_ink;
        if (!name.empty()) pen_.text({x, dot.y}, name, look, 0);
        const AttentionLine& line = *lines.front();
        pen_.weights_stand_in(line.query, line.key, box);
    }

    LinesPen& pen_;
    const SceneStyle& style_;
    const LinesDrawn& drawn_;
    const LinesLayout& layout_;
    const Evaluation& evaluation_;
    std::optional<Cell> pinned_;
    bool has_keys_;
};

}  // namespace

std::optional<Cell> LinesDrawn::pinned() const {
    return view.cell && view.cell->row < weights.num_tokens() ? view.cell : std::nullopt;
}

void draw_lines_scene(LinesPen& pen, const SceneStyle& style, const LinesDrawn& drawn, const LinesLayout& layout) {
    LinesDrawing(pen, style, drawn, layout).draw();
}

}  // namespace attn
