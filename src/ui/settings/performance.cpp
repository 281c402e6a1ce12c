// The performance card: a table of parts with their times.
#include "ui/settings/performance.h"

#include <array>

#include "core/ground/check.h"
#include "ui/kit/card.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr const char* kPerformanceCard = "performance card";
constexpr float kTableWidth = 500;
constexpr float kRowPadding = 4;
constexpr std::array<float, 4> kColumnEnds = {0.40F, 0.56F, 0.82F, 1.0F};  // of the width; numbers stand at the right

PerformanceMemory& performance_memory(PanelMemory& memory) {
    if (!memory.performance) memory.performance = std::make_shared<PerformanceMemory>();
    return *memory.performance;
}

void ask(UiFrame& frame) {
    PerformanceMemory& memory = performance_memory(frame.memory);
    memory.measured.reset();
    memory.version = frame.version;
    frame.requests.push_back({.kind = UiRequest::Kind::measure, .what = {}, .options = {}, .text = {}, .index = 0});
    frame.widgets.is_moving = true;
}

void put_row(const Look& look, const std::array<std::string_view, 4>& cells, const TextStyle& style, float thickness) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = style.size + 2 * kRowPadding;
    if (thickness > 0) {
        ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + width, corner.y}, look.palette.line, thickness);
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const float begin = k == 0 ? 0 : kColumnEnds[k - 1] * width + 8;
        const float end = kColumnEnds[k] * width;
        draw_text_in({corner.x + begin, corner.y}, {corner.x + end, corner.y + height}, {k == 0 ? 0.0F : 1.0F, 0.5F},
                     style, shortened(style, cells[k], end - begin));
    }
    ImGui::Dummy({width, height});
}

void put_table(const Look& look, const Performance& performance) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 0));
    const bool is_narrow = ImGui::GetContentRegionAvail().x < 420;
    put_row(look, {"", "ms", is_narrow ? "mult.-adds" : "multiply-adds", is_narrow ? "of peak" : "of the peak"},
            small(look), 0);
    const std::vector<PerformanceRow> rows = performance_rows(performance);
    for (const PerformanceRow& row : rows) {
        const bool is_sum = &row == &rows.back();
        put_row(look, {row.part, row.milliseconds, row.multiply_adds, row.share_of_peak},
                is_sum ? bold(look) : body(look), is_sum ? 2.0F : 1.0F);
    }
    ImGui::PopStyleVar();
}

void put_content(UiFrame& frame) {
    const PerformanceMemory& memory = performance_memory(frame.memory);
    if (frame.evaluation.is_empty()) {
        put_wrapped_text(body(frame), "There is nothing to compute: type a word.");
        return;
    }
    if (!frame.evaluation.is_complete()) {
        put_wrapped_text(body(frame), "The numbers are being computed.");
        return;
    }
    if (memory.version != frame.version) ask(frame);
    if (!memory.measured) {
        put_wrapped_text(body(frame), "Measuring …");
        return;
    }
    put_table(frame, *memory.measured);
    for (const std::string& remark : performance_remarks(*memory.measured)) put_wrapped_text(small(frame), remark);
    if (button(frame, "measure", "Measure again")) ask(frame);
}

}  // namespace

void keep_performance(PanelMemory& memory, Performance performance) {
    performance_memory(memory).measured = std::move(performance);
}

void put_performance_link(UiFrame& frame) {
    TextStyle style = small(frame);
    style.color = frame.palette.link;
    if (text_link(frame, "performance", style, "Performance")) {
        performance_memory(frame.memory).version = -1;  // measures again
        ImGui::OpenPopup(kPerformanceCard);
    }
    if (!begin_card(frame, kPerformanceCard, "performance", "Performance", kTableWidth)) return;
    put_content(frame);
    end_card(frame);
}

}  // namespace attn
