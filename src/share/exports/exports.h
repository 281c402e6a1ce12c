// Everything that can be taken home: one table, walked by the share panel, the attn command, the page's engine and the
// embed element.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/attention/stages.h"
#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "scene/pens/png_drawing.h"
#include "share/exports/export_kinds.h"

namespace attn {

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
// Whether the share panel has it: what only one view shows is offered there.
bool is_offered(ExportKind kind, const PlaygroundState& state);

struct ExportedFile {
    std::string name;  // a file name without folders, made from the sentence: "attention-the-artist-weights.csv"
    std::string media_type;
    std::string bytes;
    Notes notes;  // what was made smaller than asked
};

// A file being made. Files with all numbers of a long text are made in pieces, and so are pictures.
class ExportWork {
public:
    // The state is legal.
    ExportWork(ExportKind kind, PlaygroundState state, ExportOptions options, DrawPng draw_png = {});
    ~ExportWork();
    ExportWork(ExportWork&&) noexcept;
    ExportWork& operator=(ExportWork&&) noexcept;

    // Goes on for some milliseconds; packing arrays may take longer. `evaluator` is up to date with the
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
