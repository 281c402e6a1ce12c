// What stands after `attn` on the command line.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/stages.h"
#include "playground/trace_export.h"

namespace attn {

enum class Action { trace, explain, keys, help, version };

struct Options {
    Action action = Action::help;
    std::optional<std::string> link;
    std::vector<std::string> texts;  // of --text: they replace the link's sentences; "-" stands for standard input
    std::optional<TensorId> stage;
    std::optional<ExportFormat> format;
    std::optional<int> head;  // counted from 1, as on the screen
    std::optional<int> row;
    std::optional<int> column;
};

// A failure is one sentence for the person at the terminal.
Result<Options> read_options(std::span<const std::string> arguments);

std::string help_text();

}  // namespace attn
