// The arguments of the attn command where they are about a model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/layers/model_input.h"
#include "model/layers/model_stages.h"
#include "model/layers/sampling.h"
#include "playground/print/trace_export.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "views/model/model_scene.h"

namespace attn {

enum class ModelAction {
    trace,
    explain,
    nudge,
    export_npz,
    export_pytorch,
    export_svg,
    votes,
    lens,
    journey,
    patch,
    generate
};

struct ModelOptions {
    ModelAction action = ModelAction::trace;
    std::string folder;
    int heads = 0;                        // of --heads, for a folder without config.json; 0: not given
    std::string text;                     // of the link or --text
    std::optional<std::vector<int>> ids;  // of --tokens, in the place of a text
    std::optional<int> layer;             // counted from 0 here, from 1 by people
    std::vector<HeadOff> off;             // of the link
    OffBy off_by = OffBy::zero;
    std::vector<Edit> edits;          // of the link
    std::optional<int> head;          // from 0: whose map and switch are shown, or whose number is explained
    std::optional<int> row, column;   // of the number that is explained
    std::string tensor;               // of the files, whose number is nudged
    std::vector<std::int64_t> place;  // of that number
    LayerMap map = LayerMap::head;
    std::string word;               // that is voted for; empty: the most probable one
    std::optional<int> lens;        // of the link: the stream after this layer is asked; nothing: after the last
    std::optional<TensorId> stage;  // nothing: all
    ExportFormat format = ExportFormat::json;
    std::optional<std::string> output;  // a file; nothing: standard output
    int count = 20;                     // tokens to generate
    Sampling sampling;
    std::uint64_t seed = 123;
    std::vector<Patch> patches;                 // of the link
    std::vector<ModelOptions> other;            // what they come from: one where the link has compare=, else none
    std::optional<std::vector<int>> other_ids;  // of --other-tokens, in the place of that text
    std::string against;                        // of the link: the word that is chosen against
    Notes notes;                                // keys of the link that do not count
};

// Whether these arguments are about a model.
bool is_about_model(std::span<const std::string> arguments);

// A failure is one sentence for the person at the terminal.
Result<ModelOptions> read_model_options(std::span<const std::string> arguments);

std::string model_help_text();

}  // namespace attn
