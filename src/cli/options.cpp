// See options.h. Says no in one sentence; whether a stage or a cell exists for a link is command.cpp's business.
#include "cli/options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/check.h"
#include "playground/notes.h"

namespace attn {
namespace {

using Read = Result<Options>;

struct ActionName {
    std::string_view name;
    Action action;
};
constexpr std::array kActions = {ActionName{"trace", Action::trace}, ActionName{"explain", Action::explain},
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

// Which actions an option makes sense for.
struct OptionInfo {
    std::string_view name;
    std::string (*put)(Options& options, const std::string& value);
    bool for_trace, for_explain, for_keys;
};
constexpr std::array kOptions = {
    OptionInfo{"--stage", put_stage, true, true, false}, OptionInfo{"--format", put_format, true, true, true},
    OptionInfo{"--text", put_text, true, true, false},   OptionInfo{"--head", put_head, false, true, false},
    OptionInfo{"--row", put_row, false, true, false},    OptionInfo{"--column", put_column, false, true, false}};

bool is_for(const OptionInfo& option, Action action) {
    return (action == Action::trace && option.for_trace) || (action == Action::explain && option.for_explain) ||
           (action == Action::keys && option.for_keys);
}

// Sentences for options that contradict the action.
std::string find_contradiction(const Options& options) {
    if (options.action == Action::keys) {
        if (options.link) return concat("attn keys takes no link, but got ", quoted(*options.link), ".");
        if (options.format == ExportFormat::csv) return "attn keys can be printed as text or json, not as csv.";
        return "";
    }
    if (!options.link && options.texts.empty())
        return "The link is missing: attn trace '<link>', or --text with a sentence.";
    if (std::count(options.texts.begin(), options.texts.end(), "-") > 1)
        return "Standard input can be read once: --text - stands twice.";
    return "";
}

}  // namespace

Result<Options> read_options(std::span<const std::string> arguments) {
    Options options;
    if (arguments.empty()) return Read::failure("Say what to do: attn trace, attn explain, attn keys or attn --help.");
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
            concat("There is no command ", quoted(name), "; the commands are trace, explain and keys."));
    options.action = action->action;

    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (!argument.starts_with('-')) {
            if (options.link)
                return Read::failure(
                    concat("One link is enough: ", quoted(argument), " is a second one; put a link in quotes."));
            options.link = argument;
            continue;
        }
        const auto option =
            std::find_if(kOptions.begin(), kOptions.end(), [&](const OptionInfo& o) { return o.name == argument; });
        if (option == kOptions.end())
            return Read::failure(concat("There is no option ", quoted(argument), "; attn --help lists them."));
        if (!is_for(*option, options.action))
            return Read::failure(concat("attn ", name, " has no option ", argument, "."));
        if (++i == arguments.size()) return Read::failure(concat(argument, " wants a value after it."));
        const std::string refusal = option->put(options, arguments[i]);
        if (!refusal.empty()) return Read::failure(refusal);
    }
    const std::string contradiction = find_contradiction(options);
    if (!contradiction.empty()) return Read::failure(contradiction);
    return options;
}

std::string help_text() {
    return concat(
        "attn: multi-head causal attention on a sentence, step by step, with PyTorch's numbers.\n"
        "\n"
        "  attn trace '<link>'     every stage of every sentence: names, shapes, values, tokens, notes\n"
        "      --stage NAME        only this stage\n"
        "      --format FORMAT     json (default), csv or text\n"
        "      --text SENTENCE     instead of the link's sentence; repeated for a batch; - reads standard input\n"
        "\n"
        "  attn explain '<link>'   what one number is made of\n"
        "      --stage NAME        the stage (default: the one the link shows)\n"
        "      --head N            counted from 1; not for stages without heads\n"
        "      --row N --column N  counted from 0 (default for all three: the cell the link pins)\n"
        "      --format FORMAT     text (default), json or csv\n"
        "      --text SENTENCE     as above\n"
        "\n"
        "  attn keys               the keys of a link\n"
        "      --format FORMAT     text (default) or json\n"
        "\n"
        "  attn --help, attn --version\n"
        "\n"
        "A link is the address of the page or what follows its #, for example 'text=The+cat+sat&heads=2'.\n"
        "Values that are not legal are moved to the nearest legal one, and a note says so.\n"
        "Stages: ",
        stage_names(), ".\nExit code: 0, or 2 with one sentence on standard error.\n");
}

}  // namespace attn
