// A token's journey through random models of every kind: rows and lengths held against the plain double twin, sums that
// add up, layers that are opened, slices, numbers that are none. tests/torch has the shares of heads.
#include "model/roles/journey.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "model/layers/forward_reference.h"
#include "model/layers/random_model.h"

using Catch::Matchers::WithinAbs;
using namespace attn;

namespace {

// A number of these models is off by at most this share of the largest one of its row: two layers in float beside
// double, as in model_run_test.
constexpr double kFloatsOfJourney = 5e-5;
const std::vector<int> kJourneyIds = {1, 2, 3, 1, 4, 5};

Model journey_model(const test::Checkpoint& checkpoint = test::random_gpt2()) {
    Result<Model> model = checkpoint.load();
    ATTN_CHECK(model, "the random model does not load");
    return std::move(*model);
}

JourneyWork begun_journey(const Model& model, int row, int layer, ModelInput input = {.ids = kJourneyIds}) {
    return {std::make_shared<ModelRun>(model, std::move(input)), row, layer};
}

void finish(JourneyWork& work, std::int64_t slice = 1'000'000'000) {
    while (!work.advance(slice)) continue;
}

// The twin's matrix of a stage of the stream or the MLP; null where it has none, or another name for it.
const MatrixD* reference_of(const ReferenceLayer& layer, TensorId stage) {
    const std::pair<TensorId, const MatrixD*> kStages[] = {{TensorId::before, &layer.before},
                                                           {TensorId::embeddings, &layer.attention_input},
                                                           {TensorId::attention_out, &layer.attention_out},
                                                           {TensorId::attention_added, &layer.attention_added},
                                                           {TensorId::middle, &layer.middle},
                                                           {TensorId::mlp_input, &layer.mlp_input},
                                                           {TensorId::mlp_gate, &layer.mlp_gate},
                                                           {TensorId::mlp_sums, &layer.mlp_sums},
                                                           {TensorId::mlp_hidden, &layer.mlp_hidden},
                                                           {TensorId::mlp_out, &layer.mlp_out},
                                                           {TensorId::mlp_added, &layer.mlp_added},
                                                           {TensorId::after, &layer.after}};
    for (const auto& [one, matrix] : kStages)
        if (one == stage) return matrix;
    return nullptr;
}

}  // namespace

TEST_CASE("each row of a journey is the twin's, in models of every kind", "[journey][reference]") {
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        INFO(name);
        const Model model = journey_model(checkpoint);
        const ReferenceForward reference = forward_reference(model, {.ids = kJourneyIds});
        for (int layer = 0; layer < model.config.num_layers; ++layer) {
            JourneyWork work = begun_journey(model, 3, layer);
            finish(work);
            const JourneyLayer& open = work.layers()[static_cast<std::size_t>(layer)];
            CHECK(open.stops.front().stage == TensorId::before);
            CHECK(open.stops.back().stage == TensorId::after);
            int num_held = 0;
            for (const JourneyStop& stop : open.stops) {
                const MatrixD* wanted = reference_of(reference.layers[static_cast<std::size_t>(layer)], stop.stage);
                if (wanted == nullptr || wanted->size() == 0) continue;
                ++num_held;
                const std::span<const double> row = row_of(*wanted, 3);
                REQUIRE(row.size() == stop.row.size());
                double most = 0;
                for (const double one : row) most = std::max(most, std::abs(one));
                for (std::size_t c = 0; c < row.size(); ++c)
                    CHECK_THAT(static_cast<double>(stop.row[c]), WithinAbs(row[c], kFloatsOfJourney * most));
                CHECK_THAT(stop.length, WithinAbs(length_of_row(row), kFloatsOfJourney * most * std::sqrt(row.size())));
            }
            CHECK(num_held >= (model.config.mlp_width > 0 ? 8 : 4));
        }
    }
}

TEST_CASE("what is added along a sum is its length, and the sum is what goes on", "[journey][property]") {
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        INFO(name);
        const Model model = journey_model(checkpoint);
        for (const bool has_head_off : {false, true}) {
            ModelInput input = {.ids = kJourneyIds};
            if (has_head_off) input.off = {{.layer = 1, .head = 0}};
            JourneyWork work = begun_journey(model, 4, 1, input);
            finish(work);
            const JourneyLayer& layer = work.layers()[1];
            CHECK(layer.sums.size() == (model.config.mlp_width > 0 ? 2U : 1U));
            for (const JourneySum& sum : layer.sums) {
                double along = 0;
                std::vector<double> whole(layer.stops.front().row.size(), 0);
                for (const JourneyShare& share : sum.shares) {
                    along += share.along;
                    CHECK(std::abs(share.along) <= share.length * (1 + 1e-12));
                    for (std::size_t c = 0; c < whole.size(); ++c) whole[c] += static_cast<double>(share.added[c]);
                }
                CHECK_THAT(along, WithinAbs(sum.length, 1e-9 * (1 + sum.length)));
                CHECK(sum.is_normed == model.config.norms_sums());
                if (sum.is_normed) continue;
                const JourneyStop& stream = *layer.find(sum.result);
                for (std::size_t c = 0; c < whole.size(); ++c)
                    CHECK_THAT(whole[c], WithinAbs(static_cast<double>(stream.row[c]), kFloatsOfJourney * sum.length));
            }
            const auto heads = [](const JourneyShare& share) { return share.from == JourneyShare::From::head; };
            const std::vector<JourneyShare>& shares = layer.sums[0].shares;
            CHECK(std::ranges::count_if(shares, heads) == model.config.num_heads);
            const auto first = std::ranges::find_if(shares, heads);
            CHECK(first->is_off == has_head_off);
            if (has_head_off) CHECK(first->length == 0);
            CHECK(first->most_seen.has_value());
            const JourneyStop& weights = *layer.find(TensorId::weights);
            const auto row = std::span(weights.row).first(kJourneyIds.size());  // the first head's
            CHECK(first->weight == std::ranges::max(row));
            CHECK(row[static_cast<std::size_t>(*first->most_seen)] == first->weight);
        }
    }
}

TEST_CASE("the embedding adds up to the first stream", "[journey][property]") {
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        INFO(name);
        const Model model = journey_model(checkpoint);
        JourneyWork work = begun_journey(model, 5, 0);
        finish(work);
        const JourneySum& sum = *work.embedded();
        CHECK(sum.result == TensorId::before);
        CHECK(sum.is_normed == (model.weights.embedding_norm.weight != nullptr));
        CHECK(work.first_stream() == work.layers()[0].stops.front().row);
        if (sum.is_normed) continue;
        for (std::size_t c = 0; c < work.first_stream().size(); ++c) {
            double whole = 0;
            for (const JourneyShare& share : sum.shares) whole += static_cast<double>(share.added[c]);
            CHECK_THAT(whole, WithinAbs(static_cast<double>(work.first_stream()[c]), 1e-6));  // float against double
        }
    }
}

TEST_CASE("a journey has the same numbers in slices, and whichever layer was open before", "[journey][property]") {
    const Model model = journey_model(test::random_llama("qwen3"));
    JourneyWork whole = begun_journey(model, 2, 1), small = begun_journey(model, 2, 0);
    finish(whole);
    finish(small, 1);
    CHECK(small.has_open_layer());
    CHECK(small.layers()[1].stops.front().row.empty());
    CHECK_FALSE(small.layers()[1].stops.back().row.empty());  // what goes out stays
    small.open_layer(1);
    CHECK_FALSE(small.is_done());
    CHECK(small.layers()[0].stops.front().row.empty());
    finish(small, 1);
    for (std::size_t k = 0; k < whole.layers()[1].stops.size(); ++k) {
        const JourneyStop &a = whole.layers()[1].stops[k], &b = small.layers()[1].stops[k];
        CHECK(a.stage == b.stage);
        CHECK(a.row == b.row);
        CHECK(a.length == b.length);
    }
    for (std::size_t l = 0; l < 2; ++l)
        for (std::size_t s = 0; s < whole.layers()[l].sums.size(); ++s)
            CHECK(whole.layers()[l].sums[s].length == small.layers()[l].sums[s].length);
    CHECK(whole.end()[0].row == small.end()[0].row);
    CHECK(whole.lens()->cell(2, 2)->words[0].logit == small.lens()->cell(2, 2)->words[0].logit);
}

TEST_CASE("another layer may be opened at any time", "[journey]") {
    const Model model = journey_model();
    for (int before = 0; before < 12; ++before) {
        JourneyWork work = begun_journey(model, 1, 0);
        for (int n = 0; n < before; ++n) work.advance(40);
        work.open_layer(1);
        finish(work, 40);
        CHECK(work.has_open_layer());
        CHECK(work.layers()[0].stops.front().row.empty());
        CHECK(work.progress().num_layers_done == 2);
        CHECK(work.progress().num_logits_done == 3);
    }
}

TEST_CASE("at the end of a journey is what the model itself would say", "[journey]") {
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        INFO(name);
        const Model model = journey_model(checkpoint);
        JourneyWork work = begun_journey(model, 5, 0);
        finish(work);
        CHECK(work.end()[0].stage == TensorId::final_stream);
        CHECK((work.end().size() == 2) == model.weights.head_dense.is_there());
        CHECK((work.lens() == nullptr) == !find_lens_problem(model.weights).empty());
        if (work.lens() == nullptr) continue;
        RowLogits logits(std::make_shared<ModelRun>(model, attn::ModelInput{.ids = kJourneyIds}), 5);
        while (!logits.advance(1'000'000'000)) continue;
        const LensWord& word = work.lens()->cell(model.config.num_layers, 5)->words[0];
        CHECK(word.logit == std::ranges::max(logits.logits()));
    }
}

TEST_CASE("numbers that are none stay none, and no sum of zeros has a direction", "[journey][bad-input]") {
    const Model model = journey_model();
    ModelInput input = {.ids = kJourneyIds};
    input.edits = {{.layer = 0, .tensor = TensorId::embeddings, .row = 2, .column = 1, .value = NAN}};
    JourneyWork work = begun_journey(model, 2, 0, input);
    finish(work);
    CHECK(std::isnan(work.layers()[0].find(TensorId::embeddings)->length));
    CHECK(std::isnan(work.layers()[0].sums[0].length));
    CHECK(std::isfinite(work.embedded()->length));
    CHECK(length_of_row(std::vector<float>{3, -4}) == 5);
    CHECK(length_of_row(std::vector<float>()) == 0);
}
