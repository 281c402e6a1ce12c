// A map of probabilities with words over its columns.
#include "views/learn/next_words_scene.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/ground/check.h"
#include "playground/text/format.h"

namespace attn {
namespace {

class NextPicture {
public:
    NextPicture(const SceneStyle& style, const NextWords& words, double width, bool has_tips)
        : style_(style), words_(words), has_tips_(has_tips) {
        const double line = style.body * 1.8;
        double widest = style.width("position", style.small);
        for (const NextWord& word : words.positions) {
            widest = std::max(widest, style.width(one_line_of(word.token), style.body));
        }
        left_ = std::ceil(std::min(widest, 0.26 * width)) + kGap;
        loss_ = std::ceil(style.width("0.0000e−00", style.body));
        const auto count = static_cast<double>(words.vocabulary.size());
        cell_ = std::clamp(std::floor((width - left_ - loss_ - kGap) / count), kNarrowest, kWidest);
        row_ = std::ceil(line);
        double longest = 0;
        for (const std::string& word : words.vocabulary)
            longest = std::max(longest, style.width(one_line_of(word), style.small));
        label_ = std::min(longest, kLongestLabel);
        top_ = std::ceil(label_ * kSine + style.small);
    }

    FigureBlock scene() const {
        FigureBlock block;
        block.width = left_ + cell_ * static_cast<double>(words_.vocabulary.size()) + kGap + loss_;
        // The last label hangs over the last column.
        block.width = std::max(block.width, block.width - kGap - loss_ - cell_ / 2 + label_ * kSine + style_.small);
        block.height = top_ + row_ * static_cast<double>(words_.positions.size());
        draw_labels(block);
        for (std::size_t i = 0; i < words_.positions.size(); ++i) draw_row(block, i);
        return block;
    }

private:
    static constexpr double kGap = 10;
    static constexpr double kNarrowest = 22;  // of a cell: two digits
    static constexpr double kWidest = 44;
    static constexpr double kLongestLabel = 90;
    static constexpr double kSine = 0.7071;  // of 45 degrees

    static std::string one_line_of(const std::string& token) { return isolated(token); }

    double loss_right() const { return left_ + cell_ * static_cast<double>(words_.vocabulary.size()) + kGap + loss_; }

    void draw_labels(FigureBlock& block) const {
        const TextLook look = {.ink = style_.colors.soft_ink, .size = style_.small};
        draw_text_at_middle(block, 0, top_ - style_.small * 0.7, "position", look);
        for (std::size_t v = 0; v < words_.vocabulary.size(); ++v) {
            const std::string word = shortened_text(one_line_of(words_.vocabulary[v]), label_ + 1, look.size,
                                                    FigureFont::sans, *style_.ruler);
            draw_turned_text(block, {left_ + cell_ * (static_cast<double>(v) + 0.5), top_ - style_.small * 0.5}, -45,
                             word, look);
        }
    }

    void draw_row(FigureBlock& block, std::size_t i) const {
        const NextWord& word = words_.positions[i];
        const double top = top_ + row_ * static_cast<double>(i);
        const double middle = top + row_ / 2;
        const TextLook name = {.ink = style_.colors.ink, .size = style_.body};
        draw_text_at_middle(
            block, 0, middle,
            shortened_text(one_line_of(word.token), left_ - kGap, name.size, FigureFont::sans, *style_.ruler), name);
        for (std::size_t v = 0; v < word.probabilities.size(); ++v) {
            const double probability = word.probabilities[v];
            const Rgb ground = map_color(ColorMap::sequential, style_.colors.is_dark, static_cast<float>(probability));
            const FigurePoint at = {left_ + cell_ * static_cast<double>(v), top};
            FigureRect cell{.at = at, .width = cell_ - 1, .height = row_ - 1, .corner = 2, .look = {.fill = ground}};
            if (has_tips_) {
                cell.tip = concat(from_to(word.token, words_.vocabulary[v]), ": ", shown_number(probability));
            }
            block.elements.emplace_back(std::move(cell));
            draw_text_at_middle(
                block, at.x + (cell_ - 1) / 2, middle - 0.5, cell_number(probability),
                {.ink = ink_on(ground), .size = std::min(style_.small, cell_ * 0.4), .anchor = FigureAnchor::middle});
        }
        const TextLook number = {.ink = style_.colors.ink, .size = style_.body, .anchor = FigureAnchor::end};
        if (!word.wanted) {
            TextLook soft = number;
            soft.ink = style_.colors.soft_ink;
            draw_text_at_middle(block, loss_right(), middle, "the end", soft);
            return;
        }
        draw_frame(block, {left_ + cell_ * *word.wanted - 0.5, top - 0.5}, cell_, row_, style_.colors.ink, 2, 2);
        draw_text_at_middle(block, loss_right(), middle, shown_number(word.loss), number);
    }

    const SceneStyle& style_;
    const NextWords& words_;
    bool has_tips_;
    double left_, loss_, cell_, row_, label_, top_;
};

}  // namespace

FigureBlock next_words_scene(const SceneStyle& style, const NextWords& words, double width, bool has_tips) {
    return NextPicture(style, words, width, has_tips).scene();
}

}  // namespace attn
