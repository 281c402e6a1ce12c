#include "playground/models/loaded_model.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/explain/explain_model.h"
#include "model/words/byte_pairs.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr std::size_t kRunsKept = 4;  // shown, other state, with a head switched, what patches come from

ModelShape shape_of(const Model& model) {
    const ModelConfig& config = model.config;
    const auto has_bias = [](const LayerWeights& layer) {
        return layer.query.bias != nullptr || layer.key.bias != nullptr || layer.value.bias != nullptr;
    };
    return {.kind = std::string(kind_name(config.kind)),
            .num_layers = config.num_layers,
            .width = config.width,
            .num_heads = config.num_heads,
            .num_kv_heads = config.num_kv_heads,
            .head_dim = config.head_dim,
            .max_tokens = std::min(config.max_positions, static_cast<int>(kMaxTokens)),
            .mask = config.mask,
            .scale = config.scale,
            .temperature = static_cast<double>(config.temperature),
            .score_cap = static_cast<double>(config.score_cap),
            .has_alibi = config.positions == PositionKind::alibi,
            .windows = config.windows,
            .has_bias = std::any_of(model.weights.layers.begin(), model.weights.layers.end(), has_bias),
            .has_mlp = config.mlp_width > 0,
            .has_out = config.attention_width() == config.width};
}

// What people see of a token: its part of the text, or else how the vocabulary writes it.
std::string shown_text(const ModelTokenizer& tokenizer, const ModelToken& token, std::string_view text) {
    const std::string_view part = trimmed(text.substr(token.begin, token.end - token.begin));
    const bool is_whole = clean_utf8(part).num_replaced == 0;
    if (!part.empty() && is_whole) return std::string(part);
    if (!is_whole) {  // a part of a character, as files with byte_fallback name it
        std::string bytes;
        for (const char byte : part) bytes += token_of_byte(static_cast<std::uint8_t>(byte));
        return bytes;
    }
    const std::string_view written = trimmed(tokenizer.text_of(token.id));
    return written.empty() ? concat("token ", token.id) : one_line(written);
}

void fill(Vector& bias, bool is_wanted, int size) {
    if (is_wanted && bias.size() == 0) bias = zeros<Vector>(size);
}

// A layer of a run.
class LayerOfRun : public ModelLayerWork {
public:
    LayerOfRun(std::shared_ptr<const LoadedModel> model, std::shared_ptr<ModelRun> run, int layer)
        : model_(std::move(model)), run_(std::move(run)), layer_(layer) {}

    bool advance(std::int64_t multiply_adds) override {
        if (!problem_) {
            const Model& model = model_->model();
            if (!run_->advance_to(layer_, multiply_adds) ||
                !asks_for_attention(model.weights.layers[static_cast<std::size_t>(layer_)]))
                return false;
            const std::vector<LayerEdit>& edits = run_->input().edits;
            problem_.emplace(model, layer_, run_->stream(layer_), edits, model_->projections_shown(layer_, edits));
        }
        return problem_->advance(multiply_adds);
    }

    std::int64_t multiply_adds_left() const override { return run_->multiply_adds_to(layer_); }

    AttentionProblem take() override {
        AttentionProblem problem = problem_->take();
        problem.block = block_parts(model_->model(), layer_, run_->input().replaces_heads(layer_));
        problem.projections = model_->show_projections(layer_, run_->input().edits, std::move(problem.projections));
        return problem;
    }

    std::shared_ptr<const BlockStages> advance_block(const AttentionTrace& attention,
                                                     std::int64_t& multiply_adds) override {
        if (!block_)
            block_.emplace(LayerWork::around(model_->model(), run_->input(), layer_, run_->stream(layer_), attention,
                                             run_->taken_rows(layer_)));
        if (!block_->advance(multiply_adds)) return nullptr;
        auto stages = std::make_shared<const BlockStages>(std::move(block_->trace()));
        block_.reset();
        return stages;
    }

    Explanation explain(const AttentionProblem& problem, const AttentionTrace& attention, TensorId stage, int head,
                        int row, int column) const override {
        const CellRef cell = {stage, head, row, column, layer_};
        if (!is_of_layer(stage)) return explain_end(model_->model(), row_of(attention.block->after, row), cell);
        return explain_layer(*run_, {problem, attention, attention.block.get(), problem.block.has_output}, cell);
    }

private:
    std::shared_ptr<const LoadedModel> model_;
    std::shared_ptr<ModelRun> run_;
    int layer_;
    std::optional<ProblemWork> problem_;  // once the layers below are computed
    std::optional<LayerWork> block_;      // while it is under way
};

std::vector<LayerEdit> edits_of_projections(int layer, std::span<const LayerEdit> edits) {
    std::vector<LayerEdit> chosen;
    std::ranges::copy_if(edits, std::back_inserter(chosen),
                         [&](const LayerEdit& edit) { return edit.layer == layer && is_of_projections(edit.tensor); });
    return chosen;
}

// Where the character begins that has this byte in it.
std::size_t character_around(std::string_view text, std::size_t at) {
    if (at >= text.size()) return at;
    while (at > 0 && continues_code_point(text[at])) --at;
    return at;
}

std::size_t end_of_character(std::string_view text, std::size_t begin) {
    do ++begin;
    while (begin < text.size() && continues_code_point(text[begin]));
    return begin;
}

}  // namespace

std::vector<LayerEdit> layer_edits(const std::vector<Edit>& edits, int sentence) {
    std::vector<LayerEdit> of_model;
    for (const Edit& edit : edits) {
        if (is_of_sentence(edit.tensor) && edit.sentence != sentence) continue;
        of_model.push_back(
            {.layer = edit.layer, .tensor = edit.tensor, .row = edit.row, .column = edit.column, .value = edit.value});
    }
    return of_model;
}

// Tokens of the vocabulary, and words that are none.
struct LoadedModel::KnownTokens {
    std::vector<ModelToken> tokens;
    std::size_t num_left_out = 0;   // behind the model's last position
    NameList left_out, as_unknown;  // words
    NameList as_bytes;              // characters that several tokens share
};

LoadedModel::LoadedModel(std::string name, Model model, ModelTokenizer tokenizer, Notes notes)
    : name_(std::move(name)),
      model_(std::move(model)),
      tokenizer_(std::move(tokenizer)),
      notes_(std::move(notes)),
      shape_(shape_of(model_)) {}

Result<std::shared_ptr<const LoadedModel>> LoadedModel::make(std::string name, Model model, ModelTokenizer tokenizer,
                                                             Notes notes) {
    const auto refuse = [](std::string sentence) {
        return Result<std::shared_ptr<const LoadedModel>>::failure(std::move(sentence));
    };
    const ModelConfig& config = model.config;
    const int widest = std::max(config.width, config.attention_width());
    if (widest > kMaxModelWidth)
        return refuse(concat("The model's vectors have ", with_thousands(widest),
                             " numbers; the playground shows at most ", with_thousands(kMaxModelWidth),
                             ". The attn command has no such limit."));
    if (config.num_layers > kMaxLayers)
        return refuse(
            concat("The model has ", config.num_layers, " layers; the playground shows at most ", kMaxLayers, "."));
    if (tokenizer.size() > config.vocabulary)
        return refuse(concat("The tokenizer has the token ", tokenizer.size() - 1,
                             ", but config.json says that the model has ", config.vocabulary,
                             " tokens: these files do not belong together."));
    return std::shared_ptr<const LoadedModel>(
        new LoadedModel(std::move(name), std::move(model), std::move(tokenizer), std::move(notes)));
}

LoadedModel::KnownTokens LoadedModel::known_tokens(std::string_view text) const {
    KnownTokens known;
    const auto most = static_cast<std::size_t>(shape_.max_tokens);
    std::set<std::string_view> cut_up;
    for (const ModelToken& token : tokenizer_.encode(text).tokens) {
        const std::string_view part = trimmed(text.substr(token.begin, token.end - token.begin));
        if (token.id < 0) {
            known.left_out.add(quoted(part));
            continue;
        }
        if (token.id == tokenizer_.unknown() && !part.empty()) known.as_unknown.add(quoted(part));
        if (const std::size_t cut = character_around(text, token.end); cut < token.end) {
            const std::string_view character = text.substr(cut, end_of_character(text, cut) - cut);
            if (cut_up.insert(character).second) known.as_bytes.add(quoted(character));
        }
        if (known.tokens.size() < most) {
            known.tokens.push_back(token);
        } else {
            ++known.num_left_out;
        }
    }
    return known;
}

Tokens LoadedModel::tokenize(std::string_view text) const {
    const KnownTokens known = known_tokens(text);
    Tokens tokens = {.sentence = std::string(text), .tokens = {}, .num_left_out = known.num_left_out};
    for (const ModelToken& token : known.tokens)
        tokens.tokens.push_back({.text = shown_text(tokenizer_, token, text), .begin = token.begin, .end = token.end});
    return tokens;
}

Notes LoadedModel::notes_on(std::string_view text) const {
    Notes notes = notes_;
    if (model_.store) append_notes(notes, model_.store->not_finite());
    const KnownTokens known = known_tokens(text);
    if (!known.left_out.empty())
        notes.push_back(concat(known.left_out.text(), kLeftOutByModel, quoted(name_), " does not know ",
                               known.left_out.size() == 1 ? "this word" : "these words"));
    if (!known.as_unknown.empty())
        notes.push_back(concat("the model ", quoted(name_), " does not know ", known.as_unknown.text(), " and reads ",
                               quoted(tokenizer_.text_of(tokenizer_.unknown())), " instead"));
    if (!known.as_bytes.empty())
        notes.push_back(concat(known.as_bytes.text(), known.as_bytes.size() == 1 ? " reaches" : " reach", " the model ",
                               quoted(name_), kAsSingleBytes,
                               known.as_bytes.size() == 1 ? "this character" : "these characters"));
    return notes;
}

std::vector<int> LoadedModel::ids_of(std::string_view text) const {
    std::vector<int> ids;
    for (const ModelToken& token : known_tokens(text).tokens) ids.push_back(token.id);
    return ids;
}

ModelInput LoadedModel::input_of(const Inputs& inputs, int sentence) const {
    ModelInput input = input_of_text({.text = inputs.texts[static_cast<std::size_t>(sentence)],
                                      .off = inputs.off,
                                      .off_by = inputs.off_by,
                                      .edits = inputs.edits,
                                      .sentence = sentence},
                                     inputs);
    if (!inputs.patches.empty()) take_over(input, input_of_text(*inputs.patched_from, inputs), inputs.patches);
    return input;
}

ModelInput LoadedModel::input_of_text(const OtherText& text, const Inputs& inputs) const {
    ModelInput input{.ids = ids_of(text.text), .off_by = text.off_by};
    for (const HeadOff& off : text.off) {
        const bool is_all = off.head == kEveryHead;
        for (int head = is_all ? 0 : off.head; head < (is_all ? shape_.num_heads : off.head + 1); ++head)
            input.off.push_back({.layer = off.layer, .head = head});
    }
    input.edits = layer_edits(text.edits, text.sentence);
    std::erase_if(input.edits, [&](const LayerEdit& edit) {  // a note names them (note_layer_edits)
        return !edit_extent(inputs, input.num_tokens(), edit.tensor).contains(edit.row, edit.column);
    });
    return input;
}

std::optional<Shared<Projections>> LoadedModel::projections_shown(int layer, std::span<const LayerEdit> edits) const {
    if (shown_ && shown_->layer == layer && shown_->edits == edits_of_projections(layer, edits))
        return shown_->projections;
    shown_.reset();  // its memory first
    return std::nullopt;
}

Shared<Projections> LoadedModel::show_projections(int layer, std::span<const LayerEdit> edits,
                                                  Shared<Projections> projections) const {
    if (const auto shown = projections_shown(layer, edits)) return *shown;
    // A stage is there for the whole state or not at all: what some matrices add and others do not is 0.
    Projections& learned = projections.edit();
    const int kv_width = shape_.num_kv_heads * shape_.head_dim;
    fill(learned.b_query, shape_.has_bias, shape_.num_heads * shape_.head_dim);
    fill(learned.b_key, shape_.has_bias, kv_width);
    fill(learned.b_value, shape_.has_bias, kv_width);
    fill(learned.b_out, shape_.has_out, shape_.width);
    shown_ = {.layer = layer, .edits = edits_of_projections(layer, edits), .projections = std::move(projections)};
    return shown_->projections;
}

std::shared_ptr<ModelRun> LoadedModel::run_of(const ModelInput& input) const {
    const auto kept = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->input() == input; });
    if (kept != runs_.end()) {
        std::rotate(runs_.begin(), kept, kept + 1);
    } else {
        // Before all else: it is kept among the runs, too.
        const std::shared_ptr<ModelRun> other = input.other.empty() ? nullptr : run_of(input.other[0]);
        const auto in_common = [&](const auto& run) { return tokens_in_common(model_, run->input(), input); };
        const auto nearest = std::ranges::max_element(runs_, {}, in_common);
        const ModelRun* earlier = nearest == runs_.end() ? nullptr : nearest->get();
        runs_.insert(runs_.begin(), std::make_shared<ModelRun>(model_, input, earlier, other));
        runs_.resize(std::min(runs_.size(), kRunsKept));
    }
    return runs_.front();
}

std::int64_t LoadedModel::bytes_of_layers(const Inputs& inputs, int num_tokens) const {
    const ModelConfig& config = model_.config;
    const std::int64_t T = num_tokens, layers = config.num_layers, width = config.width;
    const std::int64_t heads_width = config.attention_width(), kv_width = config.kv_width();
    // Streams, keys and values of all layers; what stands around the shown layer's attention.
    const std::int64_t kept =
        (layers + 1) * T * width + 2 * layers * T * kv_width + T * (9 * width + 3 * std::int64_t{config.mlp_width});
    // Between the parts of a layer; the heads' rows; sums, gates and what becomes of them.
    std::int64_t under_way = T * (6 * width + 3 * heads_width + 2 * kv_width + 3 * std::int64_t{config.mlp_width});
    if (!inputs.edits.empty()) {  // as a whole, with the tables that people look at and the layer's matrices
        under_way += (config.num_heads + 1) * T * T + T * (width + 2 * heads_width + 2 * kv_width) +
                     2 * width * (heads_width + kv_width);
    }
    const std::int64_t num_texts = inputs.patches.empty() ? 1 : 2;
    return (num_texts * (kept + under_way) + config.vocabulary) * static_cast<std::int64_t>(sizeof(float));
}

BlockParts LoadedModel::block_of(const Inputs& inputs) const {
    return block_parts(model_, inputs.layer, replaces_heads(inputs.off, inputs.patches, inputs.layer));
}

std::shared_ptr<ModelLayerWork> LoadedModel::begin_layer(const Inputs& inputs, int sentence) const {
    return std::make_shared<LayerOfRun>(shared_from_this(), run_of(input_of(inputs, sentence)), inputs.layer);
}

}  // namespace attn
