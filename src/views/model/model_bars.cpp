// The next words, the votes and the scores: lists of bars.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "views/model/model_layout.h"
#include "views/model/model_scene.h"
#include "views/model/other_picture.h"

namespace attn {
namespace {

constexpr double kGap = 10;

double probability(const std::vector<float>& probabilities, int token) {
    return static_cast<double>(probabilities[static_cast<std::size_t>(token)]);
}

// Four decimals, as everywhere; less than what they can show is said so, not as 0.
std::string shown_probability(double p) {
    return p > 0 && p < 0.0001 ? "<0.0001" : shown_number(p);
}

// "0.2100 higher", "less than 0.0001 lower", "the same".
std::string difference_in_words(double difference) {
    if (difference == 0) return "the same";
    const double size = std::abs(difference);
    return concat(size < 0.0001 ? "less than 0.0001" : shown_number(size), difference > 0 ? " higher" : " lower");
}

// "in B": the same word's bar there, and how much more probable it is in A.
BarLine line_of_other(const SceneStyle& style, const ModelDrawing& drawing, int id) {
    const std::optional<double> there = probability_of_other(drawing, id);
    const double here = probability(drawing.picture.probabilities, id);
    return {.name = "in B",
            .value = there && *there >= 0 ? *there : 0,
            .number = there ? concat(shown_probability(*there), ", in A ", difference_in_words(here - *there))
                            : std::string("no such word"),
            .color = mixed(style.colors.edge, style.colors.paper, 0.5F),
            .ink = style.colors.soft_ink};
}

// "+0.907, B +0.400"
std::string numbers_of_both(const std::optional<std::int64_t>& a, const std::optional<std::int64_t>& b, bool has_b,
                            bool has_plus) {
    const auto shown = [&](const std::optional<std::int64_t>& one) {
        return one ? shown_thousandths(*one, has_plus) : std::string("none");
    };
    return has_b ? concat(shown(a), ", B ", shown(b)) : shown(a);
}

}  // namespace

BarColumns bar_columns(const SceneStyle& style, const std::vector<BarLine>& lines, double width) {
    BarColumns columns;
    double name = 0, number = 0;
    columns.low = 0;
    columns.high = 0;
    for (const BarLine& line : lines) {
        const FigureFont font = line.is_bold ? FigureFont::sans_bold : FigureFont::sans;
        name = std::max(name, style.width(line.name, style.body, font));
        number = std::max(number, style.width(line.number, style.body, font));
        columns.low = std::min(columns.low, line.value);
        columns.high = std::max(columns.high, line.value);
    }
    if (columns.high == columns.low) columns.high = columns.low + 1;
    name = std::min(name, width * 0.4);
    columns.bar = std::ceil(name + kGap);
    columns.number = width;
    columns.bar_end = std::max(columns.bar + 20, std::floor(width - number - kGap));
    columns.line = std::ceil(style.body * 1.55);
    return columns;
}

void draw_bar_line(FigureBlock& block, const SceneStyle& style, const BarColumns& columns, const BarLine& line,
                   double y) {
    const double middle = y + columns.line / 2;
    const double thick = std::round(columns.line * 0.5);
    const TextLook look = {
        .ink = line.ink, .size = style.body, .font = line.is_bold ? FigureFont::sans_bold : FigureFont::sans};
    draw_text_at_middle(block, columns.name, middle,
                        shortened_text(line.name, columns.bar - kGap + 1, look.size, look.font, *style.ruler), look);
    const double zero = columns.at(0), end = columns.at(line.value);
    const double from = std::min(zero, end), to = std::max(from + 1, std::max(zero, end));
    draw_rect(block, {from, middle - thick / 2}, to - from, thick, line.color, 2);
    TextLook number = look;
    number.anchor = FigureAnchor::end;
    draw_text_at_middle(block, columns.number, middle, line.number, number);
}

std::vector<int> shown_next_words(const ModelPicture& picture, std::optional<int> word) {
    std::vector<int> ids = picture.most_probable(kShownNextWords);
    if (word && std::ranges::find(ids, *word) == ids.end()) ids.push_back(*word);
    return ids;
}

std::string shown_score(double score) {
    return score > 0 && score < 0.01 ? "<0.01" : shown_number(score, 2);
}

std::string place_of_next(const ModelPicture& picture) {
    return concat("after “", isolated(picture.words[static_cast<std::size_t>(picture.row)]), "”");
}

FigureBlock model_next_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    const ModelPicture& picture = drawing.picture;
    FigureBlock block;
    block.width = width;
    if (!picture.has_next()) return block;
    const bool is_touched = !picture.untouched.empty();
    const auto number_of = [&](int id) {
        const std::string now = shown_probability(probability(picture.probabilities, id));
        return is_touched ? concat(shown_probability(probability(picture.untouched, id)), " → ", now) : now;
    };
    std::vector<BarLine> lines;
    const bool has_b = has_other(drawing);
    const std::vector<int> ids = shown_words_of_both(drawing);
    for (const int id : ids) {
        lines.push_back({.name = isolated(word_of_token(drawing.tokenizer, id)),
                         .value = probability(picture.probabilities, id),
                         .number = number_of(id),
                         .color = id == drawing.word ? style.colors.accent : style.colors.edge,
                         .is_bold = id == drawing.word,
                         .ink = style.colors.ink});
        if (!(lines.back().value >= 0)) lines.back().value = 0;  // NaN has no bar
        if (has_b) lines.push_back(line_of_other(style, drawing, id));
    }
    BarColumns columns = bar_columns(style, lines, width);
    columns.high = std::max(columns.high, 1e-6);
    for (const int id : ids)
        if (is_touched) columns.high = std::max(columns.high, probability(picture.untouched, id));
    const std::size_t lines_of_word = has_b ? 2 : 1;
    double y = 0;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        const double top = y;
        draw_bar_line(block, style, columns, lines[k * lines_of_word], y);
        if (is_touched) {  // where the bar ended before
            const double before = std::min(probability(picture.untouched, ids[k]), columns.high);
            if (before >= 0)
                draw_line(block, {columns.at(before), y + 3}, {columns.at(before), y + columns.line - 3},
                          style.colors.ink, 1.5);
        }
        if (has_b) draw_bar_line(block, style, columns, lines[k * lines_of_word + 1], y += columns.line);
        y += columns.line;
        // A word with and without the blank before it are two tokens.
        std::string name = concat("word=", word_of_token(drawing.tokenizer, ids[k]));
        if (std::ranges::find(block.places, name, &ScenePlace::name) != block.places.end()) name += concat("#", ids[k]);
        block.places.push_back({.name = std::move(name), .box = {0, top, width, y}, .index = ids[k]});
    }
    block.height = y;
    return block;
}

FigureBlock model_votes_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    FigureBlock block;
    block.width = width;
    if (!drawing.word) return soft_text(style, drawing.votes_problem, width);
    const std::string word = word_of_token(drawing.tokenizer, *drawing.word);
    if (!drawing.votes) {
        const std::string why = !drawing.votes_problem.empty()
                                    ? drawing.votes_problem
                                    : "The logit is no number that can be printed, so it is not taken apart.";
        return soft_text(style, why, width);
    }
    const VoteColumn& votes = *drawing.votes;
    const bool has_b = drawing.other && drawing.other->votes;
    const std::vector<VotesOfLine> both = votes_of_both(drawing);
    std::vector<BarLine> lines;
    for (const VotesOfLine& one : both) {
        const VoteLine& vote = one.line;
        const bool is_rounding = !vote.layer && vote.label == "rounding";
        const bool is_chosen = vote.layer == drawing.layer && vote.head == drawing.head;
        lines.push_back({.name = vote.is_off ? concat(vote.label, " (off)") : vote.label,
                         .value = is_rounding ? 0 : static_cast<double>(one.a.value_or(0)),
                         .number = numbers_of_both(one.a, one.b, has_b, true),
                         .color = is_rounding || !one.a ? style.colors.paper
                                  : vote.head           ? style.head(*vote.head)
                                                        : style.colors.edge,
                         .is_bold = is_chosen,
                         .ink = is_rounding ? style.colors.soft_ink : style.colors.ink});
    }
    const BarLine sum = {
        .name = concat("logit of “", isolated(word), "”"),
        .number = numbers_of_both(votes.logit, has_b ? std::optional(drawing.other->votes->logit) : std::nullopt, has_b,
                                  false),
        .color = style.colors.paper,
        .is_bold = true,
        .ink = style.colors.ink};
    BarColumns columns = bar_columns(style, lines, width);
    for (const VotesOfLine& one : both) {
        columns.low = std::min(columns.low, static_cast<double>(one.b.value_or(0)));
        columns.high = std::max(columns.high, static_cast<double>(one.b.value_or(0)));
    }
    double y = 0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const VoteLine& vote = both[k].line;
        if (both[k].a && vote.head) {
            const int layer = *vote.layer, head = *vote.head;
            block.places.push_back({.name = concat("vote=", layer + 1, ".", head + 1),
                                    .box = {0, y, width, y + columns.line},
                                    .index = layer * drawing.picture.config.num_heads + head});
        }
        draw_bar_line(block, style, columns, lines[k], y);
        if (both[k].b && vote.label != "rounding") {  // where B's bar ends
            const double end = columns.at(static_cast<double>(*both[k].b));
            draw_line(block, {end, y + 3}, {end, y + columns.line - 3}, style.colors.ink, 1.5);
        }
        y += columns.line;
    }
    draw_line(block, {0, y + 0.5}, {width, y + 0.5}, style.colors.edge);
    y += 2;
    const TextLook bold = {.ink = style.colors.ink, .size = style.body, .font = FigureFont::sans_bold};
    TextLook number = bold;
    number.anchor = FigureAnchor::end;
    draw_text_at_middle(block, 0, y + columns.line / 2, sum.name, bold);
    draw_text_at_middle(block, width, y + columns.line / 2, sum.number, number);
    y += columns.line;
    const TextLook soft = {.ink = style.colors.soft_ink, .size = style.body};
    number.ink = style.colors.soft_ink;
    number.font = FigureFont::sans;
    draw_text_at_middle(block, 0, y + columns.line / 2, softmax_in_words(drawing.picture), soft);
    const std::optional<double> of_b = probability_of_other(drawing, *drawing.word);
    draw_text_at_middle(block, width, y + columns.line / 2,
                        concat(shown_probability(probability(drawing.picture.probabilities, *drawing.word)),
                               of_b ? concat(", B ", shown_probability(*of_b)) : ""),
                        number);
    block.height = y + columns.line;
    return block;
}

std::string softmax_in_words(const ModelPicture& picture) {
    return concat("probability: e^(logit − ", after_minus(picture.softmax.most), ") / ",
                  shown_number(picture.softmax.sum));
}

bool has_switched(const ModelPicture& picture) {
    return !picture.switched.empty();
}

std::string switch_in_words(const ModelPicture& picture) {
    const HeadOff& head = picture.chosen;
    return concat("Head ", head.head + 1, " of layer ", head.layer + 1,
                  picture.is_off(head.layer, head.head) ? " on again" : " switched off");
}

FigureBlock model_switched_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    const ModelPicture& picture = drawing.picture;
    FigureBlock block;
    if (drawing.map != LayerMap::head || !drawing.shows_effects) return block;
    if (picture.has_next()) {
        block = heading_text(style, switch_in_words(picture), width);
        if (!has_switched(picture)) {
            block = stacked_blocks(std::move(block), soft_text(style, "is being computed …", width), 2);
        } else {
            std::vector<int> ids = shown_next_words(picture, drawing.word);
            if (ids.size() > 3) ids.erase(ids.begin() + 3, ids.end() - (ids.size() > kShownNextWords ? 1 : 0));
            for (const int id : ids) {
                const std::string line = concat(shown_probability(probability(picture.probabilities, id)), " → ",
                                                shown_probability(probability(picture.switched, id)));
                FigureBlock both;
                both.width = width;
                both.height = std::ceil(style.body * 1.5);
                draw_text_at_middle(both, 0, both.height / 2, isolated(word_of_token(drawing.tokenizer, id)),
                                    {.ink = style.colors.ink, .size = style.body});
                draw_text_at_middle(both, std::min(width, 280.0), both.height / 2, line,
                                    {.ink = style.colors.ink,
                                     .size = style.mono,
                                     .font = FigureFont::mono,
                                     .anchor = FigureAnchor::end});
                block = stacked_blocks(std::move(block), std::move(both), 0);
            }
        }
    }
    return block;
}

FigureBlock model_scores_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    if (drawing.map != LayerMap::head) {
        return soft_text(style,
                         drawing.map == LayerMap::mean
                             ? "The mean of the weights of this layer’s heads."
                             : "If each layer kept half of the stream and gathered the other half by its mean weights, "
                               "so much of each first token would have reached each row (attention rollout). Values, "
                               "norms and MLPs are left out of it.",
                         width);
    }
    const LayerPicture& layer = drawing.picture.layers[static_cast<std::size_t>(drawing.layer)];
    const HeadPicture& head = layer.heads[static_cast<std::size_t>(drawing.head)];
    FigureBlock scores = heading_text(style, "Scores of this head on this text", width);
    if (head.scores.empty())
        scores = stacked_blocks(std::move(scores), soft_text(style, "A text of one token tells none.", width), 2);
    std::vector<BarLine> lines;
    for (const RoleScore& one : head.scores) {
        lines.push_back({.name = std::string(role_name(one.role)),
                         .value = one.score,
                         .number = concat(shown_score(one.score), ", uniform attention ", shown_score(one.even)),
                         .color = style.head(drawing.head),
                         .is_bold = one.score >= kClearRole && &one == head.scores.data(),
                         .ink = style.colors.ink});
    }
    if (!lines.empty()) {
        BarColumns columns = bar_columns(style, lines, width);
        columns.high = 1;
        FigureBlock bars;
        bars.width = width;
        for (std::size_t k = 0; k < lines.size(); ++k)
            draw_bar_line(bars, style, columns, lines[k], static_cast<double>(k) * columns.line);
        bars.height = static_cast<double>(lines.size()) * columns.line;
        scores = stacked_blocks(std::move(scores), std::move(bars), 2);
        scores = stacked_blocks(std::move(scores),
                                soft_text(style,
                                          "Mean weights, from 0 to 1, beside those of uniform attention, the same "
                                          "weight for all it sees. “copies” "
                                          "looks at what followed the same word before.",
                                          width),
                                4);
    }
    return scores;
}

FigureBlock model_head_scene(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    return stacked_blocks(model_switched_scene(style, drawing, width), model_scores_scene(style, drawing, width), 12);
}

}  // namespace attn
