// The fast model against the plain one in double, for every kind of file; slices, switched-off heads, halves.
// tests/torch compares both with PyTorch.
#include "model/layers/model_run.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <memory>

#include "core/fast/attend.h"
#include "model/layers/forward_reference.h"
#include "model/layers/random_model.h"

using attn::Model;
using attn::ModelInput;
using attn::ModelRun;
using attn::test::all_checkpoints;

namespace {

// The largest difference, as a share of the largest number.
template <class Fast, class Plain>
double farness(const Fast& fast, const Plain& plain) {
    REQUIRE(fast.size() == plain.size());
    double most = 1e-30, far = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        most = std::max(most, std::abs(static_cast<double>(plain.data()[i])));
        far = std::max(far, std::abs(static_cast<double>(fast.data()[i]) - static_cast<double>(plain.data()[i])));
    }
    return far / most;
}

const ModelInput kInput = {.ids = {3, 16, 0, 3, 7, 7, 11}, .types = {}};

// Two layers of sums of up to 48 products of numbers near 1 in float: 48 * 2^-24 is 3e-6 at the very worst of one sum,
// and norms divide by what may be smaller than 1.
constexpr double kNear = 5e-6;

}  // namespace

TEST_CASE("every kind of model computes what its plain twin computes", "[model][reference]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const attn::Result<Model> model = checkpoint.load();
        INFO(model.error());
        REQUIRE(model);
        ModelInput input = kInput;
        if (name == "bert") input.types = {0, 0, 0, 1, 1, 1, 0};
        const attn::ReferenceForward plain = forward_reference(*model, input);
        ModelRun run(*model, input);
        CHECK(run.advance(1'000'000'000));
        for (int layer = 0; layer < 2; ++layer) {
            attn::LayerWork work = run.layer_work(layer);
            std::int64_t enough = 1'000'000'000;
            REQUIRE(work.advance(enough));
            const attn::LayerTrace& fast = work.trace();
            const attn::ReferenceLayer& slow = plain.layers[static_cast<std::size_t>(layer)];
            CHECK(farness(fast.before, slow.before) < kNear);
            CHECK(farness(fast.problem.embeddings, slow.attention_input) < kNear);
            CHECK(farness(fast.attention.query, slow.query) < kNear);
            CHECK(farness(fast.attention.key, slow.key) < kNear);
            CHECK(farness(fast.attention.value, slow.value) < kNear);
            CHECK(farness(fast.attention.context, slow.context) < kNear);
            CHECK(farness(fast.attention_added, slow.attention_added) < kNear);
            CHECK(farness(fast.middle, slow.middle) < kNear);
            CHECK(farness(fast.mlp_input, slow.mlp_input) < kNear);
            CHECK(farness(fast.mlp_gate, slow.mlp_gate) < kNear);
            CHECK(farness(fast.mlp_sums, slow.mlp_sums) < kNear);
            CHECK(farness(fast.mlp_hidden, slow.mlp_hidden) < kNear);
            CHECK(farness(fast.mlp_added, slow.mlp_added) < kNear);
            CHECK(farness(fast.after, slow.after) < kNear);
            CHECK(fast.after == run.stream(layer + 1));  // computed again with the same bits
            double weights_far = 0;
            for (int h = 0; h < model->config.num_heads; ++h) {
                for (int i = 0; i < 7; ++i) {
                    const auto row = attn::row_of(fast.attention.weights, h, i);
                    for (int j = 0; j < 7; ++j)
                        weights_far = std::max(
                            weights_far,
                            std::abs(static_cast<double>(row[static_cast<std::size_t>(j)]) - slow.weights(h, i, j)));
                }
            }
            CHECK(weights_far < kNear);
        }
        CHECK(farness(run.final_stream(), plain.final_stream) < kNear);
        CHECK(farness(logit_input(*model, run.final_stream()), plain.logit_input) < kNear);
        const attn::Matrix logits = logits_of(*model, input);
        CHECK(farness(logits, plain.logits) < kNear);
        for (int i = 0; i < 7; ++i) {
            const std::vector<float> probabilities = attn::probabilities_of(attn::row_of(logits, i));
            CHECK(farness(probabilities, attn::row_of(plain.probabilities, i)) < kNear);
        }
    }
}

TEST_CASE("a layer of its own is a problem that the core computes to the same bits", "[model][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const attn::Result<Model> model = checkpoint.load();
        REQUIRE(model);
        ModelRun run(*model, kInput);
        run.advance(1'000'000'000);
        const attn::AttentionProblem problem = layer_problem(*model, 1, run.stream(1));
        const attn::AttentionTrace trace = attend(problem);
        attn::LayerWork work = run.layer_work(1);
        std::int64_t enough = 1'000'000'000;
        work.advance(enough);
        CHECK(trace.context == work.trace().attention.context);
        CHECK(problem.settings.window.keys == model->config.windows[1]);
    }
}

TEST_CASE("slices change no bit, and long work stops where it is told to", "[model][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const attn::Result<Model> model = checkpoint.load();
        REQUIRE(model);
        ModelRun whole(*model, kInput), slices(*model, kInput);
        whole.advance(1'000'000'000);
        int num_slices = 0;
        while (!slices.advance(1)) ++num_slices;
        CHECK(num_slices > 8);
        CHECK(slices.final_stream() == whole.final_stream());
        attn::LogitsWork logits(*model, whole.final_stream());
        while (!logits.advance(1)) continue;
        CHECK(logits.logits() == logits_of(*model, kInput));

        attn::RowLogits row(std::make_shared<ModelRun>(*model, kInput), 4);
        int num_steps = 0;
        for (; !row.advance(1); ++num_steps) CHECK_FALSE(row.is_done());
        CHECK(num_steps > 8);
        CHECK(std::ranges::equal(row.logits(), attn::row_of(logits.logits(), 4)));
    }
}

TEST_CASE("a causal model does not look ahead, and a longer text keeps what was there", "[model][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const attn::Result<Model> model = checkpoint.load();
        REQUIRE(model);
        const attn::Matrix all = logits_of(*model, kInput);
        ModelInput shorter = kInput;
        shorter.ids.pop_back();
        const attn::Matrix part = logits_of(*model, shorter);
        const bool is_same = std::equal(part.begin(), part.end(), all.begin());
        CHECK(is_same == (model->config.mask == attn::Mask::causal));
    }
}

TEST_CASE("a run takes over what an earlier one has of the same beginning, to the bit", "[model][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const attn::Result<Model> model = checkpoint.load();
        REQUIRE(model);
        const bool is_causal = model->config.mask == attn::Mask::causal;
        const int T = kInput.num_tokens();
        // Grown by one and by several, shorter, with another end, of one token; the earlier run done, half done, begun.
        const std::vector<std::vector<int>> earlier_ids = {
            {3, 16, 0, 3, 7, 7}, {3, 16, 0}, {3, 16, 0, 3, 7, 7, 11, 2, 5}, {3, 16, 0, 3, 1, 1, 1}, {3}, {5, 16}};
        const std::vector<int> in_common = {6, 3, 7, 4, 1, 0};
        for (std::size_t n = 0; n < earlier_ids.size(); ++n) {
            for (const int num_layers : {2, 1, 0}) {
                INFO("earlier text " << n << ", its layers " << num_layers);
                ModelRun earlier(*model, {.ids = earlier_ids[n]});
                earlier.advance_to(num_layers, 1'000'000'000);
                ModelRun grown(*model, kInput, &earlier), whole(*model, kInput);
                CHECK(grown.num_taken_over() == (is_causal ? std::min(in_common[n], T - 1) : 0));
                while (!grown.advance(1)) continue;
                whole.advance(1'000'000'000);
                for (int layer = 0; layer <= 2; ++layer) CHECK(grown.stream(layer) == whole.stream(layer));
                CHECK(attn::row_of(grown.final_row(T - 1), 0)[0] == attn::row_of(whole.final_stream(), T - 1)[0]);
                // And what it keeps serves the next one.
                ModelInput longer = kInput;
                longer.ids.push_back(9);
                ModelRun next(*model, longer, &grown), all(*model, longer);
                next.advance(1'000'000'000);
                all.advance(1'000'000'000);
                CHECK(next.stream(2) == all.stream(2));
            }
        }
    }
}

TEST_CASE("what later tokens can change is not taken over", "[model][property]") {
    const attn::Result<Model> model = attn::test::random_gpt2().load();
    REQUIRE(model);
    ModelInput longer = kInput;
    longer.ids.push_back(9);
    const auto taken_over = [&](ModelInput before, ModelInput now) {
        ModelRun earlier(*model, std::move(before));
        earlier.advance(1'000'000'000);
        ModelRun run(*model, now, &earlier), whole(*model, now);
        run.advance(1'000'000'000);
        whole.advance(1'000'000'000);
        CHECK(run.stream(2) == whole.stream(2));
        return run.num_taken_over();
    };
    const auto with = [](ModelInput input, std::vector<attn::HeadOff> off, attn::OffBy by,
                         std::vector<attn::LayerEdit> edits = {}) {
        input.off = std::move(off);
        input.off_by = by;
        input.edits = std::move(edits);
        return input;
    };
    const std::vector<attn::LayerEdit> edits = {
        {.layer = 0, .tensor = attn::TensorId::w_query, .row = 1, .column = 1, .value = 2}};
    using attn::OffBy;
    CHECK(taken_over(kInput, longer) == 7);
    CHECK(taken_over(with(kInput, {{0, 1}}, OffBy::zero), with(longer, {{0, 1}}, OffBy::zero)) == 7);
    CHECK(taken_over(with(kInput, {{0, 1}}, OffBy::mean), with(longer, {{0, 1}}, OffBy::mean)) == 0);
    CHECK(taken_over(with(kInput, {{0, 1}}, OffBy::mean), with(longer, {{0, 1}}, OffBy::zero)) == 0);
    CHECK(taken_over(with(kInput, {{0, 1}}, OffBy::zero), longer) == 0);
    CHECK(taken_over(kInput, with(longer, {}, OffBy::zero, edits)) == 0);
    CHECK(taken_over(with(kInput, {}, OffBy::zero, edits), longer) == 0);
}

// Seven tokens that take over all kinds of numbers from another text: shorter where a later token changes no earlier
// one.
attn::ModelInput patched_input(const attn::ModelConfig& config) {
    ModelInput other = {.ids = {5, 2, 9, 1, 12, 4, 4}};
    if (config.mask == attn::Mask::causal) other.ids.resize(5);
    other.off = {{.layer = 0, .head = 0}};
    ModelInput input = kInput;
    input.off = {{.layer = 1, .head = 1}};
    using enum attn::PatchOf;
    input.patches = {{.of = stream, .layer = 0, .row = 1},
                     {.of = stream, .layer = 1, .row = 3},
                     {.of = head, .layer = 0, .head = 2, .row = 4},
                     {.of = head, .layer = 1, .head = 1, .row = 0},
                     {.of = weights, .layer = 1, .head = 2, .row = 4}};
    if (config.mlp_width > 0) input.patches.insert(input.patches.begin() + 2, {.of = mlp, .layer = 0, .row = 2});
    input.other = {other};
    return input;
}

TEST_CASE("patched numbers are the other text's, in every kind of model", "[model][reference][patch]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const attn::Result<Model> model = checkpoint.load();
        REQUIRE(model);
        const ModelInput input = patched_input(model->config);
        const attn::ReferenceForward plain = forward_reference(*model, input);
        ModelRun run(*model, input);
        CHECK(run.advance(1'000'000'000));
        for (int layer = 0; layer < 2; ++layer)
            CHECK(farness(run.stream(layer + 1), layer == 0 ? plain.layers[1].before : plain.layers[1].after) < kNear);
        CHECK(farness(logits_of(*model, input), plain.logits) < kNear);
        // Nothing but what comes after the first patch is another number than without.
        ModelInput unpatched = input;
        unpatched.patches.clear();
        unpatched.other.clear();
        CHECK(farness(logits_of(*model, unpatched), plain.logits) > 0.01);
        ModelRun slices(*model, input);
        int num_slices = 0;
        while (!slices.advance(1)) ++num_slices;
        CHECK(num_slices > 20);
        CHECK(slices.final_stream() == run.final_stream());
    }
}

TEST_CASE("a text patched with all of another one's first stream is that text", "[model][property][patch]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const attn::Result<Model> model = checkpoint.load();
        REQUIRE(model);
        const ModelInput other = {.ids = {5, 2, 9, 1, 12, 4, 4}};
        for (const int layer : {0, 1}) {
            ModelInput input = kInput;
            for (int row = 0; row < 7; ++row)
                input.patches.push_back({.of = attn::PatchOf::stream, .layer = layer, .row = row});
            input.other = {other};
            CHECK(logits_of(*model, input) == logits_of(*model, other));
        }
        // Its own numbers change nothing.
        ModelInput itself = patched_input(model->config);
        itself.off.clear();
        std::erase_if(itself.patches, [](const attn::Patch& one) { return one.of == attn::PatchOf::weights; });
        itself.other = {kInput};
        CHECK(logits_of(*model, itself) == logits_of(*model, kInput));
    }
}

TEST_CASE("with other patches, the layers below them are taken over, to the bit", "[model][property][patch]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const attn::Result<Model> model = checkpoint.load();
        REQUIRE(model);
        const ModelInput all = patched_input(model->config);
        ModelInput below = all;
        std::erase_if(below.patches, [](const attn::Patch& one) { return one.layer > 0; });
        const auto other = std::make_shared<ModelRun>(*model, all.other[0]);
        ModelRun whole(*model, below, nullptr, other);
        whole.advance(1'000'000'000);
        other->advance(1'000'000'000);
        ModelRun anew(*model, all);
        anew.advance(1'000'000'000);
        ModelRun run(whole, all, 1);
        CHECK(run.num_layers_done() == 1);
        while (!run.advance(1)) continue;
        for (int k = 0; k <= 2; ++k) CHECK(run.stream(k) == anew.stream(k));
    }
}

TEST_CASE("patches that cannot be are told apart", "[model][bad-input][patch]") {
    const attn::Result<Model> model = attn::test::random_gpt2().load();
    REQUIRE(model);
    const auto problem_of = [&](attn::Patch patch, std::vector<int> ids = {5, 2, 9}) {
        ModelInput input = kInput;
        input.patches = {patch};
        input.other = {{.ids = std::move(ids)}};
        return find_input_problem(model->config, input);
    };
    using enum attn::PatchOf;
    CHECK(problem_of({.of = stream, .layer = 1, .row = 2}).empty());
    CHECK(problem_of({.of = stream, .layer = 2, .row = 2}) ==
          "There is no head 1 in layer 3 to patch: the model has 2 layers of 3 heads.");
    CHECK(problem_of({.of = head, .layer = 0, .head = 3, .row = 2}).starts_with("There is no head 4 in layer 1"));
    CHECK(problem_of({.of = mlp, .layer = 0, .row = 3}) ==
          "There is no token 4 to patch: of the two texts one has 3 tokens.");
    CHECK(problem_of({.of = mlp, .layer = 0, .row = 2}, {17}).starts_with("There is no token 17"));
    ModelInput alone = kInput;
    alone.patches = {{.of = stream}};
    CHECK(find_input_problem(model->config, alone) == "Patches come from one other text, which has none itself.");
}

TEST_CASE("with other heads off, the layers below them are taken over, to the bit", "[model][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        for (const attn::OffBy by : {attn::OffBy::zero, attn::OffBy::mean}) {
            INFO(name);
            const attn::Result<Model> model = checkpoint.load();
            REQUIRE(model);
            ModelInput input = kInput;
            input.off_by = by;
            ModelRun whole(*model, input);
            whole.advance(1'000'000'000);
            for (const std::vector<attn::HeadOff>& off :
                 std::vector<std::vector<attn::HeadOff>>{{{0, 1}}, {{1, 0}}, {{1, 0}, {1, 2}}, {}}) {
                input.off = off;
                ModelRun anew(*model, input);
                anew.advance(1'000'000'000);
                for (int layer = 0; layer <= (off.empty() ? 2 : off[0].layer); ++layer) {
                    ModelRun run(whole, input, layer);
                    CHECK(run.num_layers_done() == layer);
                    while (!run.advance(1)) continue;
                    for (int k = 0; k <= 2; ++k) CHECK(run.stream(k) == anew.stream(k));
                }
            }
        }
    }
}

TEST_CASE("heads that are off hand on zeros or their mean", "[model][reference]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        for (const attn::OffBy by : {attn::OffBy::zero, attn::OffBy::mean}) {
            INFO(name);
            const attn::Result<Model> model = checkpoint.load();
            REQUIRE(model);
            ModelInput input = kInput;
            input.off = {{0, 1}, {1, 0}, {1, 2}};
            input.off_by = by;
            const attn::Matrix logits = logits_of(*model, input);
            CHECK(farness(logits, forward_reference(*model, input).logits) < kNear);
            CHECK(logits != logits_of(*model, kInput));
        }
    }
}

TEST_CASE("halves are computed with as they are", "[model][reference]") {
    for (const std::string type : {"F16", "BF16"}) {
        for (auto& [name, checkpoint] : all_checkpoints()) {
            INFO(name << " " << type);
            attn::test::Checkpoint halves = checkpoint;
            halves.type = type;
            const attn::Result<Model> model = halves.load();
            REQUIRE(model);
            const auto half = static_cast<std::size_t>(2 * model->tensors[0]->num_numbers());
            CHECK(model->tensors[0]->num_bytes() == half);
            CHECK(model->tensors[0]->memory_bytes() >= half);
            CHECK(model->tensors[0]->memory_bytes() < 2 * half);  // a last panel that is not full counts
            CHECK(farness(logits_of(*model, kInput), forward_reference(*model, kInput).logits) < kNear);
        }
    }
}

TEST_CASE("what a model cannot be computed for is said in a sentence", "[model][bad-input]") {
    const attn::Result<Model> model = attn::test::random_bert().load();
    REQUIRE(model);
    const auto problem = [&](const ModelInput& input) { return find_input_problem(model->config, input); };
    CHECK(problem(kInput).empty());
    CHECK(problem({}) == "The sentence has no tokens.");
    CHECK(problem({.ids = std::vector<int>(10, 1)}) == "The sentence has 10 tokens, and the model has 9 positions.");
    CHECK(problem({.ids = {17}}) == "There is no token 17: the model has the tokens 0 to 16.");
    CHECK(problem({.ids = {-1}}) == "There is no token -1: the model has the tokens 0 to 16.");
    CHECK(problem({.ids = {1, 2}, .types = {0}}) == "There are 1 token types for 2 tokens.");
    CHECK(problem({.ids = {1}, .types = {2}}) == "There is no token type 2: the model has 0 to 1.");
    CHECK(problem({.ids = {1}, .types = {}, .off = {{2, 0}}}) ==
          "There is no head 1 in layer 3 to switch off: the model has 2 layers of 3 heads.");
    const attn::Result<Model> gpt2 = attn::test::random_gpt2().load();
    CHECK(find_input_problem(gpt2->config, {.ids = {1}, .types = {0}}) == "This model has no token types.");
}

TEST_CASE("NaN in a file is counted and named, and comes out as NaN", "[model][bad-input]") {
    attn::test::Checkpoint checkpoint = attn::test::random_gpt2();
    checkpoint.numbers["h.1.ln_1.weight"] = {NAN, 1, 1, INFINITY, 1, 1, 1, NAN, 1, 1, 1, -INFINITY};
    const attn::Result<Model> model = checkpoint.load();
    REQUIRE(model);
    const std::vector<std::string> sentences = find_not_finite(*model);
    REQUIRE(sentences.size() == 1);
    CHECK(sentences[0] == "The tensor \"h.1.ln_1.weight\" has 2 NaN and 2 infinite numbers of 12.");
    CHECK(std::isnan(logits_of(*model, kInput)(6, 0)));
}
