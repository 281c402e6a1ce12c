// The order of edits does not matter to the numbers: a cell has at most one, and no cell depends on another.
#include "playground/state/state_edits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "core/ground/check.h"
#include "playground/state/shapes.h"

namespace attn {
namespace {

// X, queries, keys and values, then what is learned, in the order of TensorId, and the mask.
constexpr TensorId kFirstLearned = TensorId::w_query,
                   kLastLearned = kForwardOnly ? TensorId::b_out : TensorId::sink_logits;
constexpr std::size_t kNumLearned =
    static_cast<std::size_t>(kLastLearned) - static_cast<std::size_t>(kFirstLearned) + 1;
constexpr auto kEditable = [] {
    std::array<TensorId, kNumLearned + 5> all = {TensorId::embeddings, TensorId::queries, TensorId::keys,
                                                 TensorId::values};
    for (std::size_t n = 0; n < kNumLearned; ++n)
        all[4 + n] = static_cast<TensorId>(static_cast<std::size_t>(kFirstLearned) + n);
    all.back() = TensorId::mask;
    return all;
}();

using Place = std::tuple<int, TensorId, int, int, int>;  // layer, tensor, sentence, row, column

Place place_of(const Edit& edit) {
    return {edit.layer, edit.tensor, edit.sentence, edit.row, edit.column};
}

bool is_before(const Edit& a, const Edit& b) {
    return place_of(a) < place_of(b);
}

bool is_within_limits(const Edit& edit) {
    if (std::find(kEditable.begin(), kEditable.end(), edit.tensor) == kEditable.end()) return false;
    const EditLimits limits = edit_limits(edit.tensor);
    const int num_sentences = is_of_sentence(edit.tensor) ? static_cast<int>(kMaxSentences) : 1;
    return edit.layer >= 0 && edit.layer < kMaxLayers && edit.sentence >= 0 && edit.sentence < num_sentences &&
           edit.row >= 0 && edit.row < limits.rows && edit.column >= 0 && edit.column < limits.columns;
}

// Sorts them; of the edits of one cell only the last one stays.
void put_in_order(std::vector<Edit>& edits) {
    const auto is_out_of_order = [](const Edit& a, const Edit& b) { return !is_before(a, b); };
    if (std::adjacent_find(edits.begin(), edits.end(), is_out_of_order) == edits.end()) return;
    std::map<Place, Edit> last;
    for (const Edit& edit : edits) last.insert_or_assign(place_of(edit), edit);
    edits.clear();
    for (const auto& [place, edit] : last) edits.push_back(edit);
}

void set_number(AttentionProblem& problem, const Edit& edit) {
    if (is_learned(edit.tensor)) {
        const std::span<float> row =
            row_of_learned(problem.projections.edit(), edit.tensor, is_bias(edit.tensor) ? 0 : edit.row);
        row[static_cast<std::size_t>(edit.column)] = edit.value;
        return;
    }
    switch (edit.tensor) {
        case TensorId::embeddings:
            problem.embeddings(edit.row, edit.column) = edit.value;
            break;
        case TensorId::queries:
        case TensorId::keys:
        case TensorId::values:
            problem.typed_roles.push_back(
                {.role = edit.tensor, .row = edit.row, .column = edit.column, .value = edit.value});
            break;
        case TensorId::mask:
            problem.hidden(edit.row, edit.column) = edit.value != 0;
            break;
        default:
            ATTN_CHECK(false, tensor_name(edit.tensor), " cannot be edited");
    }
}

void note_outside(const NameList& outside, Notes& notes) {
    if (outside.empty()) return;
    notes.push_back(concat(counted(outside.size(), "edit"), " not in use: ", outside.text(),
                           outside.size() == 1 ? " lies" : " lie", " outside the present shapes"));
}

// A query that sees no key at all has no softmax.
void show_own_key_where_all_are_hidden(Flags& hidden, Notes& notes) {
    NameList rows;
    for (int i = 0; i < length(hidden, 0); ++i) {
        const std::span<std::uint8_t> row = row_of(hidden, i);
        if (std::find(row.begin(), row.end(), 0) != row.end()) continue;
        row[static_cast<std::size_t>(i)] = 0;
        rows.add(concat(i));
    }
    if (rows.empty()) return;
    notes.push_back(concat("the mask hid every key from ", rows.size() == 1 ? "token " : "tokens ", rows.text(),
                           ": a token that sees nothing has no weights, so it sees itself again"));
}

}  // namespace

std::span<const TensorId> editable_tensors() {
    return kEditable;
}

std::string_view editable_name(TensorId tensor) {
    return tensor == TensorId::embeddings ? std::string_view("x") : tensor_name(tensor);
}

std::optional<TensorId> editable_of_name(std::string_view name) {
    for (const TensorId tensor : kEditable) {
        if (editable_name(tensor) == name) return tensor;
    }
    return std::nullopt;
}

bool is_of_sentence(TensorId tensor) {
    return tensor == TensorId::embeddings || is_role(tensor) || tensor == TensorId::mask;
}

EditLimits edit_limits(TensorId tensor) {
    constexpr int kMaxRows = static_cast<int>(kMaxTokens);
    if (tensor == TensorId::mask) return {.rows = kMaxRows, .columns = kMaxRows};
    if (tensor == TensorId::embeddings || is_role(tensor)) return {.rows = kMaxRows, .columns = kMaxModelWidth};
    return {.rows = is_bias(tensor) ? 1 : kMaxModelWidth, .columns = kMaxModelWidth};
}

std::string cell_name(const Edit& edit) {
    const std::string sentence = edit.sentence == 0 ? "" : concat(edit.sentence, ",");
    const std::string row = is_bias(edit.tensor) ? "" : concat(edit.row, ",");
    return concat(editable_name(edit.tensor), "[", sentence, row, edit.column, "]");
}

const Edit* find_edit(const Inputs& inputs, TensorId tensor, int sentence, int row, int column) {
    const std::vector<Edit>& edits = inputs.edits;
    const Edit wanted{
        .tensor = tensor, .sentence = sentence, .row = row, .column = column, .value = 0, .layer = inputs.layer};
    const auto place = std::lower_bound(edits.begin(), edits.end(), wanted, is_before);
    return place != edits.end() && place_of(*place) == place_of(wanted) ? &*place : nullptr;
}

void set_edit(std::vector<Edit>& edits, const Edit& edit) {
    const auto place = std::lower_bound(edits.begin(), edits.end(), edit, is_before);
    if (place != edits.end() && place_of(*place) == place_of(edit)) {
        *place = edit;
    } else {
        edits.insert(place, edit);
    }
}

bool remove_edit(Inputs& inputs, TensorId tensor, int sentence, int row, int column) {
    const Edit* edit = find_edit(inputs, tensor, sentence, row, column);
    if (edit == nullptr) return false;
    inputs.edits.erase(inputs.edits.begin() + (edit - inputs.edits.data()));
    return true;
}

Notes clamp_edits(std::vector<Edit>& edits, int layer) {
    Notes notes;
    for (Edit& edit : edits) {
        const int named = edit.layer;
        edit.layer = named == kShownLayer ? layer : named;
    }
    const std::size_t num_outside = std::erase_if(edits, [](const Edit& edit) { return !is_within_limits(edit); });
    if (num_outside > 0) {
        notes.push_back(concat(counted(static_cast<std::int64_t>(num_outside), "edit"),
                               " left out: no tensor is so large that it has such a row or column"));
    }
    put_in_order(edits);
    if (edits.size() > kMaxEdits) {
        notes.push_back(concat("the first ", with_thousands(kMaxEdits), " edits are kept and ",
                               with_thousands(static_cast<std::int64_t>(edits.size() - kMaxEdits)), " left out"));
        edits.resize(kMaxEdits);
    }
    NameList not_finite, not_flags;
    for (Edit& edit : edits) {
        const bool is_flag = edit.tensor == TensorId::mask;
        if (!is_flag && !std::isfinite(edit.value)) {
            edit.value = 0;
            not_finite.add(cell_name(edit));
        } else if (is_flag && edit.value != 0 && edit.value != 1) {  // NaN too
            edit.value = 1;
            not_flags.add(cell_name(edit));
        }
    }
    if (!not_finite.empty()) {
        notes.push_back(concat(not_finite.text(), " set to 0: an edit must be a finite number"));
    }
    if (!not_flags.empty()) {
        notes.push_back(concat(not_flags.text(), " set to 1: in the mask 0 is visible and 1 is hidden"));
    }
    return notes;
}

void apply_edits(const Inputs& inputs, int sentence, AttentionProblem& problem, Notes& notes) {
    NameList outside;
    for (const Edit& edit : inputs.edits) {
        if (edit.layer != inputs.layer || (is_of_sentence(edit.tensor) && edit.sentence != sentence)) continue;
        if (edit_extent(inputs, problem.num_tokens(), edit.tensor).contains(edit.row, edit.column)) {
            set_number(problem, edit);
        } else {
            outside.add(cell_name(edit));
        }
    }
    note_outside(outside, notes);
    show_own_key_where_all_are_hidden(problem.hidden, notes);
}

// Apart: most states have no model (tools/split.mjs).
[[gnu::noinline]] void note_layer_edits(const Inputs& inputs, int sentence, int num_tokens, Notes& notes) {
    NameList outside;
    Flags hidden = make_mask(inputs.mask, num_tokens, inputs.window());
    for (const Edit& edit : inputs.edits) {
        if (is_of_sentence(edit.tensor) && edit.sentence != sentence) continue;
        if (!edit_extent(inputs, num_tokens, edit.tensor).contains(edit.row, edit.column)) {
            outside.add(cell_name(edit));
        } else if (edit.tensor == TensorId::mask && edit.layer == inputs.layer) {
            hidden(edit.row, edit.column) = edit.value != 0;
        }
    }
    note_outside(outside, notes);
    show_own_key_where_all_are_hidden(hidden, notes);
}

}  // namespace attn
