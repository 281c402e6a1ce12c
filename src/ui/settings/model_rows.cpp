// What a model leaves to the visitor, and in one sentence what it decides.
#include "ui/settings/model_rows.h"

#include <memory>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"
#include "playground/state/words.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

// The layer and what the model decides, in the place of the controls of drawn matrices.
void put_open_model(UiFrame& frame, const OpenModel& model) {
    const Inputs& inputs = frame.state.inputs;
    const ModelShape& shape = model.shape();
    put_remark(frame, concat(inputs.model, ": ", shape.kind, ", ", counted(shape.num_layers, "layer"), " of ",
                             counted(shape.num_heads, "head")));
    if (!shows_part(frame, "stages")) {  // else they stand before the stages
        std::vector<int> layers;
        for (int layer = 1; layer <= shape.num_layers; ++layer) layers.push_back(layer);
        number_row(frame, "layer", concat(inputs.layer + 1), steps_along(layers, inputs.layer + 1));
    }
    if (!inputs.off.empty()) {
        choice_row(frame, "off_by");
        SettingRow row(frame, "off");
        const std::string label = concat("switch ", inputs.off.size(), " on");
        row.place_control(text_size(body(frame), label).x + 24);
        if (button(frame, "off=", label)) frame.next.inputs.off.clear();
    }
    if (!inputs.patches.empty()) {
        SettingRow row(frame, "patch");
        const std::string label = concat("take ", inputs.patches.size(), " out");
        row.place_control(text_size(body(frame), label).x + 24);
        if (button(frame, "patch=", label)) frame.next.inputs.patches.clear();
    }
    const auto fixed = [&](std::string_view name, const auto& value) { return concat(", ", name, " ", value); };
    put_remark(frame, concat("The model decides: d_in ", inputs.d_in, fixed("d_out", inputs.d_out),
                             fixed("heads", inputs.num_heads), ", head_dim ", inputs.d_out / inputs.num_heads,
                             inputs.num_kv_heads > 0 ? fixed("key heads", inputs.num_kv_heads) : "",
                             fixed("mask", word_of(kMaskWords, inputs.mask)),
                             inputs.mask_window > 0 ? concat(", the last ", counted(inputs.mask_window, "token")) : "",
                             fixed("scale", word_of(kScaleWords, inputs.scale))));
}

}  // namespace

void put_edits(UiFrame& frame) {
    if (hides_control(frame.state.view, "edit")) return;
    const std::vector<Edit>& edits = frame.state.inputs.edits;
    SettingRow row(frame, "edit");
    TextStyle style = body(frame);
    if (edits.empty()) {
        style.color = frame.palette.soft_ink;
        const float width = row.place_control(text_size(style, "none").x);
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        ImGui::Dummy({width, control_height(frame)});
        draw_text_in(corner, {corner.x + width, corner.y + control_height(frame)}, {0, 0.5F}, style, "none");
        return;
    }
    const std::string label = concat("revert ", with_thousands(static_cast<std::int64_t>(edits.size())));
    row.place_control(text_size(style, label).x + 24);
    if (button(frame, "edit=", label)) frame.next.inputs.edits.clear();
}

// Not inlined: the first picture has no model.
[[gnu::noinline]] void put_model_rows(UiFrame& frame) {
    if (const std::shared_ptr<const OpenModel> model = open_model_of(frame.state.inputs)) {
        put_open_model(frame, *model);
        put_edits(frame);
    } else {
        put_remark(frame, concat(frame.state.inputs.model,
                                 " is not loaded. Showing random matrices until you open its files."));
    }
    const LockScope lock(frame, "model", frame.palette.panel);
    if (button(frame, "model=", "Random matrices instead")) make_random(frame.next.inputs);
}

}  // namespace attn
