// Writes the items of a frame as JSON.
#include "ui/frame/items.h"

#include "playground/text/json_writer.h"

namespace attn {
namespace {

void write_number(JsonWriter& json, const char* name, float value) {
    json.key(name);
    json.number(value);
}

}  // namespace

std::string items_as_json(std::span<const UiItem> items) {
    std::string text;
    JsonWriter json(text);
    json.begin_array();
    for (const UiItem& item : items) {
        json.begin_object();
        json.member("name", item.name);
        write_number(json, "x0", item.min.x);
        write_number(json, "y0", item.min.y);
        write_number(json, "x1", item.max.x);
        write_number(json, "y1", item.max.y);
        json.flag("is_clipped", item.is_clipped);
        json.end_object();
    }
    json.end_array();
    return text;
}

}  // namespace attn
