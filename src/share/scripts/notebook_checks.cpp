// How near the numbers have to be follows from the rounding of float32: see kNear.
#include "share/scripts/script_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "model/layers/model_input.h"
#include "playground/check/withheld.h"
#include "playground/link/blanks.h"
#include "playground/link/recipe_keys.h"
#include "playground/state/shapes.h"
#include "share/scripts/script_recipe.h"

namespace attn {
namespace {

// Both sides compute in float32 and add in another order: a number is off by some units of rounding (6e-8) of the
// largest number that took part. This is a hundred and sixty such units; a number printed with four decimals looks the
// same.
constexpr double kNear = 1e-5;
// Each step of training goes on from numbers that are off already, and Adam divides a gradient by its size.
constexpr double kNearAfterSteps = 1e-4;
// Below this loss what is left of a gradient is rounding.
constexpr double kSmallestLoss = 1e-5;
constexpr std::int64_t kMostNumbers = 48;  // of a stage

std::string number_in_check(float number) {
    if (std::isnan(number)) return "torch.nan";
    if (std::isinf(number)) return number > 0 ? "torch.inf" : "-torch.inf";
    return python_number(number);
}

double largest_of(std::span<const float> numbers) {
    double largest = 0;
    for (const float number : numbers) {
        if (std::isfinite(number)) largest = std::max<double>(largest, std::abs(number));
    }
    return largest;
}

// How many numbers lie between two that are compared, so that all columns have their turn.
std::int64_t step_through(std::int64_t count, std::int64_t columns) {
    std::int64_t step = (count + kMostNumbers - 1) / kMostNumbers;
    while (step > 1 && std::gcd(step, columns) != 1) ++step;
    return std::max<std::int64_t>(step, 1);
}

// 1, 2 or 5 times a power of ten, not below `near`: "5e-5".
std::string round_tolerance(double near) {
    constexpr int kFirst = -6, kLast = 30;
    double power = 1e-6;
    for (int exponent = kFirst; exponent < kLast; ++exponent, power *= 10) {
        for (const int digit : {1, 2, 5}) {
            if (digit * power >= near) return concat(digit, "e", exponent);
        }
    }
    return concat("1e", kLast);
}

void write_entry(PythonText& python, std::string_view name, std::int64_t step, double near,
                 const std::vector<std::string>& numbers) {
    python.line("    \"", name, "\": (", step, ", ", round_tolerance(near), ", ", python_list(numbers, "    "), "),");
}

// The stages of one sentence as lines of a dictionary.
class PageStages {
public:
    PageStages(PythonText& python, const Evaluation& evaluation, double near)
        : python_(python), evaluation_(evaluation), near_(near) {}

    void write(TensorId stage) {
        const Sizes& sizes = evaluation_.sizes;
        const Extent extent = extent_of(sizes, stage);
        const std::int64_t of_matrix = std::int64_t{extent.rows} * extent.columns;
        const std::int64_t count = num_matrices(sizes, stage) * of_matrix;
        const std::int64_t step = step_through(count, extent.columns);
        std::vector<std::string> numbers;
        double largest = 1;
        for (std::int64_t at = 0; at < count; at += step) {
            const int head = first_reader(sizes, stage, static_cast<int>(at / of_matrix));
            const Vector row = row_of_stage(stage, head, static_cast<int>(at % of_matrix / extent.columns));
            numbers.push_back(number_in_check(row(static_cast<std::size_t>(at % extent.columns))));
            largest = std::max(largest, largest_of(elements(row)));
        }
        write_entry(python_, tensor_name(stage), step, near_ * size_of_error(stage, largest), numbers);
        if (is_query_or_key_stage(stage)) (is_query_stage(stage) ? largest_query_ : largest_key_) = largest;
        if (stage == scores_before_mask(layer_parts(*evaluation_.problem))) largest_score_ = largest;
    }

    double largest_score() const { return largest_score_; }
    double largest_role() const { return std::max(largest_query_, largest_key_); }

private:
    Vector row_of_stage(TensorId stage, int head, int row) const {
        return stage_row(*evaluation_.problem, evaluation_.trace, stage, head, row);
    }
    // A score may be small and made of large products. The softmax makes of a score's absolute error a weight's
    // relative one: what follows is off by the largest score.
    double size_of_error(TensorId stage, double largest) const {
        if (is_score(stage)) return std::max({largest, largest_query_, largest_key_, largest_query_ * largest_key_});
        return largest * largest_score_;
    }

    PythonText& python_;
    const Evaluation& evaluation_;
    double near_;
    double largest_query_ = 1, largest_key_ = 1, largest_score_ = 1;  // of the rows that are compared; at least 1
};

// The stages that are compared: without gradients and those that are blank.
std::vector<TensorId> compared_stages(const PlaygroundState& state) {
    const Blanks blanks(with_withheld(state));
    std::vector<TensorId> stages = present_stages(state.inputs);
    std::erase_if(stages, [&](TensorId stage) { return is_gradient(stage) || blanks.touches(stage); });
    return stages;
}

void open_page(PythonText& python) {
    python.line("# Numbers of the page: of each stage every so many-th, and how far off rounding may bring it.");
    python.line("page = {");
}

void write_compare(PythonText& python) {
    python.block(R"py(

def compare(page, here):
    others = []
    for name, (step, near, numbers) in page.items():
        found = here[name].detach().flatten()[::step].double()
        wanted = torch.tensor(numbers).double()
        are_near = torch.isclose(found, wanted, rtol=0, atol=near, equal_nan=True)
        print(f"{name}: {int(are_near.sum())} of {len(numbers)} numbers are the page's")
        if not are_near.all():
            others.append(name)
    assert not others, f"other numbers than the page has: {', '.join(others)}"

)py");
    python.line();
}

// Whether Adam may make whole steps of rounding: of a gradient that is next to nothing, such as that at the bias of the
// keys, which no weight depends on, or of one that some numbers of X have where nobody attends to their token.
bool steps_by_rounding(const Inputs& inputs, const Projections& gradients, double largest) {
    constexpr double kNextToNothing = 1e-5;  // of the largest gradient: what is left when such numbers are subtracted
    if (inputs.optimizer != OptimizerKind::adam && inputs.optimizer != OptimizerKind::adamw) return false;
    const std::set<TensorId> trained = trained_tensors(inputs);
    const auto is_prone = [](TensorId tensor) {
        return !is_learned(tensor) || (is_bias(tensor) && is_shared_by_heads(tensor));
    };
    if (std::ranges::any_of(trained, is_prone)) return true;
    return std::ranges::any_of(present_learned(inputs), [&](TensorId tensor) {
        return trained.contains(tensor) && largest_of(numbers_of(gradients, tensor)) < kNextToNothing * largest;
    });
}

// The loss, what is learned and its gradients, after the steps that were taken.
std::string trained_check(const PlaygroundState& state, const Evaluation& evaluation, int sentence, bool is_batch) {
    const TrainingRun& run = *evaluation.run;
    const bool has_steps = run.num_steps() > 0;
    const std::vector<double>& losses = run.losses();
    const auto last = static_cast<std::size_t>(run.num_steps());
    if (!std::isfinite(losses[0]) || !std::isfinite(losses[last]))
        return "# The loss is not a finite number on the page, so nothing is compared.\n";
    if (has_steps && losses[0] < kSmallestLoss)
        return "# The loss was next to nothing before the first step: what is left of its gradient is rounding, and "
               "nothing is compared.\n";
    PythonText python;
    const double near = has_steps ? kNearAfterSteps : kNear;
    const Projections& gradients = run.training().gradients();
    double largest = kNear;
    for (const TensorId tensor : present_learned(state.inputs))
        largest = std::max(largest, largest_of(numbers_of(gradients, tensor)));
    const bool is_loss_alone =
        has_steps && (losses[last] < kSmallestLoss || steps_by_rounding(state.inputs, gradients, largest));
    if (is_loss_alone)
        python.line(
            "# Some gradients are nothing but rounding, and an optimizer may go on by them: the loss alone is "
            "compared.");
    open_page(python);
    write_entry(python, "loss", 1, near * std::max(1.0, losses[last]),
                {number_in_check(static_cast<float>(losses[last]))});
    PageStages stages(python, evaluation, near);
    for (const TensorId stage : compared_stages(state)) {
        if (!is_loss_alone) stages.write(stage);
    }
    const bool has_gradients = !is_loss_alone && withheld_values(state).empty();  // with blanks every gradient is one
    // What is small beside the largest one is left of numbers of its size, or of weights near to 1 times the roles.
    constexpr double kFloor = 0.05;
    const double size = stages.largest_score() * (largest + kFloor * stages.largest_role());
    for (const TensorId tensor : present_learned(state.inputs)) {
        if (!has_gradients) break;
        const std::span<const float> numbers = numbers_of(gradients, tensor);
        const auto count = static_cast<std::int64_t>(numbers.size());
        const std::int64_t step = step_through(count, extent_of(evaluation.sizes, tensor).columns);
        std::vector<std::string> compared;
        for (std::int64_t at = 0; at < count; at += step)
            compared.push_back(number_in_check(numbers[static_cast<std::size_t>(at)]));
        write_entry(python, concat("grad_", tensor_name(tensor)), step, near * size, compared);
    }
    python.line("}");
    python.line("compare(page, {**", is_batch ? concat("all_stages[", sentence, "]") : std::string("stages"),
                ", **gradients, \"loss\": loss})");
    return python.text();
}

}  // namespace

NotebookChecks notebook_checks(const PlaygroundState& state, const Evaluation& shown,
                               const std::vector<ScriptSentence>& sentences) {
    ATTN_CHECK(!sentences.empty(), "a notebook without tokens");
    NotebookChecks checks;
    const auto on_screen = std::ranges::find(sentences, state.view.sentence + 1, &ScriptSentence::number);
    checks.sentence = on_screen == sentences.end() ? sentences[0].number : on_screen->number;
    const bool is_shown = on_screen != sentences.end() && !shown.is_empty();
    const bool is_learning = has_loss(state.inputs);
    Inputs untrained = state.inputs;
    untrained.steps = 0;
    const bool is_other = !is_shown || (is_learning && state.inputs.steps > 0);
    const Evaluation other = is_other ? evaluate(untrained, checks.sentence - 1) : Evaluation();
    PythonText python;
    write_compare(python);
    open_page(python);
    PageStages stages(python, is_other ? other : shown, kNear);
    for (const TensorId stage : compared_stages(state)) stages.write(stage);
    python.line("}");
    python.line("compare(page, stages)");
    checks.forward = python.text();
    if (!is_learning) return checks;
    const Evaluation trained = is_shown ? Evaluation() : evaluate(state.inputs, checks.sentence - 1);
    checks.trained = trained_check(state, is_shown ? shown : trained, checks.sentence, sentences.size() > 1);
    return checks;
}

std::string model_notebook_check(const PlaygroundState& state, const Evaluation& shown, bool has_logits) {
    PythonText python;
    write_compare(python);
    open_page(python);
    PageStages stages(python, shown, kNear);
    const bool has_others = replaces_heads(state.inputs.off, state.inputs.patches, state.inputs.layer);
    for (const TensorId stage : compared_stages(state)) {
        // On the page the heads are in it as they are; in the script it is what the output projection takes.
        if (!has_others || tensor_name(stage) != "merged") stages.write(stage);
    }
    python.line("}");
    python.line("here = ", has_logits ? "{**stages, \"logits\": logits}" : "stages");
    python.line("compare({name: numbers for name, numbers in page.items() if name in here}, here)");
    return python.text();
}

}  // namespace attn
