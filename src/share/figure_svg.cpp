// See the header. Attributes that follow one another unchanged are written once, on a group around the elements.
#include "share/figure_svg.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

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
std::string short_number(double value) {
    const double hundredths = std::round(value * 100);
    ATTN_CHECK(std::abs(hundredths) < 1e15, "a length of ", value, " points");
    auto rest = static_cast<std::int64_t>(std::abs(hundredths));
    std::string text = hundredths < 0 ? "-" : "";
    text += std::to_string(rest / 100);
    rest %= 100;
    if (rest == 0) return text;
    text += '.';
    text += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
    return text;
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

std::string point_text(FigurePoint point) {
    const std::string y = short_number(point.y);
    return short_number(point.x) + (y.front() == '-' ? "" : " ") + y;
}

// Absolute commands; level and upright lines in their short form.
std::string path_data(const std::vector<FigurePiece>& pieces) {
    std::string data;
    FigurePoint at;
    FigurePoint start;
    for (const FigurePiece& piece : pieces) {
        switch (piece.step) {
            case FigureStep::move:
                data += "M" + point_text(piece.to);
                start = piece.to;
                break;
            case FigureStep::line:
                if (piece.to.y == at.y) {
                    data += "H" + short_number(piece.to.x);
                } else if (piece.to.x == at.x) {
                    data += "V" + short_number(piece.to.y);
                } else {
                    data += "L" + point_text(piece.to);
                }
                break;
            case FigureStep::curve:
                data += concat("C", point_text(piece.a), " ", point_text(piece.b), " ", point_text(piece.to));
                break;
            case FigureStep::close:
                data += "Z";
                break;
        }
        at = piece.step == FigureStep::close ? start : piece.to;
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

std::string figure_as_svg(const Figure& figure) {
    const std::string width = short_number(figure.width);
    const std::string height = short_number(figure.height);
    std::string svg =
        concat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
               "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"", width, "\" height=\"", height,
               "\" viewBox=\"0 0 ", width, " ", height, "\" role=\"img\" font-family=\"", kSans, "\">\n");
    svg += concat("<title>", escaped(figure.title), "</title>\n");
    if (!figure.description.empty()) svg += concat("<desc>", escaped(figure.description), "</desc>\n");
    if (figure.ground) {
        svg += concat("<rect width=\"", width, "\" height=\"", height, "\" fill=\"", hex_color(*figure.ground),
                      "\" pointer-events=\"none\"/>\n");
    }
    // Elements of the same attributes in a row share a group.
    for (std::size_t first = 0; first < figure.elements.size();) {
        const std::string attributes = group_attributes(figure.elements[first]);
        std::size_t end = first + 1;
        while (end < figure.elements.size() && group_attributes(figure.elements[end]) == attributes) ++end;
        const bool has_group = end - first > 1 && !attributes.empty();
        if (has_group) svg += concat("<g", attributes, ">\n");
        for (; first < end; ++first) svg += svg_of(figure.elements[first], has_group ? "" : attributes);
        if (has_group) svg += "</g>\n";
    }
    return svg + "</svg>\n";
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
