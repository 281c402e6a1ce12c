// The engine without a picture, behind C functions: links in, JSON out. The page's JavaScript calls them
// (web/engine.js), also where there is no canvas to draw on. Each text that is returned lives until the next call of
// any of these functions.
#include <algorithm>
#include <cmath>
#include <string>

#include "embedded/fonts.h"
#include "playground/mirror.h"
#include "playground/state_url.h"
#include "playground/trace_export.h"
#include "playground/colormap.h"

namespace attn {
namespace {

// An export beyond this (a few hundred MiB of text) would not fit beside the rest of the page.
constexpr std::int64_t kMaxExportedNumbers = 1 << 23;

const char* keep(std::string text) {
    static std::string kept;
    kept = std::move(text);
    return kept.c_str();
}

ExportFormat format_of(std::string_view name) {
    return name == "csv" ? ExportFormat::csv : name == "text" ? ExportFormat::text : ExportFormat::json;
}

// Nothing for every stage; an unknown or absent name counts as the stage the link shows.
std::optional<TensorId> stage_of(const PlaygroundState& state, std::string_view name) {
    if (name.empty()) return std::nullopt;
    const std::optional<TensorId> stage = stage_of_name(name);
    return stage && is_present(state.inputs, *stage) ? stage : state.view.stage;
}

std::int64_t count_numbers(const Inputs& inputs, std::optional<TensorId> only) {
    std::int64_t count = 0;
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        const Sizes sizes = sizes_of(inputs, count_tokens(inputs, s));
        for (const TensorId stage : present_stages(inputs)) {
            if (only && *only != stage) continue;
            const Extent extent = stage_extent(sizes, stage);
            count += std::int64_t{stage_info(stage).has_heads ? sizes.num_heads : 1} * extent.rows * extent.columns;
        }
    }
    return count;
}

const EmbeddedFile& font_of(int font) {
    return font == 0 ? kSansRegular : kSansSemiBold;
}

}  // namespace
}  // namespace attn

extern "C" {

// export_trace of a link. `stage` empty: all; `format` json, csv or text. Empty text when the link has more numbers
// than a page can hold (2^23).
const char* engine_trace(const char* link, const char* stage, const char* format) {
    const attn::ReadLink read = attn::read_link(link);
    const std::optional<attn::TensorId> chosen = attn::stage_of(read.state, stage);
    if (attn::count_numbers(read.state.inputs, chosen) > attn::kMaxExportedNumbers) return attn::keep("");
    return attn::keep(attn::export_trace(read.state, read.notes, chosen, attn::format_of(format)));
}

// export_explanation of a cell of the link's shown sentence; head counts from 1. A stage, head or cell that is not
// there is moved to the nearest that is. Empty text for an empty sentence.
const char* engine_explain(const char* link, const char* stage, int head, int row, int column, const char* format) {
    const attn::ReadLink read = attn::read_link(link);
    const attn::PlaygroundState& state = read.state;
    const attn::Evaluation evaluation = attn::evaluate(state.inputs, state.view.sentence);
    if (evaluation.is_empty()) return attn::keep("");
    const attn::TensorId chosen = attn::stage_of(state, stage).value_or(state.view.stage);
    const attn::Extent extent = attn::stage_extent(evaluation.sizes, chosen);
    const int num_heads = attn::stage_info(chosen).has_heads ? evaluation.sizes.num_heads : 1;
    const attn::Explanation explanation = attn::explain(
        *evaluation.problem, evaluation.trace, evaluation.parts, chosen, std::clamp(head, 1, num_heads) - 1,
        std::clamp(row, 0, extent.rows - 1), std::clamp(column, 0, extent.columns - 1));
    return attn::keep(attn::export_explanation(evaluation, explanation, read.notes, attn::format_of(format)));
}

// keys_as_json.
const char* engine_keys() {
    return attn::keep(attn::keys_as_json());
}

// mirror_as_json of a link.
const char* engine_mirror(const char* link) {
    return attn::keep(attn::mirror_as_json(attn::read_link(link)));
}

// map_color as 0xRRGGBB.
int engine_map_color(int is_diverging, int is_dark, double t) {
    const attn::ColorMap map = is_diverging != 0 ? attn::ColorMap::diverging : attn::ColorMap::sequential;
    const attn::Rgb color = attn::map_color(map, is_dark != 0, static_cast<float>(t));
    const auto byte = [](float part) { return static_cast<int>(std::lround(part * 255)); };
    return byte(color.r) << 16 | byte(color.g) << 8 | byte(color.b);
}

// The bytes of a built-in font (0 regular, 1 semibold) and how many they are.
const unsigned char* engine_font_data(int font) {
    return attn::font_of(font).data;
}
int engine_font_size(int font) {
    return static_cast<int>(attn::font_of(font).size);
}

}  // extern "C"
