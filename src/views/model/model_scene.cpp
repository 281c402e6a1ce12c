// The heads as cards, one map, the stream.
#include "views/model/model_scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "scene/kit/figure_plot.h"
#include "views/model/model_layout.h"

namespace attn {
namespace {

constexpr double kCardGap = 6;
constexpr double kCardPadding = 4;
constexpr int kMostWithWords = 40;   // cards
constexpr double kLayerColumn = 20;  // the layer's number before cards without words

// What stands below a card's map, and how large cards are that have it.
enum class CardWords { none, title, role };
struct CardSize {
    double least = 0, most = 0;
};
CardSize card_size(CardWords words) {
    if (words == CardWords::role) return {.least = 72, .most = 120};
    return words == CardWords::title ? CardSize{.least = 50, .most = 96} : CardSize{.least = 30, .most = 40};
}

// One card of the grid.
struct Card {
    std::string name;  // of its place
    std::string title, words, effect = {};
    const Matrix* weights = nullptr;
    bool is_chosen = false, is_off = false, is_clear = false;
    Rgb color;
    int index = 0;
};

class HeadsGrid {
public:
    HeadsGrid(const SceneStyle& style, const ModelDrawing& drawing, double width)
        : style_(style), drawing_(drawing), width_(width) {
        const ModelPicture& picture = drawing.picture;
        const int count = picture.config.num_heads + 2;
        // What heads do is said where a layer is one line; elsewhere more heads in sight are worth more.
        words_ = has_many_heads(picture.config)                              ? CardWords::none
                 : fitting(card_size(CardWords::role).least, width) >= count ? CardWords::role
                                                                             : CardWords::title;
        if (words_ == CardWords::none) left_ = kLayerColumn;
        const CardSize size = card_size(words_);
        const double room = width - left_;
        // As many in each line as makes the lines of a layer equally long.
        const int lines = (count + fitting(size.least, room) - 1) / fitting(size.least, room);
        columns_ = (count + lines - 1) / lines;
        card_ = std::floor(std::min(size.most, (room + kCardGap) / columns_ - kCardGap));
        line_ = std::ceil(style.small * 1.3);
        if (words_ == CardWords::title) num_lines_ = picture.ablations && drawing_.shows_effects ? 2 : 1;
        if (words_ == CardWords::role) num_lines_ = takes_two_lines() ? 3 : 2;
    }

    FigureBlock scene() const {
        FigureBlock scene;
        const ModelPicture& picture = drawing_.picture;
        for (int l = 0; l < static_cast<int>(picture.layers.size()); ++l) {
            std::vector<Card> cards;
            const LayerPicture& layer = picture.layers[static_cast<std::size_t>(l)];
            for (const int h : heads_by_effect(l)) cards.push_back(head_card(l, h));
            const int num_heads = picture.config.num_heads;
            cards.push_back(joint_card(l, num_heads, "mean", "mean of heads", layer.mean, LayerMap::mean));
            if (layer.rollout.size() > 0)
                cards.push_back(joint_card(l, num_heads + 1, "rollout", "rollout", layer.rollout, LayerMap::rollout));
            FigureBlock block;
            for (std::size_t k = 0; k < cards.size(); ++k) {
                const auto column = static_cast<int>(k) % columns_, row = static_cast<int>(k) / columns_;
                place_block(block, card_block(cards[k]),
                            {left_ + column * (card_ + kCardGap), row * (height() + kCardGap)});
            }
            block.width = std::min(width_, block.width);
            if (words_ == CardWords::none)
                draw_text_at_middle(block, 0, card_ / 2, concat(l + 1),
                                    {.ink = style_.colors.soft_ink, .size = style_.small});
            scene = stacked_blocks(std::move(scene), std::move(block), kCardGap);
        }
        scene.width = width_;
        return scene;
    }

private:
    static int fitting(double card, double width) {
        return std::max(1, static_cast<int>((width + kCardGap) / (card + kCardGap)));
    }
    int index_of(int layer, int place) const { return layer * (drawing_.picture.config.num_heads + 2) + place; }
    double height() const { return card_ + (num_lines_ > 0 ? num_lines_ * line_ + 1 : 0); }
    double words_width() const { return card_ - 2 * kCardPadding + 2; }
    // Whether what one of the heads does needs two lines.
    bool takes_two_lines() const {
        for (const LayerPicture& layer : drawing_.picture.layers)
            for (const HeadPicture& head : layer.heads)
                if ((drawing_.picture.ablations && drawing_.shows_effects) ||
                    style_.width(role_in_words(head), style_.small) > words_width())
                    return true;
        return false;
    }

    // What the chosen word loses without a head; nothing where ablations cost too much.
    std::optional<double> effect_of(int l, int h) const {
        const std::optional<Ablations>& ablations = drawing_.picture.ablations;
        if (!ablations || !drawing_.word || !drawing_.shows_effects) return std::nullopt;
        const auto at = static_cast<std::size_t>(*drawing_.word);
        const double lost =
            static_cast<double>(ablations->whole[at]) - static_cast<double>(ablations->without(l, h)[at]);
        return std::isfinite(lost) ? std::optional(lost) : std::nullopt;
    }
    // The heads of a layer, those without which the word loses most first.
    std::vector<int> heads_by_effect(int l) const {
        std::vector<int> heads(drawing_.picture.layers[static_cast<std::size_t>(l)].heads.size());
        std::iota(heads.begin(), heads.end(), 0);
        std::ranges::stable_sort(
            heads, [&](int a, int b) { return effect_of(l, a).value_or(0) > effect_of(l, b).value_or(0); });
        return heads;
    }
    // "−.55": what switching it off does to the word's probability.
    std::string effect_in_words(int l, int h) const {
        const std::optional<double> effect = effect_of(l, h);
        if (!effect) return "";
        if (std::abs(*effect) < 0.005) return "±0";
        return concat(*effect > 0 ? "−" : "+", cell_number(std::abs(*effect)));
    }
    // "off: −.55, first token .54": that, then where the head looks.
    std::string words_of_head(int l, int h, const HeadPicture& head) const {
        const std::string role = role_in_words(head), effect = effect_in_words(l, h);
        if (effect.empty()) return role;
        return role.empty() ? concat("off: ", effect) : concat("off: ", effect, ", ", role);
    }

    Card head_card(int l, int h) const {
        const HeadPicture& head =
            drawing_.picture.layers[static_cast<std::size_t>(l)].heads[static_cast<std::size_t>(h)];
        const bool is_off = drawing_.picture.is_off(l, h);
        return {.name = concat("layer=", l + 1, "&head=", h + 1),
                .title = concat(l + 1, " · ", h + 1),
                .words = is_off ? "off" : words_of_head(l, h, head),
                .effect = is_off ? "off" : effect_in_words(l, h),
                .weights = &head.weights,
                .is_chosen = drawing_.map == LayerMap::head && drawing_.layer == l && drawing_.head == h,
                .is_off = is_off,
                .is_clear = !is_off && !head.scores.empty() && head.scores[0].score >= kClearRole,
                .color = style_.head(h),
                .index = index_of(l, h)};
    }
    Card joint_card(int l, int place, std::string_view map, std::string words, const Matrix& weights,
                    LayerMap kind) const {
        return {.name = concat("layer=", l + 1, "&map=", map),
                .title = words_ == CardWords::title ? std::string(map) : concat("layer ", l + 1),
                .words = std::move(words),
                .weights = &weights,
                .is_chosen = drawing_.map == kind && drawing_.layer == l,
                .color = style_.colors.accent,
                .index = index_of(l, place)};
    }

    FigureBlock card_block(const Card& card) const {
        FigureBlock block;
        block.width = card_;
        block.height = height();
        draw_rect(block, {0, 0}, card_, height(), style_.colors.panel, 6);
        const double side = card_ - 2 * kCardPadding;
        draw_thumb(block, style_, *card.weights, {kCardPadding, kCardPadding}, side);
        if (card.is_off) {
            draw_hatching(block, {{kCardPadding, kCardPadding, kCardPadding + side, kCardPadding + side}},
                          style_.colors.warning);
        }
        std::get<FigureRect>(block.elements[0]).tip = concat(card.title, ": ", card.words);
        const double top = kCardPadding + side + 2;
        const Rgb ink = card.is_off ? style_.colors.warning : style_.colors.soft_ink;
        if (words_ != CardWords::none)
            draw_text_at_middle(
                block, kCardPadding, top + line_ / 2, card.title,
                {.ink = card.is_off ? ink : style_.colors.ink, .size = style_.small, .font = FigureFont::sans_bold});
        if (words_ == CardWords::title && num_lines_ > 1)
            draw_text_at_middle(block, kCardPadding, top + line_ * 1.5, card.effect,
                                {.ink = ink, .size = style_.small});
        if (words_ == CardWords::role) {
            const TextLook words = {
                .ink = card.is_clear ? style_.colors.ink : ink, .size = style_.small, .font = FigureFont::sans};
            place_block(block, text_block(style_, card.words, words_width(), words, 2), {kCardPadding, top + line_});
        }
        block.width = card_;
        block.height = height();
        draw_frame(block, {0.5, 0.5}, card_ - 1, height() - 1, card.is_chosen ? card.color : style_.colors.line,
                   card.is_chosen ? 2 : 1, 6);
        block.places.push_back({.name = card.name, .box = {0, 0, card_, height()}, .index = card.index});
        return block;
    }

    const SceneStyle& style_;
    const ModelDrawing& drawing_;
    double width_, left_ = 0, card_ = 0, line_ = 0;
    int columns_ = 1, num_lines_ = 0;  // of cards; of text below each map
    CardWords words_ = CardWords::role;
};

const Matrix& chosen_map(const ModelDrawing& drawing) {
    const LayerPicture& layer = drawing.picture.layers[static_cast<std::size_t>(drawing.layer)];
    if (drawing.map == LayerMap::mean) return layer.mean;
    if (drawing.map == LayerMap::rollout && layer.rollout.size() > 0) return layer.rollout;
    return layer.heads[static_cast<std::size_t>(drawing.head)].weights;
}

}  // namespace

Rgb cell_color(const SceneStyle& style, float weight) {
    return map_color(ColorMap::sequential, style.colors.is_dark, weight);
}

void draw_thumb(FigureBlock& block, const SceneStyle& style, const Matrix& weights, FigurePoint at, double side) {
    constexpr int kMostThumbCells = 24;
    const Matrix cells = joined_cells(weights, kMostThumbCells);
    const int rows = length(cells, 0);
    const double cell = side / rows;
    const double gap = cell >= 5 ? 1 : 0;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < length(cells, 1); ++j) {
            if (std::isinf(cells(i, j))) continue;
            draw_rect(block, {at.x + j * cell, at.y + i * cell}, cell - gap, cell - gap, cell_color(style, cells(i, j)),
                      gap > 0 ? 1 : 0);
        }
    }
}

bool has_many_heads(const ModelConfig& config) {
    return (config.num_heads + 2) * config.num_layers > kMostWithWords;
}

FigureBlock model_heads_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    return HeadsGrid(style, drawing, width).scene();
}

std::string role_in_words(const HeadPicture& head) {
    if (head.scores.empty()) return "";
    return concat(role_name(head.scores[0].role), " ", cell_number(head.scores[0].score));
}

std::string map_title(const ModelDrawing& drawing) {
    if (drawing.map == LayerMap::mean) return concat("Layer ", drawing.layer + 1, " · mean of the heads");
    if (drawing.map == LayerMap::rollout) return concat("Layers 1 to ", drawing.layer + 1, " · rollout");
    return concat("Layer ", drawing.layer + 1, " · Head ", drawing.head + 1);
}

namespace {

// The rows [first, end) of the chosen map; all of them where tokens are joined.
FigureBlock map_rows(const SceneStyle& style, const ModelDrawing& drawing, double width, int first, int end) {
    constexpr double kLargestCell = 30, kNumberCell = 24;
    constexpr double kSine = 0.7071;
    const ModelPicture& picture = drawing.picture;
    const Matrix& cells = chosen_map(drawing);
    const int rows = length(cells, 0);
    const bool is_joined = rows < picture.num_tokens();
    double label = 0;
    if (!is_joined) {
        for (const std::string& word : picture.words) label = std::max(label, style.width(isolated(word), style.small));
        label = std::min(label, std::min(90.0, width * 0.25));
    }
    const double left = is_joined ? 0 : std::ceil(label + 8), top = is_joined ? 0 : std::ceil(label * kSine + 10);
    const double slant = is_joined ? 0 : label * kSine;  // what the last label hangs over
    const double cell = std::clamp(std::floor((width - left - slant) / rows), 3.0, kLargestCell);
    FigureBlock block;
    block.width = std::min(width, left + rows * cell + slant);
    block.height = top + (end - first) * cell;
    for (int i = 0; i < rows; ++i) {
        const bool is_drawn = i >= first && i < end;
        const double y = top + (i - first) * cell;
        if (!is_joined && cell >= style.small * 0.9) {
            const std::string word = shortened_text(isolated(picture.words[static_cast<std::size_t>(i)]), label + 1,
                                                    style.small, FigureFont::sans, *style.ruler);
            const TextLook look = {.ink = style.colors.ink,
                                   .size = style.small,
                                   .font = i == picture.row ? FigureFont::sans_bold : FigureFont::sans,
                                   .anchor = FigureAnchor::end};
            if (is_drawn) draw_text_at_middle(block, left - 6, y + cell / 2, word, look);
            TextLook slanted = look;
            slanted.anchor = FigureAnchor::start;
            draw_turned_text(block, {left + (i + 0.5) * cell, top - 5}, -45, word, slanted);
        }
        for (int j = 0; is_drawn && j < rows; ++j) {
            const float weight = cells(i, j);
            const FigurePoint at = {left + j * cell, y};
            const double gap = cell >= 5 ? 1 : 0;
            if (std::isinf(weight)) {
                draw_rect(block, at, cell - gap, cell - gap, style.colors.hidden, 1);
                continue;
            }
            const Rgb ground = cell_color(style, weight);
            FigureRect rect{.at = at, .width = cell - gap, .height = cell - gap, .corner = 2, .look = {.fill = ground}};
            if (!is_joined && drawing.prints_values)
                rect.tip = concat(
                    from_to(picture.words[static_cast<std::size_t>(i)], picture.words[static_cast<std::size_t>(j)]),
                    ": ", shown_number(static_cast<double>(weight)));
            block.elements.emplace_back(std::move(rect));
            if (cell >= kNumberCell && !is_joined && drawing.prints_values) {
                draw_text_at_middle(block, at.x + (cell - gap) / 2, at.y + (cell - gap) / 2,
                                    cell_number(static_cast<double>(weight)),
                                    {.ink = ink_on(ground), .size = cell * 0.36, .anchor = FigureAnchor::middle});
            }
        }
    }
    if (is_joined)
        block = stacked_blocks(
            std::move(block),
            soft_text(style, concat(picture.num_tokens(), " tokens, neighbours joined: the largest of each"), width),
            4);
    return block;
}

}  // namespace

FigureBlock model_map_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    return map_rows(style, drawing, width, 0, length(chosen_map(drawing), 0));
}

FigureBlock model_row_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    const bool is_joined = length(chosen_map(drawing), 0) < drawing.picture.num_tokens();
    if (is_joined) return {.width = width};
    return map_rows(style, drawing, width, drawing.picture.row, drawing.picture.row + 1);
}

FigureBlock model_stream_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    const ModelPicture& picture = drawing.picture;
    std::vector<FigurePoint> of_row, of_all;
    double most = 0;
    for (std::size_t l = 0; l < picture.lengths.size(); ++l) {
        double sum = 0;
        for (const double one : picture.lengths[l]) sum += one;
        const double mean = sum / picture.num_tokens();
        const double own = picture.lengths[l][static_cast<std::size_t>(picture.row)];
        if (std::isfinite(own)) of_row.push_back({static_cast<double>(l), own});
        if (std::isfinite(mean)) of_all.push_back({static_cast<double>(l), mean});
        for (const double one : {own, mean}) most = std::isfinite(one) ? std::max(most, one) : most;
    }
    FigureBlock block = heading_text(style, "The residual stream’s length by layer", width);
    if (most == 0) return block;
    const double unit = std::pow(10, std::floor(std::log10(most)));
    const double step = most / unit > 5 ? 2 * unit : most / unit > 2 ? unit : unit / 2;
    FigureAxis x = {.low = 0, .high = static_cast<double>(picture.lengths.size() - 1), .title = "layers passed"};
    FigureAxis y = {.low = 0, .high = std::ceil(most / step) * step};
    const int every = std::max(1, static_cast<int>(picture.lengths.size()) / 8);
    for (std::size_t l = 0; l < picture.lengths.size(); l += static_cast<std::size_t>(every))
        x.ticks.push_back(static_cast<double>(l));
    for (double tick = 0; tick <= y.high; tick += step) y.ticks.push_back(tick);
    FigurePlot plot(style, std::min(width, 380.0), 150, std::move(x), std::move(y));
    const Rgb soft = style.colors.soft_ink, own = style.colors.accent;
    plot.line(of_all, soft, 1.5);
    plot.line(of_row, own, 2);
    for (const FigurePoint& point : of_row)
        plot.mark(point, FigureMark::disc, own, 3.5, concat("after ", point.x, " layers: ", shown_number(point.y)));
    const std::string word = picture.words[static_cast<std::size_t>(picture.row)];
    block = stacked_blocks(
        std::move(block),
        soft_text(style, concat("blue: of “", isolated(word), "”; grey: the mean of all tokens"), width), 1);
    return stacked_blocks(std::move(block), std::move(plot).block(), 4);
}

}  // namespace attn
