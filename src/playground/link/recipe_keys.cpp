// Targets in links: target=1:5>1,5>3=0.5 is head 1, query 5, keys 1 and 3; target=2/1:5>1 is sentence 2 of a batch.
// Heads and sentences count from 1, tokens from 0, as in the other keys. target=5>1 is query 5 and key 1 of every head
// in the sentence that is shown; older links have the same list as wish=5>1.
#include "playground/link/recipe_keys.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/key_rows.h"
#include "playground/link/link_text.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "playground/state/targets.h"
#include "playground/text/format.h"

namespace attn {
namespace {

using namespace key_rows;

constexpr std::size_t kMostTargetsRead = 4 * kMaxTargets;  // so that clamp_recipe can tell, as a rule
static_assert(kMaxTargets == 4096 && kMinRate == 1e-9 && kMaxRate == 1e9, "the words of the table name these limits");
constexpr int kMostSteps = 1'000'000;

// A whole number from 0 to 1e6, which is one no sentence has; nothing for all else.
std::optional<int> read_place(std::string_view text) {
    const std::optional<double> number = parse_number(text);
    if (!number || *number < 0 || *number > 1e6 || *number != std::floor(*number)) return std::nullopt;
    return static_cast<int>(*number);
}

// Reads "2/1:" off the front of a value: whose targets these are. Without it they are those of every head in the
// sentence that is shown. Nothing where it is no sentence and head.
std::optional<TargetCell> read_owner(std::string_view& rest) {
    TargetCell owner;
    if (rest.find(':') == std::string_view::npos) {
        owner.sentence = kShownSentence;
        owner.head = kEveryHead;
        return owner;
    }
    std::string_view head = take_until(rest, ':');
    if (const std::size_t slash = head.find('/'); slash != std::string_view::npos) {
        owner.sentence = read_place(head.substr(0, slash)).value_or(0) - 1;
        head.remove_prefix(slash + 1);
    }
    owner.head = read_place(head).value_or(0) - 1;
    if (owner.sentence < 0 || owner.head < 0) return std::nullopt;
    return owner;
}

void read_target(State& state, Value value, Notes& notes) {
    std::vector<TargetCell>& targets = state.inputs.targets;
    std::string_view rest = value;
    const std::optional<TargetCell> owner = read_owner(rest);
    NameList unread;
    if (!owner || (rest.empty() && !value.empty())) {
        unread.add(quoted(value));
        rest = {};
    }
    while (!rest.empty() && targets.size() < kMostTargetsRead) {
        const std::string_view cell = take_until(rest, ',');
        std::string_view share = cell;
        std::string_view key = take_until(share, '=');
        const std::optional<int> query_token = read_place(take_until(key, '>'));
        const std::optional<int> key_token = read_place(key);
        const std::optional<double> part = share.empty() ? 1.0 : parse_number(share);
        if (query_token && key_token && part) {
            TargetCell& target = targets.emplace_back(*owner);
            target.query = *query_token;
            target.key = *key_token;
            target.share = *part;
        } else if (!cell.empty()) {
            unread.add(quoted(cell));
        }
    }
    if (!unread.empty())
        notes.push_back(
            concat("target: ", unread.text(), " left out, a target is head:query>key=share, such as 1:5>1"));
}

// One value for each sentence and head.
Texts write_targets(const std::vector<TargetCell>& targets) {
    Texts values;
    for (std::size_t n = 0; n < targets.size(); ++n) {
        const TargetCell& target = targets[n];
        const bool goes_on = n > 0 && targets[n - 1].sentence == target.sentence && targets[n - 1].head == target.head;
        if (!goes_on) {
            const std::string sentence = target.sentence == 0 ? "" : concat(target.sentence + 1, "/");
            values.push_back(concat(sentence, target.head + 1, ":"));
        }
        const std::string share = target.share == 1 ? "" : concat("=", exact_number(target.share));
        values.back() += concat(goes_on ? "," : "", target.query, ">", target.key, share);
    }
    return values;
}

constexpr std::array kTrainable = [] {
    std::array<TensorId, kLearnedTensors.size() + 1> all = {};
    std::ranges::copy(kLearnedTensors, all.begin());
    all.back() = TensorId::embeddings;
    return all;
}();

void read_train(State& state, Value value, Notes& notes) {
    state.inputs.train.clear();
    NameList unread;
    for (const std::string& name : read_names(value)) {
        const auto found = std::find_if(kTrainable.begin(), kTrainable.end(),
                                        [&](TensorId tensor) { return editable_name(tensor) == name; });
        if (found != kTrainable.end()) {
            state.inputs.train.insert(*found);
        } else if (!name.empty()) {
            unread.add(quoted(name));
        }
    }
    if (!unread.empty()) notes.push_back(concat("train: ", unread.text(), " left out, it is nothing that learns"));
}

Texts write_train(const std::set<TensorId>& train) {
    if (train.empty()) return {};
    std::string list;
    for (const TensorId tensor : kTrainable) {
        if (train.contains(tensor)) list += concat(list.empty() ? "" : ",", editable_name(tensor));
    }
    return {list};
}

bool is_there(const Inputs& inputs, TensorId tensor) {
    return tensor == TensorId::embeddings || (is_learned(tensor) && has_learned(tensor, layer_parts(inputs)));
}

auto place_of(const TargetCell& target) {
    return std::tuple(target.sentence, target.head, target.query, target.key);
}

// A target of every head becomes one of each; those that name a head go before them. Of the lists that links hold, so
// many at most that clamp_targets can tell where kMaxTargets end.
void expand_targets(Inputs& inputs, int shown_sentence) {
    std::vector<TargetCell>& targets = inputs.targets;
    std::map<std::pair<int, int>, TargetCell> of_every_head;
    for (TargetCell& target : targets) {
        if (target.sentence == kShownSentence) target.sentence = shown_sentence;
        if (target.head == kEveryHead) of_every_head[{target.query, target.key}] = target;
    }
    if (of_every_head.empty()) return;
    std::vector<TargetCell> expanded;
    for (int head = 0; head < inputs.num_heads && expanded.size() <= kMaxTargets; ++head) {
        for (const auto& [place, target] : of_every_head) {
            expanded.push_back(target);
            expanded.back().head = head;
        }
    }
    for (const TargetCell& target : targets) {
        if (target.head != kEveryHead) expanded.push_back(target);
    }
    targets = std::move(expanded);
}

void clamp_targets(Inputs& inputs, int shown_sentence, const std::vector<int>& num_tokens, Notes& notes) {
    expand_targets(inputs, shown_sentence);
    std::vector<TargetCell>& targets = inputs.targets;
    const auto num_sentences = static_cast<int>(inputs.texts.size());
    std::size_t num_outside = 0;
    std::size_t num_hidden = 0;
    std::size_t num_not_positive = 0;
    std::map<std::tuple<int, int, int, int>, TargetCell> sorted;
    for (const TargetCell& target : targets) {
        const bool is_inside =
            target.sentence >= 0 && target.sentence < num_sentences && target.head >= 0 &&
            target.head < inputs.num_heads && target.query >= 0 && target.key >= 0 &&
            std::max(target.query, target.key) < num_tokens[static_cast<std::size_t>(target.sentence)];
        if (!is_inside) {
            ++num_outside;
        } else if (!(target.share > 0) || !std::isfinite(target.share)) {
            ++num_not_positive;
        } else if (inputs.goal == GoalKind::pattern && hides_key(inputs, target.sentence, target.query, target.key)) {
            ++num_hidden;
        } else {
            sorted[place_of(target)] = target;  // the last one of a cell counts
        }
    }
    std::vector<TargetCell> legal;
    for (const auto& [place, target] : sorted) legal.push_back(target);
    const auto note = [&](std::size_t count, std::string_view why) {
        if (count > 0)
            notes.push_back(concat("target: ", counted(static_cast<std::int64_t>(count), "cell"), " left out, ", why));
    };
    note(num_outside, "they lie outside of the sentences and heads that there are");
    note(num_not_positive, "a share is a number above 0");
    note(num_hidden, "the mask hides them: no head can look there");
    if (legal.size() > kMaxTargets) {
        notes.push_back(concat("target: the first ", with_thousands(kMaxTargets), " cells are used"));
        legal.resize(kMaxTargets);
    }
    targets = std::move(legal);
}

// Multiply-adds of a step, with these numbers of tokens in the sentences.
double cost_of_step(const Inputs& inputs, const std::vector<int>& num_tokens) {
    constexpr double kOfBackward = 2;    // in times of the forward pass
    constexpr double kAtLeast = 20'000;  // what small sentences cost beside their products
    const double d_in = inputs.d_in;
    const double d_out = inputs.d_out;
    const double latents = inputs.latent + inputs.query_latent;  // made of X, and each read by a role or two
    double cost = 0;
    for (const double T : num_tokens)
        cost +=
            kAtLeast + (1 + kOfBackward) * (T * d_out * (3 * d_in + d_out) + T * latents * (d_in + 2 * d_out) +
                                            2 * T * T * d_out + T * inputs.rope_dim * inputs.num_heads * (d_in + T));
    return cost;
}

int most_steps_of(const Inputs& inputs, const std::vector<int>& num_tokens) {
    return static_cast<int>(
        std::min<double>(kMostSteps, std::floor(kMaxTrainingCost / cost_of_step(inputs, num_tokens))));
}

std::vector<int> tokens_of_sentences(const Inputs& inputs) {
    std::vector<int> num_tokens;
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) num_tokens.push_back(count_tokens(inputs, s));
    return num_tokens;
}

void clamp_goal(Inputs& inputs, const std::vector<int>& num_tokens, Notes& notes) {
    if (inputs.goal == GoalKind::none) return;
    std::string note;
    if (cost_of_step(inputs, num_tokens) > kMaxTrainingCost) {
        note = "goal set to none: a single step of training would take too long with these sentences and widths";
    } else if (inputs.goal != GoalKind::next) {
        return;
    } else if (inputs.d_out != inputs.d_in) {
        note = concat(kNotAsWide, ", and d_out is ", inputs.d_out, ", d_in ", inputs.d_in);
    } else {
        const bool has_next = std::ranges::any_of(num_tokens, [](int count) { return count > 1; });
        if (!has_next) note = "goal set to none: no word follows another here";
    }
    if (note.empty()) return;
    inputs.goal = GoalKind::none;
    notes.push_back(note);
}

void clamp_rate(double& rate, Notes& notes) {
    if (std::isnan(rate)) {
        rate = Inputs().rate;
        notes.push_back(concat("rate set to ", exact_number(rate), ": it must be a number"));
    } else if (rate < kMinRate || rate > kMaxRate) {
        rate = std::clamp(rate, kMinRate, kMaxRate);
        notes.push_back(concat("rate set to ", exact_number(rate), ": it goes from ", exact_number(kMinRate), " to ",
                               exact_number(kMaxRate)));
    }
}

void clamp_train(Inputs& inputs, Notes& notes) {
    NameList absent;
    for (auto tensor = inputs.train.begin(); tensor != inputs.train.end();) {
        const bool is_legal = is_there(inputs, *tensor);
        if (!is_legal) absent.add(editable_name(*tensor));
        tensor = is_legal ? std::next(tensor) : inputs.train.erase(tensor);
    }
    if (!absent.empty()) notes.push_back(concat("train: ", absent.text(), " left out, there is none here"));
}

void clamp_steps(Inputs& inputs, const std::vector<int>& num_tokens, Notes& notes) {
    if (inputs.steps < 0) {
        inputs.steps = 0;
        notes.push_back("steps set to 0: training goes forward");
    }
    if (inputs.steps == 0 || inputs.goal == GoalKind::none) return;
    const int most = most_steps_of(inputs, num_tokens);
    if (inputs.steps <= most) return;
    notes.push_back(concat("steps set to ", with_thousands(most), ": ", with_thousands(inputs.steps),
                           " would take too long with these sentences and widths"));
    inputs.steps = most;
}

std::vector<KeyInfo> recipe_keys() {
    return {
        choice<"goal", kGoalWords, &Inputs::goal>(
            {.label = "goal",
             .legal = said<"none, pattern or next">,
             .help = said<"what training is for: nothing, a pattern in which heads should look, or the next word">}),
        KeyInfo{
            .key = "target",
            .label = "targets",
            .kind = KeyKind::list,
            .legal = said<"head:query>key=share, up to 4096 cells; without head: of every head">,
            .help = said<"where a head should look, drawn over the picture and trained for with goal=pattern; heads "
                         "from 1, tokens from 0, 2/ before the head is sentence 2">,
            .decides_numbers = true,
            .repeats = true,
            .read = read_target,
            .write = [](const State& s) { return write_targets(s.inputs.targets); }},
        whole_number<"steps", &Inputs::steps>({.label = "steps",
                                               .low = 0,
                                               .high = kMostSteps,
                                               .legal = said<"a whole number from 0">,
                                               .help = said<"steps of training: the numbers after them are shown">}),
        choice<"optimizer", kOptimizerWords, &Inputs::optimizer>(
            {.label = "optimizer",
             .legal = said<"sgd, momentum, adam or adamw">,
             .help = said<"how a gradient changes the numbers, with PyTorch's formulas and defaults">}),
        number<"rate", &Inputs::rate>({.label = "learning rate",
                                       .low = kMinRate,
                                       .high = kMaxRate,
                                       .legal = said<"a number from 1e-9 to 1e9">,
                                       .help = said<"how far a step goes (lr)">}),
        KeyInfo{.key = "train",
                .label = "what learns",
                .kind = KeyKind::list,
                .legal = said<"names separated by commas: w_query, w_key, w_value, w_down_query, w_down_kv, w_out, "
                              "w_query_rope, w_key_rope, b_query, b_key, b_value, "
                              "b_out, q_norm, k_norm, sink_logits, x">,
                .help = said<"the tensors that training changes; without it all matrices and biases">,
                .decides_numbers = true,
                .read = read_train,
                .write = [](const State& s) { return write_train(s.inputs.train); }},
    };
}

}  // namespace

double step_cost(const Inputs& inputs) {
    return cost_of_step(inputs, tokens_of_sentences(inputs));
}

int most_steps(const Inputs& inputs) {
    return most_steps_of(inputs, tokens_of_sentences(inputs));
}

std::vector<TensorId> trainable_tensors(const Inputs& inputs) {
    std::vector<TensorId> tensors;
    for (const TensorId tensor : kTrainable) {
        const bool is_idle = inputs.goal == GoalKind::pattern && is_behind_weights(tensor);
        if (is_there(inputs, tensor) && !is_idle) tensors.push_back(tensor);
    }
    return tensors;
}

std::set<TensorId> trained_tensors(const Inputs& inputs) {
    std::set<TensorId> trained;
    if (inputs.goal == GoalKind::pattern && inputs.targets.empty()) return trained;
    for (const TensorId tensor : kTrainable) {
        const bool is_wanted = inputs.train.empty() ? tensor != TensorId::embeddings && is_there(inputs, tensor)
                                                    : inputs.train.contains(tensor);
        if (is_wanted && !(inputs.goal == GoalKind::pattern && is_behind_weights(tensor))) trained.insert(tensor);
    }
    return trained;
}

void insert_recipe_keys(std::vector<KeyInfo>& table) {
    const auto first_of_view =
        std::ranges::find_if(table, [](const KeyInfo& row) { return !row.decides_numbers && row.key != "v"; });
    const std::vector<KeyInfo> rows = recipe_keys();
    table.insert(first_of_view, rows.begin(), rows.end());
}

Notes clamp_recipe(Inputs& inputs, int shown_sentence) {
    Notes notes;
    const bool needs_tokens = inputs.goal != GoalKind::none || !inputs.targets.empty();
    const std::vector<int> num_tokens = needs_tokens ? tokens_of_sentences(inputs) : std::vector<int>();
    clamp_goal(inputs, num_tokens, notes);
    clamp_targets(inputs, shown_sentence, num_tokens, notes);
    clamp_rate(inputs.rate, notes);
    clamp_train(inputs, notes);
    clamp_steps(inputs, num_tokens, notes);
    return notes;
}

}  // namespace attn
