// The target at the pinned cell: its share, and how to set or clear it without a pointer.
#include <imgui.h>

#include <cmath>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/text/format.h"
#include "ui/inspector/inspector.h"
#include "ui/kit/fields.h"
#include "ui/kit/widgets.h"
#include "ui/lines/target_tools.h"

namespace attn {
namespace {

// What was typed as a share: 0 or nothing takes the target away, other numbers have to be above 0.
void set_share(Wishes& wishes, const TargetCell& cell, std::string_view typed) {
    const std::optional<double> share = typed.empty() ? 0.0 : parse_number(typed);
    if (!share || !std::isfinite(*share) || *share < 0) {
        wishes.notes = {"target: a share is a number above 0"};
        return;
    }
    TargetCell shared = cell;
    shared.share = *share;
    if (*share > 0) {
        paint_target(wishes.next.inputs, shared);
    } else {
        erase_target(wishes.next.inputs, cell);
    }
}

}  // namespace

void put_target_field(UiFrame& frame, const Cell& pinned) {
    const PlaygroundState& state = frame.state;
    const StageInfo& info = stage_info(state.view.stage);
    const bool has_targets = info.has_heads && info.columns == Axis::key_token;
    if (!has_targets || state.view.cell != pinned) return;  // what is only pointed at has no field
    if (hides_control(state.view, "target") || locks_control(state.view, "target")) return;
    const TargetPair pair = {.query = pinned.row, .key = pinned.column};
    const HeadRange heads = {.first = pinned.head, .end = pinned.head + 1};
    const TargetCell cell = target_cell(state, pinned.head, pair);
    const TargetCell* target = find_target(state.inputs.targets, cell);
    if (target == nullptr) {
        if (hides_key(state.inputs, cell.sentence, cell.query, cell.key)) return;
        TextStyle link = small(frame);
        link.color = frame.palette.link;
        const std::string label = "make it a target: the head should look here";
        if (text_link(frame, "target=set", link, shortened(link, label, ImGui::GetContentRegionAvail().x)))
            paint_pair_now(frame, heads, pair, false);
        return;
    }
    put_wrapped_text(body(frame), concat("Target: ", target_sentence(frame.evaluation, pinned.head, pair)));
    put_text(small(frame), "share", control_height(frame));
    ImGui::SameLine(0, 8);
    const std::string share = exact_number(target->share);
    const std::optional<std::string> typed = edit_field(frame, "share of target", share, 80, 8);
    note_field(frame, "share of target", "share of the target", share);
    if (typed) set_share(frame, cell, *typed);
    ImGui::SameLine();
    if (button(frame, "target=unset", "clear")) paint_pair_now(frame, heads, pair, true);
    call_last_item(frame, "clear the target");
    const double part = share_of_row(state.inputs.targets, cell);
    if (part < 1) put_text(small(frame), concat("divided by its row's sum: ", shown_number(part)));
}

}  // namespace attn
