// Finds the cell that the arguments mean, computes as far as it, and writes its steps.
#include "cli/model_explain.h"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "cli/why_outside.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/explain/explain_model.h"
#include "model/layers/model_run.h"
#include "playground/print/model_explanation.h"
#include "playground/text/notes.h"
#include "views/model/model_picture.h"

namespace attn {
namespace {

constexpr std::int64_t kAllSteps = std::numeric_limits<std::int64_t>::max();

// How many heads, rows and columns a stage has. Nothing where the layers do not have it.
struct StageSize {
    std::int64_t heads = 0, rows = 0, columns = 0;
};
std::optional<StageSize> stage_size(const Model& model, TensorId stage, const LayerTrace* trace, int num_tokens) {
    if (trace == nullptr)
        return StageSize{.heads = 1,
                         .rows = num_tokens,
                         .columns = is_over_words(stage) ? model.config.vocabulary : model.config.width};
    const std::optional<NamedNumbers> numbers = layer_stage(*trace, stage);
    if (!numbers) return std::nullopt;
    const std::vector<std::int64_t>& shape = numbers->shape;
    return StageSize{
        .heads = shape.size() == 3 ? shape[0] : 1, .rows = shape[shape.size() - 2], .columns = shape.back()};
}

}  // namespace

std::string write_explanation(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                              std::string& written) {
    const Model& model = folder.model;
    if (!options.stage || !options.row) return "Say which number: --stage, --row and --column.";
    const TensorId stage = *options.stage;
    const bool has_layer = is_of_layer(stage), has_heads = stage_info(stage).has_heads;
    std::string problem = find_stage_problem(model, stage);
    if (problem.empty() && has_layer && !options.layer && model.config.num_layers > 1)
        problem = "Say of which layer: layer=1 in the link.";
    if (!problem.empty()) return problem;

    const ModelTokenizer* tokenizer = folder.tokenizer ? &*folder.tokenizer : nullptr;
    ModelNames names;
    for (const int id : input.ids) names.tokens.push_back(word_of_token(tokenizer, id));
    const int num_tokens = input.num_tokens(), layer = options.layer.value_or(0);
    ModelRun run(model, std::move(input));
    std::optional<LayerWork> work;
    const int asked = options.lens.value_or(model.config.num_layers);
    if (!has_layer) problem = why_outside("layer", asked, 0, model.config.num_layers + 1, "the model");
    if (!problem.empty()) return problem;
    run.advance_to(has_layer ? layer : asked, kAllSteps);
    if (has_layer) {
        work.emplace(run.layer_work(layer));
        std::int64_t enough = kAllSteps;
        work->advance(enough);
    }
    const LayerTrace* trace = work ? &work->trace() : nullptr;
    const std::optional<StageSize> size = stage_size(model, stage, trace, num_tokens);
    if (!size) return concat("This model has no stage ", tensor_name(stage), ".");

    const int head = options.head.value_or(0);
    if (has_heads && size->heads > 1 && !options.head) return "Say which head: --head.";
    std::optional<int> column = options.column;
    if (!column && is_over_words(stage) && !options.word.empty()) {
        column = token_of_word(tokenizer, options.word);
        if (!column) return concat("The model's vocabulary does not have ", quoted(options.word), ".");
    }
    if (!column)
        return is_over_words(stage) ? "Say which word: --column, or word=... in the link." : "Say which column.";
    if (problem.empty() && has_heads) problem = why_outside("head", head + 1, 1, size->heads, tensor_name(stage));
    if (problem.empty()) problem = why_outside("row", *options.row, 0, size->rows, tensor_name(stage));
    if (problem.empty()) problem = why_outside("column", *column, 0, size->columns, tensor_name(stage));
    if (!problem.empty()) return problem;
    if (is_over_words(stage)) names.word = word_of_token(tokenizer, *column);
    // Of keys and values people name the head of keys, and the core one that reads it.
    names.heads_per_kv_head = model.config.num_heads / model.config.num_kv_heads;
    const int reader = has_kv_heads(stage) ? head * names.heads_per_kv_head : head;
    const CellRef cell = {stage, reader, *options.row, *column, layer};
    Notes notes = options.notes;
    for (const std::string& sentence : find_not_finite(model)) notes.push_back(sentence);
    written = export_explanation(has_layer ? explain_layer(run, {trace->problem, trace->attention, trace}, cell)
                                           : explain_lens(run, asked, cell),
                                 names, notes, options.format);
    return "";
}

}  // namespace attn
