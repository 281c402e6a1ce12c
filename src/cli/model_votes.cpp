// Looks where the link looks, and writes what there is to see.
#include "cli/model_votes.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/why_outside.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/notes.h"
#include "scene/pens/figure_svg.h"
#include "views/journey/journey_picture.h"
#include "views/lens/lens_parts.h"
#include "views/model/figure_model.h"
#include "views/model/model_table.h"
#include "views/model/model_text.h"
#include "views/patch/patch_picture.h"

namespace attn {
namespace {

// The picture of a model and a text, with what the link looks at.
struct PictureOfLink {
    std::unique_ptr<ModelPictureWork> work;
    std::optional<ModelDrawing> drawing;
};

std::vector<std::string> words_of_input(const ModelTokenizer* tokenizer, const ModelInput& input) {
    std::vector<std::string> words;
    for (const int id : input.ids) words.push_back(word_of_token(tokenizer, id));
    return words;
}

// The token that a link's word means; nothing for an empty word. Where the model has no such token, `problem` says so.
std::optional<int> token_of_link(const ModelFolder& folder, const std::string& word, std::string& problem) {
    if (word.empty()) return std::nullopt;
    const std::optional<int> token = token_of_word(folder.tokenizer ? &*folder.tokenizer : nullptr, word);
    if (token && *token < folder.model.config.vocabulary) return token;
    if (problem.empty()) problem = concat("The model's vocabulary does not have ", quoted(word), ".");
    return std::nullopt;
}

// A sentence where the link looks at what is not there; else empty, and the picture is made.
std::string make_picture(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                         PictureOfLink& made) {
    const ModelConfig& config = folder.model.config;
    const int layer = options.layer.value_or(config.num_layers - 1), head = options.head.value_or(0);
    if (head >= config.num_heads)
        return concat("There is no head ", head + 1, ": each layer has ", config.num_heads, ".");
    const ModelTokenizer* tokenizer = folder.tokenizer ? &*folder.tokenizer : nullptr;
    std::vector<std::string> words = words_of_input(tokenizer, input);
    const int last = input.num_tokens() - 1;
    made.work = std::make_unique<ModelPictureWork>(std::make_shared<ModelRun>(folder.model, std::move(input)),
                                                   std::move(words), last, HeadOff{.layer = layer, .head = head});
    while (!made.work->advance(std::numeric_limits<std::int64_t>::max())) continue;
    const ModelPicture& picture = made.work->picture();
    made.drawing.emplace(ModelDrawing{.picture = picture,
                                      .tokenizer = tokenizer,
                                      .layer = layer,
                                      .head = head,
                                      .map = options.map,
                                      .votes_problem = made.work->votes_problem()});
    if (!picture.has_next()) return "";
    std::string problem;
    const std::optional<int> word = token_of_link(folder, options.word, problem);
    if (!problem.empty()) return problem;
    made.drawing->word = word ? *word : picture.most_probable(1).at(0);
    if (made.work->votes_problem().empty())
        made.drawing->votes = vote_column(made.work->votes(*made.drawing->word), picture.input.off, layer);
    return "";
}

std::size_t num_characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return !continues_code_point(byte); }));
}

void write_table(const TextTable& table, std::string& out) {
    out += table.title + "\n";
    std::vector<std::size_t> widths(table.columns.size(), 0);
    std::vector<std::vector<std::string>> rows = table.rows;
    if (!table.columns.empty()) rows.insert(rows.begin(), table.columns);
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], num_characters(row[k]));
    }
    for (const std::vector<std::string>& row : rows) {
        std::string line;
        for (std::size_t k = 0; k < row.size(); ++k) {
            const std::string room(widths[k] - num_characters(row[k]), ' ');
            line += k == 0 ? concat(row[k], room) : concat("  ", room, row[k]);
        }
        out += concat("  ", line, "\n");
    }
}

}  // namespace

std::string write_lens(const ModelFolder& folder, const ModelOptions& options, ModelInput input, std::string& written) {
    const Model& model = folder.model;
    const int num_layers = model.config.num_layers, num_tokens = input.num_tokens();
    const int row = options.row.value_or(num_tokens - 1), layer = options.lens.value_or(num_layers);
    std::string problem = find_lens_problem(model.weights);
    if (problem.empty()) problem = why_outside("row", row, 0, num_tokens, "the text");
    if (problem.empty()) problem = why_outside("layer", layer, 0, num_layers + 1, "the model");
    if (!problem.empty()) return problem;
    const ModelTokenizer* tokenizer = folder.tokenizer ? &*folder.tokenizer : nullptr;
    const std::optional<int> word = token_of_link(folder, options.word, problem);
    if (!problem.empty()) return problem;
    const std::vector<std::string> words = words_of_input(tokenizer, input);
    LensWork work(std::make_shared<ModelRun>(model, std::move(input)), 0, num_tokens, row, word);
    while (!work.advance(std::numeric_limits<std::int64_t>::max())) continue;
    LensDrawing drawing = {.work = work,
                           .words = words,
                           .tokenizer = tokenizer,
                           .layer = layer,
                           .word = word,
                           .shown = {.first = 0, .count = num_tokens}};
    Notes notes = options.notes;
    for (const std::string& sentence : find_not_finite(model)) notes.push_back(sentence);
    if (options.format == ExportFormat::csv) written = lens_csv(drawing);
    if (options.format == ExportFormat::json) written = lens_json(drawing, notes);
    if (options.format != ExportFormat::text) return "";
    if (const std::optional<int> of_sum = drawing.word_of_sum())
        drawing.sum = lens_sum(work.run(), layer, row, *of_sum);
    for (const TextTable& table : tables_of_cells(drawing)) write_table(table, written);
    return "";
}

std::string write_journey(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                          std::string& written) {
    const Model& model = folder.model;
    const int num_layers = model.config.num_layers, num_tokens = input.num_tokens();
    const int row = options.row.value_or(num_tokens - 1), layer = options.layer.value_or(0);
    std::string problem = why_outside("row", row, 0, num_tokens, "the text");
    if (problem.empty()) problem = why_outside("layer", layer + 1, 1, num_layers + 1, "the model");
    if (!problem.empty()) return problem;
    const ModelTokenizer* tokenizer = folder.tokenizer ? &*folder.tokenizer : nullptr;
    const std::vector<std::string> words = words_of_input(tokenizer, input);
    JourneyWork work(std::make_shared<ModelRun>(model, std::move(input)), row, layer);
    while (!work.advance(std::numeric_limits<std::int64_t>::max())) continue;
    const JourneyDrawing drawing = {.work = work, .words = words, .tokenizer = tokenizer};
    Notes notes = options.notes;
    for (const std::string& sentence : find_not_finite(model)) notes.push_back(sentence);
    if (options.format == ExportFormat::csv) written = journey_csv(drawing);
    if (options.format == ExportFormat::json) written = journey_json(drawing, notes);
    if (options.format != ExportFormat::text) return "";
    for (const TextTable& table : tables_of_way(drawing)) write_table(table, written);
    return "";
}

std::string write_votes(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                        std::string& written) {
    PictureOfLink made;
    std::string problem = make_picture(folder, options, std::move(input), made);
    if (!problem.empty()) return problem;
    if (options.format == ExportFormat::csv) {
        written = model_csv(*made.work, *made.drawing);
        return "";
    }
    for (const TextTable& table : tables_of_picture(*made.drawing)) write_table(table, written);
    return "";
}

std::string draw_votes(const ModelFolder& folder, const ModelOptions& options, ModelInput input, std::string& written) {
    PictureOfLink made;
    std::string problem = make_picture(folder, options, std::move(input), made);
    if (problem.empty()) written = figure_as_svg(sheet_of_model(*made.drawing, options.text, false));
    return problem;
}

std::string write_patch_effects(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                                ModelInput other, std::string& written) {
    const Model& model = folder.model;
    const int num_tokens = input.num_tokens(), row = options.row.value_or(num_tokens - 1);
    std::string problem = why_outside("row", row, 0, num_tokens, "the text");
    if (!model.weights.unembedding.is_there())
        problem = "The files of this model have no head, so there is no choice between words.";
    const ModelTokenizer* tokenizer = folder.tokenizer ? &*folder.tokenizer : nullptr;
    const std::optional<int> word = token_of_link(folder, options.word, problem);
    const std::optional<int> against = token_of_link(folder, options.against, problem);
    if (!problem.empty()) return problem;
    const std::vector<std::string> words = words_of_input(tokenizer, input);
    const std::vector<std::string> other_words = words_of_input(tokenizer, other);
    PatchEffects work(std::make_shared<ModelRun>(model, std::move(input)),
                      std::make_shared<ModelRun>(model, std::move(other)), row, word, against, 0, num_tokens);
    while (!work.advance(std::numeric_limits<std::int64_t>::max())) continue;
    const PatchDrawing drawing = {.work = work, .words = words, .other_words = other_words, .tokenizer = tokenizer};
    if (options.format == ExportFormat::csv) written = patch_csv(drawing);
    if (options.format == ExportFormat::json) written = patch_json(drawing, options.notes);
    if (options.format != ExportFormat::text) return "";
    for (const TextTable& table : tables_of_patches(drawing)) write_table(table, written);
    return "";
}

}  // namespace attn
