// The numbers of view=model, held against the plain double twin of the model.
#include "views/model/model_picture.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "model/layers/forward_reference.h"
#include "small_model.h"

using Catch::Matchers::WithinAbs;

namespace attn::test {
namespace {

constexpr double kFloats = 2e-5;  // twelve channels, two layers in float beside double

ModelPicture picture_of(const Model& model, ModelInput input, int row, HeadOff head = {}) {
    std::vector<std::string> words(input.ids.size(), "word");
    return model_picture(model, std::move(input), std::move(words), row, head);
}

}  // namespace

TEST_CASE("the picture of a model has the numbers of its plain twin", "[model-view][reference]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Model model = small_model(checkpoint);
        const ModelInput input = {.ids = kTheArtist, .off = {{1, 1}}};
        const ReferenceForward reference = forward_reference(model, input);
        const ModelPicture picture = picture_of(model, input, 5);
        REQUIRE(picture.layers.size() == 2);
        REQUIRE(picture.lengths.size() == 3);
        for (std::size_t l = 0; l < 2; ++l) {
            const ReferenceLayer& layer = reference.layers[l];
            double square = 0;
            for (int c = 0; c < length(layer.before, 1); ++c) square += layer.before(4, c) * layer.before(4, c);
            CHECK_THAT(picture.lengths[l][4], WithinAbs(std::sqrt(square), kFloats * 10));
            const int num_heads = model.config.num_heads;
            for (int i = 0; i < 8; ++i) {
                for (int j = 0; j < 8; ++j) {
                    double mean = 0;
                    for (int h = 0; h < num_heads; ++h) {
                        mean += layer.weights(h, i, j) / num_heads;
                        const float shown = picture.layers[l].heads[static_cast<std::size_t>(h)].weights(i, j);
                        if (std::isinf(shown)) {
                            CHECK(layer.weights(h, i, j) == 0);
                        } else {
                            CHECK_THAT(static_cast<double>(shown), WithinAbs(layer.weights(h, i, j), kFloats));
                        }
                    }
                    if (!std::isinf(picture.layers[l].mean(i, j)))
                        CHECK_THAT(static_cast<double>(picture.layers[l].mean(i, j)), WithinAbs(mean, kFloats));
                }
            }
        }
        if (reference.probabilities.size() == 0) continue;
        ReferenceForward whole = forward_reference(model, {.ids = kTheArtist});
        for (int v = 0; v < 17; ++v) {
            const auto at = static_cast<std::size_t>(v);
            CHECK_THAT(static_cast<double>(picture.probabilities[at]),
                       WithinAbs(reference.probabilities(5, v), kFloats));
            CHECK_THAT(static_cast<double>(picture.untouched[at]), WithinAbs(whole.probabilities(5, v), kFloats));
        }
    }
}

TEST_CASE("switching a head shows what the model says without it, and with it again", "[model-view][reference]") {
    const Model model = small_model();
    const ModelPicture on = picture_of(model, {.ids = kTheArtist}, 7, {1, 2});
    const ReferenceForward without = forward_reference(model, {.ids = kTheArtist, .off = {{1, 2}}});
    for (int v = 0; v < 17; ++v) {
        CHECK_THAT(static_cast<double>(on.switched[static_cast<std::size_t>(v)]),
                   WithinAbs(without.probabilities(7, v), kFloats));
    }
    CHECK(on.untouched.empty());
    const ModelPicture off = picture_of(model, {.ids = kTheArtist, .off = {{1, 2}}}, 7, {1, 2});
    CHECK(off.switched == on.probabilities);
    CHECK(off.probabilities == on.switched);
    CHECK(off.untouched == on.probabilities);
}

TEST_CASE("a number changed by hand moves the next word, and the picture keeps what it was", "[model-view][edits]") {
    const Model model = small_model();
    const ModelPicture plain = picture_of(model, {.ids = kTheArtist}, 7, {1, 2});
    const ModelInput input = {.ids = kTheArtist,
                              .edits = {{.layer = 0, .tensor = TensorId::w_value, .row = 1, .column = 2, .value = 3}}};
    const ModelPicture edited = picture_of(model, input, 7, {1, 2});
    CHECK(edited.untouched == plain.probabilities);
    CHECK(edited.probabilities != plain.probabilities);
    const ReferenceForward reference = forward_reference(model, input);
    for (int v = 0; v < 17; ++v) {
        CHECK_THAT(static_cast<double>(edited.probabilities[static_cast<std::size_t>(v)]),
                   WithinAbs(reference.probabilities(7, v), kFloats));
    }
    ModelInput off = input;
    off.off = {{1, 2}};
    CHECK(edited.switched == picture_of(model, off, 7, {0, 0}).probabilities);  // the number stays changed
}

TEST_CASE("another head may be chosen without computing the rest again", "[model-view][property]") {
    const Model model = small_model();
    ModelPictureWork work(std::make_shared<ModelRun>(model, attn::ModelInput{.ids = kTheArtist}),
                          std::vector<std::string>(8, "word"), 7, {0, 0});
    while (!work.advance(1000)) continue;
    for (const HeadOff head : {HeadOff{1, 0}, HeadOff{0, 2}, HeadOff{0, 0}}) {
        work.choose_head(head);
        CHECK(work.has_picture());
        CHECK_FALSE(work.is_done());
        while (!work.advance(1000)) continue;
        CHECK(work.picture().switched == picture_of(model, {.ids = kTheArtist}, 7, head).switched);
    }
}

TEST_CASE("slices of any size give the same bits, and votes of any token", "[model-view][property]") {
    const Model model = small_model(random_llama("qwen3"));
    ModelPictureWork small(std::make_shared<ModelRun>(model, attn::ModelInput{.ids = kTheArtist, .off = {{0, 1}}}),
                           std::vector<std::string>(8, "word"), 6, {1, 3});
    while (!small.advance(1)) continue;
    const ModelPicture whole = picture_of(model, {.ids = kTheArtist, .off = {{0, 1}}}, 6, {1, 3});
    CHECK(small.picture().probabilities == whole.probabilities);
    CHECK(small.picture().switched == whole.switched);
    CHECK(small.picture().lengths == whole.lengths);
    ModelRun run(model, {.ids = kTheArtist, .off = {{0, 1}}});
    run.advance(1'000'000'000);
    for (const int token : {0, 9, 16}) {
        const Votes votes = small.votes(token), expected = votes_for(model, run, 6, token);
        CHECK(votes.logit == expected.logit);
        CHECK(votes.sum == expected.sum);
        CHECK_THAT(votes.logit, WithinAbs(static_cast<double>(whole.logits[static_cast<std::size_t>(token)]), 1e-5));
    }
}

TEST_CASE("a model whose norms come after has a picture and no votes", "[model-view]") {
    const Model model = small_model(random_bert());
    ModelPictureWork work(std::make_shared<ModelRun>(model, attn::ModelInput{.ids = kTheArtist}),
                          std::vector<std::string>(8, "word"), 7, {0, 0});
    while (!work.advance(1000)) continue;
    CHECK(work.votes_problem().starts_with("This model's norms come after"));
    CHECK(work.picture().has_next());
    const Model headless = small_model(random_bert(false));
    const ModelPicture picture = picture_of(headless, {.ids = kTheArtist}, 0);
    CHECK_FALSE(picture.has_next());
    CHECK(picture.switched.empty());
    CHECK(picture.layers.size() == 2);
}

TEST_CASE("scores stand beside those of a head that looks evenly, the most above it first", "[model-view][property]") {
    const Model model = small_model();
    const ModelPicture picture = picture_of(model, {.ids = kTheArtist}, 7);
    double even_before = 0;
    for (int i = 1; i < 8; ++i) even_before += 1.0 / (i + 1) / 7;
    for (const LayerPicture& layer : picture.layers) {
        for (const HeadPicture& head : layer.heads) {
            REQUIRE(head.scores.size() == 5);  // "the" stands twice
            for (std::size_t k = 1; k < head.scores.size(); ++k) {
                CHECK(head.scores[k - 1].score - head.scores[k - 1].even >= head.scores[k].score - head.scores[k].even);
            }
            for (const RoleScore& one : head.scores) {
                CHECK((one.score >= 0 && one.score <= 1));
                if (one.role == HeadRole::token_before) CHECK_THAT(one.even, WithinAbs(even_before, 1e-6));
                if (one.role == HeadRole::copies) CHECK_THAT(one.even, WithinAbs(0.25, 1e-6));  // row 3 of 4 keys
            }
        }
    }
    CHECK(picture_of(model, {.ids = {1, 2, 3}}, 0).layers[0].heads[0].scores.size() == 3);  // no word stands twice
    CHECK(picture_of(model, {.ids = {1}}, 0).layers[0].heads[0].scores.size() == 1);
}

TEST_CASE("neighbours are joined by their largest number, hidden cells never win", "[model-view]") {
    Matrix matrix = zeros<Matrix>(5, 5);
    for (float& one : elements(matrix)) one = -std::numeric_limits<float>::infinity();
    matrix(0, 1) = 0.5F;
    matrix(4, 4) = 0.25F;
    const Matrix joined = joined_cells(matrix, 3);
    REQUIRE(joined.shape(0) == 3);
    CHECK(joined(0, 0) == 0.5F);
    CHECK(joined(2, 2) == 0.25F);
    CHECK(std::isinf(joined(1, 1)));
    CHECK(joined_cells(matrix, 5) == matrix);
}

TEST_CASE("the most probable words come in order, the first of equals first", "[model-view]") {
    ModelPicture picture;
    picture.probabilities = {0.1F, 0.3F, std::nanf(""), 0.3F, 0.2F};
    CHECK(picture.most_probable(3) == std::vector<int>{1, 3, 4});
    CHECK(picture.most_probable(9) == std::vector<int>{1, 3, 4, 0, 2});
}

}  // namespace attn::test
