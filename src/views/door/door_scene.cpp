// Words are set in lines first; arcs are drawn behind them from the places that they were given.
#include "views/door/door_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "views/model/model_layout.h"

namespace attn {
namespace {

constexpr double kSmallestWord = 17;  // points an em: a longer sentence takes more lines
constexpr double kLowestArc = 44;
constexpr double kUsualHeight = 800;               // of a scene; in a higher one words are larger and arcs rise higher
constexpr double kRoomOfNumber = 22;               // above the highest arc
constexpr double kThickest = 11, kThinnest = 1.5;  // arcs of weight 1 and 0
constexpr double kNumbered = 0.1;                  // weights from here on have their number beside the arc
constexpr int kHeadsInLine = 4;
constexpr std::string_view kUsualNextWord = "know";  // of the sentence that stands there at first

std::string next_word_of(const DoorDrawing& drawing) {
    if (!drawing.model || !drawing.model->picture.has_next() || !drawing.is_at_end()) return "";
    return word_of_token(drawing.model->tokenizer, drawing.model->picture.most_probable(1)[0]);
}

bool is_token(const SetWord& word) {
    return word.kind == DoorPiece::Kind::token || word.kind == DoorPiece::Kind::added;
}

// The sign that a model puts before a text is no word of the sentence: it is smaller.
double size_of(const SetWord& word, double size) {
    return word.kind == DoorPiece::Kind::added ? std::round(size * 0.6) : size;
}

FigureFont font_of(const DoorDrawing& drawing, const SetWord& word) {
    const bool is_end = word.kind == DoorPiece::Kind::token &&
                        (word.token == drawing.row || (!drawing.arcs.empty() && word.token == drawing.arcs[0].key));
    return word.is_next || (is_end && !drawing.arcs.empty()) ? FigureFont::sans_bold : FigureFont::sans;
}

// Puts words into lines.
class SentenceSetter {
public:
    SentenceSetter(const TextRuler& ruler, const DoorDrawing& drawing, const SentenceRoom& room)
        : ruler_(ruler), drawing_(drawing), room_(room), width_(room.width) {
        for (const DoorPiece& piece : drawing.pieces)
            set_.words.push_back({.text = isolated(piece.text), .box = {}, .kind = piece.kind, .token = piece.token});
        if (drawing.reader == DoorReader::none) keep_room();
        const std::string next = next_word_of(drawing);
        if (!next.empty()) set_.words.push_back({.text = isolated(next), .box = {}, .is_next = true});
    }

    SetSentence set() {
        const double largest = room_.largest;
        const double least = std::min(kSmallestWord, largest);
        set_.size = largest;
        const double wanted = line_width();
        set_.size = std::clamp(std::floor(largest * width_ / std::max(wanted, 1.0)), least, largest);
        set_words();
        spread();
        set_.height = set_.words.empty() ? 0 : set_.words.back().box.bottom + set_.size * 0.5;
        return std::move(set_);
    }

private:
    // For what a model adds, so that the words stay where they are.
    void keep_room() {
        set_.words.insert(
            set_.words.begin(),
            {.text = isolated(std::string(kStartPiece)), .box = {}, .kind = DoorPiece::Kind::added, .is_room = true});
        set_.words.push_back(
            {.text = isolated(std::string(kUsualNextWord)), .box = {}, .is_next = true, .is_room = true});
    }
    double word_width(std::size_t k) const {
        return ruler_.width(set_.words[k].text, size_of(set_.words[k], set_.size), FigureFont::sans_bold);
    }
    double gap_before(std::size_t k) const {
        const std::size_t first = set_.words[0].is_room ? 1 : 0;  // of the pieces
        const bool has_gap = k < first || k - first >= drawing_.pieces.size() || drawing_.pieces[k - first].has_gap;
        return has_gap ? set_.size * (set_.words.size() < 13 ? 0.9 : 0.5) : set_.size * 0.12;
    }
    double line_width() const {
        double width = 0;
        for (std::size_t k = 0; k < set_.words.size(); ++k) width += (k == 0 ? 0 : gap_before(k)) + word_width(k);
        return width;
    }
    // The same whether arcs are there already or not, so that the words stay where they are.
    double room_of_arcs() const { return room_.highest_arc * 0.75 + kThickest / 2 + kRoomOfNumber; }

    void set_words() {
        const double line = set_.size * 2;
        double x = 0, y = room_of_arcs();
        for (std::size_t k = 0; k < set_.words.size(); ++k) {
            const double width = std::min(word_width(k), width_);
            if (k > 0) x += gap_before(k);
            if (k > 0 && x + width > width_) {
                x = 0;
                y += line;
                set_.is_one_line = false;
            }
            set_.words[k].box = {x, y, x + width, y + set_.size * 1.3};
            x += width;
        }
    }
    // A short sentence takes the width it has, up to a measure.
    void spread() {
        if (!set_.is_one_line || set_.words.size() < 2) return;
        const auto count = static_cast<double>(set_.words.size());
        const double spare = std::min(width_ - set_.words.back().box.right, set_.size * 1.4 * count);
        const double shift = std::floor(spare / count);
        for (std::size_t k = 0; k < set_.words.size(); ++k) {
            set_.words[k].box.left += shift * (static_cast<double>(k) + 0.5);
            set_.words[k].box.right += shift * (static_cast<double>(k) + 0.5);
        }
    }

    const TextRuler& ruler_;
    const DoorDrawing& drawing_;
    SentenceRoom room_;
    double width_;
    SetSentence set_;
};

class SentenceScene {
public:
    SentenceScene(const SceneStyle& style, const DoorDrawing& drawing, const SentenceRoom& room)
        : style_(style),
          drawing_(drawing),
          room_(room),
          width_(room.width),
          set_(set_sentence(*style.ruler, drawing, room)) {}

    FigureBlock scene() {
        block_.width = width_;
        block_.height = set_.height;
        for (const DoorArc& arc : drawing_.arcs) draw_arc(arc);
        for (const Number& number : numbers_) draw_number(number);
        for (const SetWord& word : set_.words) draw_word(word);
        return std::move(block_);
    }

private:
    // That of an arc.
    struct Number {
        FigurePoint top, middle;  // of the arc, of the text
        std::string text;
        Rgb ink;
    };

    const SetWord* word_of_token_at(int token) const {
        for (const SetWord& word : set_.words)
            if (!word.is_next && is_token(word) && word.token == token) return &word;
        return nullptr;
    }

    void draw_arc(const DoorArc& arc) {
        const SetWord* from = word_of_token_at(drawing_.row);
        const SetWord* to = word_of_token_at(arc.key);
        if (from == nullptr || to == nullptr) return;
        const bool is_off = drawing_.is_off[static_cast<std::size_t>(arc.head)];
        const bool is_itself = from == to;
        const double spread = is_itself ? set_.size * 0.7 : 0;
        const FigurePoint a = {(from->box.left + from->box.right) / 2 + spread, from->box.top - 2};
        const FigurePoint b = {(to->box.left + to->box.right) / 2 - spread, to->box.top - 2};
        const double share = std::min(1.0, std::abs(a.x - b.x) / std::max(width_ * 0.5, 1.0));
        const double rise = kLowestArc + (room_.highest_arc - kLowestArc) * share;
        const FigurePoint over_a = {a.x, a.y - rise}, over_b = {b.x, b.y - rise};
        FigurePath path;
        path.pieces = {{.step = FigureStep::move, .to = a},
                       {.step = FigureStep::curve, .to = b, .a = over_a, .b = over_b}};
        path.look.line = style_.head(arc.head);
        path.look.line_width = kThinnest + (kThickest - kThinnest) * arc.weight;
        path.look.opacity = is_off ? 0.2 : set_.is_one_line ? 0.9 : 0.55;  // over lines of words these are still read
        const auto token = [&](int index) { return drawing_.tokens[static_cast<std::size_t>(index)]; };
        path.tip = concat("head ", arc.head + 1, " · ", token(drawing_.row), " → ", token(arc.key), ": ",
                          shown_number(arc.weight));
        block_.elements.emplace_back(std::move(path));
        if (arc.weight < kNumbered) return;
        const FigurePoint top = {(a.x + b.x) / 2, (a.y + b.y) / 2 - 0.75 * rise};
        if (is_taken(top)) return;
        numbers_.push_back(
            {.top = top,
             .middle = {std::clamp(top.x, 20.0, width_ - 20), top.y - path_half(arc) - style_.body * 0.75},
             .text = shown_number(arc.weight, 2),
             .ink = is_off ? style_.colors.soft_ink : style_.colors.ink});
    }
    // Over all arcs, which would else run through it.
    void draw_number(const Number& number) {
        const double width = 0.62 * style_.body * static_cast<double>(number.text.size()), height = 1.2 * style_.body;
        FigureRect ground = {.at = {number.middle.x - width / 2, number.middle.y - height / 2},
                             .width = width,
                             .height = height,
                             .corner = height / 3};
        ground.look.fill = style_.colors.paper;
        ground.look.opacity = 0.85;
        block_.elements.emplace_back(std::move(ground));
        draw_text_at_middle(
            block_, number.middle.x, number.middle.y, number.text,
            {.ink = number.ink, .size = style_.body, .font = FigureFont::sans_bold, .anchor = FigureAnchor::middle});
    }
    // Whether another arc's number stands there.
    bool is_taken(FigurePoint place) const {
        return std::ranges::any_of(numbers_, [&](const Number& one) {
            return std::abs(one.top.x - place.x) < 3 * style_.body && std::abs(one.top.y - place.y) < 1.2 * style_.body;
        });
    }
    static double path_half(const DoorArc& arc) { return (kThinnest + (kThickest - kThinnest) * arc.weight) / 2; }

    void draw_word(const SetWord& word) {
        const double middle = (word.box.top + word.box.bottom) / 2;
        const bool is_read = word.kind == DoorPiece::Kind::token;
        const TextLook look = {.ink = word.is_next ? style_.colors.accent
                                      : is_read    ? style_.colors.ink
                                                   : style_.colors.soft_ink,
                               .size = size_of(word, set_.size),
                               .font = font_of(drawing_, word),
                               .anchor = FigureAnchor::middle};
        const double room = word.box.right - word.box.left;
        draw_text_at_middle(block_, (word.box.left + word.box.right) / 2, middle,
                            shortened_text(word.text, room + 2, look.size, look.font, *style_.ruler), look);
        if (word.is_next)
            draw_line(block_, {word.box.left, word.box.bottom}, {word.box.right, word.box.bottom}, look.ink, 2);
        if (word.kind == DoorPiece::Kind::unknown)
            draw_line(block_, {word.box.left, middle + 1}, {word.box.right, middle + 1}, style_.colors.warning, 2);
    }

    const SceneStyle& style_;
    const DoorDrawing& drawing_;
    SentenceRoom room_;
    double width_;
    SetSentence set_;
    FigureBlock block_;
    std::vector<Number> numbers_;
};

}  // namespace

SentenceRoom sentence_room(double width, double height) {
    const double spare = std::max(0.0, height - kUsualHeight);
    return {.width = width,
            .largest = std::clamp(std::floor(width / 24), 22.0, std::min(44 + spare * 0.05, 60.0)),
            .highest_arc = std::clamp(width * 0.22 + std::min(spare * 0.5, width * 0.1), kLowestArc, 340.0)};
}

SetSentence set_sentence(const TextRuler& ruler, const DoorDrawing& drawing, const SentenceRoom& room) {
    return SentenceSetter(ruler, drawing, room).set();
}

FigureBlock door_sentence_scene(const SceneStyle& style, const DoorDrawing& drawing, const SentenceRoom& room) {
    return SentenceScene(style, drawing, room).scene();
}

FigureBlock door_heads_scene(const SceneStyle& style, const DoorDrawing& drawing, double width) {
    constexpr double kGap = 10, kLargest = 136, kPadding = 3;
    const auto count = static_cast<int>(drawing.maps.size());
    const int columns = width < 2 * kHeadsInLine * (kLargest + kGap) ? kHeadsInLine : 2 * kHeadsInLine;
    const double side = std::floor(std::min(kLargest, (width + kGap) / columns - kGap));
    const double line = std::ceil(style.small * 1.5);
    FigureBlock block;
    block.width = width;
    for (int head = 0; head < count; ++head) {
        const FigurePoint at = {(head % columns) * (side + kGap), (head / columns) * (side + line + kGap)};
        const bool is_in_use = std::ranges::find(drawing.heads, head) != drawing.heads.end();
        const double inner = side - 2 * kPadding;
        draw_rect(block, at, side, side, style.colors.panel, 5);
        draw_thumb(block, style, drawing.maps[static_cast<std::size_t>(head)], {at.x + kPadding, at.y + kPadding},
                   inner);
        if (drawing.is_off[static_cast<std::size_t>(head)])
            draw_hatching(block, {{at.x + kPadding, at.y + kPadding, at.x + kPadding + inner, at.y + kPadding + inner}},
                          style.colors.warning);
        draw_frame(block, {at.x + 0.5, at.y + 0.5}, side - 1, side - 1,
                   is_in_use ? style.colors.accent : style.colors.line, is_in_use ? 2 : 1, 5);
        draw_text_at_middle(block, at.x + side / 2, at.y + side + line / 2, concat(head + 1),
                            {.ink = is_in_use ? style.colors.ink : style.colors.soft_ink,
                             .size = style.small,
                             .font = is_in_use ? FigureFont::sans_bold : FigureFont::sans,
                             .anchor = FigureAnchor::middle});
        block.places.push_back(
            {.name = concat("head=", head + 1), .box = {at.x, at.y, at.x + side, at.y + side + line}, .index = head});
        block.height = at.y + side + line;
    }
    return block;
}

}  // namespace attn
