// See the header.
#include "ui/split_blocks.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "ui/heads_text.h"
#include "ui/pins.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kLabelWidth = 84;
constexpr float kLabelDistance = 6;
constexpr float kTitle = kSmallSize + 3;
constexpr float kNarrowestTitle = 56;  // "Head 12"
constexpr ImVec2 kBetween = {18, 12};  // blocks
constexpr float kPrinted = 19;         // a smaller cell shows no number
constexpr float kWholeNumber = 54;     // wide enough for four decimals

// From four decimals over two digits to no number at all.
constexpr std::array<ImVec2, 7> kCells = {{{58, 26}, {46, 24}, {34, 22}, {24, 20}, {16, 14}, {10, 10}, {6, 6}}};

ImDrawList& list() {
    return *ImGui::GetWindowDrawList();
}

float scale_of_pixels() {
    return ImGui::GetIO().DisplayFramebufferScale.x;
}

SplitLayout layout_of(const SplitPicture& picture, int phase, float width) {
    const SplitPhase& shape = picture.phases[static_cast<std::size_t>(phase)];
    const SplitBlocks blocks = blocks_of(shape, picture.sizes);
    SplitLayout layout;
    layout.top = shape.is_split ? kTitle : 0;
    layout.left = shape.is_split && !shape.heads_first ? 0 : kLabelWidth + kLabelDistance;
    layout.block = {layout.left + static_cast<float>(blocks.columns) * picture.cell.x,
                    layout.top + static_cast<float>(blocks.rows) * picture.cell.y};
    // A title may be wider than the cells below it.
    if (shape.is_split) layout.block.x = std::max(layout.block.x, layout.left + kNarrowestTitle);
    layout.pitch = {layout.block.x + kBetween.x, layout.block.y + kBetween.y};
    layout.per_row = std::clamp(static_cast<int>((width + kBetween.x) / layout.pitch.x), 1, blocks.count);
    const int down = (blocks.count + layout.per_row - 1) / layout.per_row;
    layout.size = {layout.pitch.x * static_cast<float>(layout.per_row) - kBetween.x,
                   layout.pitch.y * static_cast<float>(down) - kBetween.y};
    return layout;
}

// From the origin of the picture: the top left corner of a block.
ImVec2 block_corner(const SplitLayout& layout, int block) {
    return {static_cast<float>(block % layout.per_row) * layout.pitch.x,
            static_cast<float>(block / layout.per_row) * layout.pitch.y};
}

ImVec2 cell_corner(const SplitPicture& picture, int phase, const SplitElement& element) {
    const SplitLayout& layout = picture.layouts[static_cast<std::size_t>(phase)];
    const SplitPlace place = place_of(picture.phases[static_cast<std::size_t>(phase)], picture.sizes, element);
    const ImVec2 block = block_corner(layout, place.block);
    return {block.x + layout.left + static_cast<float>(place.column) * picture.cell.x,
            block.y + layout.top + static_cast<float>(place.row) * picture.cell.y};
}

ImU32 with_alpha(ImU32 color, float alpha) {
    ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
    parts.w *= alpha;
    return ImGui::ColorConvertFloat4ToU32(parts);
}

// The titles of the blocks and the labels beside their rows.
void draw_words(const SplitPicture& picture, ImVec2 origin, int phase, float alpha) {
    const UiFrame& frame = picture.frame;
    const SplitPhase& shape = picture.phases[static_cast<std::size_t>(phase)];
    const SplitLayout& layout = picture.layouts[static_cast<std::size_t>(phase)];
    const SplitBlocks blocks = blocks_of(shape, picture.sizes);
    TextStyle title = {frame.fonts.sans_bold, kSmallSize, with_alpha(frame.palette.ink, alpha)};
    TextStyle label = {frame.fonts.sans, kSmallSize, with_alpha(frame.palette.ink, alpha)};
    label.size = std::min(label.size, std::max(picture.cell.y, 12.0F));
    const int step = std::max(1, static_cast<int>(std::ceil(label.size * 0.87F / picture.cell.y)));
    for (int block = 0; block < blocks.count; ++block) {
        const ImVec2 corner = block_corner(layout, block);
        const ImVec2 place = {origin.x + corner.x, origin.y + corner.y};
        if (place.y > list().GetClipRectMax().y || place.y + layout.block.y < list().GetClipRectMin().y) continue;
        if (shape.is_split) {
            const std::string text =
                shape.heads_first ? concat("Head ", block + 1) : token_text(frame.evaluation, block);
            draw_text({place.x + layout.left, place.y}, title, shortened(title, text, layout.block.x - layout.left));
        }
        for (int row = 0; layout.left > 0 && row < blocks.rows; row += step) {
            const float top = place.y + layout.top + static_cast<float>(row) * picture.cell.y;
            draw_level(label, {place.x, top}, {place.x + kLabelWidth, top + picture.cell.y}, {1, 0.5F},
                       scale_of_pixels(), shortened(label, token_text(frame.evaluation, row), kLabelWidth));
        }
    }
}

// The ground of a number: its head's colour, so pale that ink stays legible on it.
ImU32 ground_of(const SplitPicture& picture, int head) {
    const Palette& palette = picture.frame.palette;
    return mix(palette.paper, to_imgui(head_color(head, palette.is_dark)), palette.is_dark ? 0.42F : 0.3F);
}

void draw_number(const SplitPicture& picture, const SplitElement& element, ImVec2 min, ImVec2 max) {
    const UiFrame& frame = picture.frame;
    if (!picture.shows_values || max.x - min.x < kPrinted || max.y - min.y < kPrinted - 1) return;
    const auto value = static_cast<double>(split_number(frame.evaluation, picture.tensor, element));
    TextStyle style = {frame.fonts.sans, kSmallSize, frame.palette.ink};
    const std::string text = picture.cell.x >= kWholeNumber ? shown_number(value) : cell_number(value);
    const float room = max.x - min.x - 4;
    const float width = text_size(style, text).x;
    if (width > room) style.size = std::floor(style.size * room / width);
    draw_level(style, min, max, {0.5F, 0.5F}, scale_of_pixels(), text);
}

template <class Use>
void for_each_element(const Sizes& sizes, const Use& use) {
    for (int token = 0; token < sizes.num_tokens; ++token) {
        for (int head = 0; head < sizes.num_heads; ++head) {
            for (int channel = 0; channel < sizes.head_dim(); ++channel) {
                use(SplitElement{.token = token, .head = head, .channel = channel});
            }
        }
    }
}

}  // namespace

void arrange(SplitPicture& picture, float width, float height) {
    for (const ImVec2 cell : kCells) {
        picture.cell = cell;
        ImVec2 largest = {0, 0};
        for (int phase = 0; phase < kNumPhases; ++phase) {
            SplitLayout& layout = picture.layouts[static_cast<std::size_t>(phase)];
            layout = layout_of(picture, phase, width);
            largest = {std::max(largest.x, layout.size.x), std::max(largest.y, layout.size.y)};
        }
        // What is too high scrolls; below two digits a number, smaller cells help nobody to see more.
        if (largest.x <= width && (largest.y <= height || cell.x <= 34)) return;
    }
}

void draw_blocks(const SplitPicture& picture, ImVec2 origin, int from, int to, float progress) {
    // The words of the shape that is left go first, those of the other come last.
    draw_words(picture, origin, progress < 0.5F ? from : to, std::abs(2 * progress - 1));
    const ImVec2 clip_min = list().GetClipRectMin();
    const ImVec2 clip_max = list().GetClipRectMax();
    const float gap = picture.cell.x >= 10 ? 1.0F : 0.5F;
    for_each_element(picture.sizes, [&](const SplitElement& element) {
        const ImVec2 start = cell_corner(picture, from, element);
        const ImVec2 end = cell_corner(picture, to, element);
        const ImVec2 min = {origin.x + start.x + (end.x - start.x) * progress,
                            origin.y + start.y + (end.y - start.y) * progress};
        const ImVec2 max = {min.x + picture.cell.x - gap, min.y + picture.cell.y - gap};
        if (max.y < clip_min.y || min.y > clip_max.y || max.x < clip_min.x || min.x > clip_max.x) return;
        fill_box(min, max, ground_of(picture, element.head), picture.cell.x >= 16 ? 3 : 0);
        draw_number(picture, element, min, max);
    });
}

float draw_memory_order(const SplitPicture& picture, ImVec2 corner, float width, int phase) {
    const UiFrame& frame = picture.frame;
    const SplitPhase& shape = picture.phases[static_cast<std::size_t>(phase)];
    const ImVec2 cell = picture.cell.x >= 34 ? ImVec2(34, 20) : ImVec2(std::max(8.0F, picture.cell.x), 14);
    const std::int64_t all = static_cast<std::int64_t>(picture.sizes.num_tokens) * picture.sizes.d_out;
    const auto fitting = static_cast<std::int64_t>((width - 16) / cell.x);
    const std::int64_t count = std::min(all, fitting);
    for (std::int64_t order = 0; order < count; ++order) {
        const SplitElement element = element_at(shape, picture.sizes, order);
        const ImVec2 min = {corner.x + static_cast<float>(order) * cell.x, corner.y};
        const ImVec2 max = {min.x + cell.x - 1, min.y + cell.y};
        fill_box(min, max, ground_of(picture, element.head), 2);
        if (!picture.shows_values || cell.x < kPrinted) continue;
        const auto value = static_cast<double>(split_number(frame.evaluation, picture.tensor, element));
        draw_level({frame.fonts.sans, kSmallSize, frame.palette.ink}, min, max, {0.5F, 0.5F}, scale_of_pixels(),
                   cell_number(value));
    }
    if (count < all) {
        draw_text({corner.x + static_cast<float>(count) * cell.x + 2, corner.y + (cell.y - kSmallSize) / 2},
                  small(frame), "…");
    }
    return cell.y;
}

}  // namespace attn
