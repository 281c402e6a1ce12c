// The picture of view=cache: rows that are lit, kept, or computed again.
#include "views/cache/cache_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/cache/cache_layout.h"
#include "views/cache/cache_text.h"

namespace attn {
namespace {

constexpr double kGap = 28;
constexpr int kMostRows = 20;        // tokens that are drawn: the last ones
constexpr double kMostHeight = 380;  // of all rows together, if letters allow
constexpr double kLargestCell = 24;
constexpr std::size_t kMostNumbers = 12;  // of a row that is printed
// Of a row that is printed: without the weights that dropout leaves, and merged, which is the context again.
bool is_printed(TensorId stage) {
    if (stage == TensorId::dropped_weights || stage == TensorId::merged) return false;
    return stage == TensorId::scores || is_compared_stage(stage);
}

class CacheDrawing : CacheLayout {
public:
    CacheDrawing(const SceneStyle& style, const CachePicture& picture, double width)
        : CacheLayout(style, width),
          picture_(picture),
          split_(cache_split(picture.view, picture.evaluation.sizes.num_tokens)),
          first_(std::max(0, split_.num_tokens() - kMostRows)),
          end_(std::min(picture.evaluation.sizes.num_tokens, first_ + kMostRows)),
          has_latent_(picture.evaluation.sizes.latent != 0),
          has_own_(picture.evaluation.sizes.rope_dim != 0) {}

    FigureBlock scene() const {
        FigureBlock scene = two_ways();
        if (first_ > 0) {
            scene = under(
                std::move(scene),
                soft(concat("Tokens 0 to ", first_ - 1, " are not drawn; they are like token ", first_, "."), width_),
                4);
        }
        scene = under(std::move(scene), legend(), 10);
        scene = under(std::move(scene), verdict(), 12);
        if (is_narrow()) return under(under(std::move(scene), numbers(width_), 18), counts(width_), 18);
        FigureBlock below;
        const double each = (width_ - kGap) / 2;
        place_block(below, numbers(each), {});
        place_block(below, counts(each), {each + kGap, 0});
        return under(std::move(scene), std::move(below), 18);
    }

private:
    enum class Mark { now, kept, again, done };

    bool is_new(int token) const { return split_.pass_of(token) == split_.at; }

    void draw_cell(FigureBlock& block, std::vector<FigureBox>& hatched, Mark mark, FigurePoint at, double w, double h,
                   std::string tip) const {
        const FigureColors& colors = style_.colors;
        const Rgb fill = mark == Mark::now    ? colors.accent
                         : mark == Mark::kept ? mixed(colors.paper, colors.accent, 0.3F)
                                              : colors.paper;
        const FigureBox box = {at.x, at.y, at.x + w - 1, at.y + h - 1};
        if (mark == Mark::again) hatched.push_back(box);
        block.elements.emplace_back(
            FigureRect{.at = at,
                       .width = w - 1,
                       .height = h - 1,
                       .look = {.fill = fill, .line = mixed(colors.paper, colors.edge, 0.6F), .line_width = 0.75},
                       .tip = std::move(tip)});
    }

    // Where things stand in both ways, so that their columns are below each other, and stay from step to step.
    struct Places {
        double label = 0, role = 0, scores = 0, cell = 0, row = 0;
        double head = 0;  // above the first row
        double role_at(int r) const { return label + r * (role + 3); }
    };
    Places places(double width) const {
        const int count = end_ - first_;
        Places p;
        for (int i = first_; i < end_; ++i)
            p.label = std::max(p.label, style_.width(token_text(picture_.evaluation, i), style_.small));
        p.label = std::min(p.label + 12, std::min(110.0, width * 0.28));
        p.role = std::max(16.0, style_.small * 1.6);
        p.scores = p.role_at(num_roles()) + style_.width("step 888", style_.small) + 10;
        p.cell = std::clamp((width - p.scores) / count, 3.0, kLargestCell);
        p.row = std::max(style_.small * 1.35, std::min(p.cell, kMostHeight / count));
        p.head = style_.small * 1.7;
        return p;
    }

    // Queries, [latents, [position keys,]] keys, values: what of them a cache keeps, and what is made anew of it.
    int num_latents() const { return (has_latent_ ? 1 : 0) + (has_own_ ? 1 : 0); }
    int num_roles() const { return 3 + num_latents(); }
    bool is_kept(int role) const { return role != 0 && (!has_latent_ || role <= num_latents()); }
    std::string_view name_of(int role) const {
        constexpr std::string_view kNames[] = {"query", "latent", "position key", "key", "value"};
        return kNames[role == 0 || role <= num_latents() ? role : role + 2 - num_latents()];
    }
    // Of an earlier token, with a cache.
    Mark kept_mark(int role) const { return is_kept(role) ? Mark::kept : role == 0 ? Mark::done : Mark::again; }

    static std::string tip_of(Mark mark, const std::string& what) {
        return concat(what, mark == Mark::now     ? ": computed now"
                            : mark == Mark::kept  ? ": in the cache"
                            : mark == Mark::again ? ": computed again"
                                                  : ": computed earlier, not kept");
    }

    // One way: a row a token; queries, latents if there are any, keys, values, then the score cells that the mask
    // shows.
    FigureBlock way(bool has_cache, double width) const {
        const int t = split_.num_tokens();
        const Places p = places(width);
        FigureBlock block = text(has_cache ? "With a cache" : "Without a cache", style_.body, FigureFont::sans_bold,
                                 style_.colors.ink, width);
        FigureBlock grid;
        std::vector<FigureBox> hatched;
        const TextLook small = {.ink = style_.colors.soft_ink, .size = style_.small};
        const TextLook middle = {.ink = style_.colors.soft_ink, .size = style_.small, .anchor = FigureAnchor::middle};
        for (int r = 0; r < num_roles(); ++r)
            draw_text_at_middle(grid, p.role_at(r) + p.role / 2, p.head / 2, name_of(r).substr(0, 1), middle);
        draw_text_at_middle(grid, p.scores, p.head / 2, "scores", small);
        for (int i = first_; i < end_; ++i) {
            const double y = p.head + (i - first_) * p.row;
            const std::string token = token_text(picture_.evaluation, i);
            const bool is_there = i < t;
            const TextLook look = {.ink = is_there ? style_.colors.ink : style_.colors.soft_ink,
                                   .size = style_.small,
                                   .font = is_there && is_new(i) ? FigureFont::sans_bold : FigureFont::sans};
            grid = with_label(std::move(grid), token, p.label - 6, y, p.row, look);
            if (const std::string note = note_of(i, has_cache); !note.empty())
                draw_text_at_middle(grid, p.role_at(num_roles()) + 4, y + p.row / 2, note, small);
            if (is_there) draw_row(grid, hatched, p, i, y, has_cache);
        }
        draw_hatching(grid, hatched, style_.colors.soft_ink);
        grid.width = width;
        grid.height = p.head + (end_ - first_) * p.row;
        return under(std::move(block), std::move(grid), 4);
    }

    std::string note_of(int token, bool has_cache) const {
        if (token == split_.num_tokens()) return "next";
        if (token > split_.num_tokens()) return {};
        if (is_new(token)) return "now";
        if (!has_cache) return "again";
        return split_.pass_of(token) == 0 ? std::string("prefill") : concat("step ", split_.pass_of(token));
    }

    void draw_row(FigureBlock& grid, std::vector<FigureBox>& hatched, const Places& p, int i, double y,
                  bool has_cache) const {
        const std::string token = token_text(picture_.evaluation, i);
        for (int r = 0; r < num_roles(); ++r) {
            const Mark mark = is_new(i) ? Mark::now : !has_cache ? Mark::again : kept_mark(r);
            draw_cell(grid, hatched, mark, {p.role_at(r), y}, p.role, p.row,
                      tip_of(mark, concat(name_of(r), " of ", token)));
        }
        for (int j = first_; j < split_.num_tokens(); ++j) {
            if (picture_.evaluation.problem->hidden(i, j) != 0) continue;
            const Mark mark = is_new(i) ? Mark::now : has_cache ? Mark::done : Mark::again;
            if (has_cache && j > i && split_.pass_of(j) > split_.pass_of(i)) continue;  // it was not there
            draw_cell(grid, hatched, mark, {p.scores + (j - first_) * p.cell, y}, p.cell, p.row,
                      tip_of(mark, concat("score of ", token, " with ", token_text(picture_.evaluation, j))));
        }
    }

    FigureBlock with_label(FigureBlock grid, const std::string& token, double room, double y, double height,
                           const TextLook& look) const {
        FigureBlock label = text_block(style_, token, room, look, 1);
        const double top = y + (height - label.height) / 2;
        place_block(grid, std::move(label), {0, top});
        return grid;
    }

    FigureBlock two_ways() const {
        if (is_narrow()) return under(way(true, width_), way(false, width_), 14);
        const double each = (width_ - kGap) / 2;
        FigureBlock block;
        place_block(block, way(true, each), {});
        place_block(block, way(false, each), {each + kGap, 0});
        return block;
    }

    FigureBlock legend() const {
        const std::pair<Mark, const char*> rows[] = {{Mark::now, "computed now"},
                                                     {Mark::kept, "in the cache: computed at that step, only read now"},
                                                     {Mark::again, again_in_words()},
                                                     {Mark::done, "computed earlier, needed no more"}};
        FigureBlock legend;
        const double line = style_.small * 1.6;
        double x = 0, y = 0;
        for (const auto& [mark, words] : rows) {
            const double room = 20 + style_.width(words, style_.small) + 18;
            if (x > 0 && x + room > width_) x = 0, y += line;
            std::vector<FigureBox> hatched;
            draw_cell(legend, hatched, mark, {x, y + 2}, 15, line - 4, "");
            draw_hatching(legend, hatched, style_.colors.soft_ink);
            draw_text_at_middle(legend, x + 20, y + line / 2, words,
                                {.ink = style_.colors.soft_ink, .size = style_.small});
            x += room;
        }
        legend.width = width_;
        legend.height = y + line;
        return legend;
    }

    bool is_done() const { return picture_.run != nullptr && picture_.run->is_done(); }
    const char* again_in_words() const {
        return is_done() && !picture_.run->is_same() ? "computed again" : "computed again, with the same result";
    }

    // A badge: whether both ways gave the same, and below it how that is known.
    FigureBlock verdict() const {
        constexpr double kPadding = 9;
        const bool is_same = is_done() && picture_.run->is_same();
        const Rgb ink = !is_done() ? style_.colors.soft_ink : is_same ? style_.colors.accent : style_.colors.warning;
        const std::string words = is_done() ? cache_verdict(*picture_.run, picture_.evaluation)
                                            : std::string("Both ways are being computed …");
        const std::size_t colon = std::min(words.find(": "), words.size());
        const double mark = style_.body + 3;
        const double left = kPadding + mark + 8;
        FigureBlock lines = text(words.substr(0, colon), style_.body, FigureFont::sans_bold, style_.colors.ink,
                                 width_ - left - kPadding);
        if (colon < words.size()) {
            lines = under(std::move(lines),
                          text(words.substr(colon + 2), style_.small, FigureFont::sans, style_.colors.ink,
                               width_ - left - kPadding),
                          2);
        }
        FigureBlock badge;
        const double wide = std::min(width_, left + lines.width + kPadding);
        const double high = lines.height + 2 * kPadding;
        draw_rect(badge, {0, 0}, wide, high, mixed(style_.colors.paper, ink, 0.1F), 6);
        draw_frame(badge, {0.5, 0.5}, wide - 1, high - 1, ink, 1, 6);
        const FigurePoint center = {kPadding + mark / 2, kPadding + style_.body * 0.7};
        if (is_same) draw_check_mark(badge, center, mark, ink);
        if (is_done() && !is_same) {
            draw_text_at_middle(
                badge, center.x, center.y, "≠",
                {.ink = ink, .size = style_.body * 1.3, .font = FigureFont::sans_bold, .anchor = FigureAnchor::middle});
        }
        place_block(badge, std::move(lines), {left, kPadding});
        badge.width = wide;
        badge.height = high;
        return badge;
    }

    // The newest row of one head, stage by stage.
    FigureBlock numbers(double width) const {
        if (!is_done()) return {};
        const AttentionProblem& problem = *picture_.evaluation.problem;
        const int head = picture_.view.head.value_or(0);
        const int token = split_.num_tokens() - 1;
        FigureBlock block =
            heading(concat("The row of “", token_text(picture_.evaluation, token), "”, head ", head + 1), width);
        double left = 0;
        for (const StageInfo& info : stage_table()) {
            if (is_printed(info.id)) left = std::max(left, style_.width(info.name, style_.small));
        }
        left += 12;
        for (const StageInfo& info : stage_table()) {
            const TensorId stage = info.id;
            if (!is_printed(stage) || !has_stage(problem, stage)) continue;
            const std::vector<float> row = picture_.run->cached().row(problem, stage, info.has_heads ? head : 0, token);
            std::string line;
            for (std::size_t c = 0; c < std::min(row.size(), kMostNumbers); ++c) {
                line += concat(c == 0 ? "" : "  ", shown_number(static_cast<double>(row[c])));
            }
            if (row.size() > kMostNumbers) line += concat("  … ", row.size(), " in all");
            FigureBlock both;
            place_block(both, soft(info.name, left), {0, (style_.mono - style_.small) * 0.7});
            place_block(both, text(line, style_.mono, FigureFont::mono, style_.colors.ink, width - left), {left, 0});
            block = under(std::move(block), std::move(both), 4);
        }
        return block;
    }

    // Both numbers as bars to one scale, with the formulas.
    FigureBlock counts(double width) const {
        FigureBlock block =
            heading(concat("So far: a prompt of p = ", split_.prompt, ", n = ", with_thousands(split_.num_passes()),
                           split_.num_passes() == 1 ? " pass" : " passes"),
                    width);
        if (picture_.view.asks_counts) return under(std::move(block), soft(std::string(kCountsBlank), width), 6);
        for (const CacheCounts& row : cache_counts(picture_.inputs, picture_.evaluation.sizes, split_)) {
            FigureBlock lines = text(row.name, style_.body, FigureFont::sans_bold, style_.colors.ink, width);
            const double most = static_cast<double>(std::max({row.cached.count, row.again.count, std::int64_t{1}}));
            lines = under(std::move(lines), count_bar(row.cached, "with", Mark::now, most, width), 2);
            lines = under(std::move(lines), count_bar(row.again, "without", Mark::again, most, width), 3);
            block = under(std::move(block), std::move(lines), 9);
        }
        const std::string others = other_layers_in_words(picture_.inputs);
        if (!others.empty()) block = under(std::move(block), soft(others, width), 9);
        return block;
    }

    FigureBlock count_bar(const CacheCount& count, std::string_view way, Mark mark, double most, double width) const {
        const double left = style_.width("without", style_.small) + 8;
        const double room = width - left - style_.width("888,888,888", style_.small, FigureFont::sans_bold) - 8;
        const double line = style_.small * 1.35;
        const double bar = std::max(2.0, room * static_cast<double>(count.count) / most);
        FigureBlock block;
        std::vector<FigureBox> hatched;
        draw_cell(block, hatched, mark, {left, 2}, bar, line - 3, "");
        draw_hatching(block, hatched, style_.colors.soft_ink);
        draw_text_at_middle(block, 0, line / 2, way, {.ink = style_.colors.soft_ink, .size = style_.small});
        draw_text_at_middle(block, left + bar + 6, line / 2, with_thousands(count.count),
                            {.ink = style_.colors.ink, .size = style_.small, .font = FigureFont::sans_bold});
        block.width = width;
        block.height = line;
        FigureBlock formula = soft(count.formula(), width - left);
        place_block(block, std::move(formula), {left, line});
        return block;
    }

    const CachePicture& picture_;
    CacheSplit split_;
    int first_, end_;  // tokens that have rows; from split_.num_tokens() on they come later
    bool has_latent_ = false, has_own_ = false;
};

}  // namespace

FigureBlock cache_scene(const SceneStyle& style, const CachePicture& picture, double width) {
    return CacheDrawing(style, picture, width).scene();
}

}  // namespace attn
