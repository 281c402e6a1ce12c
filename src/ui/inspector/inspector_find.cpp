// Helps in a long text: finds a token by its letters, and lists the strongest cells of a head.
#include <algorithm>

#include "core/ground/check.h"
#include "playground/numbers/heads_together.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_memory.h"
#include "ui/kit/fields.h"
#include "ui/kit/list.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr std::size_t kMostFound = 8;

// The head that is looked at: the pinned cell's, else the enlarged one, else the first.
int head_of(const View& view) {
    return view.cell ? view.cell->head : view.head.value_or(0);
}

// One line: what it is on the left, its number on the right. Returns whether it was chosen.
bool put_line(Canvas& canvas, const std::string& name, const std::string& text, const std::string& number) {
    const float width = ImGui::GetContentRegionAvail().x;
    const ItemState state = item(canvas, name, {width, list_line_height(canvas)});
    if (state.is_focused) call_item(canvas, state, concat(text, ", ", number));
    if (state.is_hovered)
        fill_box({state.min.x - 4, state.min.y}, {state.max.x + 2, state.max.y}, canvas.palette.lit, 4);
    const TextStyle style = body(canvas);
    const float room = width - text_size(style, number).x - 8;
    draw_text_in(state.min, state.max, {0, 0.5F}, style, shortened(style, text, room));
    draw_text_in(state.min, state.max, {1, 0.5F}, style, number);
    return state.is_pressed;
}

}  // namespace

// Not inlined: short texts do without, and it comes with a later part of the page.
[[gnu::noinline]] void put_token_search(UiFrame& frame) {
    std::string& wanted = inspector_memory(frame.memory).wanted_token;
    text_field(frame, "find", wanted, ImGui::GetContentRegionAvail().x, "Find a token");
    if (wanted.empty()) return;
    const std::vector<int> found = tokens_with(frame.evaluation, wanted);
    for (std::size_t i = 0; i < std::min(found.size(), kMostFound); ++i) {
        const int token = found[i];
        if (!put_line(frame, concat("found=", token), token_text(frame.evaluation, token), concat(token))) continue;
        if (!frame.state.view.cell || frame.state.view.cell->row != token) pin_token(frame.next.view, token);
    }
    const bool is_cut = found.size() > kMostFound;
    if (is_cut || found.empty())
        put_text(small(frame), found.empty() ? "No token has this in it."
                                             : concat(found.size() - kMostFound, " more: type more letters"));
    ImGui::Dummy({1, 4});
}

// As above.
[[gnu::noinline]] void put_strongest(UiFrame& frame) {
    const TensorId stage = frame.state.view.stage;
    InspectorMemory& memory = inspector_memory(frame.memory);
    const int head = head_of(frame.state.view);
    if (!memory.shows_strongest) {
        TextStyle link = small(frame);
        link.color = frame.palette.link;
        const std::string label = concat("the ", kNumStrongest, " strongest cells of head ", head + 1);
        memory.shows_strongest = text_link(frame, "strongest", link, label);
        return;
    }
    put_heading(frame, concat("STRONGEST OF HEAD ", head + 1));
    if (!frame.evaluation.is_complete()) {
        put_text(small(frame), "They come when all is computed.");
        return;
    }
    const Blanks blanks(frame.state);
    StrongestOf& of = memory.strongest_of;
    const StrongestOf wanted = {.version = frame.version, .stage = stage, .head = head, .blanks = blanks.name()};
    if (of != wanted) memory.strongest = strongest_cells(frame.evaluation, stage, head, blanks);
    of = wanted;
    begin_list(frame, "strongest cells", static_cast<int>(memory.strongest.size()), kNumStrongest);
    for (const StrongCell& strong : memory.strongest) {
        const Cell& cell = strong.cell;
        const std::string text =
            from_to(token_text(frame.evaluation, cell.row), token_text(frame.evaluation, cell.column));
        if (put_line(frame, concat("strong=", cell.row, ",", cell.column), text, shown_number(strong.value, 3)))
            frame.next.view.cell = cell;
    }
    end_list(frame);
    TextStyle link = small(frame);
    link.color = frame.palette.link;
    if (text_link(frame, "strongest", link, "hide them")) memory.shows_strongest = false;
}

}  // namespace attn
