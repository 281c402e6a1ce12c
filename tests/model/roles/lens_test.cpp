// The logit lens of random models of every kind, held against the plain double twin, cell by cell; what it keeps; the
// steps of its sums; numbers that are none.
#include "model/roles/lens.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "model/explain/explain_model.h"
#include "model/layers/forward_reference.h"
#include "model/layers/random_model.h"

using Catch::Matchers::WithinAbs;
using namespace attn;

namespace {

constexpr double kFloatsOfLens = 5e-5;  // two layers in float beside double, and a norm over what may be small
const std::vector<int> kLensIds = {1, 2, 3, 1, 4, 5};

Model lens_model(const test::Checkpoint& checkpoint = test::random_gpt2()) {
    Result<Model> model = checkpoint.load();
    ATTN_CHECK(model, "the random model does not load");
    return std::move(*model);
}

LensWork whole_lens(const Model& model, std::optional<int> word = {}, std::int64_t slice = 1'000'000'000) {
    LensWork work(std::make_shared<ModelRun>(model, attn::ModelInput{.ids = kLensIds}), 0, 6, 5, word);
    while (!work.advance(slice)) continue;
    return work;
}

// The twin's probabilities of a model with only the first `layers` layers of another: what the lens asks.
MatrixD lens_reference(test::Checkpoint checkpoint, int layers) {
    Model model = lens_model(checkpoint);
    model.config.num_layers = layers;
    model.weights.layers.resize(static_cast<std::size_t>(layers));
    return forward_reference(model, {.ids = kLensIds}).probabilities;
}

}  // namespace

TEST_CASE("each cell of the lens is the twin's answer where its later layers are left out", "[lens][reference]") {
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        INFO(name);
        const Model model = lens_model(checkpoint);
        if (!find_lens_problem(model.weights).empty()) continue;
        const LensWork work = whole_lens(model, 9);
        CHECK(work.num_cells_done() == (model.config.num_layers + 1) * 6);
        for (int layer = 0; layer <= model.config.num_layers; ++layer) {
            const MatrixD reference = lens_reference(checkpoint, layer);
            for (int i = 0; i < 6; ++i) {
                const LensCell& cell = *work.cell(layer, i);
                REQUIRE(cell.words.size() == kLensWords);
                for (const LensWord& word : cell.words)
                    CHECK_THAT(static_cast<double>(word.probability),
                               WithinAbs(reference(i, word.token), kFloatsOfLens));
                for (std::size_t k = 1; k < kLensWords; ++k) CHECK(cell.words[k - 1].logit >= cell.words[k].logit);
                double most = 0;
                int before = 0, near = 0;
                for (int v = 0; v < model.config.vocabulary; ++v) {
                    most = std::max(most, reference(i, v));
                    before += reference(i, v) > reference(i, 9) + kFloatsOfLens ? 1 : 0;
                    near += std::abs(reference(i, v) - reference(i, 9)) <= kFloatsOfLens ? 1 : 0;
                }
                CHECK_THAT(static_cast<double>(cell.words[0].probability), WithinAbs(most, kFloatsOfLens));
                REQUIRE(cell.chosen.has_value());
                CHECK_THAT(static_cast<double>(cell.chosen->word.probability),
                           WithinAbs(reference(i, 9), kFloatsOfLens));
                CHECK((cell.chosen->rank > before && cell.chosen->rank <= before + near));
            }
        }
    }
}

TEST_CASE("after the last layer the lens is the model's own answer, bit for bit", "[lens][property]") {
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        INFO(name);
        const Model model = lens_model(checkpoint);
        if (!find_lens_problem(model.weights).empty()) continue;
        const LensWork work = whole_lens(model);
        for (int i = 0; i < 6; ++i) {
            RowLogits row(std::make_shared<ModelRun>(model, attn::ModelInput{.ids = kLensIds}), i);
            while (!row.advance(1'000'000'000)) continue;
            const std::vector<float> probabilities = probabilities_of(row.logits());
            const LensCell& cell = *work.cell(model.config.num_layers, i);
            const SoftmaxOfRow softmax = softmax_of_row(row.logits());
            CHECK(cell.softmax.most == softmax.most);
            CHECK(cell.softmax.sum == softmax.sum);
            for (const LensWord& word : cell.words) {
                CHECK(word.logit == row.logits()[static_cast<std::size_t>(word.token)]);
                CHECK(word.probability == probabilities[static_cast<std::size_t>(word.token)]);
            }
            const auto most = std::ranges::max_element(probabilities);
            CHECK(cell.words[0].token == static_cast<int>(most - probabilities.begin()));
        }
        // Nobody named a word, so it is the model's own at the position that is looked at.
        CHECK(work.word() == work.cell(model.config.num_layers, 5)->words[0].token);
        CHECK(work.cell(model.config.num_layers, 5)->chosen->rank == 1);
    }
}

TEST_CASE("the lens has the same bits in slices of any size", "[lens][property]") {
    const Model model = lens_model(test::random_llama("qwen3"));
    const LensWork whole = whole_lens(model), small = whole_lens(model, {}, 1);
    for (int layer = 0; layer <= model.config.num_layers; ++layer) {
        for (int i = 0; i < 6; ++i) {
            const LensCell &a = *whole.cell(layer, i), &b = *small.cell(layer, i);
            CHECK(a.softmax.sum == b.softmax.sum);
            CHECK(a.chosen->rank == b.chosen->rank);
            for (std::size_t k = 0; k < kLensWords; ++k) CHECK(a.words[k].logit == b.words[k].logit);
        }
    }
}

TEST_CASE("another word or position is looked at with what is there, and ranks are found again", "[lens]") {
    const Model model = lens_model();
    LensWork work = whole_lens(model);
    const float before = work.cell(1, 2)->words[0].logit;
    work.look_at(3, 11);
    CHECK_FALSE(work.is_done());
    CHECK(work.cell(1, 2)->words[0].logit == before);  // shown while ranks are found
    CHECK(work.word() == 11);
    while (!work.advance(1000)) continue;
    const LensWork expected = whole_lens(model, 11);
    for (int layer = 0; layer <= model.config.num_layers; ++layer) {
        for (int i = 0; i < 6; ++i) {
            CHECK(work.cell(layer, i)->asked == 11);
            CHECK(work.cell(layer, i)->chosen->rank == expected.cell(layer, i)->chosen->rank);
            CHECK(work.cell(layer, i)->chosen->word.logit == expected.cell(layer, i)->chosen->word.logit);
        }
    }
    work.look_at(2, {});
    while (!work.advance(1'000'000)) continue;
    CHECK(work.word() == work.cell(model.config.num_layers, 2)->words[0].token);
    CHECK(work.cell(0, 4)->asked == *work.word());
}

TEST_CASE("a part of the positions has the cells of the whole", "[lens]") {
    const Model model = lens_model();
    const LensWork whole = whole_lens(model, 3);
    LensWork part(std::make_shared<ModelRun>(model, attn::ModelInput{.ids = kLensIds}), 2, 3, 4, 3);
    while (!part.advance(1'000'000)) continue;
    CHECK(part.num_cells() == (model.config.num_layers + 1) * 3);
    for (int layer = 0; layer <= model.config.num_layers; ++layer)
        for (int i = 2; i < 5; ++i) CHECK(part.cell(layer, i)->softmax.sum == whole.cell(layer, i)->softmax.sum);
}

TEST_CASE("a cell of logits orders them as their probabilities, the first of equals first", "[lens]") {
    std::vector<float> logits(21, -3.0F);
    logits[4] = logits[17] = 2.0F;
    logits[20] = 1.5F;
    const LensCell cell = lens_cell(logits, 17);
    REQUIRE(cell.words.size() == kLensWords);
    CHECK(cell.words[0].token == 4);
    CHECK(cell.words[1].token == 17);
    CHECK(cell.words[2].token == 20);
    CHECK(cell.words[3].token == 0);
    CHECK(cell.words[4].token == 1);
    CHECK(cell.chosen->rank == 2);
    CHECK(lens_cell(logits, 20).chosen->rank == 3);
    CHECK(lens_cell(logits, 19).chosen->rank == 21);
    const SoftmaxOfRow row = softmax_of_row(logits);
    CHECK(cell.softmax.sum == row.sum);
    CHECK(cell.words[1].probability == row.probability(2.0F));
    CHECK(lens_cell(std::vector<float>{1, 2, 3}, -1).words.size() == 3);
    CHECK_FALSE(lens_cell(logits, -1).chosen.has_value());
}

TEST_CASE("logits that are no numbers have no words, and those of −∞ have no chance", "[lens][bad-input]") {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    for (const std::size_t at : {std::size_t{0}, std::size_t{7}, std::size_t{10}}) {
        for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), kInfinite}) {
            std::vector<float> logits(11, 0.5F);
            logits[at] = wrong;
            const LensCell cell = lens_cell(logits, 3);
            CHECK_FALSE(cell.is_number());
            CHECK_FALSE(cell.chosen.has_value());
            CHECK(std::isnan(cell.softmax.sum));
        }
        std::vector<float> logits(11, 0.5F);
        logits[at] = -kInfinite;
        const LensCell cell = lens_cell(logits, static_cast<int>(at));
        CHECK(cell.softmax.sum == 10);
        CHECK(cell.chosen->word.probability == 0);
        CHECK(cell.chosen->rank == 11);
    }
    CHECK_FALSE(lens_cell(std::vector<float>(11, -kInfinite), 0).is_number());
}

TEST_CASE("a model with NaN has a lens that ends, without a word", "[lens][bad-input]") {
    test::Checkpoint checkpoint = test::random_gpt2();
    const Model model = lens_model(checkpoint);
    ModelRun run(model, attn::ModelInput{.ids = kLensIds,
                                         .edits = {{.layer = 0,
                                                    .tensor = TensorId::embeddings,
                                                    .row = 5,
                                                    .column = 0,
                                                    .value = std::numeric_limits<float>::quiet_NaN()}}});
    LensWork work(std::make_shared<ModelRun>(model, run.input()), 0, 6, 5, {});
    while (!work.advance(1'000'000)) continue;
    CHECK(work.cell(0, 5)->is_number());
    CHECK_FALSE(work.cell(1, 5)->is_number());
    CHECK_FALSE(work.word().has_value());
    CHECK(work.cell(2, 4)->is_number());  // an earlier position does not see it
}

TEST_CASE("a vocabulary of 150,000 is computed in a bounded memory", "[lens][bad-input]") {
    std::vector<float> logits(150'000);
    for (std::size_t k = 0; k < logits.size(); ++k) logits[k] = static_cast<float>(k * 7919 % 150'000) / 1e4F;
    const LensCell cell = lens_cell(logits, 0);
    CHECK(cell.chosen->rank == 150'000);
    CHECK(cell.words[0].logit == *std::ranges::max_element(logits));
    CHECK(cell.softmax.sum == softmax_of_row(logits).sum);
    CHECK(kMostLensLogits / 150'000 >= 1);
    CHECK(kMostLensLogits * static_cast<std::int64_t>(sizeof(float)) <= 16 << 20);
}

TEST_CASE("a model without a head has no lens, and says so", "[lens][bad-input]") {
    const Model model = lens_model(test::random_bert(false));
    CHECK(find_lens_problem(model.weights).starts_with("This model has no logit lens"));
    CHECK(find_lens_problem(lens_model().weights).empty());
}

TEST_CASE("the steps of a cell's logit come to the number that the lens shows", "[lens][explain]") {
    constexpr double kNear = 6e-6;  // as explain_model_test
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        INFO(name);
        const Model model = lens_model(checkpoint);
        if (!find_lens_problem(model.weights).empty()) continue;
        ModelRun run(model, {.ids = kLensIds});
        run.advance(1'000'000'000);
        const LensWork work = whole_lens(model, 9);
        for (int layer = 0; layer <= model.config.num_layers; ++layer) {
            const auto explained = [&](TensorId stage, int column) {
                return explain_lens(run, layer, {.tensor = stage, .row = 4, .column = column});
            };
            const LensRank& chosen = *work.cell(layer, 4)->chosen;
            const Explanation logit = explained(TensorId::logits, 9);
            CHECK(logit.shown == chosen.word.logit);
            CHECK(static_cast<int>(logit.steps[0].terms.size()) >= model.config.width);
            CHECK_THAT(logit.steps.back().value, WithinAbs(static_cast<double>(logit.shown), kNear * 10));
            const Explanation probability = explained(TensorId::probabilities, 9);
            CHECK(probability.shown == chosen.word.probability);
            CHECK_THAT(probability.steps.back().value, WithinAbs(static_cast<double>(probability.shown), kNear));
            // The factors of the products are the numbers that the norm's own steps come to.
            const bool has_head = model.weights.head_dense.is_there();
            const Explanation normed = explained(has_head ? TensorId::logit_input : TensorId::final_stream, 3);
            CHECK(static_cast<double>(normed.shown) == logit.steps[0].terms[3].a.value);
            CHECK_THAT(normed.steps.back().value, WithinAbs(static_cast<double>(normed.shown), kNear * 10));
            if (layer == model.config.num_layers) continue;
            CHECK_FALSE(logit.steps[0].terms[3].a.has_source);
            const std::string stream = layer == 0 ? "before of layer 1" : concat("after of layer ", layer);
            const std::string_view of = layer == 0 ? " of the embeddings" : " after layer 1";
            CHECK(logit.steps[0].terms[3].a.named->name.ends_with(of));
            CHECK(logit.formula.find(of) != std::string::npos);
            CHECK(explained(TensorId::final_stream, 3).formula.find(stream) != std::string::npos);
        }
    }
}
