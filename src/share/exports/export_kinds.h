// The kinds of files that can be saved, and their options: for code that asks for a file without making it.
#pragma once

#include <optional>

#include "core/attention/stages.h"
#include "scene/kit/figure_options.h"

namespace attn {

enum class ExportKind {
    svg,
    png,
    csv,
    tsv,
    json,
    npy,
    npz,
    pytorch,
    code,
    lecture_class,
    numpy,
    notebook,
    xlsx,
    solution,
    worksheet,
    moodle,
    gift,
    qti,
    session,
    votes,
    lens,
    journey,
    patch,
};

// Of a stage that is too large for one file, csv, tsv and npy can have a part.
enum class ExportPart {
    all,
    head,    // the pinned cell's, else the enlarged one, else the first
    window,  // View::window of all heads
};

struct ExportOptions {
    FigureOptions figure;
    std::optional<TensorId> stage;  // of scope stage; nothing: the shown one
    ExportPart part = ExportPart::all;
    bool is_letter = false;  // a worksheet's paper; else A4
    bool is_key = false;     // the key of a worksheet in its place

    bool operator==(const ExportOptions&) const = default;
};

}  // namespace attn
