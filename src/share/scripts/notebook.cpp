// The code of the cells is that of script_pytorch and script_model, which say where one begins.
#include "share/scripts/notebook.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/check/withheld.h"
#include "playground/link/state_url.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"
#include "share/formats/session_file.h"
#include "share/scripts/script_model.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_pytorch.h"
#include "share/scripts/stage_code.h"

namespace attn {
namespace {

// What stands before a cell that makes no stage, in Markdown.
struct CellWords {
    std::string_view name, words;
};

constexpr CellWords kCellWords[] = {
    {"setup", "## Libraries"},
    {"tokens", "## Tokens and sizes"},
    {"vectors", "## What the token vectors are made of"},
    {"learned", "## The learned numbers"},
    {"words", "## The words that may come next"},
    {"check",
     "## The same numbers as on the page?\n\nThis cell compares some numbers of each stage with those of the page. It "
     "stops with an error where one differs by more than rounding."},
    {"inputs", "## Training: what goes in"},
    {"function",
     "## From the token vectors to the output\n\nThe lines of the cells above as a function, which each step of "
     "training calls again."},
    {"loss", "## The loss"},
    {"training", "## Losses and gradients"},
    {"trained", "## Every stage after the last step, and the gradients"},
    {"check_trained",
     "## The same numbers as on the page, after the last step?\n\nThis cell compares the loss, stages and gradients "
     "with those of the page."},
    {"files", "## How the model's files are read"},
    {"layers", "## The layers"},
    {"predictions", "## From the last layer to the logits"},
    {"prints", "## The numbers of the layer"},
    {"transformers", "## The same with transformers"},
};

std::string words_of_stage(const Inputs& inputs, TensorId stage) {
    const StageWords words = stage_words(stage, layer_parts(inputs), inputs.goal);
    return concat("`", tensor_name(stage), "`: `", words.formula, "`, shape `",
                  shape_letters(sizes_of(inputs, 0), stage), "`. ", words.meaning);
}

// What stands before a cell, in Markdown.
std::string words_of_cell(std::string_view name, const Inputs& inputs, const std::vector<TensorId>& stages) {
    const auto* const row = std::ranges::find(kCellWords, name, &CellWords::name);
    if (row != std::end(kCellWords)) return std::string(row->words);
    if (stages.size() == 1) return concat("## ", tensor_name(stages[0]), "\n\n", words_of_stage(inputs, stages[0]));
    std::string title, list;
    for (const TensorId stage : stages) {
        title += concat(title.empty() ? "## " : ", ", tensor_name(stage));
        list += concat("\n- ", words_of_stage(inputs, stage));
    }
    return concat(title, "\n", list);
}

class Notebook {
public:
    Notebook() {
        json_.begin_object();
        json_.key("cells");
        json_.begin_array();
    }

    void words(std::string_view id, std::string_view markdown) {
        begin("markdown", concat("about_", id));
        source(markdown);
    }
    void code(std::string_view id, std::string_view python) {
        begin("code", id);
        json_.key("execution_count");
        json_.null();
        json_.key("outputs");
        json_.begin_row();
        json_.end_row();
        source(python);
    }

    std::string take() {
        json_.end_array();
        json_.key("metadata");
        json_.begin_object();
        json_.key("kernelspec");
        json_.begin_object();
        json_.member("display_name", "Python 3");
        json_.member("language", "python");
        json_.member("name", "python3");
        json_.end_object();
        json_.key("language_info");
        json_.begin_object();
        json_.member("name", "python");
        json_.end_object();
        json_.end_object();
        json_.integer("nbformat", 4);
        json_.integer("nbformat_minor", 5);
        json_.end_object();
        return std::move(text_) + "\n";
    }

private:
    void begin(std::string_view type, std::string_view id) {
        json_.begin_object();
        json_.member("cell_type", type);
        json_.member("id", id);
        json_.key("metadata");
        json_.begin_object();
        json_.end_object();
    }
    // As the format has it: a list of lines, each with its line break. Ends the cell.
    void source(std::string_view text) {
        json_.key("source");
        json_.begin_array();
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
            json_.text(text.substr(0, end));
            text.remove_prefix(end);
        }
        json_.end_array();
        json_.end_object();
    }

    std::string text_;
    JsonWriter json_{text_};
};

// What the notebook is, with its link.
std::string opening_words(const PlaygroundState& state) {
    const bool has_model = open_model_of(state.inputs) != nullptr;
    std::string text =
        concat("# Multi-head attention, stage by stage\n\nThe numbers of a state of Attention Playground, ",
               has_model ? "computed with PyTorch from the model's files: name their folder in the "
                           "first cell."
                         : "drawn and computed with PyTorch. The cells need nothing else.");
    if (!withheld_values(state).empty())
        text += " Some numbers are for you to work out: the cells print nan in their place.";
    const std::string link = write_link(state);
    if (link.size() <= kLongLink)
        text += concat("\n\nThe state as a link, to be put behind the playground's address:\n\n```\n#",
                       python_comment_link(link), "\n```");
    return text;
}

std::string notebook_of(const PythonText& python, const PlaygroundState& state) {
    Notebook notebook;
    notebook.words("notebook", opening_words(state));
    const std::vector<PythonText::Cell>& cells = python.cells();
    ATTN_CHECK(!cells.empty() && cells[0].begin == 0, "code before the first cell");
    for (std::size_t n = 0; n < cells.size(); ++n) {
        const std::size_t end = n + 1 < cells.size() ? cells[n + 1].begin : python.text().size();
        std::string code(trimmed(std::string_view(python.text()).substr(cells[n].begin, end - cells[n].begin)));
        if (code.empty()) continue;
        const std::vector<TensorId> stages = stages_of_names(cells[n].name, state.inputs);
        for (const TensorId stage : stages) {
            code += concat("\nshow(\"", tensor_name(stage), "\", ", python_variable(stage), ")");
        }
        const std::string_view id = stages.empty() ? cells[n].name : tensor_name(stages[0]);
        notebook.words(id, words_of_cell(cells[n].name, state.inputs, stages));
        notebook.code(id, code);
    }
    return notebook.take();
}

Result<PythonText> notebook_cells(const PlaygroundState& state, const Evaluation& shown, int steps_taken) {
    if (open_model_of(state.inputs)) return cells_model(state, shown);
    const Result<std::vector<ScriptSentence>> sentences = script_sentences(state.inputs);
    if (!sentences) return Result<PythonText>::failure(sentences.error());
    return cells_pytorch(state, steps_taken, *sentences, notebook_checks(state, shown, *sentences));
}

}  // namespace

Result<std::string> write_notebook(const PlaygroundState& state, const Evaluation& shown, int steps_taken) {
    const Result<PythonText> python = notebook_cells(state, shown, steps_taken);
    if (!python) return Result<std::string>::failure(python.error());
    const Result<std::string> script = finished_script(*python);
    return script ? Result<std::string>(notebook_of(*python, state)) : script;
}

}  // namespace attn
