// Top to bottom in the order of clamp_fields at the end: what later fields depend on is legal by then.
#include "playground/link/clamp_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/ground/check.h"
#include "core/operations/layer_rows.h"
#include "core/words/code_points.h"
#include "playground/link/cache_keys.h"
#include "playground/link/hiding.h"
#include "playground/link/lesson_links.h"
#include "playground/link/model_limits.h"
#include "playground/link/position_keys.h"
#include "playground/link/recipe_keys.h"
#include "playground/link/saying_keys.h"
#include "playground/link/variant_keys.h"
#include "playground/state/cell_window.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"

namespace attn {
namespace {

void clamp_texts(std::vector<std::string>& texts, Notes& notes) {
    if (texts.empty()) texts.emplace_back();
    if (texts.size() > kMaxSentences) {
        notes.push_back(concat("the first ", kMaxSentences, " of ",
                               counted(static_cast<std::int64_t>(texts.size()), "sentence"),
                               " are used: a batch holds no more"));
        texts.resize(kMaxSentences);
    }
    std::size_t num_replaced = 0;
    for (std::string& text : texts) {
        CleanText clean = clean_utf8(text);
        num_replaced += clean.num_replaced;
        if (clean.num_replaced > 0) text = std::move(clean.text);
        if (text.size() <= kMaxTextBytes) continue;
        std::size_t end = kMaxTextBytes;
        while (continues_code_point(text[end])) --end;  // not inside a character
        text.resize(end);
        notes.push_back(concat("the sentence was cut after ", with_thousands(kMaxTextBytes / 1024),
                               " KiB: far more than the ", with_thousands(kMaxTokens), " tokens that are used"));
    }
    if (num_replaced > 0) {
        notes.push_back(concat(counted(static_cast<std::int64_t>(num_replaced), "unreadable character"),
                               " replaced by \xEF\xBF\xBD (not valid UTF-8, or a control character)"));
    }
}

void clamp_width(int& width, int most, std::string_view name, Notes& notes) {
    if (width >= 1 && width <= most) return;
    width = std::clamp(width, 1, most);
    notes.push_back(concat(name, " set to ", width, ": a vector has 1 to ", with_thousands(most), " numbers"));
}

// Without matrices there is nothing that could change the width, and nothing to add. Apart, as most links have some
// (tools/split.mjs).
[[gnu::noinline]] void clamp_init_none(Inputs& inputs, Notes& notes) {
    if (inputs.d_out != inputs.d_in) {
        inputs.d_out = inputs.d_in;
        notes.push_back(
            concat("d_out set to ", inputs.d_in,
                   ": without learned matrices queries, keys and values are the embeddings, as wide as d_in"));
    }
    if (inputs.bias) {
        inputs.bias = false;
        notes.push_back("bias switched off: without learned matrices there is nothing to add it to");
    }
    if (inputs.out) {
        inputs.out = false;
        notes.push_back("output projection switched off: it is a learned matrix, and init is none");
    }
}

constexpr std::string_view kNeed = " heads need d_out ";

void clamp_heads(Inputs& inputs, Notes& notes) {
    const std::vector<int> legal = legal_num_heads(inputs.d_out);
    const int wanted = inputs.num_heads;
    if (wanted < 1) {
        inputs.num_heads = 1;
        notes.push_back("heads set to 1: attention needs at least one head");
    } else if (wanted > inputs.d_out || inputs.d_out % wanted != 0) {
        const std::optional<int> wider = d_out_for_heads(inputs, wanted);
        inputs.num_heads = nearest_of(legal, wanted);
        notes.push_back(concat("heads set to ", inputs.num_heads, ": ", counted(inputs.d_out, "channel"),
                               " cannot be split into ", with_thousands(wanted), " equal heads",
                               wider ? concat("; ", wanted, kNeed, *wider) : ""));
    }
    constexpr std::int64_t kMostScores = static_cast<std::int64_t>(kMaxTokens) * static_cast<std::int64_t>(kMaxTokens);
    if (inputs.num_heads * kMostScores <= kMaxScoreElements) return;  // fits whatever the sentences are

    std::int64_t num_tokens = 0;  // of the longest sentence
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        num_tokens = std::max<std::int64_t>(num_tokens, count_tokens(inputs, s));
    }
    const auto fits = [&](int num_heads) { return num_heads * num_tokens * num_tokens <= kMaxScoreElements; };
    if (fits(inputs.num_heads)) return;
    const auto mebibytes = [](std::int64_t num_floats) { return concat(with_thousands(num_floats >> 18), " MiB"); };
    const std::int64_t too_many = inputs.num_heads * num_tokens * num_tokens;
    const std::string asked =
        concat(inputs.num_heads, " heads of ", with_thousands(num_tokens), " x ", with_thousands(num_tokens));
    inputs.num_heads = *std::find_if(legal.rbegin(), legal.rend(), fits);  // one head always fits
    notes.push_back(concat("heads set to ", inputs.num_heads, ": ", asked, " scores would take ", mebibytes(too_many),
                           ", and the limit is ", mebibytes(kMaxScoreElements)));
}

// Moves a number to the nearest of `low` to `high`, and what is no number to `fallback`. `why` leads to the two.
void clamp_number(double& number, std::string_view key, double low, double high, double fallback, std::string_view why,
                  Notes& notes) {
    if (number >= low && number <= high) return;
    number = std::isnan(number) ? fallback : std::clamp(number, low, high);
    notes.push_back(
        concat(key, " set to ", exact_number(number), ": ", why, " ", exact_number(low), " to ", exact_number(high)));
}

void clamp_number(int& number, std::string_view key, int low, int high, Notes& notes) {
    double exact = number;
    clamp_number(exact, key, low, high, low, "it goes from", notes);
    number = static_cast<int>(exact);
}

[[gnu::noinline]] void clamp_caps(Inputs& inputs, Notes& notes) {
    const auto clamp = [&](double& cap, std::string_view key, std::string_view why) {
        clamp_number(cap, key, cap > 0 ? kMinCap : 0, kMaxCap, 0, why, notes);
    };
    clamp(inputs.score_cap, "score_cap", "scores are capped by");
    clamp(inputs.logit_cap, "logit_cap", "logits are capped by");
}

void clamp_numbers(Inputs& inputs, Notes& notes) {
    clamp_number(inputs.temperature, "temperature", kMinTemperature, kMaxTemperature, Inputs().temperature,
                 "scores can be divided by", notes);
    if (inputs.score_cap != 0 || inputs.logit_cap != 0) clamp_caps(inputs, notes);
    clamp_number(inputs.dropout, "dropout", 0, kMaxDropout, 0, "the share of dropped weights goes from", notes);
}

[[gnu::noinline]] void clamp_typed(std::vector<TypedRows>& typed, Notes& notes) {
    std::size_t num_left = kMaxTypedNumbers;
    std::size_t num_not_finite = 0;
    bool is_cut = typed.size() > kMaxSentences;
    typed.resize(std::min(typed.size(), kMaxSentences));
    for (TypedRows& rows : typed) {
        is_cut = is_cut || rows.size() > kMaxTokens;
        rows.resize(std::min<std::size_t>(rows.size(), kMaxTokens));
        for (std::vector<float>& row : rows) {
            const std::size_t most = std::min<std::size_t>(kMaxWidth, num_left);
            is_cut = is_cut || row.size() > most;
            row.resize(std::min(row.size(), most));
            num_left -= row.size();
            for (float& number : row) {
                if (std::isfinite(number)) continue;
                number = 0;
                ++num_not_finite;
            }
        }
        while (!rows.empty() && rows.back().empty()) rows.pop_back();
    }
    if (typed.size() == 1 && typed.front().empty()) typed.clear();  // links could not tell the two
    if (is_cut) {
        notes.push_back(concat("some typed numbers left out: up to ", kMaxSentences, " sentences of ",
                               with_thousands(kMaxTokens), " rows of ", with_thousands(kMaxWidth),
                               " numbers are kept, ", with_thousands(kMaxTypedNumbers), " numbers in all"));
    }
    if (num_not_finite > 0) {
        notes.push_back(concat(counted(static_cast<std::int64_t>(num_not_finite), "typed number"),
                               " set to 0: only finite numbers can be used"));
    }
}

// What is shown in the place of a forward stage that is not there: what it would be made of, where that has rows and
// columns like its own.
TensorId stage_instead_of(const Inputs& inputs, TensorId stage) {
    if (stage == TensorId::masked_scores) return TensorId::unmasked_weights;
    if (stage == TensorId::unmasked_weights) return TensorId::weights;
    const StageInfo& info = stage_info(stage);
    for (const TensorId source : sources_of(stage)) {
        if (!is_stage(source) || !is_present(inputs, source)) continue;
        if (stage_info(source).columns == info.columns && stage_info(source).has_heads == info.has_heads) return source;
    }
    return TensorId::weights;
}

// Without a gradient the tensor itself, where it is a stage.
TensorId stage_instead_of_goal(const Inputs& inputs, TensorId stage) {
    const TensorId tensor = is_gradient(stage) ? tensor_of_gradient(stage) : TensorId::output;
    return is_stage(tensor) && !needs_goal(tensor) && is_present(inputs, tensor) ? tensor : TensorId::weights;
}

// Apart: a first visit shows a stage that is there, and need not load this (tools/split.mjs).
[[gnu::noinline]] void move_stage(const Inputs& inputs, TensorId& stage, Notes& notes) {
    const TensorId asked = stage;
    const std::string reason = is_stage(asked) ? why_absent(inputs, asked) : "it is not a stage";
    stage = !is_stage(asked)    ? TensorId::weights
            : needs_goal(asked) ? stage_instead_of_goal(inputs, asked)
                                : stage_instead_of(inputs, asked);
    notes.push_back(
        concat("the stage shown is ", tensor_name(stage), " instead of ", tensor_name(asked), ": ", reason));
}

void clamp_stage(const Inputs& inputs, TensorId& stage, Notes& notes) {
    if (!is_present(inputs, stage)) move_stage(inputs, stage, notes);
}

// Moves `index` into 0 <= index < size; true when it had to move. size >= 1.
bool move_inside(int& index, int size) {
    const int asked = index;
    index = std::clamp(index, 0, size - 1);
    return index != asked;
}

void clamp_cell(const Inputs& inputs, View& view, Notes& notes) {
    if (!view.cell) return;
    const Sizes sizes = sizes_of(inputs, count_tokens(inputs, static_cast<std::size_t>(view.sentence)));
    if (sizes.num_tokens == 0) {
        view.cell.reset();
        notes.push_back("no cell is pinned: the sentence has no tokens");
        return;
    }
    const Extent extent = extent_of(sizes, view.stage);
    Cell& cell = *view.cell;
    const bool has_moved_head = move_inside(cell.head, stage_info(view.stage).has_heads ? inputs.num_heads : 1);
    const bool has_moved_row = move_inside(cell.row, extent.rows);
    const bool has_moved_column = move_inside(cell.column, extent.columns);
    if (has_moved_head || has_moved_row || has_moved_column) {
        notes.push_back(concat("the pinned cell moved to head ", cell.head + 1, ", row ", cell.row, ", column ",
                               cell.column, ": ", tensor_name(view.stage), " has ", counted(extent.rows, "row"),
                               " and ", counted(extent.columns, "column"), " here"));
    }
}

// Selected tokens and channels that the sentence or the heads do not have are left out.
void clamp_lists(const Inputs& inputs, View& view, Notes& notes) {
    if (!view.select.empty()) {
        const int num_tokens = count_tokens(inputs, static_cast<std::size_t>(view.sentence));
        const std::size_t num_selected = view.select.size();
        std::erase_if(view.select, [&](int token) { return token < 0 || token >= num_tokens; });
        if (view.select.size() != num_selected)
            notes.push_back(concat("select: tokens beyond the last one (", num_tokens - 1, ") left out"));
    }
    if (view.plane.is_principal) view.plane = {.is_principal = true, .x = 0, .y = 1};  // a link names one or the other
    // A head with a single channel has no plane: what was asked for waits until there are two again.
    const int head_dim = inputs.d_out / inputs.num_heads;
    const int num_channels = head_dim > 1 ? head_dim : kMaxWidth;
    const bool has_moved_x = move_inside(view.plane.x, num_channels);
    const bool has_moved_y = move_inside(view.plane.y, num_channels);
    if (view.plane.x == view.plane.y) view.plane.y = view.plane.x == 0 ? 1 : 0;
    if (has_moved_x || has_moved_y) {
        notes.push_back(concat("plane set to ", view.plane.x, ",", view.plane.y, ": a head has ",
                               counted(num_channels, "channel")));
    }
    if (view.vector.size() > kMaxVector) {
        notes.push_back(concat("vector: the first ", kMaxVector, " numbers are used"));
        view.vector.resize(kMaxVector);
    }
    if (view.vector.empty()) view.vector = View().vector;
    for (float& number : view.vector) {
        if (!std::isfinite(number)) number = 0;
    }
}

void clamp_experiments(View& view, Notes& notes) {
    clamp_number(view.pairs, "pairs", 10, kMaxPairs, notes);
    clamp_number(view.pairs_dim, "pairs_dim", 1, kMaxPairsDim, notes);
    int phase = std::min(view.phase, kNumPhases) + 1;  // as people count
    clamp_number(phase, "phase", 1, kNumPhases, notes);
    view.phase = phase - 1;
    clamp_number(view.gain, "gain", kMinGain, kMaxGain, 1, "it goes from", notes);
}

void clamp_check(const Inputs& inputs, View& view, Notes& notes) {
    NameList absent;
    if (view.check.size() != stage_table().size()) {  // "all" means all there are
        for (auto stage = view.check.begin(); stage != view.check.end();) {
            const bool exists = is_present(inputs, *stage);
            if (!exists) absent.add(std::string(tensor_name(*stage)));
            stage = exists ? std::next(stage) : view.check.erase(stage);
        }
    }
    if (!absent.empty())
        notes.push_back(concat("check: ", absent.text(), " left out, these inputs have no such stage"));
    if (!view.score) return;
    Score& score = *view.score;
    const Score asked = score;
    score.asked = std::max(score.asked, 0);
    score.right = std::clamp(score.right, 0, score.asked);
    score.hints = std::max(score.hints, 0);
    if (score != asked)
        notes.push_back(concat("score set to ", score.right, " of ", score.asked, ": no more can be right than asked"));
}

// A stage that is left out is not shown either: the next one is, or else the one before.
void clamp_hidden_stage(const Inputs& inputs, View& view, Notes& notes) {
    if (!hides_stage(view, view.stage)) return;
    std::optional<TensorId> shown;
    for (const TensorId stage : present_stages(inputs)) {
        if (hides_stage(view, stage)) continue;
        shown = stage;
        if (stage > view.stage) break;
    }
    if (!shown) {
        view.hide.erase(concat("stage.", tensor_name(view.stage)));
        notes.push_back(concat("hide: ", tensor_name(view.stage), " is shown, some stage has to be"));
        return;
    }
    notes.push_back(concat("stage set to ", tensor_name(*shown), ": ", tensor_name(view.stage), " is left out here"));
    view.stage = *shown;
}

void clamp_view(const Inputs& inputs, View& view, Notes& notes) {
    clamp_hiding(view, notes);
    clamp_stage(inputs, view.stage, notes);
    clamp_hidden_stage(inputs, view, notes);
    const int num_sentences = static_cast<int>(inputs.texts.size());
    if (move_inside(view.sentence, num_sentences)) {
        notes.push_back(concat("sentence ", view.sentence + 1, " is shown: there ", num_sentences == 1 ? "is " : "are ",
                               counted(num_sentences, "sentence")));
    }
    if (view.head && move_inside(*view.head, inputs.num_heads)) {
        notes.push_back(concat("head ", *view.head + 1, " is enlarged: there ", inputs.num_heads == 1 ? "is " : "are ",
                               counted(inputs.num_heads, "head")));
    }
    clamp_cell(inputs, view, notes);
    if (view.window) {  // counting tokens takes a while
        const int num_tokens = count_tokens(inputs, static_cast<std::size_t>(view.sentence));
        const int widest = num_tokens == 0 ? 0 : std::max({num_tokens, inputs.d_in, inputs.d_out});
        clamp_window(view.window, {.rows = num_tokens, .columns = widest}, notes);
    }
    clamp_lists(inputs, view, notes);
    clamp_experiments(view, notes);
    clamp_cache(inputs, view, notes);
    clamp_saying(inputs, view, notes);
    clamp_check(inputs, view, notes);
    append_notes(notes, clamp_lesson(view));

    if (view.lang != View().lang) {
        notes.push_back(concat("lang set to ", View().lang, ": the words exist in English only"));
        view.lang = View().lang;
    }
}

}  // namespace

Notes clamp_fields(PlaygroundState& state) {
    Notes notes;
    Inputs& inputs = state.inputs;
    clamp_texts(inputs.texts, notes);
    clamp_model(inputs, notes);
    const int most = kOpensModels && open_model_of(inputs) ? kMaxModelWidth : kMaxWidth;
    clamp_width(inputs.d_in, most, "d_in", notes);
    clamp_width(inputs.d_out, most, "d_out", notes);
    if (inputs.init == Init::none) clamp_init_none(inputs, notes);
    clamp_heads(inputs, notes);
    clamp_positions(inputs, notes);
    clamp_kv_heads(inputs, notes);
    clamp_latents(inputs, notes);
    clamp_mask_window(inputs, notes);
    clamp_qk_norm(inputs, notes);
    clamp_sink(inputs, notes);
    clamp_numbers(inputs, notes);
    if (!inputs.typed.empty()) clamp_typed(inputs.typed, notes);
    append_notes(notes, clamp_edits(inputs.edits, inputs.layer));
    const int last_sentence = static_cast<int>(inputs.texts.size()) - 1;
    append_notes(notes, clamp_recipe(inputs, std::clamp(state.view.sentence, 0, last_sentence)));
    clamp_view(inputs, state.view, notes);
    return notes;
}

std::optional<int> d_out_for_heads(const Inputs& inputs, int num_heads) {
    if (inputs.init == Init::none || num_heads > kMaxWidth) return std::nullopt;  // d_out is d_in's
    const int d_out = (inputs.d_out + num_heads - 1) / num_heads * num_heads;
    return d_out > kMaxWidth ? std::nullopt : std::optional(d_out);
}

// Read from the words, so that a note is nothing but its words wherever it comes from.
std::optional<HeadsOffer> heads_offer(const Notes& notes, const View& view) {
    if (locks_control(view, "heads") || locks_control(view, "d_out")) return std::nullopt;
    for (const std::string& note : notes) {
        const std::size_t need = note.find(kNeed);
        const std::size_t first = note.rfind("; ", need);
        if (!note.starts_with("heads set to ") || need == std::string::npos || first == std::string::npos) continue;
        return HeadsOffer{.num_heads = std::atoi(note.c_str() + first + 2),
                          .d_out = std::atoi(note.c_str() + need + kNeed.size())};
    }
    return std::nullopt;
}

std::string heads_offer_label(const HeadsOffer& offer) {
    return concat("Take ", offer.num_heads, " heads with d_out ", offer.d_out);
}

}  // namespace attn
