// Ablations, held against runs of the plain double twin with the same heads off; and the rule that finds the heads that
// decide, on numbers made up for it.
#include "model/roles/ablation.h"

#include <catch_amalgamated.hpp>
#include <limits>

#include "core/ground/check.h"
#include "model/layers/forward_reference.h"
#include "model/layers/random_model.h"

using Catch::Matchers::WithinAbs;
using namespace attn;

namespace {

constexpr double kFloats = 2e-5;  // two layers in float beside double
const std::vector<int> kIds = {1, 2, 3, 1, 4, 5};

Model random_model() {
    Result<Model> model = test::random_gpt2().load();
    ATTN_CHECK(model, "the random model does not load");
    return std::move(*model);
}

Ablations all_ablations(const Model& model, ModelInput input, int row) {
    AblationWork work(model, std::move(input), row);
    while (!work.advance(std::numeric_limits<std::int64_t>::max())) continue;
    return work.result();
}

// Three words and two layers of two heads; nothing is switched off that is not named.
Ablations made_up(float whole, std::vector<float> alone, std::vector<float> pairs) {
    const auto words = [](float p) { return std::vector<float>{p, 1 - p}; };
    Ablations ablations = {.num_layers = 2, .num_heads = 2, .whole = words(whole), .alone = {}, .pairs = {}};
    for (const float p : alone) ablations.alone.push_back(words(p));
    for (const float p : pairs) ablations.pairs.push_back(words(p));
    return ablations;
}

}  // namespace

TEST_CASE("each ablation is the plain twin's probability with these heads off", "[ablation][reference]") {
    const Model model = random_model();
    const int last = model.config.num_layers - 1, num_heads = model.config.num_heads;
    const Ablations ablations = all_ablations(model, {.ids = kIds, .off = {{0, 0}}}, 4);
    const auto check = [&](const std::vector<float>& found, std::vector<HeadOff> off) {
        const ReferenceForward reference = forward_reference(model, {.ids = kIds, .off = std::move(off)});
        REQUIRE(static_cast<int>(found.size()) == model.config.vocabulary);
        for (int v = 0; v < model.config.vocabulary; ++v)
            CHECK_THAT(static_cast<double>(found[static_cast<std::size_t>(v)]),
                       WithinAbs(reference.probabilities(4, v), kFloats));
    };
    check(ablations.whole, {});  // a head that is off in the input is on here
    for (int layer = 0; layer <= last; ++layer)
        for (int head = 0; head < num_heads; ++head) check(ablations.without(layer, head), {{layer, head}});
    for (int second = 1; second < num_heads; ++second)
        for (int first = 0; first < second; ++first)
            check(ablations.without_pair(first, second), {{last, first}, {last, second}});
}

TEST_CASE("slices of any size give the same bits", "[ablation][property]") {
    const Model model = random_model();
    const Ablations at_once = all_ablations(model, {.ids = kIds}, 5);
    AblationWork work(model, {.ids = kIds}, 5);
    while (!work.advance(500)) continue;
    CHECK(work.result() == at_once);
}

TEST_CASE("the head without which the word falls most decides it, from a quarter on", "[ablation]") {
    const Ablations ablations = made_up(0.8F, {0.1F, 0.7F, 0.75F, 0.5F}, {0.2F});
    const DecidingHeads first = deciding_heads(ablations, 0, 0);
    CHECK(first.heads == std::vector{0});
    CHECK(first.decides());
    const DecidingHeads last = deciding_heads(ablations, 1, 0);
    CHECK(last.heads == std::vector{1});
    CHECK_THAT(last.lost(), WithinAbs(0.3, 1e-6));
    CHECK(last.decides());
}

TEST_CASE("where no head of the last layer decides, two do; or the two that come nearest are named", "[ablation]") {
    const DecidingHeads two = deciding_heads(made_up(0.8F, {0.1F, 0.7F, 0.75F, 0.7F}, {0.2F}), 1, 0);
    CHECK(two.heads == std::vector{0, 1});
    CHECK(two.decides());
    const DecidingHeads none = deciding_heads(made_up(0.8F, {0.1F, 0.7F, 0.75F, 0.7F}, {0.65F}), 1, 0);
    CHECK(none.heads == std::vector{0, 1});
    CHECK_FALSE(none.decides());
    const DecidingHeads earlier = deciding_heads(made_up(0.8F, {0.79F, 0.7F, 0.75F, 0.7F}, {0.2F}), 0, 0);
    CHECK(earlier.heads == std::vector{1});  // pairs are of the last layer
    CHECK_FALSE(earlier.decides());
}

TEST_CASE("probabilities that are no numbers decide nothing", "[ablation][bad-input]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(deciding_heads(made_up(nan, {nan, nan, nan, nan}, {nan}), 1, 0).decides());
    CHECK_FALSE(deciding_heads(made_up(0, {0, 0, 0, 0}, {0}), 1, 0).decides());
}
