// Effects of patches, held against the plain double twin with the same patches, in every kind of model.
#include "model/roles/patch_effects.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "model/layers/forward_reference.h"
#include "model/layers/random_model.h"

using Catch::Matchers::WithinAbs;
using namespace attn;

namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
// Two layers in float beside double, and the difference of two logits of a few units.
constexpr double kNearDouble = 1e-4;
const ModelInput kHere = {.ids = {3, 16, 0, 3, 7, 7, 11}};
const ModelInput kThere = {.ids = {3, 16, 5, 3, 9}};

struct Effects {
    Model model;
    std::shared_ptr<ModelRun> here, there;
    explicit Effects(const test::Checkpoint& checkpoint) : model(loaded(checkpoint)) {
        here = std::make_shared<ModelRun>(model, kHere);
        there = std::make_shared<ModelRun>(model, kThere);
    }
    static Model loaded(const test::Checkpoint& checkpoint) {
        Result<Model> model = checkpoint.load();
        ATTN_CHECK(model, "the random model does not load");
        return std::move(*model);
    }
    PatchEffects work(int row, std::optional<int> word = {}, std::optional<int> against = {}) const {
        return {here, there, row, word, against, 0, 7};
    }
    double plain(std::vector<Patch> patches, int row, std::pair<int, int> words) const {
        ModelInput input = kHere;
        input.patches = std::move(patches);
        if (!input.patches.empty()) input.other = {kThere};
        const MatrixD logits = forward_reference(model, input).logits;
        return logits(row, words.first) - logits(row, words.second);
    }
};

}  // namespace

TEST_CASE("each effect is the plain twin's choice with that patch", "[patch][reference]") {
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        INFO(name);
        const Effects effects(checkpoint);
        if (!effects.model.weights.unembedding.is_there()) continue;
        PatchEffects work = effects.work(4, 5, 2);
        while (!work.advance(kToTheEnd)) continue;
        REQUIRE(work.words() == std::pair(5, 2));
        const ModelConfig& config = effects.model.config;
        const auto check = [&](const PatchedChoice* choice, std::vector<Patch> patches) {
            REQUIRE(choice != nullptr);
            CHECK_THAT(static_cast<double>(choice->difference()),
                       WithinAbs(effects.plain(std::move(patches), 4, {5, 2}), kNearDouble));
        };
        check(&work.both()->here, {});
        for (int layer = 0; layer < config.num_layers; ++layer) {
            for (int position = 0; position < 5; ++position)
                check(work.of_stream(layer, position), {{.of = PatchOf::stream, .layer = layer, .row = position}});
            CHECK(work.of_stream(layer, 5) == nullptr);  // the other text is shorter
            for (int head = 0; head < config.num_heads; ++head) {
                std::vector<Patch> patches;
                for (int row = 0; row < 5; ++row)
                    patches.push_back({.of = PatchOf::head, .layer = layer, .head = head, .row = row});
                check(work.of_head(layer, head), std::move(patches));
            }
        }
        CHECK(work.num_effects_done() == config.num_layers * (5 + config.num_heads));
    }
}

TEST_CASE("the words are the most probable one of each text, or two of the first", "[patch][property]") {
    const Effects effects(test::random_gpt2());
    PatchEffects work = effects.work(4);
    int num_slices = 0;
    for (; !work.advance(1); ++num_slices) CHECK_FALSE(work.is_done());
    CHECK(num_slices > 100);
    const auto most = [&](const ModelInput& input, int but) {
        const Matrix logits = logits_of(effects.model, input);
        int best = but == 0 ? 1 : 0;
        for (int token = 0; token < effects.model.config.vocabulary; ++token)
            if (token != but && logits(4, token) > logits(4, best)) best = token;
        return best;
    };
    const int word = most(kHere, -1);
    CHECK(work.words()->first == word);
    CHECK(work.words()->second == (most(kThere, -1) == word ? most(kHere, word) : most(kThere, -1)));
    CHECK(*work.share(work.both()->here) == 0);
    CHECK_THAT(*work.share(work.both()->there), WithinAbs(1, 1e-6));
    // The first stream at every position would be the other text's; of one that is later than the row it is nothing.
    PatchEffects earlier = effects.work(2);
    while (!earlier.advance(kToTheEnd)) continue;
    CHECK(*earlier.of_stream(0, 4) == earlier.both()->here);
    // The same word twice is no choice.
    PatchEffects same = effects.work(4, 3, 3);
    while (!same.advance(kToTheEnd)) continue;
    CHECK(same.has_no_choice());
    CHECK(same.is_done());
}

TEST_CASE("where a logit is no number there is no choice", "[patch][bad-input]") {
    Effects effects(test::random_gpt2());
    PatchEffects finite = effects.work(4);
    while (!finite.advance(kToTheEnd)) continue;
    CHECK_FALSE(finite.has_no_choice());
    ModelInput nan = kHere;
    nan.edits = {{.layer = 1, .tensor = TensorId::b_out, .column = 2, .value = NAN}};
    PatchEffects work(std::make_shared<ModelRun>(effects.model, nan), effects.there, 4, {}, {}, 0, 7);
    while (!work.advance(kToTheEnd)) continue;
    CHECK(work.has_no_choice());
    CHECK_FALSE(work.share(PatchedChoice()));
}
