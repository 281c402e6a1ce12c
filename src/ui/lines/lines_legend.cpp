// Under the lines: what their width means, and in words what is shown and what is left out.
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/numbers/stage_range.h"
#include "playground/text/notes.h"
#include "ui/frame/frame.h"
#include "ui/frame/pins.h"
#include "ui/kit/widgets.h"
#include "ui/lines/lines_picture.h"

namespace attn {
namespace {

constexpr float kWedge = 90;  // a line that grows from the weakest to the strongest
constexpr float kLine = 20;

// Names the stage if it is not the one chosen in the strip.
std::string stage_words(const LinesPicture& picture) {
    const TensorId stage = picture.weights.stage();
    const TensorId shown = picture.frame.state.view.stage;
    const std::string title = stage_title(stage);
    if (stage == shown) return concat("width: ", title);
    return concat("width: ", title, " (lines cannot show ", stage_title(shown), ")");
}

// Says how to set a target while the visitor is setting one.
std::string target_words(const LinesPicture& picture) {
    const LinesMemory& memory = picture.memory;
    if (memory.target_from) {
        return concat("target: ", token_text(picture.frame.evaluation, *memory.target_from),
                      " → … choose the key it should look at");
    }
    if (memory.tool != LinesTool::target) return {};
    return "target: choose a query on the left, then a key on the right; the same again takes it away";
}

// Says whose lines are drawn, unless it is every token's or one that stands out.
std::string choice_words(const LinesPicture& picture) {
    const LinesMemory& memory = picture.memory;
    if (!memory.choice) return {};
    const View& view = picture.frame.state.view;
    const bool is_of_several = memory.choice->key || memory.choice->queries.size() > 1;
    const bool is_partly_seen = picture.end - picture.first < picture.weights.num_tokens();
    std::string whose;
    if (is_of_several && !view.select.empty()) {
        whose = concat("of the selected queries", is_partly_seen ? " in view" : "");
    } else if (is_of_several && is_partly_seen) {
        whose = "of the queries in view";
    }
    if (!memory.lines.is_cut()) return whose.empty() ? whose : concat("lines ", whose);
    const auto num_drawn = static_cast<std::int64_t>(memory.lines.lines.size());
    return concat("the strongest ", with_thousands(num_drawn), " of ", with_thousands(memory.lines.num_found), " lines",
                  whose.empty() ? "" : " ", whose);
}

std::string touch_words(const Look& look) {
    return look.is_touch ? "hold a token: select" : "Shift+click: target · Ctrl+click: select";
}

std::vector<std::string> all_words(const LinesPicture& picture) {
    std::vector<std::string> words;
    for (std::string text : {choice_words(picture), target_words(picture)}) {
        if (!text.empty()) words.push_back(std::move(text));
    }
    if (words.empty()) words.push_back(touch_words(picture.frame));
    return words;
}

}  // namespace

float lines_legend_height(const LinesPicture& picture, float width) {
    // The words change as the pointer moves. One line is always kept free for them, so that the picture stays put.
    const float needed = text_size(small(picture.frame), touch_words(picture.frame)).x + kWedge + 320;
    return needed <= width ? kLine : 2 * kLine;
}

void put_lines_legend(const LinesPicture& picture) {
    const Look& look = picture.frame;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const TextStyle style = small(look);
    const float middle = corner.y + kLine / 2;
    const auto put = [&](float x, const std::string& text) {
        draw_text({x, middle - style.size / 2}, style, text);
        return x + text_size(style, text).x;
    };
    float x = put(corner.x, "0") + 6;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddTriangleFilled({x, middle}, {x + kWedge, middle - 3.25F}, {x + kWedge, middle + 3.25F},
                           look.palette.soft_ink);
    x = put(x + kWedge + 6, concat(range_end_text(picture.high), picture.is_cut ? " and more" : ""));
    x = put(x + 14, stage_words(picture));

    std::string words;
    for (const std::string& text : all_words(picture)) words += concat(words.empty() ? "" : " · ", text);
    const float height = lines_legend_height(picture, width);
    const bool is_beside = height <= kLine;
    const float room = is_beside ? corner.x + width - x - 24 : width;
    const std::string shown = shortened(style, words, room);
    const float wide = text_size(style, shown).x;
    const float y = is_beside ? middle : middle + kLine;
    draw_text({is_beside ? corner.x + width - wide : corner.x, y - style.size / 2}, style, shown);
    ImGui::Dummy({1, height});
}

}  // namespace attn
