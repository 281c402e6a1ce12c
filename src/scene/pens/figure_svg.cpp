// Writes SVG. Attributes that several elements in a row share are written once, on a group around them.
#include "scene/pens/figure_svg.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "scene/kit/figure_text.h"
#include "scene/pens/path_text.h"

namespace attn {
namespace {

constexpr std::string_view kSansFamily =
    "'IBM Plex Sans','Segoe UI','Helvetica Neue',Arial,'Noto Sans','Liberation Sans',sans-serif";
constexpr std::string_view kMono =
    "'IBM Plex Mono',Consolas,Menlo,'Noto Sans Mono','Liberation Mono','DejaVu Sans Mono',monospace";

// 0 to 1, with three decimals.
std::string share_number(double value) {
    const auto thousandths = static_cast<int>(std::lround(std::clamp(value, 0.0, 1.0) * 1000));
    if (thousandths == 1000) return "1";
    std::string text = concat("0.", thousandths / 100, thousandths / 10 % 10, thousandths % 10);
    while (text.back() == '0') text.pop_back();
    return text.back() == '.' ? "0" : text;
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

}  // namespace

SvgWriter::SvgWriter(Figure figure) : figure_(std::move(figure)) {
    const std::string width = short_number(figure_.width);
    const std::string height = short_number(figure_.height);
    svg_ = concat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"", width, "\" height=\"", height,
                  "\" viewBox=\"0 0 ", width, " ", height, "\" role=\"img\" font-family=\"", kSansFamily, "\">\n");
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

}  // namespace attn
