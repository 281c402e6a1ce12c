// The picture of view=cache and its text: rows that are lit, kept, or computed again.
#include "views/cache/cache_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr double kNarrowest = 620;  // of two ways beside each other
constexpr double kGap = 24;
constexpr int kMostRows = 20;  // tokens that are drawn: the last ones
constexpr std::size_t kMostLines = 8;
constexpr std::size_t kMostNumbers = 12;  // of a row that is printed

class CacheDrawing {
public:
    CacheDrawing(const SceneStyle& style, const CachePicture& picture, double width)
        : style_(style),
          picture_(picture),
          width_(width),
          split_(cache_split(picture.view, picture.evaluation.sizes.num_tokens)),
          first_(std::max(0, split_.num_tokens() - kMostRows)) {}

    FigureBlock scene() const {
        FigureBlock scene = two_ways();
        if (first_ > 0) {
            scene =
                under(std::move(scene),
                      soft(concat("Tokens 0 to ", first_ - 1, " are not drawn; they are like token ", first_, ".")), 4);
        }
        scene = under(std::move(scene), legend(), 8);
        scene = under(std::move(scene), verdict(), 12);
        scene = under(std::move(scene), numbers(), 16);
        scene = under(std::move(scene), counts(), 16);
        return under(std::move(scene), meter(), 16);
    }

private:
    enum class Mark { now, kept, again, done };

    static FigureBlock under(FigureBlock above, FigureBlock below, double distance) {
        return stacked_blocks(std::move(above), std::move(below), distance);
    }
    FigureBlock text(std::string_view words, double size, FigureFont font, Rgb ink, double width) const {
        return text_block(style_, words, width, {.ink = ink, .size = size, .font = font}, kMostLines);
    }
    FigureBlock soft(std::string_view words) const {
        return text(words, style_.small, FigureFont::sans, style_.colors.soft_ink, width_);
    }
    FigureBlock heading(std::string_view words) const {
        return text(words, style_.heading, FigureFont::sans_bold, style_.colors.ink, width_);
    }

    bool is_new(int token) const { return split_.pass_of(token) == split_.at; }

    void draw_cell(FigureBlock& block, std::vector<FigureBox>& hatched, Mark mark, FigurePoint at, double w, double h,
                   std::string tip) const {
        const Rgb fill = mark == Mark::now    ? style_.colors.accent
                         : mark == Mark::kept ? mixed(style_.colors.paper, style_.colors.accent, 0.3F)
                                              : style_.colors.paper;
        const FigureBox box = {at.x, at.y, at.x + w - 1, at.y + h - 1};
        if (mark == Mark::again) hatched.push_back(box);
        block.elements.emplace_back(FigureRect{.at = at,
                                               .width = w - 1,
                                               .height = h - 1,
                                               .look = {.fill = fill, .line = style_.colors.line, .line_width = 0.75},
                                               .tip = std::move(tip)});
    }

    // One way: a row a token; queries, keys, values, then the score cells that the mask shows.
    FigureBlock way(bool has_cache, double width) const {
        const int t = split_.num_tokens();
        const int count = t - first_;
        const double label = std::min(96.0, width * 0.26);
        const double role = std::max(16.0, style_.small * 1.6);
        const double note = has_cache ? style_.width("step 88", style_.small) + 8 : 0;
        const double left_of_scores = label + 3 * (role + 3) + note + 10;
        const double cell = std::clamp((width - left_of_scores) / count, 3.0, 18.0);
        const double row_height = std::max(style_.small * 1.35, cell);
        const double head = style_.small * 1.6;
        const auto tip_of = [](Mark mark, const std::string& what) {
            return concat(what, mark == Mark::now     ? ": computed now"
                                : mark == Mark::kept  ? ": in the cache"
                                : mark == Mark::again ? ": computed again"
                                                      : ": computed earlier, not kept");
        };
        FigureBlock block = text(has_cache ? "With a cache" : "Without a cache", style_.body, FigureFont::sans_bold,
                                 style_.colors.ink, width);
        FigureBlock grid;
        std::vector<FigureBox> hatched;
        const TextLook small = {.ink = style_.colors.soft_ink, .size = style_.small};
        const TextLook middle = {.ink = style_.colors.soft_ink, .size = style_.small, .anchor = FigureAnchor::middle};
        const char* const names[] = {"q", "k", "v"};
        for (int r = 0; r < 3; ++r)
            draw_text_at_middle(grid, label + r * (role + 3) + role / 2, head / 2, names[r], middle);
        draw_text_at_middle(grid, left_of_scores, head / 2, "scores", small);
        for (int i = first_; i < t; ++i) {
            const double y = head + (i - first_) * row_height;
            const std::string token = token_text(picture_.evaluation, i);
            TextLook look = {.ink = is_new(i) ? style_.colors.ink : style_.colors.soft_ink,
                             .size = style_.small,
                             .font = is_new(i) ? FigureFont::sans_bold : FigureFont::sans};
            grid = with_label(std::move(grid), token, label - 6, y, row_height, look);
            for (int r = 0; r < 3; ++r) {
                const Mark mark = is_new(i) ? Mark::now : !has_cache ? Mark::again : r == 0 ? Mark::done : Mark::kept;
                draw_cell(grid, hatched, mark, {label + r * (role + 3), y}, role, row_height,
                          tip_of(mark, concat(names[r], " of ", token)));
            }
            if (has_cache && !is_new(i)) {
                draw_text_at_middle(grid, label + 3 * (role + 3) + 4, y + row_height / 2,
                                    split_.pass_of(i) == 0 ? "prefill" : concat("step ", split_.pass_of(i)), small);
            }
            for (int j = first_; j < t; ++j) {
                if (picture_.evaluation.problem->hidden(i, j) != 0) continue;
                const Mark mark = is_new(i) ? Mark::now : has_cache ? Mark::done : Mark::again;
                if (has_cache && j > i && split_.pass_of(j) > split_.pass_of(i)) continue;  // it was not there
                draw_cell(grid, hatched, mark, {left_of_scores + (j - first_) * cell, y}, cell, row_height,
                          tip_of(mark, concat("score of ", token, " with ", token_text(picture_.evaluation, j))));
            }
        }
        draw_hatching(grid, hatched, style_.colors.soft_ink);
        grid.width = width;
        grid.height = head + count * row_height;
        return under(std::move(block), std::move(grid), 4);
    }

    FigureBlock with_label(FigureBlock grid, const std::string& token, double room, double y, double height,
                           const TextLook& look) const {
        FigureBlock label = text_block(style_, token, room, look, 1);
        const double top = y + (height - label.height) / 2;
        place_block(grid, std::move(label), {0, top});
        return grid;
    }

    FigureBlock two_ways() const {
        if (width_ < kNarrowest) return under(way(true, width_), way(false, width_), 14);
        const double each = (width_ - kGap) / 2;
        FigureBlock block;
        place_block(block, way(true, each), {});
        place_block(block, way(false, each), {each + kGap, 0});
        return block;
    }

    FigureBlock legend() const {
        const std::pair<Mark, const char*> rows[] = {{Mark::now, "computed now"},
                                                     {Mark::kept, "in the cache: computed at that step, only read now"},
                                                     {Mark::again, "computed again, with the same result"},
                                                     {Mark::done, "computed earlier, needed no more"}};
        FigureBlock legend;
        const double line = style_.small * 1.5;
        double x = 0, y = 0;
        for (const auto& [mark, words] : rows) {
            const double room = 18 + style_.width(words, style_.small) + 18;
            if (x > 0 && x + room > width_) x = 0, y += line;
            std::vector<FigureBox> hatched;
            draw_cell(legend, hatched, mark, {x, y + 2}, 13, line - 4, "");
            draw_hatching(legend, hatched, style_.colors.soft_ink);
            draw_text_at_middle(legend, x + 18, y + line / 2, words,
                                {.ink = style_.colors.soft_ink, .size = style_.small});
            x += room;
        }
        legend.width = width_;
        legend.height = y + line;
        return legend;
    }

    FigureBlock verdict() const {
        if (picture_.run == nullptr || !picture_.run->is_done()) return soft("Both ways are being computed …");
        const bool is_same = picture_.run->is_same();
        FigureBlock block;
        const double mark = style_.body + 4;
        if (is_same) draw_check_mark(block, {mark / 2, style_.body * 0.75}, mark, style_.colors.accent);
        const double left = is_same ? mark + 6 : 0;
        place_block(block,
                    text(cache_verdict(*picture_.run, picture_.evaluation), style_.body, FigureFont::sans_bold,
                         style_.colors.ink, width_ - left),
                    {left, 0});
        return block;
    }

    // The newest row of one head, stage by stage.
    FigureBlock numbers() const {
        if (picture_.run == nullptr || !picture_.run->is_done()) return {};
        const AttentionProblem& problem = *picture_.evaluation.problem;
        const int head = picture_.view.head.value_or(0);
        const int token = split_.num_tokens() - 1;
        FigureBlock block =
            heading(concat("The row of “", token_text(picture_.evaluation, token), "”, head ", head + 1));
        for (const TensorId stage : {TensorId::queries, TensorId::keys, TensorId::values, TensorId::scores,
                                     TensorId::weights, TensorId::context, TensorId::output}) {
            if (!has_stage(problem, stage)) continue;
            const std::vector<float> row =
                picture_.run->cached().row(problem, stage, stage_info(stage).has_heads ? head : 0, token);
            std::string line = concat(stage_info(stage).name, ": ");
            for (std::size_t c = 0; c < std::min(row.size(), kMostNumbers); ++c) {
                line += concat(c == 0 ? "" : "  ", shown_number(static_cast<double>(row[c])));
            }
            if (row.size() > kMostNumbers) line += concat("  … ", row.size(), " in all");
            block = under(std::move(block), text(line, style_.mono, FigureFont::mono, style_.colors.ink, width_), 2);
        }
        return block;
    }

    FigureBlock counts() const {
        FigureBlock block = heading(concat("So far: a prompt of p = ", split_.prompt, ", n = ", split_.num_passes(),
                                           split_.num_passes() == 1 ? " pass" : " passes"));
        for (const CacheCounts& row : cache_counts(picture_.inputs, picture_.evaluation.sizes, split_)) {
            FigureBlock line = text(concat(row.name, ": ", with_thousands(row.cached.count), " with a cache, ",
                                           with_thousands(row.again.count), " without"),
                                    style_.body, FigureFont::sans_bold, style_.colors.ink, width_);
            line = under(std::move(line), soft(concat("with: ", row.cached.formula())), 1);
            line = under(std::move(line), soft(concat("without: ", row.again.formula())), 1);
            block = under(std::move(block), std::move(line), 6);
        }
        return block;
    }

    FigureBlock meter() const {
        const View& view = picture_.view;
        FigureBlock block = heading(concat("Memory of a cache: ", with_thousands(view.length), " tokens, ",
                                           exact_number(bytes_of_element(view.element)), " bytes a number"));
        block =
            under(std::move(block),
                  soft(concat("One user's cache, and how many such caches fit on a card of ", exact_number(view.card),
                              " GB that holds nothing else. A GB is 10^9 bytes. Bold: how the model is built; the "
                              "others are what it would take.")),
                  2);
        for (const CacheModel& model : cache_models(picture_.evaluation.sizes))
            block = under(std::move(block), model_row(model), 7);
        return block;
    }

    FigureBlock model_row(const CacheModel& model) const {
        const bool is_wide = width_ >= kNarrowest;
        const int columns = is_wide ? 4 : 2;
        const double each = width_ / columns;
        FigureBlock cells;
        double top = 0;
        for (int k = 0; k < 4; k += columns) {
            double height = 0;
            for (int c = k; c < k + columns; ++c) {
                const CachePerToken token = cache_per_token(model, static_cast<CacheWay>(c));
                const std::int64_t bytes = cache_bytes(token.elements, picture_.view.length, picture_.view.element);
                const std::string size = concat(kCacheWays[static_cast<std::size_t>(c)], "  ", in_gigabytes(bytes),
                                                " · ", with_thousands(users_on_card(picture_.view.card, bytes)));
                FigureBlock cell = text(size, style_.small, token.is_own ? FigureFont::sans_bold : FigureFont::sans,
                                        token.is_own ? style_.colors.ink : style_.colors.soft_ink, each - 8);
                if (is_wide) {
                    cell = under(std::move(cell),
                                 text(concat(token.formula, " = ", with_thousands(token.elements)), style_.small * 0.92,
                                      FigureFont::sans, style_.colors.soft_ink, each - 8),
                                 0);
                }
                height = std::max(height, cell.height);
                place_block(cells, std::move(cell), {(c - k) * each, top});
            }
            top += height + 1;
        }
        return under(text(model.name, style_.body, FigureFont::sans, style_.colors.ink, width_), std::move(cells), 1);
    }

    const SceneStyle& style_;
    const CachePicture& picture_;
    double width_;
    CacheSplit split_;
    int first_;
};

}  // namespace

std::string cache_step_in_words(const CacheSplit& split, const Evaluation& evaluation) {
    if (split.at == 0) {
        return split.prompt == 1 ? std::string("Prefill: the prompt's one token.")
                                 : concat("Prefill: the ", split.prompt, " tokens of the prompt at once.");
    }
    return concat("Step ", split.at, " of ", evaluation.sizes.num_tokens - split.prompt, ": “",
                  token_text(evaluation, split.num_tokens() - 1), "” alone, beside ", split.num_tokens() - 1, " kept.");
}

FigureBlock cache_scene(const SceneStyle& style, const CachePicture& picture, double width) {
    return CacheDrawing(style, picture, width).scene();
}

std::vector<TextTable> tables_of_cache(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& evaluation = evaluator.shown();
    if (!evaluation.is_complete()) return {};
    const View& view = state.view;
    const CacheSplit split = cache_split(view, evaluation.sizes.num_tokens);
    std::vector<TextTable> tables;
    // A text is made at once: a long sentence is compared in the picture, in slices.
    const std::int64_t t = split.num_tokens();
    std::string verdict = "A sentence as long as this is compared in the picture alone.";
    if (evaluation.sizes.num_heads * t * t <= kMaxScoresTwice / 4) {
        CacheRun run(evaluation, split);
        while (!run.advance(evaluation, std::numeric_limits<std::int64_t>::max())) continue;
        verdict = cache_verdict(run, evaluation);
    }
    tables.push_back(
        {.title = concat(cache_step_in_words(split, evaluation), " ", verdict), .columns = {}, .rows = {}});
    TextTable tokens = {.title = "Keys and values", .columns = {"token", "with a cache", "without"}, .rows = {}};
    for (int i = std::max(0, split.num_tokens() - kMirrorCells); i < split.num_tokens(); ++i) {
        const int pass = split.pass_of(i);
        const bool is_new = pass == split.at;
        tokens.rows.push_back(
            {token_text(evaluation, i),
             is_new ? "computed now" : concat("kept, computed at ", pass == 0 ? "the prefill" : concat("step ", pass)),
             is_new ? "computed now" : "computed again"});
    }
    tables.push_back(std::move(tokens));
    TextTable counts = {.title = concat("So far: p = ", split.prompt, ", n = ", split.num_passes()),
                        .columns = {"", "with a cache", "without"},
                        .rows = {}};
    for (const CacheCounts& row : cache_counts(evaluator.inputs(), evaluation.sizes, split)) {
        counts.rows.push_back({row.name, row.cached.formula(), row.again.formula()});
    }
    tables.push_back(std::move(counts));
    TextTable meter = {.title = concat("Memory of one user's cache of ", with_thousands(view.length), " tokens, ",
                                       exact_number(bytes_of_element(view.element)),
                                       " bytes a number; users on a card of ", exact_number(view.card), " GB"),
                       .columns = {""},
                       .rows = {}};
    for (const std::string_view way : kCacheWays) meter.columns.emplace_back(way);
    for (const CacheModel& model : cache_models(evaluation.sizes)) {
        std::vector<std::string> cells = {model.name};
        for (std::size_t k = 0; k < kCacheWays.size(); ++k) {
            const CachePerToken token = cache_per_token(model, static_cast<CacheWay>(k));
            const std::int64_t bytes = cache_bytes(token.elements, view.length, view.element);
            cells.push_back(concat(in_gigabytes(bytes), ", ", counted(users_on_card(view.card, bytes), "user"),
                                   token.is_own ? ", its own" : ""));
        }
        meter.rows.push_back(std::move(cells));
    }
    tables.push_back(std::move(meter));
    return tables;
}

}  // namespace attn
