// What both scripts need: the state as Python text, and their common lines.
#include "share/scripts/script_parts.h"

#include <algorithm>
#include <array>

#include "core/attention/attention.h"
#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "playground/check/withheld.h"
#include "playground/link/blanks.h"
#include "playground/link/state_url.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "playground/text/notes.h"
#include "share/formats/session_file.h"

namespace attn {
namespace {

// The rows that were typed for this sentence as they are used: (T, d_in).
std::vector<std::vector<float>> typed_rows(const Inputs& inputs, std::size_t sentence, std::size_t num_tokens) {
    TypedRows rows;
    if (!inputs.typed.empty()) rows = inputs.typed[std::min(sentence, inputs.typed.size() - 1)];
    rows.resize(num_tokens);
    for (std::vector<float>& row : rows) row.resize(static_cast<std::size_t>(inputs.d_in));
    return rows;
}

// The edits of a sentence that lie inside its tensors, sorted by row and column.
std::vector<Edit> edits_in_use(const Inputs& inputs, TensorId tensor, int sentence, int num_tokens) {
    const Extent extent = edit_extent(inputs, num_tokens, tensor);
    std::vector<Edit> used;
    for (const Edit& edit : inputs.edits) {
        if (edit.layer != inputs.layer || edit.tensor != tensor) continue;
        if (is_of_sentence(tensor) && edit.sentence != sentence - 1) continue;
        if (extent.contains(edit.row, edit.column)) used.push_back(edit);
    }
    return used;
}

// Where the mask with its edits differs from the one without.
std::vector<Edit> mask_differences(const Inputs& inputs, const std::vector<Edit>& edits, int num_tokens) {
    if (edits.empty()) return {};
    const Flags plain = make_mask(inputs.mask, num_tokens, inputs.window());
    Flags hidden = plain;
    for (const Edit& edit : edits) hidden(edit.row, edit.column) = edit.value != 0 ? 1 : 0;
    std::vector<Edit> differences;
    for (int i = 0; i < num_tokens; ++i) {
        const std::span<std::uint8_t> row = row_of(hidden, i);
        if (std::find(row.begin(), row.end(), 0) == row.end()) hidden(i, i) = 0;  // as apply_edits has it
        for (int j = 0; j < num_tokens; ++j) {
            if (hidden(i, j) == plain(i, j)) continue;
            differences.push_back(
                {.tensor = TensorId::mask, .row = i, .column = j, .value = static_cast<float>(hidden(i, j))});
        }
    }
    return differences;
}

std::string python_range(int first, int last) {
    return first == last ? concat(first) : concat(first, ":", last + 1);
}

// "[0, 1]", "[0, 1:4]", "[0:2, 3]"; a bias has columns only: "[3]".
std::string python_index(const EditedBlock& block, TensorId tensor) {
    const std::string columns = python_range(block.first_column, block.last_column);
    return is_bias(tensor) ? concat("[", columns, "]")
                           : concat("[", python_range(block.first_row, block.last_row), ", ", columns, "]");
}

// What is assigned to the block: one number, a list or a list of lists.
std::string python_value(const EditedBlock& block, TensorId tensor, const std::string& indent, std::string_view open,
                         std::string_view close) {
    const float first = block.rows[0][0];
    if (tensor == TensorId::mask) return first != 0 ? "True" : "False";
    if (block.is_uniform()) return python_number(first);
    if (block.rows.size() == 1) return concat(open, python_list(block.rows[0], indent), close);
    // "w[0:2, 3]" has one axis: a plain list.
    if (block.first_column == block.last_column) {
        std::vector<float> column;
        for (const std::vector<float>& row : block.rows) column.push_back(row[0]);
        return concat(open, python_list(column, indent), close);
    }
    return concat(open, python_matrix(block.rows, indent), close);
}

// Assignments to the places that were edited: `value_of` a block, and the words behind it.
template <class ValueOf>
void write_assignments(PythonText& python, const Inputs& inputs, TensorId tensor, std::string_view target,
                       const std::vector<ScriptSentence>& sentences, const ValueOf& value_of, std::string_view words) {
    const bool is_of_one = is_of_sentence(tensor) && sentences.size() > 1;
    for (const ScriptSentence& sentence : sentences) {
        const std::vector<EditedBlock> blocks = edited_blocks(inputs, tensor, sentence.number, sentence.num_tokens());
        if (is_of_one && !blocks.empty()) {
            python.line("if s == ", sentence.number, ":");
            python.deeper();
        }
        for (const EditedBlock& block : blocks)
            python.line(target, python_index(block, tensor), " = ", value_of(block), words);
        if (is_of_one && !blocks.empty()) python.back();
        if (!is_of_sentence(tensor)) return;  // shared by all: once
    }
}

}  // namespace

Result<std::vector<ScriptSentence>> script_sentences(const Inputs& inputs) {
    if (open_model_of(inputs))
        return Result<std::vector<ScriptSentence>>::failure(
            "This script draws its matrices from a seed, and this model's come from its files: the PyTorch script "
            "reads those, and the NPZ file has X, the matrices and every stage.");
    std::vector<ScriptSentence> sentences;
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        ScriptSentence sentence{.number = static_cast<int>(s) + 1, .tokens = {}, .typed = {}};
        for (Token& token : tokens_of(inputs, s).tokens) sentence.tokens.push_back(std::move(token.text));
        if (sentence.tokens.empty()) continue;
        if (inputs.embed == EmbeddingKind::typed) sentence.typed = typed_rows(inputs, s, sentence.tokens.size());
        sentences.push_back(std::move(sentence));
    }
    if (!sentences.empty()) return sentences;
    return Result<std::vector<ScriptSentence>>::failure(
        "The sentence is empty, so there is nothing that a script could compute.");
}

bool EditedBlock::is_uniform() const {
    const float first = rows[0][0];
    return std::all_of(rows.begin(), rows.end(), [&](const std::vector<float>& row) {
        return std::all_of(row.begin(), row.end(), [&](float number) { return number == first; });
    });
}

std::vector<EditedBlock> edited_blocks(const Inputs& inputs, TensorId tensor, int sentence, int num_tokens) {
    std::vector<Edit> edits = edits_in_use(inputs, tensor, sentence, num_tokens);
    const bool is_mask = tensor == TensorId::mask;
    if (is_mask) edits = mask_differences(inputs, edits, num_tokens);
    std::vector<EditedBlock> runs;  // of columns in one row
    for (const Edit& edit : edits) {
        const bool goes_on = !runs.empty() && runs.back().first_row == edit.row &&
                             runs.back().last_column + 1 == edit.column &&
                             (!is_mask || runs.back().rows[0][0] == edit.value);
        if (!goes_on) {
            runs.push_back({.first_row = edit.row,
                            .last_row = edit.row,
                            .first_column = edit.column,
                            .last_column = edit.column,
                            .rows = {{}}});
        }
        runs.back().last_column = edit.column;
        runs.back().rows[0].push_back(edit.value);
    }
    std::vector<EditedBlock> blocks;
    for (EditedBlock& run : runs) {
        const auto above = std::find_if(blocks.begin(), blocks.end(), [&](const EditedBlock& block) {
            return block.last_row + 1 == run.first_row && block.first_column == run.first_column &&
                   block.last_column == run.last_column && (!is_mask || block.rows[0][0] == run.rows[0][0]);
        });
        if (above == blocks.end()) {
            blocks.push_back(std::move(run));
        } else {
            above->last_row = run.last_row;
            above->rows.push_back(std::move(run.rows[0]));
        }
    }
    return blocks;
}

bool has_edits(const Inputs& inputs, TensorId tensor, const std::vector<ScriptSentence>& sentences) {
    return std::any_of(sentences.begin(), sentences.end(), [&](const ScriptSentence& sentence) {
        return !edited_blocks(inputs, tensor, sentence.number, sentence.num_tokens()).empty();
    });
}

bool hides_keys(const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    return inputs.mask == Mask::causal || inputs.mask_window != 0 || has_edits(inputs, TensorId::mask, sentences);
}

std::string_view python_variable(TensorId stage) {
    return stage == TensorId::embeddings ? "x" : tensor_name(stage);
}

std::string_view python_width(const Inputs& inputs, std::string_view role, bool as_drawn) {
    const bool is_shared = inputs.num_kv_heads != 0 && role != "query" && role != "out";
    return is_shared && !(as_drawn && inputs.kv_from == KvFrom::mean) ? "kv_width" : "d_out";
}

std::string_view python_source(const Inputs& inputs, std::string_view role) {
    if (role == "query") return inputs.query_latent == 0 ? "x" : "query_latents";
    return inputs.latent == 0 ? "x" : "latents";
}

std::string_view python_rows(const Inputs& inputs, std::string_view role) {
    if (role == "query") return inputs.query_latent == 0 ? "d_in" : "query_latent";
    return inputs.latent == 0 ? "d_in" : "latent";
}

std::string_view python_down(const Inputs& inputs, std::string_view role) {
    if (role == "query") return inputs.query_latent == 0 ? "" : "down_query";
    return role == "key" && inputs.latent != 0 ? "down_kv" : "";
}

std::string_view python_heads(const Inputs& inputs, std::string_view role) {
    return python_width(inputs, role) == "kv_width" ? "kv_heads" : "num_heads";
}

void write_head(PythonText& python, const PlaygroundState& state, std::string_view what) {
    python.line("# -*- coding: utf-8 -*-");
    python.line("# ", what, ": the numbers of a state of Attention Playground.");
    const std::string link = write_link(state);
    if (link.size() <= kLongLink) python.line("# The state as a link: #", python_comment_link(link));
}

void write_gap(PythonText& python) {
    while (!python.text().ends_with("\n\n\n")) python.line();
}

void write_sentences(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    const auto literals = [](const std::vector<std::string>& tokens) {
        std::vector<std::string> list;
        for (const std::string& token : tokens) list.push_back(python_string(token));
        return list;
    };
    if (sentences.size() == 1) {
        python.line("tokens = ", python_list(literals(sentences[0].tokens), ""));
    } else {
        python.line("sentences = {");
        for (const ScriptSentence& sentence : sentences)
            python.line("    ", sentence.number, ": ", python_list(literals(sentence.tokens), "    "), ",");
        python.line("}");
    }
    python.line("d_in, d_out, num_heads = ", inputs.d_in, ", ", inputs.d_out, ", ", inputs.num_heads);
    python.line("head_dim = d_out // num_heads");
    if (inputs.query_latent != 0)
        python.line("query_latent = ", inputs.query_latent, "  # numbers that a token's queries are made of");
    if (inputs.latent != 0)
        python.line("latent = ", inputs.latent, "  # numbers that a token's keys and values are made of");
    if (inputs.rope_dim != 0)
        python.line("rope_dim = ", inputs.rope_dim, "  # numbers of each head that are turned alone");
    if (inputs.num_kv_heads == 0) return;
    python.line("kv_heads = ", inputs.num_kv_heads, "  # each is read by num_heads // kv_heads heads");
    python.line("kv_width = kv_heads * head_dim");
}

void write_typed(PythonText& python, const std::vector<ScriptSentence>& sentences) {
    python.line();
    if (sentences.size() == 1) {
        python.line("typed = ", python_matrix(sentences[0].typed, ""));
        return;
    }
    python.line("typed = {");
    for (const ScriptSentence& sentence : sentences)
        python.line("    ", sentence.number, ": ", python_matrix(sentence.typed, "    "), ",");
    python.line("}");
}

void write_window(PythonText& python, const Inputs& inputs, std::string_view library, std::string_view ones,
                  std::string_view diagonal) {
    if (inputs.mask_window == 0) return;
    const bool is_causal = inputs.mask == Mask::causal;
    python.line("window = ", inputs.mask_window, "  # keys that a query sees, its own among them",
                is_causal ? "" : "; and as far the other way");
    python.line("outside = ", library, "tril(", ones, ", ", diagonal, "=-window)");
    if (!is_causal) python.line("outside = outside | ", library, "triu(", ones, ", ", diagonal, "=window)");
    if (inputs.mask_sinks != 0)
        python.line("outside[:, :", inputs.mask_sinks, "] = False  # sinks: first keys that stay visible");
    python.line("hidden = hidden | outside");
}

void write_vocabulary(PythonText& python, const std::vector<ScriptSentence>& sentences) {
    python.line("vocabulary = sorted(", sentences.size() == 1 ? "set(tokens)" : "set(sum(sentences.values(), []))",
                ")");
}

void open_sentences(PythonText& python, const std::vector<ScriptSentence>& sentences) {
    if (sentences.size() == 1) return;
    python.line("for s, tokens in sentences.items():");
    python.deeper();
}

bool is_hashed(const Inputs& inputs) {
    return inputs.embed == EmbeddingKind::hash || inputs.embed == EmbeddingKind::ngrams;
}

void write_hashing(PythonText& python, const Inputs& inputs) {
    python.block(concat(R"(

# The vector of a piece of text is the playground's own: the FNV-1a hash of its bytes starts SplitMix64.
def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def hashed_numbers(text):  # d_in whole numbers below 2**24
    golden, state = 0x9E3779B97F4A7C15, 0xCBF29CE484222325
    for byte in text.encode():
        state = (state ^ byte) * 0x100000001B3 % 2**64
    state ^= mix(()",
                        inputs.embed_seed, R"( + golden) % 2**64)
    return [mix((state + (c + 1) * golden) % 2**64) >> 40 for c in range(d_in)]
)"));
    if (inputs.embed != EmbeddingKind::ngrams) return;
    python.block(R"(

def pieces_of(token):  # the word, then the 3 to 5 characters long pieces of "<word>", each once
    marked = f"<{token}>"
    ngrams = [marked[i : i + n] for n in (3, 4, 5) for i in range(len(marked) - n + 1)]
    return list(dict.fromkeys([token] + ngrams))
)");
}

void write_edits(PythonText& python, const Inputs& inputs, TensorId tensor, std::string_view target,
                 const std::vector<ScriptSentence>& sentences, std::string_view open, std::string_view close) {
    const auto value_of = [&](const EditedBlock& block) {
        return python_value(block, tensor, python.indent(), open, close);
    };
    write_assignments(python, inputs, tensor, target, sentences, value_of, "  # changed by hand");
}

void write_zeros_at_edits(PythonText& python, const Inputs& inputs, TensorId tensor, std::string_view target,
                          const std::vector<ScriptSentence>& sentences) {
    const auto zero = [](const EditedBlock&) { return "0"; };
    write_assignments(python, inputs, tensor, target, sentences, zero, "  # typed by hand: the way back ends here");
}

void write_stages(PythonText& python, const PlaygroundState& state, std::string_view opening) {
    python.line();
    python.line(opening, "{");
    const Sizes sizes = sizes_of(state.inputs, 0);
    for (const TensorId stage : present_stages(state.inputs)) {
        if (is_gradient(stage)) continue;  // there after the backward pass
        const StageInfo& info = stage_info(stage);
        python.line("    \"", info.name, "\": ", python_variable(stage), ",  # ", shape_letters(sizes, stage),
                    stage == state.view.stage ? ", the one on the screen" : "");
    }
    python.line("}");
}

bool is_at_learned(TensorId stage) {
    return is_gradient(stage) && is_learned(tensor_of_gradient(stage));
}

void write_pinned(PythonText& python, const PlaygroundState& state, std::string_view numbers) {
    const View& view = state.view;
    if (Blanks(with_withheld(state)).has(view.stage, view.cell->head, view.cell->row, view.cell->column)) return;
    const StageInfo& info = stage_info(view.stage);
    const Cell& cell = *view.cell;
    const std::string head = info.has_heads ? concat(cell.head, ", ") : "";
    const std::string index = concat("[", head, cell.row, ", ", cell.column, "]");
    const bool is_vector = is_at_learned(info.id) && is_bias(tensor_of_gradient(info.id));  // in Python without rows
    python.line("print(f\"", info.name, index, " = {", numbers, "['", info.name, "']",
                is_vector ? concat("[", cell.column, "]") : index, ":.4f}\")  # pinned");
}

void write_printing(PythonText& python, const PlaygroundState& state, const std::vector<ScriptSentence>& sentences,
                    bool has_gradients) {
    const View& view = state.view;
    const bool is_batch = sentences.size() > 1;
    const std::string_view shown = tensor_name(view.stage);
    python.line("for name, numbers in stages.items():");
    python.line("    print(", is_batch ? "f\"sentence {s}:\", " : "",
                "name, tuple(numbers.shape), \"<- on the screen\" if name == \"", shown, "\" else \"\")");
    python.line("    print(", python.printed("name", "numbers"), ")");
    const bool has_sentence = std::any_of(sentences.begin(), sentences.end(), [&](const ScriptSentence& sentence) {
        return sentence.number == view.sentence + 1;
    });
    // Of a softmax before the mask the scripts print no gradient: PyTorch's has numbers at hidden keys, too.
    const bool has_stage = !is_gradient(view.stage) || (has_gradients && !is_at_learned(view.stage) &&
                                                        view.stage != TensorId::grad_unmasked_weights);
    if (view.cell && has_sentence && has_stage) {
        if (is_batch) python.line("if s == ", view.sentence + 1, ":");
        if (is_batch) python.deeper();
        write_pinned(python, state, "stages");
        if (is_batch) python.back();
    }
    if (is_batch) python.back();
}

void write_showing(PythonText& python) {
    if (!python.leaves_blanks()) python.line();
    python.line("def show(name, numbers):");
    python.line("    print(name, tuple(numbers.shape))");
    python.line("    print(", python.printed("name", "numbers"), ")");
    python.line();
}

Result<std::string> finished_script(const PythonText& python) {
    if (python.text().size() <= kMaxScriptBytes) return python.text();
    return Result<std::string>::failure(
        concat("The script would have ", with_thousands(static_cast<std::int64_t>(python.text().size() >> 10U)),
               " KiB, most of it numbers, and ", kMaxScriptBytes >> 10U,
               " is the limit. Take the numbers home as NPZ, or write the script for a shorter sentence or fewer "
               "edits."));
}

}  // namespace attn
