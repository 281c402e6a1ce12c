// Reads the arguments and the few keys of a link that a model takes.
#include "cli/model_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_tensors.h"
#include "playground/link/link_text.h"
#include "playground/link/patch_keys.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"

namespace attn {
namespace {

using ReadModel = Result<ModelOptions>;

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string put_whole(std::string_view name, const std::string& value, std::int64_t least, std::int64_t most,
                      std::int64_t& to) {
    const std::optional<std::int64_t> number = whole_number(value);
    if (!number || *number < least || *number > most)
        return concat(name, " wants a whole number from ", least, " to ", most, ", not ", quoted(value), ".");
    to = *number;
    return "";
}

constexpr std::int64_t kMostOfAny = 1 << 24;  // of a list, too: who typed it is to hear of each member

std::string put_folder(ModelOptions& options, const std::string& value) {
    options.folder = value;
    return "";
}
std::string put_heads(ModelOptions& options, const std::string& value) {
    std::int64_t heads = 0;
    std::string refusal = put_whole("--heads", value, 1, 1024, heads);
    options.heads = static_cast<int>(heads);
    return refusal;
}
std::string put_sentence(ModelOptions& options, const std::string& value) {
    options.text = value;
    return "";
}
std::string put_ids(std::string_view name, const std::string& value, std::optional<std::vector<int>>& ids) {
    ids.emplace();
    for (const std::string& one : read_names(value, kMostOfAny)) {
        std::int64_t id = 0;
        const std::string refusal = put_whole(name, one, 0, kMostOfAny, id);
        if (!refusal.empty()) return refusal;
        ids->push_back(static_cast<int>(id));
    }
    return "";
}
std::string put_tokens(ModelOptions& options, const std::string& value) {
    return put_ids("--tokens", value, options.ids);
}
std::string put_other_tokens(ModelOptions& options, const std::string& value) {
    return put_ids("--other-tokens", value, options.other_ids);
}
std::string put_layer(ModelOptions& options, const std::string& value) {
    std::int64_t layer = 0;
    std::string refusal = put_whole("layer", value, 1, kMostOfAny, layer);
    options.layer = static_cast<int>(layer) - 1;
    return refusal;
}
std::string put_model_stage(ModelOptions& options, const std::string& value) {
    options.stage = model_stage_of_name(value);
    if (options.stage) return "";
    std::string names;
    for (const TensorId stage : model_stages()) names += concat(names.empty() ? "" : ", ", tensor_name(stage));
    return concat("A model has no stage ", quoted(value), "; its stages are ", names, ".");
}
std::string put_model_format(ModelOptions& options, const std::string& value) {
    if (value == "json") options.format = ExportFormat::json;
    if (value == "csv") options.format = ExportFormat::csv;
    const bool has_text = options.action == ModelAction::lens || options.action == ModelAction::journey ||
                          options.action == ModelAction::patch;
    if (value == "text" && has_text) return "";  // as without an option
    return value == "json" || value == "csv"
               ? ""
               : concat("A model has no format ", quoted(value), "; the formats are json and csv.");
}
std::string put_head_number(std::string_view name, ModelOptions& options, const std::string& value) {
    std::int64_t head = 0;
    std::string refusal = put_whole(name, value, 1, kMostOfAny, head);
    options.head = static_cast<int>(head) - 1;
    return refusal;
}
std::string put_head(ModelOptions& options, const std::string& value) {
    return put_head_number("--head", options, value);
}
std::string put_place(std::string_view name, const std::string& value, std::optional<int>& to) {
    std::int64_t place = 0;
    std::string refusal = put_whole(name, value, 0, kMostOfAny, place);
    to = static_cast<int>(place);
    return refusal;
}
std::string put_row(ModelOptions& options, const std::string& value) {
    return put_place("--row", value, options.row);
}
std::string put_column(ModelOptions& options, const std::string& value) {
    return put_place("--column", value, options.column);
}
std::string put_tensor(ModelOptions& options, const std::string& value) {
    options.tensor = value;
    return "";
}
std::string put_tensor_place(ModelOptions& options, const std::string& value) {
    options.place.clear();
    for (const std::string& one : read_names(value, kMostOfAny)) {
        std::int64_t index = 0;
        const std::string refusal = put_whole("--place", one, 0, kMostOfAny, index);
        if (!refusal.empty()) return refusal;
        options.place.push_back(index);
    }
    return "";
}
std::string put_file(ModelOptions& options, const std::string& value) {
    options.output = value;
    return "";
}
std::string put_count(ModelOptions& options, const std::string& value) {
    std::int64_t count = 0;
    std::string refusal = put_whole("--count", value, 1, 2048, count);
    options.count = static_cast<int>(count);
    return refusal;
}
std::string put_seed(ModelOptions& options, const std::string& value) {
    std::int64_t seed = 0;
    std::string refusal = put_whole("--seed", value, 0, std::int64_t{1} << 53U, seed);
    options.seed = static_cast<std::uint64_t>(seed);
    return refusal;
}
std::string put_top_k(ModelOptions& options, const std::string& value) {
    std::int64_t top_k = 0;
    std::string refusal = put_whole("--top-k", value, 0, kMostOfAny, top_k);
    options.sampling.top_k = static_cast<int>(top_k);
    return refusal;
}
std::string put_temperature(ModelOptions& options, const std::string& value) {
    const std::optional<double> number = parse_number(value);
    if (!number || !(*number == 0 || (*number >= 1e-3 && *number <= 1e3)))
        return concat("--temperature wants 0 or a number from 0.001 to 1000, not ", quoted(value), ".");
    options.sampling.temperature = *number;
    return "";
}
std::string put_top_p(ModelOptions& options, const std::string& value) {
    const std::optional<double> number = parse_number(value);
    if (!number || !(*number > 0 && *number <= 1))
        return concat("--top-p wants a number above 0 and up to 1, not ", quoted(value), ".");
    options.sampling.top_p = *number;
    return "";
}

// Which commands know an option.
struct Commands {
    bool trace = false, explain = false, nudge = false, export_file = false, votes = false, generate = false,
         lens = false, journey = false, patch = false;
};
constexpr Commands kAllCommands = {true, true, true, true, true, true, true, true, true};

struct ModelOption {
    std::string_view name;
    std::string (*put)(ModelOptions& options, const std::string& value);
    Commands commands;
};
constexpr std::array kModelOptions = {
    ModelOption{"--model", put_folder, kAllCommands},
    ModelOption{"--heads", put_heads, kAllCommands},
    ModelOption{"--text", put_sentence, kAllCommands},
    ModelOption{"--tokens", put_tokens, kAllCommands},
    ModelOption{"--other-tokens", put_other_tokens, kAllCommands},
    ModelOption{"--stage", put_model_stage, {.trace = true, .explain = true}},
    ModelOption{
        "--format",
        put_model_format,
        {.trace = true, .explain = true, .nudge = true, .votes = true, .lens = true, .journey = true, .patch = true}},
    ModelOption{"--head", put_head, {.explain = true}},
    ModelOption{"--row", put_row, {.explain = true, .lens = true, .journey = true, .patch = true}},
    ModelOption{"--column", put_column, {.explain = true}},
    ModelOption{"--tensor", put_tensor, {.nudge = true}},
    ModelOption{"--place", put_tensor_place, {.nudge = true}},
    ModelOption{"--out", put_file, {.export_file = true}},
    ModelOption{"--count", put_count, {.generate = true}},
    ModelOption{"--temperature", put_temperature, {.generate = true}},
    ModelOption{"--top-k", put_top_k, {.generate = true}},
    ModelOption{"--top-p", put_top_p, {.generate = true}},
    ModelOption{"--seed", put_seed, {.generate = true}}};

bool is_option_for(const ModelOption& option, ModelAction action) {
    const Commands& commands = option.commands;
    switch (action) {
        case ModelAction::trace:
            return commands.trace;
        case ModelAction::explain:
            return commands.explain;
        case ModelAction::nudge:
            return commands.nudge;
        case ModelAction::export_npz:
        case ModelAction::export_pytorch:
        case ModelAction::export_svg:
            return commands.export_file;
        case ModelAction::votes:
            return commands.votes;
        case ModelAction::lens:
            return commands.lens;
        case ModelAction::journey:
            return commands.journey;
        case ModelAction::patch:
            return commands.patch;
        case ModelAction::generate:
            return commands.generate;
    }
    return false;
}

// "2:3" is the third head of the second layer.
std::string put_heads_off(ModelOptions& options, const std::string& value) {
    for (const std::string& one : read_names(value, kMostOfAny)) {
        std::string_view rest = one;
        const std::string_view layer_text = take_until(rest, ':');
        const std::optional<std::int64_t> layer = whole_number(layer_text), head = whole_number(rest);
        if (!layer || !head || *layer < 1 || *head < 1 || *layer > kMostOfAny || *head > kMostOfAny) {
            return concat("off wants heads such as 2:3, the third of the second layer, not ", quoted(one), ".");
        }
        options.off.push_back({.layer = static_cast<int>(*layer) - 1, .head = static_cast<int>(*head) - 1});
    }
    return "";
}

// "2.w_query[0,1]=0.5". A note about what cannot be read is a refusal here.
std::string put_edit(ModelOptions& options, const std::string& value) {
    Notes notes;
    read_edit(value, options.edits, notes);
    return notes.empty() ? "" : concat(notes.front(), ".");
}

std::string put_map(ModelOptions& options, const std::string& value) {
    if (value == "head") options.map = LayerMap::head;
    if (value == "mean") options.map = LayerMap::mean;
    if (value == "rollout") options.map = LayerMap::rollout;
    if (value == "head" || value == "mean" || value == "rollout") return "";
    return concat("map wants head, mean or rollout, not ", quoted(value), ".");
}

std::string put_patches(ModelOptions& options, const std::string& value) {
    Notes notes;
    read_patches(value, options.patches, notes);
    return notes.empty() ? "" : concat(notes.front(), ".");
}

// `is_other`: the link is that of compare=.
std::string read_model_link(const std::string& link, ModelOptions& options, bool is_other = false) {
    std::string_view rest = query_of(link);
    NameList others;
    while (!rest.empty()) {
        std::string_view pair = take_until(rest, '&');
        const std::string key = decode_form(take_until(pair, '='));
        const std::string value = decode_form(pair);
        std::string refusal;
        if (key == "text") {
            options.text = value;
        } else if (key == "layer") {
            refusal = put_layer(options, value);
        } else if (key == "off") {
            refusal = put_heads_off(options, value);
        } else if (key == "edit") {
            refusal = put_edit(options, value);
        } else if (key == "head") {
            refusal = put_head_number("head", options, value);
        } else if (key == "map") {
            refusal = put_map(options, value);
        } else if (key == "lens") {
            std::int64_t layer = 0;
            refusal = put_whole("lens", value, 0, kMostOfAny, layer);
            options.lens = static_cast<int>(layer);
        } else if (key == "word") {
            options.word = value;
        } else if (key == "against") {
            options.against = value;
        } else if (key == "patch") {
            refusal = put_patches(options, value);
        } else if (key == "compare" && !is_other) {
            refusal = read_model_link(value, options.other.emplace_back(), true);
        } else if (key == "off_by" && (value == "zero" || value == "mean")) {
            options.off_by = value == "mean" ? OffBy::mean : OffBy::zero;
        } else if (key != "v" && !key.empty()) {
            others.add(quoted(key));
        }
        if (!refusal.empty()) return refusal;
    }
    if (!others.empty()) options.notes.push_back(concat("a model decides, so these do not count: ", others.text()));
    return "";
}

// Commands that look at a model's numbers, and have a picture in the page.
constexpr std::pair<std::string_view, ModelAction> kPictures[] = {{"votes", ModelAction::votes},
                                                                  {"lens", ModelAction::lens},
                                                                  {"journey", ModelAction::journey},
                                                                  {"patch", ModelAction::patch}};

std::string read_action(std::span<const std::string> arguments, ModelOptions& options, std::size_t& next) {
    const std::string& name = arguments[0];
    next = 1;
    if (name == "trace") return "";
    if (name == "explain" || name == "nudge") {
        options.action = name == "explain" ? ModelAction::explain : ModelAction::nudge;
        options.format = ExportFormat::text;
        return "";
    }
    if (name == "generate") {
        options.action = ModelAction::generate;
        return "";
    }
    for (const auto& [picture, action] : kPictures) {
        if (name != picture) continue;
        options.action = action;
        options.format = ExportFormat::text;
        return "";
    }
    if (name != "export") return concat("attn ", name, " takes no --model.");
    constexpr std::pair<std::string_view, ModelAction> kExports[] = {
        {"npz", ModelAction::export_npz}, {"pytorch", ModelAction::export_pytorch}, {"svg", ModelAction::export_svg}};
    for (const auto& [kind, action] : kExports)
        if (arguments.size() > 1 && arguments[1] == kind) options.action = action;
    if (options.action == ModelAction::trace)
        return "Of a model there are three exports: attn export npz --model FOLDER '<link>', pytorch and svg.";
    next = 2;
    return "";
}

}  // namespace

bool is_about_model(std::span<const std::string> arguments) {
    if (arguments.empty()) return false;
    for (std::size_t i = 1; i < arguments.size() && arguments[i] != "--text"; ++i) {
        if (arguments[i] == "--help" || arguments[i] == "-h" || arguments[i] == "--version") return false;
    }
    const bool is_picture = std::ranges::any_of(kPictures, [&](const auto& one) { return arguments[0] == one.first; });
    return is_picture || arguments[0] == "generate" || arguments[0] == "nudge" ||
           std::find(arguments.begin(), arguments.end(), "--model") != arguments.end();
}

ReadModel read_model_options(std::span<const std::string> arguments) {
    ModelOptions options;
    std::size_t next = 0;
    std::string refusal = read_action(arguments, options, next);
    std::optional<std::string> link;
    for (std::size_t i = next; i < arguments.size() && refusal.empty(); ++i) {
        const std::string& argument = arguments[i];
        if (!argument.starts_with('-')) {
            if (link)
                refusal = concat("One link is enough: ", quoted(argument), " is a second one; put a link in quotes.");
            link = argument;
            continue;
        }
        const auto option = std::find_if(kModelOptions.begin(), kModelOptions.end(),
                                         [&](const ModelOption& one) { return one.name == argument; });
        if (option == kModelOptions.end() || !is_option_for(*option, options.action)) {
            refusal = concat("attn ", arguments[0], " with a model has no option ", quoted(argument), ".");
        } else if (++i == arguments.size()) {
            refusal = concat(argument, " wants a value after it.");
        } else if (argument != "--text" || !link) {
            refusal = option->put(options, arguments[i]);
        } else {
            refusal = "A link and --text are two texts: give only one of them.";
        }
    }
    if (options.action == ModelAction::nudge && options.format == ExportFormat::csv)
        refusal = "attn nudge prints text, or with --format json the same for programs; there is no CSV.";
    if (options.action == ModelAction::votes && options.format == ExportFormat::json)
        refusal = "attn votes prints tables, or with --format csv one table for a spreadsheet; there is no JSON.";
    if (refusal.empty() && link) refusal = read_model_link(*link, options);
    for (Edit& edit : options.edits) {
        if (edit.layer != kShownLayer) continue;
        if (!options.layer && refusal.empty())
            refusal = concat("Say of which layer: edit=1.", cell_name(edit), "=..., or layer=1 beside it.");
        edit.layer = options.layer.value_or(0);
    }
    if (refusal.empty() && options.folder.empty()) refusal = "Say which model: --model and the folder with its files.";
    if (refusal.empty() && options.text.empty() && !options.ids)
        refusal = "There is no text: give a link with text=..., --text or --tokens.";
    if (!refusal.empty()) return ReadModel::failure(refusal);
    return options;
}

}  // namespace attn
