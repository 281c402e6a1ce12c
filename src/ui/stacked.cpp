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

constexpr int kMostHeads = 6;  // drawn one by one
constexpr float kGap = 16;
constexpr float kTitle = kSmallSize + 8;  // above a block: its name, and the line in the head's colour

// A matrix with its name, as the picture shows it.
struct Block {
    std::string name;
    Matrix values;
    int first_column = 0;  // of the whole matrix
    int head_dim = 1;
    bool has_tokens = false;  // rows are tokens; else they are d_in
    bool is_result = false;   // an arrow stands before it
    ColorRange range = {};
};

}  // namespace

// What is slow to compute; for one evaluation.
struct StackedMemory {
    int version = -1;
    std::uint64_t count = 0;
    StackedHeads stacked;
    std::vector<std::vector<Block>> singles;  // of each head that is drawn
    std::vector<Block> whole;                 // the large matrices
    Block difference;
};

namespace {

struct Role {
    const char* name;
    Matrix Projections::* matrix;
};
constexpr std::array<Role, 3> kRoles = {
    {{"w_query", &Projections::w_query}, {"w_key", &Projections::w_key}, {"w_value", &Projections::w_value}}};

// The matrices of a problem: X alone where queries, keys and values are X.
void add_matrices(const AttentionProblem& problem, int first_column, int head_dim, std::vector<Block>& blocks) {
    if (problem.projections.w_query.size() == 0) {
        blocks.push_back({.name = "X",
                          .values = problem.embeddings,
                          .first_column = first_column,
                          .head_dim = head_dim,
                          .has_tokens = true});
        return;
    }
    for (const Role& role : kRoles) {
        blocks.push_back({.name = role.name,
                          .values = problem.projections.*role.matrix,
                          .first_column = first_column,
                          .head_dim = head_dim});
    }
}

Matrix columns_of(const Matrix& matrix, int first, int count) {
    Matrix columns = zeros<Matrix>(matrix.shape(0), count);
    for (int i = 0; i < length(matrix, 0); ++i) {
        for (int c = 0; c < count; ++c) columns(i, c) = matrix(i, first + c);
    }
    return columns;
}

Block context_block(std::string name, const Matrix& values, int first_column, int head_dim) {
    return {.name = std::move(name),
            .values = values,
            .first_column = first_column,
            .head_dim = head_dim,
            .has_tokens = true,
            .is_result = true};
}

// One scale for all learned matrices (or X), and one for all contexts.
void set_ranges(StackedMemory& memory) {
    float largest_input = 0;
    for (std::size_t k = 0; k + 1 < memory.whole.size(); ++k) {
        largest_input = std::max(largest_input, largest_number(memory.whole[k].values));
    }
    const float largest_result = largest_number(memory.whole.back().values);
    const auto set = [&](Block& block) {
        block.range = diverging_range(block.is_result ? largest_result : largest_input);
    };
    for (std::vector<Block>& blocks : memory.singles) std::for_each(blocks.begin(), blocks.end(), set);
    std::for_each(memory.whole.begin(), memory.whole.end(), set);
    memory.difference.range = diverging_range(memory.stacked.largest);
}

void compute(const UiFrame& frame, StackedMemory& memory) {
    const AttentionProblem& problem = *frame.evaluation.problem;
    const int head_dim = problem.head_dim();
    memory = {.version = frame.version,
              .count = memory.count + 1,
              .stacked = stack_heads(frame.evaluation),
              .singles = {},
              .whole = {},
              .difference = {}};
    for (int h = 0; h < std::min(memory.stacked.num_heads, kMostHeads); ++h) {
        std::vector<Block>& blocks = memory.singles.emplace_back();
        add_matrices(single_head_problem(problem, h), h * head_dim, head_dim, blocks);
        blocks.push_back(context_block("context", columns_of(memory.stacked.concatenated, h * head_dim, head_dim),
                                       h * head_dim, head_dim));
    }
    add_matrices(problem, 0, head_dim, memory.whole);
    memory.whole.push_back(context_block("merged", memory.stacked.merged, 0, head_dim));
    memory.difference = context_block("difference", memory.stacked.difference, 0, head_dim);
    memory.difference.is_result = false;
    set_ranges(memory);
}

// How the blocks are drawn: the same cells for all of them, where they are not too many.
struct Look {
    ImVec2 cell = {};
    ImVec2 largest = {};  // block
};

// For blocks of which `beside` stand side by side in `width`.
Look look_for(std::span<const Block> blocks, std::size_t beside, float width) {
    constexpr std::array<ImVec2, 9> kCells = {
        {{40, 22}, {34, 22}, {28, 20}, {24, 20}, {16, 16}, {12, 12}, {8, 8}, {6, 6}, {4, 4}}};
    constexpr float kHighest = 260;
    const auto count = static_cast<float>(beside);
    const float share = std::max(40.0F, (width - count * (kGap + 8)) / count);
    Look look = {.cell = kCells.back(), .largest = {share, kHighest}};
    for (const ImVec2 cell : kCells) {
        const bool fits = std::all_of(blocks.begin(), blocks.end(), [&](const Block& block) {
            return cell.x * static_cast<float>(length(block.values, 1)) <= share &&
                   cell.y * static_cast<float>(length(block.values, 0)) <= kHighest;
        });
        if (!fits) continue;
        look.cell = cell;
        break;
    }
    return look;
}

ImVec2 size_of(const Look& look, const Block& block) {
    return {std::min(look.cell.x * static_cast<float>(length(block.values, 1)), look.largest.x),
            std::min(look.cell.y * static_cast<float>(length(block.values, 0)), look.largest.y)};
}

float width_of(const UiFrame& frame, const Look& look, const Block& block) {
    const float arrow = block.is_result ? 22.0F : 0.0F;
    return arrow + std::max(size_of(look, block).x, text_size(small(frame), block.name).x);
}

void draw_readout(const UiFrame& frame, const Block& block, const Place& place) {
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
void draw_block(const UiFrame& frame, const StackedMemory& memory, const Look& look, const Block& block, int slot,
                ImVec2 corner) {
    const ImVec2 size = size_of(look, block);
    if (block.is_result) {
        draw_icon(Icon::arrow, {corner.x + 7, corner.y + kTitle + size.y / 2}, 12, frame.palette.soft_ink);
        corner.x += 22;
    }
    draw_text(corner, small(frame), block.name);
    MatrixMap map = {.values = block.values, .range = block.range, .slot = slot, .version = own_version(memory.count)};
    map.corner = on_pixel({corner.x, corner.y + kTitle});
    map.size = size;
    map.shows_values = shows_part(frame, "values");
    const bool is_dark = frame.palette.is_dark;
    map.band = [&block, is_dark](int column) {
        return to_imgui(head_color((block.first_column + column) / block.head_dim, is_dark));
    };
    if (ImGui::IsWindowHovered()) map.lit = map.place_at(ImGui::GetMousePos());
    // Zeros have the colour of the paper: without a line around them a difference of 0 would be nothing at all.
    if (&block == &memory.difference) {
        frame_box(map.corner, {map.corner.x + size.x, map.corner.y + size.y}, frame.palette.line, 1, 2);
    }
    draw_matrix_map(frame, map);
    if (map.lit && !frame.surroundings.is_touch) draw_readout(frame, block, *map.lit);
}

// Blocks side by side from the cursor on, `slot` the first one's in the renderer; returns the width they took.
float put_blocks(const UiFrame& frame, const StackedMemory& memory, const Look& look, std::span<const Block> blocks,
                 int slot) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float x = corner.x;
    float height = 0;
    for (const Block& block : blocks) {
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
    for (int h = 0; h < static_cast<int>(memory.singles.size()); ++h) {
        const std::vector<Block>& blocks = memory.singles[static_cast<std::size_t>(h)];
        float needed = kGap;
        for (const Block& block : blocks) needed += width_of(frame, look, block) + kGap;
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
    if (memory.version != frame.version) compute(frame, memory);
    const Sizes& sizes = frame.evaluation.sizes;

    ImGui::BeginChild("stacked", {0, 0}, ImGuiChildFlags_NavFlattened);
    const float width = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
    constexpr float kTwoHeads = 600;  // wide enough for two heads side by side
    const std::span<const Block> single = memory.singles.front();
    const std::size_t num_beside = memory.singles.size() > 1 && width >= kTwoHeads ? 2 : 1;
    const Look small_look = look_for(single, num_beside * single.size(), width);
    const Look look = look_for(memory.whole, memory.whole.size(), width);
    ImGui::Dummy({1, 2});
    put_wrapped_text(bold(frame), concat("One by one or cut from one matrix: ", stacked_in_words(memory.stacked)));

    put_heading(frame, concat("One by one: ", counted(sizes.num_heads, "small layer"), " of ", sizes.d_in, " → ",
                              sizes.head_dim()));
    put_code(frame, "torch.cat([head(x) for head in heads], dim=-1)");
    const int num_drawn = static_cast<int>(memory.singles.size());
    int slot = put_singles(frame, memory, small_look, width);
    if (num_drawn < sizes.num_heads) {
        put_wrapped_text(small(frame), concat("Drawn are the first ", num_drawn, " of ", sizes.num_heads, " heads."));
    }
    if (memory.stacked.num_heads < sizes.num_heads) {
        put_wrapped_text(small(frame), concat("So many scores take long: only the first ", memory.stacked.num_heads,
                                              " of ", sizes.num_heads, " heads are computed again and compared."));
    }

    put_heading(frame, concat("One matrix a role: ", sizes.d_in, " → ", sizes.d_out, ", its columns cut into ",
                              counted(sizes.num_heads, "head")));
    put_code(frame, "(x @ w_query).view(b, T, num_heads, head_dim).transpose(1, 2)");
    put_blocks(frame, memory, look, memory.whole, slot);
    slot += static_cast<int>(memory.whole.size());

    put_heading(frame, "The heads' contexts side by side − merged");
    put_wrapped_text(small(frame),
                     "The columns under a colour are the same numbers in both: a head never looks into "
                     "another head's columns.");
    put_blocks(frame, memory, look, std::span(&memory.difference, 1), slot);
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
