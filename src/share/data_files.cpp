// See data_files.h. Arrays are filled from the trace stage by stage.
#include "share/data_files.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/check.h"
#include "playground/blanks.h"
#include "playground/notes.h"
#include "playground/shapes.h"
#include "share/npz.h"

namespace attn {
namespace {

using Bytes = Result<std::string>;

std::int64_t num_numbers(const Sizes& sizes, TensorId stage) {
    const Extent extent = stage_extent(sizes, stage);
    return std::int64_t{stage_info(stage).has_heads ? sizes.num_heads : 1} * extent.rows * extent.columns;
}

// A sentence when that many numbers do not belong into one file.
std::string why_too_large(std::string_view what, std::int64_t count) {
    if (count <= kMaxFileNumbers) return "";
    return concat("The file would be too large: ", what, " ", with_thousands(count), " numbers, and at most ",
                  with_thousands(kMaxFileNumbers), " can be written.");
}

// A sentence when the stage is not there or blank.
std::string why_not_written(const PlaygroundState& state, TensorId stage) {
    if (!is_present(state.inputs, stage))
        return concat("There is no stage ", tensor_name(stage), " with these settings.");
    if (Blanks(state).touches(stage))
        return concat("The numbers of ", tensor_name(stage), " are blank here: they cannot be saved.");
    return "";
}

std::vector<Sizes> sizes_of_batch(const Inputs& inputs) {
    std::vector<Sizes> sizes;
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) sizes.push_back(sizes_of(inputs, count_tokens(inputs, s)));
    return sizes;
}

constexpr std::string_view kNoTokens = "The sentence is empty, so there are no numbers to save.";

NpzArray array_of(const Evaluation& evaluation, TensorId stage) {
    NpzArray array = {.name = std::string(tensor_name(stage)), .shape = {}, .numbers = {}};
    for (const int length : stage_shape(evaluation, stage)) array.shape.push_back(length);
    array.numbers.reserve(static_cast<std::size_t>(num_numbers(evaluation.sizes, stage)));
    const int num_heads = stage_info(stage).has_heads ? evaluation.sizes.num_heads : 1;
    for (int head = 0; head < num_heads; ++head) {
        const Matrix matrix = stage_matrix(*evaluation.problem, evaluation.trace, stage, head);
        array.numbers.insert(array.numbers.end(), matrix.begin(), matrix.end());
    }
    return array;
}

template <class Tensor>
NpzArray array_of(TensorId name, const Tensor& tensor) {
    NpzArray array = {.name = std::string(tensor_name(name)), .shape = {}, .numbers = {}};
    for (const std::size_t length : tensor.shape()) array.shape.push_back(static_cast<std::int64_t>(length));
    array.numbers.assign(tensor.begin(), tensor.end());
    return array;
}

// Those that are there.
std::vector<NpzArray> learned_arrays(const Projections& learned) {
    std::vector<NpzArray> arrays;
    const auto add = [&](TensorId name, const auto& tensor) {
        if (tensor.size() > 0) arrays.push_back(array_of(name, tensor));
    };
    add(TensorId::w_query, learned.w_query);
    add(TensorId::w_key, learned.w_key);
    add(TensorId::w_value, learned.w_value);
    add(TensorId::b_query, learned.b_query);
    add(TensorId::b_key, learned.b_key);
    add(TensorId::b_value, learned.b_value);
    add(TensorId::w_out, learned.w_out);
    add(TensorId::b_out, learned.b_out);
    return arrays;
}

// The stages that an NPZ file has.
std::vector<TensorId> written_stages(const PlaygroundState& state) {
    std::vector<TensorId> stages = present_stages(state.inputs);
    const Blanks blanks(state);
    std::erase_if(stages, [&](TensorId stage) { return blanks.touches(stage); });
    return stages;
}

}  // namespace

Result<StageText> StageText::begin(ExportKind kind, const PlaygroundState& state, TensorId stage) {
    std::string refusal = why_not_written(state, stage);
    std::int64_t count = 0;
    for (const Sizes& sizes : sizes_of_batch(state.inputs)) count += num_numbers(sizes, stage);
    if (refusal.empty() && count == 0) refusal = kNoTokens;
    if (refusal.empty()) refusal = why_too_large(concat(tensor_name(stage), " of all sentences have"), count);
    if (!refusal.empty()) return Result<StageText>::failure(std::move(refusal));
    const ExportFormat format = kind == ExportKind::json ? ExportFormat::json : ExportFormat::csv;
    return StageText(kind, TraceWriter(state, {}, stage, format), count);
}

StageText::StageText(ExportKind kind, TraceWriter writer, std::int64_t num_numbers)
    : kind_(kind), writer_(std::move(writer)) {
    constexpr std::int64_t kJsonBytes = 14, kTableBytes = 36;  // of most numbers, with what stands before them
    // A text that grows is copied again and again, each time longer than a frame takes.
    text_.reserve(static_cast<std::size_t>(num_numbers * (kind == ExportKind::json ? kJsonBytes : kTableBytes)));
}

bool StageText::advance(const Evaluation& shown) {
    constexpr std::int64_t kPiece = std::int64_t{1} << 22;  // multiply-adds
    const bool is_done = writer_.advance(kPiece, &shown);
    const std::size_t begin = text_.size();
    text_ += writer_.take_text();
    if (kind_ == ExportKind::tsv) {  // no cell has a comma in it
        std::replace(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end(), ',', '\t');
    }
    return is_done;
}

Bytes write_stage_npy(const PlaygroundState& state, const Evaluation& shown, TensorId stage) {
    std::string refusal = why_not_written(state, stage);
    if (refusal.empty() && shown.is_empty()) refusal = kNoTokens;
    if (refusal.empty()) refusal = why_too_large(concat(tensor_name(stage), " have"), num_numbers(shown.sizes, stage));
    if (!refusal.empty()) return Bytes::failure(std::move(refusal));
    const NpzArray array = array_of(shown, stage);
    return write_npy(array.shape, array.numbers);
}

Bytes write_state_npz(const PlaygroundState& state, const Evaluation& shown) {
    const std::vector<TensorId> stages = written_stages(state);
    const std::vector<Sizes> batch = sizes_of_batch(state.inputs);
    std::int64_t count = 0;
    for (const Sizes& sizes : batch) {
        for (const TensorId stage : stages) count += num_numbers(sizes, stage);
        count += std::int64_t{sizes.num_tokens} * sizes.num_tokens;  // the mask
    }
    if (count == 0) return Bytes::failure(std::string(kNoTokens));
    std::string refusal = why_too_large("all stages have", count);
    if (!refusal.empty()) return Bytes::failure(std::move(refusal));

    std::vector<NpzArray> arrays;
    Projections learned;  // of the whole batch
    for (std::size_t s = 0; s < batch.size(); ++s) {
        const bool is_shown = static_cast<int>(s) == state.view.sentence;
        const Evaluation own = is_shown ? Evaluation() : evaluate(state.inputs, static_cast<int>(s));
        const Evaluation& evaluation = is_shown ? shown : own;
        if (evaluation.is_empty()) continue;
        const std::size_t first = arrays.size();
        for (const TensorId stage : stages) arrays.push_back(array_of(evaluation, stage));
        arrays.push_back(array_of(TensorId::mask, evaluation.problem->hidden));
        if (batch.size() > 1) {
            for (std::size_t a = first; a < arrays.size(); ++a) arrays[a].name = concat(s + 1, "/", arrays[a].name);
        }
        learned = evaluation.problem->projections;
    }
    for (NpzArray& array : learned_arrays(learned)) arrays.push_back(std::move(array));
    return write_npz(arrays);
}

}  // namespace attn
