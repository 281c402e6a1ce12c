// The choice of head, query and channels, and how the parts share the room.
#include "ui/vectors/vectors.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/stepper.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/vectors/vectors_picture.h"

namespace attn {
namespace {

constexpr int kMostSegments = 8;  // more heads are stepped through
constexpr float kGap = 6;
constexpr float kLabelGap = 7;  // between a label and its control
constexpr float kFarGap = 14;
constexpr float kBesideEachOther = 540;  // points: narrower, the drawings stand one under the other
constexpr float kBetween = 18;           // the two drawings

const HeadPlanes& planes_of(Display& display, int head) {
    if (!display.memory.vectors) display.memory.vectors = std::make_shared<VectorsMemory>();
    VectorsMemory& memory = *display.memory.vectors;
    const Plane& plane = display.state.view.plane;
    if (memory.version != display.version || memory.head != head || memory.plane != plane) {
        memory.planes = head_planes(display.evaluation, head, plane);
        memory.version = display.version;
        memory.head = head;
        memory.plane = plane;
    }
    return memory.planes;
}

// Goes on in the same line with a group of `width`, or in a new one.
void flow_to(float width, float distance) {
    ImGui::SameLine(0, distance);
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

void look_at_head(Wishes& wishes, int head) {
    View& view = wishes.next.view;
    view.head = head;
    if (view.cell && stage_info(view.stage).has_heads) view.cell->head = head;
}

void put_label(const Look& look, std::string_view label) {
    put_text(body(look), label, control_height(look));
    ImGui::SameLine(0, kLabelGap);
}

float label_width(const Display& display, std::string_view label) {
    return text_size(body(display), label).x + kLabelGap;
}

void put_head_choice(UiFrame& frame, int head) {
    const int count = frame.evaluation.sizes.num_heads;
    if (count > kMostSegments) {
        const StepperLook look = {.can_decrease = head > 0, .can_increase = head + 1 < count, .label = "head"};
        const std::string value = concat(head + 1);
        put_label(frame, "head");
        const StepperEvent event = stepper(frame, "head", value, look, stepper_width(frame, value));
        if (event.step != 0) look_at_head(frame, head + event.step);
        if (event.typed) {
            set_value(frame, "head", *event.typed);
            look_at_head(frame, std::clamp(frame.state.view.head.value_or(head), 0, count - 1));
        }
        return;
    }
    std::vector<Segment> segments;
    for (int h = 0; h < count; ++h) segments.push_back({.name = concat("head=", h + 1), .label = concat(h + 1)});
    put_label(frame, "head");
    const float width = segmented_width(frame, segments);
    ImGui::BeginGroup();
    const auto chosen = segmented(frame, segments, head, width, "head");
    ImGui::EndGroup();
    if (chosen) look_at_head(frame, *chosen);
}

// "query ‹ brush ›"
void put_query_choice(const VectorsPicture& picture) {
    constexpr float kWidestToken = 110;
    Display& display = picture.frame;
    const VectorChoice& choice = picture.plane.choice;
    const int last = display.evaluation.num_tokens() - 1;
    const float side = control_height(display) + 4;
    const std::string token = shortened(bold(display), token_text(display.evaluation, choice.query), kWidestToken);
    const float token_width = std::max(text_size(bold(display), token).x, 60.0F);
    if (display.evaluation.sizes.num_heads > 1)
        flow_to(label_width(display, "query") + 2 * side + token_width + 2 * kGap, kFarGap);
    put_label(display, "query");
    // The buttons are 4 points higher than the other controls.
    const ImVec2 corner = {ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y - 2};
    ImGui::SetCursorScreenPos(corner);
    if (icon_button(display, "query-", Icon::left, "Previous token", choice.query > 0))
        choose_query(picture, choice.query - 1);
    const float left = corner.x + side + kGap;
    draw_text_in({left, corner.y}, {left + token_width, corner.y + side}, {0.5F, 0.5F}, bold(display), token);
    ImGui::SameLine(0, 0);
    ImGui::SetCursorScreenPos({left + token_width + kGap, corner.y});
    if (icon_button(display, "query+", Icon::right, "Next token", choice.query < last))
        choose_query(picture, choice.query + 1);
}

// The next channel in this direction that is not the other one; nothing beyond the ends.
std::optional<int> next_channel(int channel, int other, int step, int count) {
    channel += step;
    if (channel == other) channel += step;
    return channel >= 0 && channel < count ? std::optional(channel) : std::nullopt;
}

void put_channel(const VectorsPicture& picture, bool is_y) {
    UiFrame& frame = picture.frame;
    const Plane plane = frame.state.view.plane;
    const int here = is_y ? plane.y : plane.x;
    const int other = is_y ? plane.x : plane.y;
    const int count = picture.plane.head_dim;
    const std::optional<int> less = next_channel(here, other, -1, count);
    const std::optional<int> more = next_channel(here, other, 1, count);
    const std::string value = concat(here);
    const float width = stepper_width(frame, value);
    const std::string_view label = is_y ? "y" : "x";
    flow_to(label_width(frame, label) + width, 12);
    put_label(frame, label);
    const StepperLook look = {.can_decrease = less.has_value(),
                              .can_increase = more.has_value(),
                              .label = is_y ? "channel on the y axis" : "channel on the x axis"};
    const StepperEvent event = stepper(frame, concat("plane ", label), value, look, width);
    const auto choose = [&](std::string_view channel) {
        set_value(frame, "plane", is_y ? concat(other, ",", channel) : concat(channel, ",", other));
    };
    if (event.step < 0) choose(concat(*less));
    if (event.step > 0) choose(concat(*more));
    if (event.typed) choose(*event.typed);
}

void put_plane_choice(const VectorsPicture& picture) {
    if (!picture.plane.is_projection()) return;
    UiFrame& frame = picture.frame;
    const Plane plane = frame.state.view.plane;
    const std::vector<Segment> segments = {{.name = "plane=channels", .label = "channels"},
                                           {.name = "plane=principal", .label = "principal"}};
    const float width = segmented_width(frame, segments);
    flow_to(label_width(frame, "plane") + width, kFarGap);
    put_label(frame, "plane");
    ImGui::BeginGroup();
    const auto chosen = segmented(frame, segments, plane.is_principal ? 1 : 0, width, "plane");
    ImGui::EndGroup();
    if (chosen) set_value(frame, "plane", *chosen == 1 ? "principal" : "0,1");
    if (plane.is_principal || picture.plane.head_dim <= 2) return;
    put_channel(picture, false);
    put_channel(picture, true);
}

void put_bar(const VectorsPicture& picture) {
    ImGui::Dummy({1, 2});
    if (picture.frame.evaluation.sizes.num_heads > 1) put_head_choice(picture.frame, picture.plane.choice.head);
    put_query_choice(picture);
    put_plane_choice(picture);
    const int num_left_out = picture.plane.num_left_out();
    if (num_left_out == 0) return;
    const TextStyle style = small(picture.frame);
    put_wrapped_text(style, concat("Only the ", picture.plane.drawn.size(), " of ",
                                   with_thousands(static_cast<int>(picture.plane.measures.size())),
                                   " keys with the largest weights are drawn."));
}

// Context and what is made of it: the weights are already used up.
bool is_after_weights(TensorId stage) {
    return stage == TensorId::context || stage == TensorId::merged || stage == TensorId::output;
}

VectorsPicture make_picture(UiFrame& frame) {
    const VectorChoice choice = vector_choice(frame.evaluation, frame.state.view);
    const HeadPlanes& planes = planes_of(frame, choice.head);
    VectorsPicture picture{
        .frame = frame, .planes = planes, .plane = make_vector_plane(frame.evaluation, choice, planes)};
    picture.shows_values = shows_part(frame, "values");
    const Hover& hover = frame.hover;
    const bool has_keys = stage_info(frame.state.view.stage).columns == Axis::key_token;
    if (hover.cell && has_keys && hover.cell->row == choice.query) picture.pointed_key = hover.cell->column;
    picture.pointed_token = hover.token;
    return picture;
}

}  // namespace

void choose_query(const VectorsPicture& picture, int query) {
    View& view = picture.frame.next.view;
    const StageInfo& info = stage_info(view.stage);
    const VectorChoice& choice = picture.plane.choice;
    view.cell = Cell{.head = info.has_heads ? choice.head : 0,
                     .row = query,
                     .column = info.columns != Axis::key_token ? 0 : choice.key.value_or(query)};
}

void choose_key(const VectorsPicture& picture, int key) {
    View& view = picture.frame.next.view;
    if (stage_info(view.stage).columns != Axis::key_token) view.stage = TensorId::weights;
    view.cell = Cell{.head = picture.plane.choice.head, .row = picture.plane.choice.query, .column = key};
}

void point_at_key(const VectorsPicture& picture, int key) {
    UiFrame& frame = picture.frame;
    if (stage_info(frame.state.view.stage).columns != Axis::key_token) {
        frame.next_hover.token = key;
    } else {
        frame.next_hover.cell = Cell{picture.plane.choice.head, picture.plane.choice.query, key};
    }
}

void draw_vectors(UiFrame& frame) {
    const VectorsPicture picture = make_picture(frame);
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    ImGui::BeginChild("vectors", {0, 0}, ImGuiChildFlags_NavFlattened);
    const bool is_first = lacks_height(frame);
    if (!is_first) put_bar(picture);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool is_beside = room.x >= kBesideEachOther;
    const float width = is_beside ? std::floor((room.x - kBetween) / 2) : room.x;
    // The list gets at least four lines; a drawing higher than wide would leave that height empty.
    const float heading = kTextSize + kSmallSize + 24;
    const float below = dot_product_height(picture, room.x) + 7 * kTextSize + 2 * spacing;
    const float most = std::min(width + heading, 560.0F);
    // One below the other, each fits the room, so that it is seen as a whole.
    const float height = is_beside ? std::clamp(room.y - below, std::min(210.0F, most), most)
                                   : std::clamp(room.y - 3 * spacing, 210.0F, std::min(most, 420.0F));
    ImGui::Dummy({1, 2});
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    // One below the other, the drawing of the shown stage comes first.
    const bool is_chain_first = !is_beside && is_after_weights(frame.state.view.stage);
    if (is_chain_first) {
        draw_value_chain(picture, {width, height});
        ImGui::Dummy({1, 6});
    }
    draw_key_plane(picture, {width, height});
    if (is_beside) {
        ImGui::SetCursorScreenPos({corner.x + width + kBetween, corner.y});
        draw_value_chain(picture, {width, height});
    }
    ImGui::Dummy({1, 2});
    if (is_first) put_bar(picture);
    put_dot_product(picture);
    const float rest = ImGui::GetContentRegionAvail().y - spacing;
    put_key_list(picture, is_beside ? rest : 9 * (kTextSize + 3));
    if (!is_beside && !is_chain_first) {
        ImGui::Dummy({1, 6});
        draw_value_chain(picture, {width, height});
    }
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
