// See the header. Attributes that follow one another unchanged are written once, on a group around the elements.
#include "share/figure_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/check.h"
#include "playground/json_writer.h"
#include "share/figure_text.h"

namespace attn {
namespace {

constexpr std::string_view kSans =
    "'IBM Plex Sans','Segoe UI','Helvetica Neue',Arial,'Noto Sans','Liberation Sans',sans-serif";
constexpr std::string_view kMono =
    "'IBM Plex Mono',Consolas,Menlo,'Noto Sans Mono','Liberation Mono','DejaVu Sans Mono',monospace";

// At most two decimals, none that are zeros: "12", "0.5", "-3.25".
class ShortNumber {
public:
    static constexpr std::size_t kMostLetters = 20;

    explicit ShortNumber(double value) {
        const double hundredths = std::round(value * 100);
        ATTN_CHECK(std::abs(hundredths) < 1e15, "a length of ", value, " points");
        auto rest = static_cast<std::int64_t>(std::abs(hundredths));
        const auto decimals = static_cast<int>(rest % 100);
        rest /= 100;
        if (decimals % 10 != 0) put('0' + decimals % 10);
        if (decimals != 0) {
            put('0' + decimals / 10);
            put('.');
        }
        do {
            put('0' + static_cast<int>(rest % 10));
            rest /= 10;
        } while (rest > 0);
        if (hundredths < 0) put('-');
    }
    std::string_view view() const { return {letters_.data() + begin_, kMostLetters - begin_}; }

private:
    void put(int letter) { letters_[--begin_] = static_cast<char>(letter); }  // from the last to the first

    std::array<char, kMostLetters> letters_;
    std::size_t begin_ = kMostLetters;
};

std::string short_number(double value) {
    return std::string(ShortNumber(value).view());
}

// 0 to 1, with three decimals.
std::string share_number(double value) {
    const auto thousandths = static_cast<int>(std::lround(std::clamp(value, 0.0, 1.0) * 1000));
    if (thousandths == 1000) return "1";
    std::string text = concat("0.", thousandths / 100, thousandths / 10 % 10, thousandths % 10);
    while (text.back() == '0') text.pop_back();
    return text.back() == '.' ? "0" : text;
}

std::string hex_color(Rgb color) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "#";
    for (const float part : {color.r, color.g, color.b}) {
        const auto byte = static_cast<unsigned>(std::lround(std::clamp(part, 0.0F, 1.0F) * 255));
        text += kDigits[byte / 16];
        text += kDigits[byte % 16];
    }
    return text;
}

// Text for an element's content or an attribute in double quotes.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : one_line(text)) {
        if (c == '&') {
            result += "&amp;";
        } else if (c == '<') {
            result += "&lt;";
        } else if (c == '>') {
            result += "&gt;";
        } else if (c == '"') {
            result += "&quot;";
        } else {
            result += c;
        }
    }
    return result;
}

std::string attribute(std::string_view name, std::string_view value) {
    std::string text = " ";
    text += name;
    text += "=\"";
    text += value;
    text += '"';
    return text;
}

std::string color_attribute(std::string_view name, const std::optional<Rgb>& color) {
    return attribute(name, color ? hex_color(*color) : "none");
}

// What a group says of outlines and opacity; the fill stays with the element.
std::string line_attributes(const FigureLook& look) {
    std::string text;
    if (look.line) {
        text += color_attribute("stroke", look.line) + attribute("stroke-width", short_number(look.line_width));
        std::string dashes;
        for (const double dash : look.dashes) dashes += concat(dashes.empty() ? "" : " ", short_number(dash));
        if (!dashes.empty()) text += attribute("stroke-dasharray", dashes);
    }
    // Each element by itself: on a group, opacity would be that of all its elements together.
    if (look.opacity < 1) {
        text += attribute("fill-opacity", share_number(look.opacity));
        text += attribute("stroke-opacity", share_number(look.opacity));
    }
    if (look.is_crisp) text += attribute("shape-rendering", "crispEdges");
    return text;
}

// Anchors are ends of the line on the page; SVG's are ends in the direction of reading.
std::string anchor_attributes(const FigureText& text) {
    const bool is_rtl = is_right_to_left(text.text);
    std::string attributes = is_rtl ? attribute("direction", "rtl") : "";
    if (text.anchor == FigureAnchor::middle) return attributes + attribute("text-anchor", "middle");
    const bool is_end = (text.anchor == FigureAnchor::end) != is_rtl;
    return is_end ? attributes + attribute("text-anchor", "end") : attributes;
}

std::string text_attributes(const FigureText& text) {
    std::string attributes = attribute("fill", hex_color(text.ink)) + attribute("font-size", short_number(text.size));
    if (text.font == FigureFont::sans_bold) attributes += attribute("font-weight", "600");
    if (text.font == FigureFont::mono) attributes += attribute("font-family", kMono);
    attributes += anchor_attributes(text);
    // The cell under a number shows its tip, wherever the pointer is.
    return attributes + attribute("pointer-events", "none");
}

std::string group_attributes(const FigureElement& element) {
    if (const auto* rect = std::get_if<FigureRect>(&element)) {
        return line_attributes(rect->look) + (rect->tip.empty() ? attribute("pointer-events", "none") : "");
    }
    if (const auto* path = std::get_if<FigurePath>(&element)) {
        return line_attributes(path->look) + color_attribute("fill", path->look.fill) +
               (path->tip.empty() ? attribute("pointer-events", "none") : "");
    }
    return text_attributes(std::get<FigureText>(element));
}

// "<name .../>", or with the tip inside.
std::string element_text(std::string_view name, const std::string& attributes, const std::string& tip) {
    if (tip.empty()) return concat("<", name, attributes, "/>\n");
    return concat("<", name, attributes, "><title>", escaped(tip), "</title></", name, ">\n");
}

std::string svg_of(const FigureRect& rect, const std::string& shared) {
    std::string attributes = attribute("x", short_number(rect.at.x)) + attribute("y", short_number(rect.at.y)) +
                             attribute("width", short_number(rect.width)) +
                             attribute("height", short_number(rect.height));
    if (rect.corner > 0) attributes += attribute("rx", short_number(rect.corner));
    return element_text("rect", attributes + color_attribute("fill", rect.look.fill) + shared, rect.tip);
}

// The numbers of a path, a figure's most by far: put together letter by letter, as each call for some is dear where
// strings are short.
class PathText {
public:
    void add(char letter) { letters_[size_++] = letter; }
    void add(double number) {
        const ShortNumber text(number);
        for (const char letter : text.view()) add(letter);
    }
    void add(FigurePoint point) {
        add(point.x);
        const ShortNumber y(point.y);
        if (y.view().front() != '-') add(' ');
        for (const char letter : y.view()) add(letter);
    }
    std::string_view view() const { return {letters_.data(), size_}; }

private:
    std::array<char, 8 * ShortNumber::kMostLetters> letters_;  // a command has up to six numbers
    std::size_t size_ = 0;
};

std::string point_text(FigurePoint point) {
    PathText text;
    text.add(point);
    return std::string(text.view());
}

// Absolute commands; level and upright lines in their short form.
std::string path_data(const std::vector<FigurePiece>& pieces) {
    std::string data;
    FigurePoint at;
    FigurePoint start;
    for (const FigurePiece& piece : pieces) {
        PathText text;
        switch (piece.step) {
            case FigureStep::move:
                text.add('M');
                text.add(piece.to);
                start = piece.to;
                break;
            case FigureStep::line:
                if (piece.to.y == at.y) {
                    text.add('H');
                    text.add(piece.to.x);
                } else if (piece.to.x == at.x) {
                    text.add('V');
                    text.add(piece.to.y);
                } else {
                    text.add('L');
                    text.add(piece.to);
                }
                break;
            case FigureStep::curve:
                text.add('C');
                text.add(piece.a);
                text.add(' ');
                text.add(piece.b);
                text.add(' ');
                text.add(piece.to);
                break;
            case FigureStep::close:
                text.add('Z');
                break;
            case FigureStep::box:
                text.add('M');
                text.add(piece.to);
                text.add('H');
                text.add(piece.a.x);
                text.add('V');
                text.add(piece.a.y);
                text.add('H');
                text.add(piece.to.x);
                text.add('Z');
                start = piece.to;
                break;
        }
        data += text.view();
        const bool is_closed = piece.step == FigureStep::close || piece.step == FigureStep::box;
        at = is_closed ? start : piece.to;
    }
    return data;
}

std::string svg_of(const FigurePath& path, const std::string& shared) {
    return element_text("path", attribute("d", path_data(path.pieces)) + shared, path.tip);
}

std::string svg_of(const FigureText& text, const std::string& shared) {
    std::string attributes = attribute("x", short_number(text.at.x)) + attribute("y", short_number(text.at.y));
    if (text.turn != 0) {
        attributes += attribute("transform", concat("rotate(", short_number(text.turn), " ", point_text(text.at), ")"));
    }
    const std::string shown = escaped(text.text);
    const bool has_blanks_to_keep =
        shown.starts_with(' ') || shown.ends_with(' ') || shown.find("  ") != std::string::npos;
    if (has_blanks_to_keep) attributes += attribute("xml:space", "preserve");
    return concat("<text", attributes, shared, ">", shown, "</text>\n");
}

// `shared`: the attributes that no group around it says.
std::string svg_of(const FigureElement& element, const std::string& shared) {
    return std::visit([&](const auto& each) { return svg_of(each, shared); }, element);
}

// --- JSON: what has its default is left out

void write_number(JsonWriter& json, std::string_view name, double value) {
    json.key(name);
    json.number(std::round(value * 1000) / 1000);
}

void write_number_unless(double usual, JsonWriter& json, std::string_view name, double value) {
    if (value != usual) write_number(json, name, value);
}

void write_look(JsonWriter& json, const FigureLook& look) {
    if (look.fill) json.member("fill", hex_color(*look.fill));
    if (look.line) json.member("line", hex_color(*look.line));
    write_number_unless(1, json, "line_width", look.line_width);
    if (!look.dashes.empty()) {
        json.key("dashes");
        json.begin_row();
        for (const double dash : look.dashes) json.number(dash);
        json.end_row();
    }
    write_number_unless(1, json, "opacity", look.opacity);
    if (look.is_crisp) {
        json.key("is_crisp");
        json.boolean(true);
    }
}

void write_element(JsonWriter& json, const FigureRect& rect) {
    json.member("kind", "rect");
    write_number(json, "x", rect.at.x);
    write_number(json, "y", rect.at.y);
    write_number(json, "width", rect.width);
    write_number(json, "height", rect.height);
    write_number_unless(0, json, "corner", rect.corner);
    write_look(json, rect.look);
}

void write_element(JsonWriter& json, const FigurePath& path) {
    json.member("kind", "path");
    json.member("d", path_data(path.pieces));
    write_look(json, path.look);
}

void write_element(JsonWriter& json, const FigureText& text) {
    json.member("kind", "text");
    write_number(json, "x", text.at.x);
    write_number(json, "y", text.at.y);
    json.member("text", one_line(text.text));
    write_number(json, "size", text.size);
    if (text.font == FigureFont::sans_bold) json.member("font", "sans_bold");
    if (text.font == FigureFont::mono) json.member("font", "mono");
    if (text.anchor == FigureAnchor::middle) json.member("anchor", "middle");
    if (text.anchor == FigureAnchor::end) json.member("anchor", "end");
    json.member("ink", hex_color(text.ink));
    write_number_unless(0, json, "turn", text.turn);
}

}  // namespace

SvgWriter::SvgWriter(Figure figure) : figure_(std::move(figure)) {
    const std::string width = short_number(figure_.width);
    const std::string height = short_number(figure_.height);
    svg_ = concat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"", width, "\" height=\"", height,
                  "\" viewBox=\"0 0 ", width, " ", height, "\" role=\"img\" font-family=\"", kSans, "\">\n");
    svg_ += concat("<title>", escaped(figure_.title), "</title>\n");
    if (!figure_.description.empty()) svg_ += concat("<desc>", escaped(figure_.description), "</desc>\n");
    if (figure_.ground) {
        svg_ += concat("<rect width=\"", width, "\" height=\"", height, "\" fill=\"", hex_color(*figure_.ground),
                       "\" pointer-events=\"none\"/>\n");
    }
}

bool SvgWriter::advance() {
    constexpr std::size_t kPiece = 1 << 17;  // bytes
    const std::vector<FigureElement>& elements = figure_.elements;
    for (const std::size_t end = svg_.size() + kPiece; svg_.size() < end && !is_done_;) {
        if (next_ == group_end_) {  // elements of the same attributes in a row share a group
            if (std::exchange(has_group_, false)) svg_ += "</g>\n";
            is_done_ = next_ == elements.size();
            if (is_done_) break;
            shared_ = group_attributes(elements[next_]);
            while (group_end_ < elements.size() && group_attributes(elements[group_end_]) == shared_) ++group_end_;
            has_group_ = group_end_ - next_ > 1 && !shared_.empty();
            if (has_group_) svg_ += concat("<g", shared_, ">\n");
        }
        svg_ += svg_of(elements[next_++], has_group_ ? "" : shared_);
    }
    if (is_done_) svg_ += "</svg>\n";
    return is_done_;
}

std::string figure_as_svg(const Figure& figure) {
    SvgWriter writer(figure);
    while (!writer.advance()) continue;
    return writer.take();
}

std::string figure_as_json(const Figure& figure) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    write_number(json, "width", figure.width);
    write_number(json, "height", figure.height);
    json.key("ground");
    if (figure.ground) {
        json.text(hex_color(*figure.ground));
    } else {
        json.null();
    }
    json.member("title", one_line(figure.title));
    json.key("elements");
    json.begin_array();
    for (const FigureElement& element : figure.elements) {
        json.begin_object();
        std::visit([&](const auto& each) { write_element(json, each); }, element);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return text + "\n";
}

}  // namespace attn
