// Everything that can be taken home: one table, walked by the share panel, the attn command, the page's engine and the
// embed element.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/stages.h"
#include "playground/evaluation.h"
#include "playground/notes.h"
#include "playground/state.h"
#include "share/figure_options.h"
#include "share/png_drawing.h"

namespace attn {

enum class ExportKind { svg, png, csv, tsv, json, npy, npz, pytorch, numpy, solution, session };

// What of the state a file holds.
enum class ExportScope { view, stage, state };

struct ExportInfo {
    ExportKind kind;
    std::string_view name;   // on the command line and in messages: "pytorch"
    std::string_view label;  // on the screen: "PyTorch script"
    std::string_view about;  // one sentence
    ExportScope scope;
    std::string_view extension;  // of the file, with the dot
    std::string_view media_type;
    bool is_text;  // can be copied as text
};

std::span<const ExportInfo> export_table();
const ExportInfo& export_info(ExportKind kind);
std::optional<ExportKind> export_of_name(std::string_view name);

struct ExportOptions {
    FigureOptions figure;
    std::optional<TensorId> stage;  // of scope stage; nothing: the shown one

    bool operator==(const ExportOptions&) const = default;
};

// "dark=1&transparent=1&title=0&legend=0&head=2&scale=3&stage=weights"; heads count from 1. Bad values are moved to the
// nearest legal ones, with notes.
ExportOptions read_export_options(std::string_view query, const PlaygroundState& state, Notes& notes);

struct ExportedFile {
    std::string name;  // a file name without folders, made from the sentence: "attention-the-artist-weights.csv"
    std::string media_type;
    std::string bytes;
    Notes notes;  // what was made smaller than asked
};

// A file in the making: what takes all numbers of a long text is done in pieces, and so are pictures.
class ExportWork {
public:
    // The state is legal.
    ExportWork(ExportKind kind, PlaygroundState state, ExportOptions options, DrawPng draw_png = {});
    ~ExportWork();
    ExportWork(ExportWork&&) noexcept;
    ExportWork& operator=(ExportWork&&) noexcept;

    // Goes on for some milliseconds; what packs arrays takes as long as it takes. `evaluator` is up to date with the
    // state, and has the same numbers each time. Returns whether the file is made.
    bool advance(const Evaluator& evaluator);
    // The file, to be taken once. The error is a sentence: an empty sentence, a stage that is not there or is blank, a
    // file that would be too large, a PNG without `draw_png`.
    Result<ExportedFile> take_file();

    const PlaygroundState& state() const;

private:
    struct Body;
    std::unique_ptr<Body> body_;
};

// The same at once.
Result<ExportedFile> export_file(ExportKind kind, const PlaygroundState& state, const Evaluator& evaluator,
                                 const ExportOptions& options, const DrawPng& draw_png = {});

}  // namespace attn
