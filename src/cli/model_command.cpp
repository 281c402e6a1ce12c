// Reads the model's files, computes, prints.
#include "cli/model_command.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/files.h"
#include "cli/model_explain.h"
#include "cli/model_folder.h"
#include "cli/model_nudge_command.h"
#include "cli/model_options.h"
#include "cli/model_votes.h"
#include "cli/tell.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/layers/model_run.h"
#include "playground/models/loaded_model.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"
#include "share/exports/data_files.h"
#include "share/formats/npz.h"
#include "share/scripts/script_model.h"

namespace attn {
namespace {

constexpr std::int64_t kAllOfIt = std::numeric_limits<std::int64_t>::max();
constexpr int kRefused = 2;

int refuse(std::ostream& err, std::string_view sentence) {
    tell(err, sentence);
    return kRefused;
}

// The stages that were asked for, one after the other.
class StageWalk {
public:
    StageWalk(const Model& model, const ModelInput& input, const ModelOptions& options)
        : model_(model), options_(options), run_(model, input) {
        run_.advance(kAllOfIt);
    }

    // How many numbers walk() visits without logits. All layers are of one size.
    std::int64_t num_numbers() const {
        const int num_layers = options_.layer ? 1 : model_.config.num_layers;
        LayerWork work = run_.layer_work(options_.layer.value_or(0));
        std::int64_t enough = kAllOfIt, sum = 0;
        work.advance(enough);
        for (const TensorId id : model_stages()) {
            if (!is_of_layer(id) || options_.stage.value_or(id) != id) continue;
            if (const std::optional<NamedNumbers> stage = layer_stage(work.trace(), id))
                sum += num_layers * static_cast<std::int64_t>(stage->numbers.size());
        }
        return sum;
    }

    // visit(layer, stage): layer counted from 1, or 0 for stages of the whole model.
    template <class Visit>
    void walk(bool with_logits, const Visit& visit) const {
        for (int layer = 0; layer < model_.config.num_layers; ++layer) {
            if (layer != options_.layer.value_or(layer)) continue;
            if (options_.stage && !is_of_layer(*options_.stage)) break;
            LayerWork work = run_.layer_work(layer);
            std::int64_t enough = kAllOfIt;
            work.advance(enough);
            for (const TensorId id : model_stages()) {
                if (!is_of_layer(id) || options_.stage.value_or(id) != id) continue;
                if (const std::optional<NamedNumbers> stage = layer_stage(work.trace(), id)) visit(layer + 1, *stage);
            }
        }
        std::vector<TensorId> wanted = {model_stages().begin(), model_stages().end()};
        if (!with_logits) std::erase_if(wanted, is_over_words);
        if (options_.stage) wanted = {*options_.stage};
        for (const NamedNumbers& stage : end_stages(model_, run_.final_stream(), wanted)) visit(0, stage);
    }

private:
    const Model& model_;
    const ModelOptions& options_;
    ModelRun run_;
};

void write_values(JsonWriter& json, const NamedNumbers& stage, std::size_t axis, std::size_t& at) {
    const bool is_row = axis + 1 == stage.shape.size();
    is_row ? json.begin_row() : json.begin_array();
    for (std::int64_t i = 0; i < stage.shape[axis]; ++i) {
        if (is_row) {
            json.number(stage.numbers[at++]);
        } else {
            write_values(json, stage, axis + 1, at);
        }
    }
    is_row ? json.end_row() : json.end_array();
}

void write_tokens(JsonWriter& json, const ModelFolder& folder, std::span<const ModelToken> tokens) {
    json.key("tokens");
    json.begin_array();
    for (const ModelToken& token : tokens) {
        json.begin_object();
        json.key("id");
        json.integer(token.id);
        if (folder.tokenizer) json.member("text", folder.tokenizer->text_of(token.id));
        json.key("bytes");
        json.begin_row();
        json.integer(static_cast<std::int64_t>(token.begin));
        json.integer(static_cast<std::int64_t>(token.end));
        json.end_row();
        json.end_object();
    }
    json.end_array();
}

void trace_as_json(const ModelFolder& folder, const ModelOptions& options, std::span<const ModelToken> tokens,
                   const StageWalk& stages, std::ostream& out) {
    std::string text;
    JsonWriter json(text);
    const auto flush = [&] {
        out << text;
        text.clear();
    };
    json.begin_object();
    json.member("model", kind_name(folder.model.config.kind));
    json.key("parameters");
    json.integer(num_parameters(folder.model));
    write_tokens(json, folder, tokens);
    json.key("notes");
    json.begin_array();
    for (const std::string& note : options.notes) json.text(note);
    for (const std::string& note : folder.notes) json.text(note);
    for (const std::string& sentence : find_not_finite(folder.model)) json.text(sentence);
    json.end_array();
    json.key("stages");
    json.begin_array();
    stages.walk(false, [&](int layer, const NamedNumbers& stage) {
        json.begin_object();
        json.member("name", stage.name);
        if (layer > 0) json.key("layer");
        if (layer > 0) json.integer(layer);
        json.key("shape");
        json.begin_row();
        for (const std::int64_t size : stage.shape) json.integer(size);
        json.end_row();
        json.key("values");
        std::size_t at = 0;
        write_values(json, stage, 0, at);
        json.end_object();
        flush();
    });
    json.end_array();
    json.end_object();
    flush();
    out << '\n';
}

void trace_as_csv(const StageWalk& stages, std::ostream& out) {
    out << "layer,stage,head,row,column,value\n";
    stages.walk(false, [&](int layer, const NamedNumbers& stage) {
        const std::int64_t columns = stage.shape.back(), rows = stage.shape[stage.shape.size() - 2];
        const bool has_heads = stage.shape.size() == 3;
        for (std::size_t at = 0; at < stage.numbers.size(); ++at) {
            const auto place = static_cast<std::int64_t>(at);
            std::string line = concat(layer > 0 ? concat(layer) : "", ",", stage.name, ",");
            line += concat(has_heads ? concat(place / (rows * columns) + 1) : "", ",", place / columns % rows, ",",
                           place % columns, ",", exact_number(stage.numbers[at]), "\n");
            out << line;
        }
    });
}

int trace_model(const ModelFolder& folder, const ModelOptions& options, std::ostream& out, std::ostream& err) {
    std::vector<ModelToken> tokens;
    std::string problem;
    const ModelInput input = read_input(folder, options, tokens, problem);
    if (problem.empty() && options.stage) problem = find_stage_problem(folder.model, *options.stage);
    if (!problem.empty()) return refuse(err, problem);
    const StageWalk stages(folder.model, input, options);
    // One stage of one layer is printed at any size: there is nothing less to ask for.
    const std::int64_t count = options.layer && options.stage ? 0 : stages.num_numbers();
    if (count > 4 * kMaxFileNumbers)
        return refuse(err, concat("The trace would be too large: ", with_thousands(count), " numbers, and at most ",
                                  with_thousands(4 * kMaxFileNumbers), " are printed: choose a layer and a stage."));
    if (options.format == ExportFormat::csv) {
        trace_as_csv(stages, out);
    } else {
        trace_as_json(folder, options, tokens, stages, out);
    }
    return 0;
}

int export_model(const ModelFolder& folder, const ModelOptions& options, std::ostream& out, std::ostream& err) {
    std::vector<ModelToken> tokens;
    std::string problem;
    const ModelInput input = read_input(folder, options, tokens, problem);
    if (!problem.empty()) return refuse(err, problem);
    const std::int64_t num_logits = std::int64_t{input.num_tokens()} * folder.model.config.vocabulary;
    const bool with_logits = num_logits <= kMaxFileNumbers;
    if (!with_logits)
        tell_note(err, concat("logits and probabilities are left out: ", with_thousands(num_logits),
                              " numbers each; attn trace --stage logits prints them"));
    std::vector<NpzArray> arrays;
    std::vector<float> ids(input.ids.begin(), input.ids.end());
    arrays.push_back({.name = "tokens", .shape = {input.num_tokens()}, .numbers = std::move(ids)});
    std::int64_t num_numbers = 0;
    StageWalk(folder.model, input, options).walk(with_logits, [&](int layer, const NamedNumbers& stage) {
        num_numbers += static_cast<std::int64_t>(stage.numbers.size());
        if (num_numbers > 4 * kMaxFileNumbers) return;
        arrays.push_back({.name = layer > 0 ? concat(layer, "/", stage.name) : stage.name,
                          .shape = stage.shape,
                          .numbers = stage.numbers});
    });
    if (num_numbers > 4 * kMaxFileNumbers)
        return refuse(err,
                      concat("All stages together have ", with_thousands(num_numbers), " numbers, and a file at most ",
                             with_thousands(4 * kMaxFileNumbers), ": choose a layer."));
    for (const std::string& note : options.notes) tell_note(err, note);
    const std::string bytes = write_npz(arrays);
    if (options.output) {
        const std::string refusal = write_bytes(*options.output, "model.npz", bytes);
        return refusal.empty() ? 0 : refuse(err, refusal);
    }
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return 0;
}

// What is written about one number: a text, or a sentence that says why there is none.
using WriteNumber = std::string (*)(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                                    std::string& written);
int tell_number(const ModelFolder& folder, const ModelOptions& options, WriteNumber write, std::ostream& out,
                std::ostream& err) {
    std::vector<ModelToken> tokens;
    std::string problem, written;
    ModelInput input = read_input(folder, options, tokens, problem);
    if (problem.empty()) problem = write(folder, options, std::move(input), written);
    if (!problem.empty()) return refuse(err, problem);
    out << written;
    return 0;
}

// What each patch of a second text does: the texts as they are, whatever the link patches already.
int show_patches(const ModelFolder& folder, const ModelOptions& options, std::ostream& out, std::ostream& err) {
    std::vector<ModelToken> tokens;
    std::string problem, written;
    ModelInput input = read_own_input(folder, options, tokens, problem);
    std::optional<ModelInput> other = read_other(folder, options, problem);
    if (!other && problem.empty())
        problem = "attn patch needs a second text: give it as compare= in the link or with --other-tokens.";
    if (problem.empty()) problem = write_patch_effects(folder, options, std::move(input), std::move(*other), written);
    if (!problem.empty()) return refuse(err, problem);
    if (options.format != ExportFormat::json)
        for (const std::string& note : options.notes) tell_note(err, note);
    out << written;
    return 0;
}

// The word that the stream would give after each layer, or a token's way through them.
int show_depths(const ModelFolder& folder, const ModelOptions& options, std::ostream& out, std::ostream& err) {
    if (options.format != ExportFormat::json)
        for (const std::string& note : options.notes) tell_note(err, note);
    return tell_number(folder, options, options.action == ModelAction::lens ? write_lens : write_journey, out, err);
}

// A picture of the model and the text, as tables or as a drawing.
int show_picture(const ModelFolder& folder, const ModelOptions& options, std::ostream& out, std::ostream& err) {
    std::vector<ModelToken> tokens;
    std::string problem;
    ModelInput input = read_input(folder, options, tokens, problem);
    if (!problem.empty()) return refuse(err, problem);
    for (const std::string& note : options.notes) tell_note(err, note);
    std::string written;
    problem = options.action == ModelAction::votes ? write_votes(folder, options, std::move(input), written)
                                                   : draw_votes(folder, options, std::move(input), written);
    if (problem.empty() && options.output) problem = write_bytes(*options.output, "model.svg", written);
    if (!problem.empty()) return refuse(err, problem);
    if (!options.output) out << written;
    return 0;
}

// The same with PyTorch, from the same files.
int write_script(const ModelFolder& folder, const ModelOptions& options, std::ostream& out, std::ostream& err) {
    std::vector<ModelToken> tokens;
    std::string problem;
    const ModelInput input = read_input(folder, options, tokens, problem);
    if (!problem.empty()) return refuse(err, problem);
    for (const std::string& note : options.notes) tell_note(err, note);
    ModelScriptHead head = {.name = options.folder, .link = "", .words = {}, .layer = options.layer.value_or(0)};
    for (const ModelToken& token : tokens)
        head.words.push_back(token.end > token.begin ? options.text.substr(token.begin, token.end - token.begin)
                                                     : concat(token.id));
    const Result<std::string> script = script_model(folder.model, input, head);
    if (!script) return refuse(err, script.error());
    if (options.output) problem = write_bytes(*options.output, "model.py", *script);
    if (!problem.empty()) return refuse(err, problem);
    if (!options.output) out << *script;
    return 0;
}

int generate_text(const ModelFolder& folder, const ModelOptions& options, std::ostream& out, std::ostream& err) {
    std::vector<ModelToken> tokens;
    std::string problem;
    ModelInput input = read_input(folder, options, tokens, problem);
    if (problem.empty() && folder.model.config.mask != Mask::causal)
        problem = "This model does not write on: its tokens see those behind them.";
    if (problem.empty() && !folder.model.weights.unembedding.is_there())
        problem = "This model does not write on: its files have no head.";
    if (!problem.empty()) return refuse(err, problem);
    for (const std::string& note : options.notes) tell_note(err, note);
    TorchGenerator generator(options.seed);
    if (!options.ids) out << options.text;
    std::shared_ptr<ModelRun> run;  // the next one takes over what this one has
    for (int i = 0; i < options.count; ++i) {
        if (!find_input_problem(folder.model.config, input).empty()) {
            tell_note(err, concat("the model has no position for more than ", input.num_tokens() - 1, " tokens"));
            break;
        }
        run = std::make_shared<ModelRun>(folder.model, input, run.get());
        RowLogits logits(run, input.num_tokens() - 1);
        while (!logits.advance(kAllOfIt)) continue;
        input.ids.push_back(next_token(logits.logits(), options.sampling, generator));
        if (folder.tokenizer && !options.ids) {
            out << folder.tokenizer->written_text_of(input.ids.back());
        } else {
            out << (i > 0 ? "," : "") << input.ids.back();
        }
    }
    out << '\n';
    return 0;
}

// Numbers that are none go through all that is computed: the likeliest word is then only the first one.
void tell_not_finite(const Model& model, std::ostream& err) {
    constexpr std::size_t kMostTold = 3;
    const std::vector<std::string> sentences = find_not_finite(model);
    for (std::size_t i = 0; i < std::min(sentences.size(), kMostTold); ++i) tell_note(err, sentences[i]);
    if (sentences.size() > kMostTold)
        tell_note(err, concat(sentences.size() - kMostTold, " more tensors have such numbers."));
}

}  // namespace

int run_model_command(std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
    const Result<ModelOptions> options = read_model_options(arguments);
    if (!options) return refuse(err, options.error());
    const Result<ModelFolder> folder = open_model_folder(options->folder, options->heads);
    if (!folder) return refuse(err, folder.error());
    for (const std::string& note : folder->notes) tell_note(err, note);
    tell_not_finite(folder->model, err);
    switch (options->action) {
        case ModelAction::trace:
            return trace_model(*folder, *options, out, err);
        case ModelAction::explain:
            return tell_number(*folder, *options, write_explanation, out, err);
        case ModelAction::nudge:
            return tell_number(*folder, *options, write_nudge, out, err);
        case ModelAction::export_npz:
            return export_model(*folder, *options, out, err);
        case ModelAction::export_pytorch:
            return write_script(*folder, *options, out, err);
        case ModelAction::export_svg:
        case ModelAction::votes:
            return show_picture(*folder, *options, out, err);
        case ModelAction::lens:
        case ModelAction::journey:
            return show_depths(*folder, *options, out, err);
        case ModelAction::patch:
            return show_patches(*folder, *options, out, err);
        case ModelAction::generate:
            return generate_text(*folder, *options, out, err);
    }
    return kRefused;
}

}  // namespace attn
