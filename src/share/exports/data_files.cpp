// Writes stages, masks and matrices as tables and arrays, filled from the trace stage by stage.
#include "share/exports/data_files.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/numbers/memory_needs.h"
#include "playground/numbers/shown_rows.h"
#include "playground/state/cell_window.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "share/formats/npz.h"
#include "share/spreadsheet/spreadsheet.h"

namespace attn {
namespace {

using Bytes = Result<std::string>;

std::int64_t num_numbers(const Sizes& sizes, TensorId stage) {
    const Extent extent = extent_of(sizes, stage);
    return std::int64_t{num_matrices(sizes, stage)} * extent.rows * extent.columns;
}

// A sentence when that many numbers are too many for one file; else empty.
std::string why_too_large(std::string_view what, std::int64_t count) {
    if (count <= kMaxFileNumbers) return "";
    return concat("The file would be too large: ", what, " ", with_thousands(count), " numbers, and at most ",
                  with_thousands(kMaxFileNumbers), " can be written.");
}

// A sentence when the stage is not there or blank.
std::string why_not_written(const PlaygroundState& state, TensorId stage) {
    if (!is_present(state.inputs, stage))
        return concat("There is no stage ", tensor_name(stage), ": ", why_absent(state.inputs, stage), ".");
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
    for (int n = 0; n < num_matrices(evaluation.sizes, stage); ++n) {
        const int head = first_reader(evaluation.sizes, stage, n);
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

// Those that are there, under their names behind `before`.
std::vector<NpzArray> learned_arrays(const Projections& learned, std::string_view before = "") {
    std::vector<NpzArray> arrays;
    for (TensorId id = TensorId::w_query; is_learned(id); id = static_cast<TensorId>(static_cast<int>(id) + 1)) {
        with_learned(learned, id, [&](const auto& tensor) {
            if (tensor.size() == 0) return;
            arrays.push_back(array_of(id, tensor));
            arrays.back().name = concat(before, arrays.back().name);
        });
    }
    return arrays;
}

// What a goal adds: the gradients at the matrices and biases, of all sentences together, and the losses before the
// first step and after each.
std::vector<NpzArray> training_arrays(const TrainingRun& run) {
    std::vector<NpzArray> arrays = learned_arrays(run.training().gradients(), "grad_");
    NpzArray losses = {.name = "losses", .shape = {run.num_steps() + 1}, .numbers = {}};
    for (int step = 0; step <= run.num_steps(); ++step)
        losses.numbers.push_back(static_cast<float>(run.losses()[static_cast<std::size_t>(step)]));
    arrays.push_back(std::move(losses));
    return arrays;
}

// The stages that an NPZ file has. The gradients of matrices and biases are no sentence's: arrays_of_goal has them.
std::vector<TensorId> written_stages(const PlaygroundState& state) {
    std::vector<TensorId> stages = present_stages(state.inputs);
    std::erase_if(stages, [](TensorId stage) { return stage_info(stage).rows != Axis::token; });
    const Blanks blanks(state);
    std::erase_if(stages, [&](TensorId stage) { return blanks.touches(stage); });
    return stages;
}

}  // namespace

std::string export_obstacle(ExportKind kind, const PlaygroundState& state, TensorId stage) {
    std::int64_t most = 0;  // numbers, if each byte were a token
    for (const std::string& text : state.inputs.texts) {
        const auto tokens = static_cast<std::int64_t>(std::min(text.size(), kMaxTokens));
        most += tokens * std::max<std::int64_t>(tokens * state.inputs.num_heads, kMaxModelWidth);
    }
    constexpr std::int64_t kMostStages = 32;
    if (most * kMostStages <= kMaxFileNumbers) return "";
    const bool is_of_all = kind == ExportKind::npz;
    std::int64_t count = 0;
    for (const Sizes& sizes : sizes_of_batch(state.inputs)) {
        if (!is_of_all) count += is_present(state.inputs, stage) ? num_numbers(sizes, stage) : 0;
        if (!is_of_all) continue;
        for (const TensorId written : written_stages(state)) count += num_numbers(sizes, written);
        count += std::int64_t{sizes.num_tokens} * sizes.num_tokens;
    }
    return why_too_large(is_of_all ? std::string("all stages have") : concat(tensor_name(stage), " have"), count);
}

std::string trace_obstacle(const Inputs& inputs, std::optional<TensorId> stage) {
    std::int64_t count = 0;
    for (const Sizes& sizes : sizes_of_batch(inputs)) {
        for (const TensorId present : present_stages(inputs))
            count += !stage || *stage == present ? num_numbers(sizes, present) : 0;
    }
    return why_too_large(stage ? concat(tensor_name(*stage), " of all sentences have") : std::string("all stages have"),
                         count);
}

// Not inlined: it comes with the second part of the page.
[[gnu::noinline]] std::string spreadsheet_obstacle(const PlaygroundState& state, const Sizes& sizes) {
    const Inputs& inputs = state.inputs;
    if (!inputs.model.empty())
        return "A trained model is too large for a spreadsheet: choose random matrices, or export the PyTorch script.";
    if (inputs.steps > 0)
        return "A spreadsheet has no formulas for training: set the steps to 0, or press \"Keep as edits\" first.";
    if (!Blanks(state).empty())
        return "A spreadsheet would compute the numbers that are left blank here: take the blanks out of the link "
               "first.";
    if (sizes.num_tokens == 0) return "The sentence is empty, so there are no numbers to save.";
    if (sizes.num_tokens > kMaxSheetTokens || sizes.d_in > kMaxSheetWidth || sizes.d_out > kMaxSheetWidth ||
        sizes.score_dim() > 2 * kMaxSheetWidth || sizes.num_heads > kMaxSheetHeads || sizes.num_words > kMaxSheetWords)
        return concat("A spreadsheet has at most ", kMaxSheetTokens, " tokens, ", kMaxSheetWidth,
                      " channels (d_in, d_out), ", kMaxSheetHeads, " heads and ", kMaxSheetWords,
                      " words; NPZ has the numbers of larger states.");
    return "";
}

int head_of_part(const View& view) {
    return view.cell ? view.cell->head : view.head.value_or(0);
}

PartText::Cells PartText::cells_of(const PlaygroundState& state, const Sizes& sizes, TensorId stage, ExportPart part) {
    const int head = stage_info(stage).has_heads ? head_of_part(state.view) : 0;
    const Extent extent = extent_of(sizes, stage);
    if (part == ExportPart::head) return {.first_head = head, .end_head = head + 1, .window = whole_window(extent)};
    return {.first_head = 0,
            .end_head = stage_info(stage).has_heads ? sizes.num_heads : 1,
            .window = shown_window(state.view, extent)};
}

bool has_export_part(const PlaygroundState& state, const Sizes& sizes, TensorId stage, ExportPart part) {
    if (!is_present(state.inputs, stage) || sizes.num_tokens == 0) return false;
    const Extent extent = extent_of(sizes, stage);
    if (part == ExportPart::head)
        return stage_info(stage).has_heads && std::int64_t{extent.rows} * extent.columns <= kMaxFileNumbers;
    if (part == ExportPart::all || !state.view.window) return false;
    const CellWindow window = shown_window(state.view, extent);
    const std::int64_t heads = stage_info(stage).has_heads ? sizes.num_heads : 1;
    return heads * window.num_rows() * window.num_columns() <= kMaxFileNumbers;
}

namespace {

std::string why_no_part(const PlaygroundState& state, const Evaluation& shown, TensorId stage, ExportPart part) {
    std::string refusal = why_not_written(state, stage);
    if (refusal.empty() && shown.is_empty()) refusal = kNoTokens;
    if (refusal.empty() && !has_export_part(state, shown.sizes, stage, part))
        refusal = "There is no such part, or it would be too large.";
    return refusal;
}

}  // namespace

Result<PartText> PartText::begin(ExportKind kind, const PlaygroundState& state, const Evaluation& shown, TensorId stage,
                                 ExportPart part) {
    std::string refusal = why_no_part(state, shown, stage, part);
    if (!refusal.empty()) return Result<PartText>::failure(std::move(refusal));
    PartText text;
    text.separator_ = kind == ExportKind::tsv ? '\t' : ',';
    text.sentence_ = state.view.sentence + 1;
    text.stage_ = stage;
    text.cells_ = cells_of(state, shown.sizes, stage, part);
    text.head_ = text.cells_.first_head;
    text.row_ = text.cells_.window.first_row;
    for (const char* name : {"sentence", "stage", "head", "row", "column", "value"})
        text.text_ += concat(text.text_.empty() ? "" : std::string(1, text.separator_), name);
    text.text_ += '\n';
    return text;
}

bool PartText::advance(const Evaluation& shown) {
    constexpr std::size_t kPiece = 1 << 19;  // bytes
    const std::size_t end = text_.size() + kPiece;
    const CellWindow& window = cells_.window;
    const std::string s(1, separator_);
    const bool has_heads = stage_info(stage_).has_heads;
    while (head_ < cells_.end_head && text_.size() < end) {
        const Matrix numbers = stage_rows(shown, stage_, head_, row_, row_ + 1);
        const std::string before =
            concat(sentence_, s, tensor_name(stage_), s, has_heads ? concat(head_ + 1) : std::string(), s, row_, s);
        for (int c = window.first_column; c <= window.last_column; ++c)
            text_ += concat(before, c, s, exact_number(numbers(0, c)), '\n');
        if (++row_ <= window.last_row) continue;
        row_ = window.first_row;
        ++head_;
    }
    return head_ >= cells_.end_head;
}

Result<std::string> write_part_npy(const PlaygroundState& state, const Evaluation& shown, TensorId stage,
                                   ExportPart part) {
    std::string refusal = why_no_part(state, shown, stage, part);
    if (!refusal.empty()) return Bytes::failure(std::move(refusal));
    const PartText::Cells cells = PartText::cells_of(state, shown.sizes, stage, part);
    const CellWindow& window = cells.window;
    std::vector<std::int64_t> shape = {window.num_rows(), window.num_columns()};
    if (part == ExportPart::window && stage_info(stage).has_heads) shape.insert(shape.begin(), shown.sizes.num_heads);
    std::vector<float> numbers;
    for (int head = cells.first_head; head < cells.end_head; ++head) {
        const Matrix rows = stage_rows(shown, stage, head, window.first_row, window.last_row + 1);
        for (int i = 0; i < window.num_rows(); ++i) {
            for (int c = window.first_column; c <= window.last_column; ++c) numbers.push_back(rows(i, c));
        }
    }
    return write_npy(shape, numbers);
}

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
    constexpr std::int64_t kCopies = 3;  // of a sentence that is computed, of all as arrays, of the archive
    const std::int64_t bytes = kCopies * count * static_cast<std::int64_t>(sizeof(float));
    if (refusal.empty() && !has_room_for(bytes))
        refusal = concat("This file takes ", megabytes(bytes), " of memory to make, and there is not that much left.");
    if (!refusal.empty()) return Bytes::failure(std::move(refusal));

    std::vector<NpzArray> arrays;
    Projections learned;  // of the whole batch
    std::shared_ptr<TrainingRun> run = shown.run;
    for (std::size_t s = 0; s < batch.size(); ++s) {
        const bool is_shown = static_cast<int>(s) == state.view.sentence;
        const Evaluation own = is_shown ? Evaluation() : evaluate(state.inputs, static_cast<int>(s), run);
        const Evaluation& evaluation = is_shown ? shown : own;
        if (evaluation.is_empty()) continue;
        const std::size_t first = arrays.size();
        for (const TensorId stage : stages) arrays.push_back(array_of(evaluation, stage));
        arrays.push_back(array_of(TensorId::mask, evaluation.problem->hidden));
        if (batch.size() > 1) {
            for (std::size_t a = first; a < arrays.size(); ++a) arrays[a].name = concat(s + 1, "/", arrays[a].name);
        }
        learned = evaluation.problem->projections;
        run = evaluation.run;
    }
    for (NpzArray& array : learned_arrays(learned)) arrays.push_back(std::move(array));
    if (run) {
        for (NpzArray& array : training_arrays(*run)) arrays.push_back(std::move(array));
    }
    return write_npz(arrays);
}

}  // namespace attn
