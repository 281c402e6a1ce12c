// See the header.
#include "ui/stacked.h"

#include "playground/stacked_heads.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/check.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "ui/layout.h"
#include "ui/matrix_map.h"
#include "ui/pins.h"
#include "ui/touch.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kGap = 16;
constexpr float kTitle = kSmallSize + 8;  // above a block: its name, and the line in the head's colour

}  // namespace

// What is slow to compute; for one evaluation.
struct StackedMemory {
    int version = -1;
    std::uint64_t count = 0;
    StackedPicture picture;
};

namespace {

// How the blocks are drawn: the same cells for all of them, where they are not too many.
struct Look {
    ImVec2 cell = {};
    ImVec2 largest = {};  // block
};

// For blocks of which `beside` stand side by side in `width`.
Look look_for(std::span<const HeadBlock> blocks, std::size_t beside, float width) {
    constexpr std::array<ImVec2, 9> kCells = {
        {{40, 22}, {34, 22}, {28, 20}, {24, 20}, {16, 16}, {12, 12}, {8, 8}, {6, 6}, {4, 4}}};
    constexpr float kHighest = 260;
    const auto count = static_cast<float>(beside);
    const float share = std::max(40.0F, (width - count * (kGap + 8)) / count);
    Look look = {.cell = kCells.back(), .largest = {share, kHighest}};
    for (const ImVec2 cell : kCells) {
        const bool fits = std::all_of(blocks.begin(), blocks.end(), [&](const HeadBlock& block) {
            return cell.x * static_cast<float>(length(block.values, 1)) <= share &&
                   cell.y * static_cast<float>(length(block.values, 0)) <= kHighest;
        });
        if (!fits) continue;
        look.cell = cell;
        break;
    }
    return look;
}

ImVec2 size_of(const Look& look, const HeadBlock& block) {
    return {std::min(look.cell.x * static_cast<float>(length(block.values, 1)), look.largest.x),
            std::min(look.cell.y * static_cast<float>(length(block.values, 0)), look.largest.y)};
}

float width_of(const UiFrame& frame, const Look& look, const HeadBlock& block) {
    const float arrow = block.is_result ? 22.0F : 0.0F;
    return arrow + std::max(size_of(look, block).x, text_size(small(frame), block.name).x);
}

void draw_readout(const UiFrame& frame, const HeadBlock& block, const Place& place) {
    const int column = block.first_column + place.column;
    const std::string row = block.has_tokens ? token_text(frame.evaluation, place.row) : concat("row ", place.row);
    const std::string where = concat(row, " · head ", column / block.head_dim + 1, " · column ", column);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12, 8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, kRounding);
    if (ImGui::BeginTooltip()) {
        put_text(small(frame), block.name);
        put_text(body(frame), shortened(body(frame), where, 320));
        if (shows_part(frame, "values")) {
            put_text(bold(frame), shown_number(static_cast<double>(block.values(place.row, place.column))));
        }
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar(2);
}

// Draws a block with its name at `corner`; its width is width_of.
void draw_block(const UiFrame& frame, const StackedMemory& memory, const Look& look, const HeadBlock& block, int slot,
                ImVec2 corner) {
    const ImVec2 size = size_of(look, block);
    if (block.is_result) {
        draw_icon(Icon::arrow, {corner.x + 7, corner.y + kTitle + size.y / 2}, 12, frame.palette.soft_ink);
        corner.x += 22;
    }
    draw_text(corner, small(frame), block.name);
    MatrixMap map = {.values = block.values,
                     .range = diverging_range(block.largest),
                     .slot = slot,
                     .version = own_version(memory.count)};
    map.corner = on_pixel({corner.x, corner.y + kTitle});
    map.size = size;
    map.shows_values = shows_part(frame, "values");
    const bool is_dark = frame.palette.is_dark;
    map.band = [&block, is_dark](int column) { return to_imgui(head_color(block.head_of(column), is_dark)); };
    if (ImGui::IsWindowHovered()) map.lit = map.place_at(ImGui::GetMousePos());
    // Zeros have the colour of the paper: without a line around them a difference of 0 would be nothing at all.
    if (&block == &memory.picture.difference) {
        frame_box(map.corner, {map.corner.x + size.x, map.corner.y + size.y}, frame.palette.line, 1, 2);
    }
    draw_matrix_map(frame, map);
    if (map.lit && !frame.surroundings.is_touch) draw_readout(frame, block, *map.lit);
}

// Blocks side by side from the cursor on, `slot` the first one's in the renderer; returns the width they took.
float put_blocks(const UiFrame& frame, const StackedMemory& memory, const Look& look, std::span<const HeadBlock> blocks,
                 int slot) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float x = corner.x;
    float height = 0;
    for (const HeadBlock& block : blocks) {
        draw_block(frame, memory, look, block, slot++, {x, corner.y});
        x += width_of(frame, look, block) + kGap;
        height = std::max(height, kTitle + size_of(look, block).y);
    }
    ImGui::Dummy({x - corner.x - kGap, height});
    return x - corner.x;
}

void put_head_name(const UiFrame& frame, int head) {
    constexpr float kSquare = 11;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float top = corner.y + (kTextSize - kSquare) / 2;
    fill_box({corner.x, top}, {corner.x + kSquare, top + kSquare}, to_imgui(head_color(head, frame.palette.is_dark)),
             3);
    draw_text({corner.x + kSquare + 8, corner.y}, bold(frame), concat("Head ", head + 1));
    ImGui::Dummy({1, kTextSize});
}

// The heads one by one, as many beside each other as there is room for.
int put_singles(const UiFrame& frame, const StackedMemory& memory, const Look& look, float width) {
    int slot = 0;
    float used = 0;
    for (int h = 0; h < static_cast<int>(memory.picture.singles.size()); ++h) {
        const std::vector<HeadBlock>& blocks = memory.picture.singles[static_cast<std::size_t>(h)];
        float needed = kGap;
        for (const HeadBlock& block : blocks) needed += width_of(frame, look, block) + kGap;
        if (h > 0 && used + needed <= width) {
            ImGui::SameLine(0, 2 * kGap);
        } else {
            used = 0;
        }
        used += needed;
        ImGui::BeginGroup();
        put_head_name(frame, h);
        put_blocks(frame, memory, look, blocks, slot);
        ImGui::EndGroup();
        slot += static_cast<int>(blocks.size());
    }
    return slot;
}

void put_code(const UiFrame& frame, std::string_view code) {
    put_wrapped_text({frame.fonts.mono, kMonoSize, frame.palette.soft_ink}, code);
    ImGui::Dummy({1, 2});
}

}  // namespace

void draw_stacked_heads(UiFrame& frame) {
    if (frame.evaluation.is_empty()) return;
    if (!frame.memory.stacked) frame.memory.stacked = std::make_shared<StackedMemory>();
    StackedMemory& memory = *frame.memory.stacked;
    if (memory.version != frame.version) {
        memory = {.version = frame.version, .count = memory.count + 1, .picture = stacked_picture(frame.evaluation)};
    }
    const Sizes& sizes = frame.evaluation.sizes;

    ImGui::BeginChild("stacked", {0, 0}, ImGuiChildFlags_NavFlattened);
    const float width = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
    constexpr float kTwoHeads = 600;  // wide enough for two heads side by side
    const std::span<const HeadBlock> single = memory.picture.singles.front();
    const std::size_t num_beside = memory.picture.singles.size() > 1 && width >= kTwoHeads ? 2 : 1;
    const Look small_look = look_for(single, num_beside * single.size(), width);
    const Look look = look_for(memory.picture.whole, memory.picture.whole.size(), width);
    ImGui::Dummy({1, 2});
    put_wrapped_text(bold(frame),
                     concat("One by one or cut from one matrix: ", stacked_in_words(memory.picture.stacked)));

    put_heading(frame, concat("One by one: ", counted(sizes.num_heads, "small layer"), " of ", sizes.d_in, " → ",
                              sizes.head_dim()));
    put_code(frame, "torch.cat([head(x) for head in heads], dim=-1)");
    const int num_drawn = static_cast<int>(memory.picture.singles.size());
    int slot = put_singles(frame, memory, small_look, width);
    if (num_drawn < sizes.num_heads) {
        put_wrapped_text(small(frame), concat("Drawn are the first ", num_drawn, " of ", sizes.num_heads, " heads."));
    }
    if (memory.picture.stacked.num_heads < sizes.num_heads) {
        put_wrapped_text(small(frame),
                         concat("So many scores take long: only the first ", memory.picture.stacked.num_heads, " of ",
                                sizes.num_heads, " heads are computed again and compared."));
    }

    put_heading(frame, concat("One matrix a role: ", sizes.d_in, " → ", sizes.d_out, ", its columns cut into ",
                              counted(sizes.num_heads, "head")));
    put_code(frame, "(x @ w_query).view(b, T, num_heads, head_dim).transpose(1, 2)");
    put_blocks(frame, memory, look, memory.picture.whole, slot);
    slot += static_cast<int>(memory.picture.whole.size());

    put_heading(frame, "The heads' contexts side by side − merged");
    put_wrapped_text(small(frame),
                     "The columns under a colour are the same numbers in both: a head never looks into "
                     "another head's columns.");
    put_blocks(frame, memory, look, std::span(&memory.picture.difference, 1), slot);
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
