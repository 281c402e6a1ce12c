// The shown stage as figures need it: its matrices without blank numbers, its labels, tips, legend and title. The
// matrix, the numbers and the comparison share it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/kit/figure_map.h"
#include "views/stage/shown_stage.h"

namespace attn {

struct FigureStage : ShownStage {
    explicit FigureStage(const ShownStage& stage) : ShownStage(stage) {}

    std::vector<int> heads;  // one for each map; {0} without heads, and if they are combined
    MapGrid grid;
    std::vector<std::string> tip_names;  // of the tokens, for cell_tip; empty if a figure has no tips
    std::vector<ReducedMatrix> reduced;  // of each of `heads`, as the grid joins its cells; empty if it joins none
};

// Reads all numbers of the shown stage, a band of rows at a time: a long text has sixty million.
class StageScan {
public:
    // Takes the heads of `id` that the options and the view ask for. The evaluation must outlive the scan.
    StageScan(const PlaygroundState& state, const Evaluation& evaluation, const FigureOptions& options, TensorId id);
    StageScan(const StageScan&) = delete;  // the stage points into the memory
    StageScan& operator=(const StageScan&) = delete;
    // Continues for some milliseconds. Returns whether it has read all.
    bool advance();
    // As far as it has read.
    const FigureStage& stage() const { return stage_; }

private:
    StageMemory memory_;
    FigureStage stage_;
};

// Which cells of a map the typed numbers changed; size 0 if none changed, or if it is unknown.
Flags changed_cells(const FigureTask& task, const FigureStage& stage, int head);

// The full texts of rows and columns.
std::vector<std::string> stage_row_labels(const FigureTask& task, const FigureStage& stage);
std::vector<std::string> stage_column_labels(const FigureTask& task, const FigureStage& stage);

// "head 1 · brush → painted: 0.1234", "brush · channel 3: 0.1234"; "masked" for a hidden key. Of a figure with tips.
std::string cell_tip(const FigureTask& task, const FigureStage& stage, int head, Place place, float value);

// The pinned cell, if it lies in the stage.
std::optional<Cell> pinned_cell(const FigureTask& task, const FigureStage& stage);

// The number beside each row of the map that the view asks for; nothing if the stage has none. "?" in rows with a blank
// number.
std::optional<RowNumbers> stage_row_numbers(const FigureTask& task, const FigureStage& stage, const StageRows& map,
                                            int digits);

// A band for each head, `head_dim` rows or columns each, up to `count`. Keys and values that heads share are in the
// colour of the first.
std::vector<ColumnBand> head_bands(const FigureTask& task, TensorId tensor, int count);
// Of the merged heads, above their columns; none of other stages.
std::vector<ColumnBand> head_bands(const FigureTask& task, const FigureStage& stage);

// "■ Head 1  rows: query · columns: key"
FigureBlock stage_heading(const FigureTask& task, const FigureStage& stage, int head, double width);

// The sentence, and "weights A (num_heads, T, T) = (2, 11, 11): softmax of each row of masked scores".
FigureWords figure_words(const FigureTask& task, const FigureStage& stage);

// What the legend says: colours, hidden and blank cells, changes, row numbers, remarks. `map`: the maps' cells, or null
// for tables. `has_row_numbers`: whether there was room to draw them.
std::vector<LegendPiece> stage_legend(const FigureTask& task, const FigureStage& stage, const MapGrid* map,
                                      bool has_row_numbers);

}  // namespace attn
