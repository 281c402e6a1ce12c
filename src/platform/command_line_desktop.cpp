// Reads the options one by one, and stops at the first mistake with a sentence.
#include "platform/command_line_desktop.h"

#include <charconv>
#include <cmath>

namespace attn {
namespace {

constexpr std::string_view kHelp =
    R"(Attention Playground: see what multi-head causal attention does with your sentence.

usage: attention-playground [option...] [link] [file...]

A link is an address of the page or its query string, for example 'text=a+dog+barks&heads=4'.
A file is a session (lesson.attention) or holds numbers (.npy, .npz, .csv, .tsv, .json);
a folder has the files of a trained model (config.json, model.safetensors, tokenizer.json).
Without either, the program opens where the last visit ended.

  --size WxH              size of the window in points, at least 360x480
  --fullscreen            fill the screen; F11 and Alt+Enter change it while the program runs
  --theme light|dark      in place of the system's colour scheme
  --contrast              black and white, as with a system's contrast theme
  --scale N               device pixels a point, 0.5 to 4, in place of the monitor's
  --screenshot FILE.png   write the picture to a file and end; leaves the last visit alone
  --frames-report         print a line for each frame drawn, and one when nothing is left to draw
  --items-report          print at the end what stands where on the screen, in points, as JSON
  --version
  --help

A screen reader finds nothing in the window. The playground's page and its single HTML file
(attention-playground.html) work offline, too, and have a text version: the button Text.
)";

constexpr float kSmallestScale = 0.5F;
constexpr float kLargestScale = 4;

// The whole of `text` as a number.
template <class Number>
std::optional<Number> parse(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// "1280x800" within the legal sizes.
std::optional<WindowSize> parse_size(std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    const std::optional<int> width = parse<int>(text.substr(0, cross));
    const std::optional<int> height = parse<int>(text.substr(cross + 1));
    if (!width || *width < kSmallestWindow.width || *width > kLargestWindow.width) return std::nullopt;
    if (!height || *height < kSmallestWindow.height || *height > kLargestWindow.height) return std::nullopt;
    return WindowSize{*width, *height};
}

std::optional<float> parse_scale(std::string_view text) {
    const std::optional<float> scale = parse<float>(text);
    if (!scale || !(*scale >= kSmallestScale && *scale <= kLargestScale)) return std::nullopt;  // NaN fails too
    return scale;
}

std::optional<bool> parse_theme(std::string_view text) {
    if (text == "dark") return true;
    if (text == "light") return false;
    return std::nullopt;
}

std::optional<std::string> parse_png_name(std::string_view text) {
    if (text.size() <= 4 || !text.ends_with(".png")) return std::nullopt;
    return std::string(text);
}

// Options that are followed by a value: how it is read, and what it must be.
struct ValueOption {
    std::string_view name;
    std::string_view wanted;
    bool (*read)(std::string_view value, CommandLine& line);  // false: the value is not what is wanted
};
constexpr ValueOption kValueOptions[] = {
    {"--size", "a size like 1280x800, at least 360x480",
     [](std::string_view value, CommandLine& line) { return (line.size = parse_size(value)).has_value(); }},
    {"--theme", "light or dark",
     [](std::string_view value, CommandLine& line) { return (line.is_dark = parse_theme(value)).has_value(); }},
    {"--scale", "a number from 0.5 to 4",
     [](std::string_view value, CommandLine& line) { return (line.scale = parse_scale(value)).has_value(); }},
    {"--screenshot", "a file name that ends in .png",
     [](std::string_view value, CommandLine& line) { return (line.screenshot = parse_png_name(value)).has_value(); }},
};

const ValueOption* find_value_option(std::string_view name) {
    for (const ValueOption& option : kValueOptions)
        if (option.name == name) return &option;
    return nullptr;
}

bool read_flag(std::string_view argument, CommandLine& line) {
    bool* flag = argument == "--help"            ? &line.wants_help
                 : argument == "-h"              ? &line.wants_help
                 : argument == "--version"       ? &line.wants_version
                 : argument == "--fullscreen"    ? &line.is_full_screen
                 : argument == "--contrast"      ? &line.has_contrast
                 : argument == "--frames-report" ? &line.reports_frames
                 : argument == "--items-report"  ? &line.reports_items
                                                 : nullptr;
    if (flag) *flag = true;
    return flag != nullptr;
}

bool is_file(std::string_view argument) {
    for (const std::string_view start : {"file:", "/", "./", "../"})
        if (argument.starts_with(start)) return true;
    const bool is_link =
        argument.find_first_of("=#?") != std::string_view::npos || argument.find("://") != argument.npos;
    return !argument.empty() && !is_link;
}

}  // namespace

Result<CommandLine> read_command_line(std::span<const std::string_view> arguments) {
    CommandLine line;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string argument(arguments[i]);
        if (read_flag(argument, line)) continue;
        if (const ValueOption* option = find_value_option(argument)) {
            const std::string wanted = argument + " wants " + std::string(option->wanted);
            if (i + 1 == arguments.size()) return Result<CommandLine>::failure(wanted + ".");
            const std::string value(arguments[++i]);
            if (!option->read(value, line)) return Result<CommandLine>::failure(wanted + ", not '" + value + "'.");
        } else if (argument.starts_with("-")) {
            return Result<CommandLine>::failure("There is no option " + argument + "; --help lists them.");
        } else if (is_file(argument)) {
            line.files.push_back(argument);
        } else if (line.link) {
            return Result<CommandLine>::failure("One link at a time: '" + *line.link + "' or '" + argument + "'?");
        } else {
            line.link = argument;
        }
    }
    return line;
}

std::string_view help_text() {
    return kHelp;
}

}  // namespace attn
