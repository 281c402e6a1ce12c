// The arguments of the attn command.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/attention/stages.h"
#include "core/ground/result.h"
#include "playground/print/trace_export.h"
#include "share/exports/exports.h"

namespace attn {

enum class Action { trace, explain, cache, export_file, keys, help, version };

struct Options {
    Action action = Action::help;
    std::optional<std::string> link;
    std::optional<std::string> session;  // a session file instead of the link; "-" stands for standard input
    std::vector<std::string> texts;      // of --text: they replace the link's sentences; "-" stands for standard input
    std::optional<TensorId> stage;
    std::optional<ExportFormat> format;
    std::optional<int> head;  // counted from 1, as on the screen
    std::optional<int> row;
    std::optional<int> column;

    std::optional<ExportKind> kind;     // of attn export
    std::string export_options;         // "dark=1&head=2"
    std::optional<std::string> output;  // the file to write, or the folder to write it into; nothing: standard output
    bool lists_kinds = false;           // attn export --list
};

// A failure is one sentence for the person at the terminal.
Result<Options> read_options(std::span<const std::string> arguments);

std::string help_text();

}  // namespace attn
