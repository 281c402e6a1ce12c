// Reads the arguments, and refuses wrong ones in one sentence. command.cpp checks whether a stage or a cell exists for
// the link.
#include "cli/options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/layers/model_stages.h"

namespace attn {
namespace {

using Read = Result<Options>;

struct ActionName {
    std::string_view name;
    Action action;
};
constexpr std::array kActions = {ActionName{"trace", Action::trace}, ActionName{"explain", Action::explain},
                                 ActionName{"cache", Action::cache}, ActionName{"export", Action::export_file},
                                 ActionName{"keys", Action::keys}};

std::string stage_names() {
    std::string names;
    for (const StageInfo& info : stage_table()) names += concat(names.empty() ? "" : ", ", info.name);
    return names;
}

// Each of these puts the value of an option into `options`, or returns a sentence that says why not.
std::string put_stage(Options& options, const std::string& value) {
    options.stage = stage_of_name(value);
    return options.stage ? "" : concat("There is no stage ", quoted(value), "; the stages are ", stage_names(), ".");
}

std::string put_format(Options& options, const std::string& value) {
    if (value == "json") options.format = ExportFormat::json;
    if (value == "csv") options.format = ExportFormat::csv;
    if (value == "text") options.format = ExportFormat::text;
    return options.format ? "" : concat("There is no format ", quoted(value), "; the formats are json, csv and text.");
}

std::string put_text(Options& options, const std::string& value) {
    options.texts.push_back(value);
    return "";
}

std::string put_index(std::optional<int>& index, std::string_view option, const std::string& value) {
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) {
        return concat(option, " wants a whole number, not ", quoted(value), ".");
    }
    index = number;
    return "";
}

std::string put_head(Options& options, const std::string& value) {
    return put_index(options.head, "--head", value);
}
std::string put_row(Options& options, const std::string& value) {
    return put_index(options.row, "--row", value);
}
std::string put_column(Options& options, const std::string& value) {
    return put_index(options.column, "--column", value);
}

std::string put_session(Options& options, const std::string& value) {
    options.session = value;
    return "";
}
std::string put_export_options(Options& options, const std::string& value) {
    options.export_options = value;
    return "";
}
std::string put_output(Options& options, const std::string& value) {
    options.output = value;
    return "";
}
std::string put_list(Options& options, const std::string& /*no value*/) {
    options.lists_kinds = true;
    return "";
}

// The actions an option makes sense for.
struct For {
    bool trace = false, explain = false, cache = false, export_file = false, keys = false;
};

struct OptionInfo {
    std::string_view name;
    std::string (*put)(Options& options, const std::string& value);
    For actions;
    bool takes_value = true;
};
constexpr std::array kOptions = {
    OptionInfo{"--stage", put_stage, {.trace = true, .explain = true, .export_file = true}},
    OptionInfo{"--format", put_format, {.trace = true, .explain = true, .cache = true, .keys = true}},
    OptionInfo{"--text", put_text, {.trace = true, .explain = true, .cache = true, .export_file = true}},
    OptionInfo{"--session", put_session, {.trace = true, .explain = true, .cache = true, .export_file = true}},
    OptionInfo{"--head", put_head, {.explain = true}},
    OptionInfo{"--row", put_row, {.explain = true}},
    OptionInfo{"--column", put_column, {.explain = true}},
    OptionInfo{"--options", put_export_options, {.export_file = true}},
    OptionInfo{"--out", put_output, {.export_file = true}},
    OptionInfo{"--list", put_list, {.export_file = true}, false}};

bool is_for(const OptionInfo& option, Action action) {
    return (action == Action::trace && option.actions.trace) || (action == Action::explain && option.actions.explain) ||
           (action == Action::cache && option.actions.cache) ||
           (action == Action::export_file && option.actions.export_file) ||
           (action == Action::keys && option.actions.keys);
}

// An argument that is no option: the kind of an export first, then a link. A sentence when it is neither.
std::string put_positional(Options& options, const std::string& argument) {
    if (options.action == Action::export_file && !options.kind) {
        options.kind = export_of_name(argument);
        return options.kind
                   ? ""
                   : concat("There is no export ", quoted(argument), "; attn export --list says what there is.");
    }
    if (options.link) {
        return concat("One link is enough: ", quoted(argument), " is a second one; put a link in quotes.");
    }
    options.link = argument;
    return "";
}

// Sentences for options that contradict the action.
std::string find_contradiction(const Options& options) {
    if (options.action == Action::keys) {
        if (options.link) return concat("attn keys takes no link, but got ", quoted(*options.link), ".");
        if (options.format == ExportFormat::csv) return "attn keys prints text or json, not csv.";
        return "";
    }
    if (options.action == Action::export_file) {
        if (options.lists_kinds) return "";
        if (!options.kind)
            return "Say what to export: attn export csv '<link>'; attn export --list says what there is.";
    } else if (!options.link && !options.session && options.texts.empty()) {
        return "The link is missing: attn trace '<link>', or --text with a sentence.";
    }
    if (options.action == Action::cache && options.format == ExportFormat::csv)
        return "attn cache prints text or json, not csv.";
    if (options.link && options.session) return "A link and --session are two states: give only one of them.";
    if (std::count(options.texts.begin(), options.texts.end(), "-") + (options.session == "-" ? 1 : 0) > 1)
        return "Standard input can be read only once, and - is given twice.";
    return "";
}

}  // namespace

Result<Options> read_options(std::span<const std::string> arguments) {
    Options options;
    if (arguments.empty())
        return Read::failure(
            "Say what to do: attn trace, attn explain, attn cache, attn export, attn variants, attn keys or attn "
            "--help.");
    for (const std::string& argument : arguments) {
        if (argument == "--help" || argument == "-h" || argument == "--version") {
            options.action = argument == "--version" ? Action::version : Action::help;
            return options;
        }
        if (argument == "--text") break;  // its sentence may be anything, even "--help"
    }
    const std::string& name = arguments[0];
    const auto action =
        std::find_if(kActions.begin(), kActions.end(), [&](const ActionName& a) { return a.name == name; });
    if (action == kActions.end())
        return Read::failure(
            concat("There is no command ", quoted(name),
                   "; the commands are trace, explain, cache, export, variants, keys, votes, lens, journey, nudge, "
                   "generate and train."));
    options.action = action->action;

    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (!argument.starts_with('-')) {
            const std::string refusal = put_positional(options, argument);
            if (!refusal.empty()) return Read::failure(refusal);
            continue;
        }
        const auto option =
            std::find_if(kOptions.begin(), kOptions.end(), [&](const OptionInfo& o) { return o.name == argument; });
        if (option == kOptions.end())
            return Read::failure(concat("There is no option ", quoted(argument), "; attn --help lists them."));
        if (!is_for(*option, options.action))
            return Read::failure(concat("attn ", name, " has no option ", argument, "."));
        if (option->takes_value && ++i == arguments.size())
            return Read::failure(concat(argument, " wants a value after it."));
        const std::string refusal = option->put(options, arguments[i]);
        if (!refusal.empty()) return Read::failure(refusal);
    }
    const std::string contradiction = find_contradiction(options);
    if (!contradiction.empty()) return Read::failure(contradiction);
    return options;
}

std::string help_text(std::string_view about_models) {
    return concat(
        "attn: multi-head causal attention on a sentence, step by step, with PyTorch's numbers.\n"
        "\n"
        "  attn trace '<link>'     every stage of every sentence: names, shapes, values, tokens, notes, digest\n"
        "      --stage NAME        only this stage\n"
        "      --format FORMAT     json (default), csv or text\n"
        "      --text SENTENCE     instead of the link's sentence; repeated for a batch; - reads standard input\n"
        "      --session FILE      a session file instead of the link; - reads standard input\n"
        "\n"
        "  attn explain '<link>'   what one number is made of\n"
        "      --stage NAME        the stage (default: the one the link shows)\n"
        "      --head N            counted from 1; not for stages without heads\n"
        "      --row N --column N  counted from 0 (default for all three: the cell the link pins)\n"
        "      --format FORMAT     text (default), json or csv\n"
        "      --text SENTENCE, --session FILE   as above\n"
        "\n"
        "  attn cache '<link>'     the sentence token by token: what a cache keeps, what that saves, the same bits or "
        "not\n"
        "      --format FORMAT     text (default) or json\n"
        "      --text SENTENCE, --session FILE   as above\n"
        "\n"
        "  attn export KIND '<link>'   a file of the state, a stage or the view: a script, a table, a figure ...\n"
        "      --list              the kinds there are\n"
        "      --stage NAME        the stage (default: the one the link shows)\n"
        "      --options OPTIONS   how a figure looks: 'dark=1&transparent=1&title=0&legend=0&head=2&scale=3'\n"
        "                          of a worksheet its paper, and whether it is the key: 'paper=letter&key=1'\n"
        "      --out FILE          the file to write, or a folder for it (default: standard output)\n"
        "      --text SENTENCE, --session FILE   as above; without any the state the page opens with\n"
        "\n"
        "  attn keys               the keys of a link\n"
        "      --format FORMAT     text (default) or json\n"
        "\n",
        about_models,
        "  attn --help, attn --version\n"
        "\n"
        "A link is the address of the page or what follows its #, for example 'text=The+cat+sat&heads=2'.\n"
        "Values that are not legal are moved to the nearest legal one, and a note says so.\n"
        "Stages: ",
        stage_names(), ".\nExit code: 0, or 2 with one sentence on standard error.\n");
}

}  // namespace attn
