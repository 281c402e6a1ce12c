// The map beside the table shows what the numbers do in the selected number's head. It follows the state, so each
// accepted number shows at once.
#include "ui/edit/edit_map.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/stage_labels.h"
#include "playground/numbers/stage_range.h"
#include "ui/frame/layout.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/matrix_map.h"

namespace attn {
namespace {

constexpr float kLeast = 200;  // points: a smaller map says little
constexpr float kLargest = 560;
constexpr float kLargestCell = 64;
constexpr float kGap = 20;
constexpr float kTitle = kTextSize + 8;

// The stage that shows the tensor's effect: values do not change the weights, and w_out changes only the output.
TensorId stage_of(TensorId tensor) {
    switch (tensor) {
        case TensorId::values:
        case TensorId::w_value:
        case TensorId::b_value:
            return TensorId::context;
        case TensorId::w_out:
        case TensorId::b_out:
            return TensorId::output;
        default:
            return TensorId::weights;
    }
}

// X, what makes latents of it or position keys, and the mask belong to all heads: the enlarged one, else the first.
int head_of(const EditPicture& picture) {
    const View& view = picture.frame.state.view;
    const bool is_of_all = picture.tensor == TensorId::embeddings || picture.tensor == TensorId::w_down_query ||
                           picture.tensor == TensorId::w_down_kv || picture.tensor == TensorId::w_key_rope ||
                           picture.tensor == TensorId::q_norm || picture.tensor == TensorId::k_norm ||
                           picture.is_mask();
    if (is_of_all) return view.head.value_or(0);
    const Sizes& sizes = picture.frame.evaluation.sizes;
    if (picture.tensor == TensorId::w_query_rope) return picture.memory.end.column / sizes.rope_dim;
    if (picture.tensor == TensorId::sink_logits) return picture.memory.end.column;
    const int head = picture.memory.end.column / sizes.head_dim();
    return is_shared_by_heads(picture.tensor) ? head * sizes.heads_per_kv_head() : head;
}

}  // namespace

EditRoom edit_room(const EditPicture& picture, ImVec2 room, ImVec2 table) {
    if (picture.frame.evaluation.num_tokens() > kMostMapped) return {.table = room, .map = {}};
    const float beside = std::max(room.x - table.x - kGap, room.x * 0.36F);
    if (beside >= kLeast && room.y >= kLeast)
        return {
            .table = {room.x - beside, room.y}, .map = {beside - kGap, room.y}, .corner = {room.x - beside + kGap, 0}};
    const float below = room.y - table.y - kGap;
    if (below < kLeast) return {.table = room, .map = {}};
    return {.table = {room.x, room.y - below}, .map = {room.x, below}, .corner = {0, room.y - below}};
}

void draw_edit_map(const EditPicture& picture, ImVec2 corner, ImVec2 room) {
    const UiFrame& frame = picture.frame;
    EditMap& shown = picture.memory.map;
    const TensorId stage = stage_of(picture.tensor);
    const StageInfo& info = stage_info(stage);
    const int head = info.has_heads ? head_of(picture) : 0;
    const Blanks blanks(frame.state);
    if (shown.version != frame.version || shown.stage != stage || shown.head != head || shown.blanks != blanks.name()) {
        shown.version = frame.version;
        shown.stage = stage;
        shown.head = head;
        shown.blanks = blanks.name();
        shown.values = shown_matrix(frame.evaluation, stage, head);
        blanks.take_out(shown.values, stage, head);
        ++shown.count;
    }
    std::string title = info.has_heads ? concat(info.name, ", head ", head + 1) : std::string(info.name);
    draw_text(corner, bold(frame), shortened(bold(frame), title, room.x));

    MatrixMap map = {.values = shown.values, .version = own_version(shown.count)};
    const float largest = largest_number(shown.values);
    map.range = diverging_range(largest);
    if (!info.is_signed) {
        const bool has_many = frame.evaluation.num_tokens() > kManyTokens && largest > 0;
        map.range = {.map = ColorMap::sequential, .low = 0, .high = has_many ? largest : 1};
    }
    map.shows_values = shows_part(frame, "values");
    const Evaluation& evaluation = frame.evaluation;
    map.row_label = [&evaluation](int row) { return token_text(evaluation, row); };
    map.column_label = [](int column) { return concat(column); };
    map.left = attn::label_width(frame, map.num_rows(), map.row_label, room.x / 3) + 8;
    map.top = kMapLabelSize + 4;
    map.corner = on_pixel({corner.x + map.left, corner.y + kTitle + map.top});
    const float width = std::min(room.x - map.left, kLargest);
    const float height = std::min(room.y - kTitle - map.top, kLargest);
    const float cell = std::min(
        {width / static_cast<float>(map.num_columns()), height / static_cast<float>(map.num_rows()), kLargestCell});
    map.size = {cell * static_cast<float>(map.num_columns()), cell * static_cast<float>(map.num_rows())};
    draw_matrix_map(frame, map);
    ImGui::SetCursorScreenPos(map.corner);
    ImGui::Dummy(map.size);
    record_item(picture.frame, "edit map");
}

}  // namespace attn
