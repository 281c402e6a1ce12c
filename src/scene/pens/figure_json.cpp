// Writes a figure's elements as JSON, paths as SVG writes them.
#include "scene/pens/figure_json.h"

#include <cmath>
#include <string_view>
#include <variant>

#include "playground/text/json_writer.h"
#include "scene/kit/figure_text.h"
#include "scene/pens/path_text.h"

namespace attn {
namespace {

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
        json.flag("is_crisp", true);
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

std::string elements_as_json(std::span<const FigureElement> elements) {
    std::string text;
    JsonWriter json(text);
    json.begin_array();
    for (const FigureElement& element : elements) {
        json.begin_object();
        std::visit([&](const auto& each) { write_element(json, each); }, element);
        json.end_object();
    }
    json.end_array();
    return text + "\n";
}

}  // namespace attn
