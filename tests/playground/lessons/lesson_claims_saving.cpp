// What the lessons about key heads and latents claim: groups, latent.
#include <cmath>

#include "core/fast/cached_attention.h"
#include "playground/lessons/lesson_claims.h"

namespace attn::test {
namespace {

constexpr int kSavedThe = 0, kSavedArtist = 1, kSavedPortrait = 4;
constexpr TensorId kLatents = TensorId::latents;
constexpr TensorId kAbsorbed = TensorId::absorbed_queries;
constexpr TensorId kMixed = TensorId::mixed_latents;

// Numbers that the prompt's tokens leave in a real cache, a token.
double kept_a_token(const Seen& step) {
    const AttentionProblem& problem = *step.evaluation().problem;
    CachedAttention cached(problem);
    cached.append(problem, 4);
    return static_cast<double>(cached.cache().num_kept()) / 4;
}

Numbers column_of_w(const Matrix& w, int column) {
    Numbers numbers;
    for (int row = 0; row < length(w, 0); ++row) numbers.push_back(static_cast<double>(w(row, column)));
    return numbers;
}

double heads_of_step(const Seen& step) {
    return step.state().inputs.num_heads;
}

// Multiply-adds of all passes, loop by loop: a token's query, latent; its keys and values where they are made; pairs.
double counted_multiply_adds(const Seen& step, bool is_cached, bool is_absorbed) {
    const Inputs& in = step.state().inputs;
    const View& view = step.state().view;
    const int d_out = in.d_out;
    double sum = 0;
    for (int pass = 0; pass <= view.at; ++pass) {
        const int t = view.prompt + pass;
        for (int i = 0; i < t; ++i) {
            const bool is_computed = !is_cached || pass == 0 || i == t - 1;
            if (!is_absorbed) sum += 2 * in.latent * d_out;  // its latent becomes a key and a value
            if (!is_computed) continue;
            sum += in.d_in * d_out + in.d_in * in.latent;
            if (is_absorbed) sum += 2 * d_out * in.latent;
            for (int j = 0; j < t; ++j) {
                if (step.evaluation().problem->hidden(i, j) == 0)
                    sum += is_absorbed ? 2 * in.num_heads * in.latent : 2 * d_out;
            }
        }
    }
    return sum;
}

}  // namespace

std::vector<Claim> claims_of_saving() {
    return {
        {"groups", 1, "Each of the 4 heads has a key and a value of its own, 2 numbers each",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().sizes.kv_heads() == 4);
             return {heads_of_step(step), static_cast<double>(step.evaluation().sizes.head_dim())};
         }},
        {"groups", 1, "2 · 4 · 2 = 16 numbers in the cache",
         [](const Seen& step) -> Numbers { return {2, heads_of_step(step), 2, kept_a_token(step)}; }},
        {"groups", 1, "ask four questions", [](const Seen& step) -> Numbers { return {heads_of_step(step)}; }},
        {"groups", 2, "All 4 heads read the one key of “artist”, 0.9727 −2.3360",
         [](const Seen& step) -> Numbers {
             CHECK(step.row(kK, kSavedArtist, 1) == step.row(kK, kSavedArtist, 4));
             const Numbers key = step.row(kK, kSavedArtist, 4);
             CHECK(step.evaluation().sizes.kv_heads() == 1);
             return {heads_of_step(step), key[0], key[1]};
         }},
        {"groups", 2, "The query of “portrait” in head 4 is −1.0589 −0.8036",
         [](const Seen& step) -> Numbers {
             const Numbers query = step.row(kQ, kSavedPortrait, 4);
             return {4, query[0], query[1]};
         }},
        {"groups", 3, ": 0.8472.\nHead 1 has the score −1.2687 for the same key",
         [](const Seen& step) -> Numbers {
             return {step.at(kScores, kSavedPortrait, kSavedArtist, 4), 1,
                     step.at(kScores, kSavedPortrait, kSavedArtist, 1)};
         }},
        {"groups", 3, "looks most at itself in head 3, with 0.7224, and at “artist” in head 4, with 0.3533",
         [](const Seen& step) -> Numbers {
             const Numbers third = step.row(kWeights, kSavedPortrait, 3),
                           fourth = step.row(kWeights, kSavedPortrait, 4);
             CHECK(place_of_largest(third) == kSavedPortrait);
             CHECK(place_of_largest(fourth) == kSavedArtist);
             return {3, largest_of(third), 4, largest_of(fourth)};
         }},
        {"groups", 4, "With 2 key heads, heads 1 and 2 read the first and heads 3 and 4 the second",
         [](const Seen& step) -> Numbers {
             CHECK(step.row(kK, kSavedThe, 1) == step.row(kK, kSavedThe, 2));
             CHECK(step.row(kK, kSavedThe, 3) == step.row(kK, kSavedThe, 4));
             CHECK(step.row(kK, kSavedThe, 2) != step.row(kK, kSavedThe, 3));
             return {static_cast<double>(step.evaluation().sizes.kv_heads()), 1, 2, 3, 4};
         }},
        {"groups", 4, "query head i reads key head i / (4 / 2), counted from 0",
         [](const Seen& step) -> Numbers {
             for (int i = 0; i < 4; ++i) CHECK(step.evaluation().problem->kv_head(i) == i / (4 / 2));
             return {heads_of_step(step), static_cast<double>(step.evaluation().sizes.kv_heads()), 0};
         }},
        {"groups", 5, ": 8", [](const Seen& step) -> Numbers { return {kept_a_token(step)}; }},
        {"groups", 5, "the keys of heads 1 and 2 began with 0.2140 and 1.0744",
         [](const Seen& step) -> Numbers {
             const Seen all = step.with("kv_heads=4");
             return {1, 2, all.at(kK, kSavedThe, 0, 1), all.at(kK, kSavedThe, 0, 2)};
         }},
        {"groups", 6, ": 0.6442, the mean",
         [](const Seen& step) -> Numbers {
             const Seen all = step.with("kv_heads=4");
             const double mean = (all.at(kK, kSavedThe, 0, 1) + all.at(kK, kSavedThe, 0, 2)) / 2;
             CHECK(std::abs(step.at(kK, kSavedThe, 0) - mean) < 1e-6);
             return {step.at(kK, kSavedThe, 0)};
         }},
        {"groups", 6, "In head 1 “portrait” gave itself 0.4109 before, and 0.2427 with the shared keys",
         [](const Seen& step) -> Numbers {
             return {1, step.with("kv_heads=4").at(kWeights, kSavedPortrait, kSavedPortrait),
                     step.at(kWeights, kSavedPortrait, kSavedPortrait)};
         }},
        {"groups", 6, "Set key heads to 4, and the old weights are back",
         [](const Seen& step) -> Numbers {
             CHECK(step.with("kv_heads=4").row(kWeights, kSavedPortrait) ==
                   step.with("kv_heads=0&kv_from=drawn").row(kWeights, kSavedPortrait));
             return {heads_of_step(step)};
         }},
        {"groups", 7, "Llama-2 70B has", [](const Seen&) -> Numbers { return {70}; }},
        {"groups", 7, "64 heads and 8 key heads: 2 · 8 · 128 · 80 = 163,840 numbers a token instead of 1,310,720",
         [](const Seen&) -> Numbers { return {64, 8, 2, 8, 128, 80, 2.0 * 8 * 128 * 80, 2.0 * 64 * 128 * 80}; }},
        {"groups", 7, "At 4,096 tokens and 2 bytes each that is 1.34 GB for one user instead of 10.74",
         [](const Seen& step) -> Numbers {
             const double length = step.state().view.length;
             return {length, 2, 163840 * length * 2 / 1e9, 1310720 * length * 2 / 1e9};
         }},

        {"latent", 1, "Keys and values of 4 heads are 16 numbers a token",
         [](const Seen& step) -> Numbers { return {heads_of_step(step), kept_a_token(step.with("latent=0"))}; }},
        {"latent", 1, "here of 3 numbers: it alone is kept",
         [](const Seen& step) -> Numbers { return {kept_a_token(step)}; }},
        {"latent", 2, "The latent of “The” is 0.2140 −0.6421 1.0744",
         [](const Seen& step) -> Numbers { return step.row(kLatents, kSavedThe); }},
        {"latent", 2, "a matrix of 8 rows and 3 columns",
         [](const Seen& step) -> Numbers {
             const Matrix& w = step.evaluation().problem->projections->w_down_kv;
             return {static_cast<double>(length(w, 0)), static_cast<double>(length(w, 1))};
         }},
        {"latent", 2, "Eight numbers become three",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.row(kX, kSavedThe).size()),
                     static_cast<double>(step.row(kLatents, kSavedThe).size())};
         }},
        {"latent", 3, "The first column of head 1 is 0.3177 0.2019 −0.4427",
         [](const Seen& step) -> Numbers {
             Numbers numbers = {1};
             for (const double number : column_of_w(step.learned(TensorId::w_key), 0)) numbers.push_back(number);
             return numbers;
         }},
        {"latent", 4, ": −0.5373",
         [](const Seen& step) -> Numbers {
             CHECK(std::abs(dot_of(step.row(kLatents, kSavedThe), column_of_w(step.learned(TensorId::w_key), 0)) -
                            step.at(kK, kSavedThe, 0)) < 1e-6);
             return {step.at(kK, kSavedThe, 0)};
         }},
        {"latent", 4, "In head 1 the query of “portrait” is 0.3931 0.7068, and the first row of w_key 0.3177 0.4455",
         [](const Seen& step) -> Numbers {
             const Matrix& w_key = step.learned(TensorId::w_key);
             const Numbers query = step.row(kQ, kSavedPortrait);
             return {1, query[0], query[1], static_cast<double>(w_key(0, 0)), static_cast<double>(w_key(0, 1))};
         }},
        {"latent", 5, ": 0.4398.\nThe whole absorbed query is 0.4398 0.2073 0.1083",
         [](const Seen& step) -> Numbers {
             const Numbers absorbed = step.row(kAbsorbed, kSavedPortrait);
             return {absorbed[0], absorbed[0], absorbed[1], absorbed[2]};
         }},
        {"latent", 5, "0.2140 −0.6421 1.0744, and type the score",
         [](const Seen& step) -> Numbers { return step.row(kLatents, kSavedThe); }},
        {"latent", 6, ": 0.0773.\nThe query times the key gives the same",
         [](const Seen& step) -> Numbers {
             const double absorbed = dot_of(step.row(kAbsorbed, kSavedPortrait), step.row(kLatents, kSavedThe));
             CHECK(std::abs(absorbed - dot_of(step.row(kQ, kSavedPortrait), step.row(kK, kSavedThe))) < 1e-6);
             return {absorbed};
         }},
        {"latent", 6, "here to 0.5313 −0.3562 0.2371",
         [](const Seen& step) -> Numbers { return step.row(kMixed, kSavedPortrait); }},
        {"latent", 6, "0.1533 for its first number",
         [](const Seen& step) -> Numbers {
             const double made =
                 dot_of(step.row(kMixed, kSavedPortrait), column_of_w(step.learned(TensorId::w_value), 0));
             CHECK(std::abs(made - step.at(kContext, kSavedPortrait, 0)) < 1e-6);
             return {made};
         }},
        {"latent", 7, "the expanded order takes 4,904 multiply-adds with a cache",
         [](const Seen& step) -> Numbers { return {counted_multiply_adds(step, true, false)}; }},
        {"latent", 7, "The absorbed order takes 3,080",
         [](const Seen& step) -> Numbers { return {counted_multiply_adds(step, true, true)}; }},
        {"latent", 7, "it is dearer: 14,784 against 12,576",
         [](const Seen& step) -> Numbers {
             return {counted_multiply_adds(step, false, true), counted_multiply_adds(step, false, false)};
         }},
        {"latent", 8,
         "times the key of “The” is 0.0866, no longer 0.0773, but their score is −0.4477: a turn by 4 radians",
         [](const Seen& step) -> Numbers {
             CHECK_FALSE(has_stage(*step.evaluation().problem, kAbsorbed));
             const Numbers q = step.row(kQ, kSavedPortrait), k = step.row(kK, kSavedThe);
             const double plain = dot_of(q, k), angle = kSavedPortrait - kSavedThe;
             const double turned =
                 (q[0] * k[0] + q[1] * k[1]) * std::cos(angle) + (q[0] * k[1] - q[1] * k[0]) * std::sin(angle);
             CHECK(std::abs(turned - step.at(kScores, kSavedPortrait, kSavedThe)) < 1e-6);
             return {plain, step.with("step=5").at(kScores, kSavedPortrait, kSavedThe),
                     step.at(kScores, kSavedPortrait, kSavedThe), angle};
         }},
        {"latent", 8, "one by 3 before",
         [](const Seen&) -> Numbers { return {static_cast<double>(kSavedPortrait - kSavedArtist)}; }},
        {"latent", 9, "here 2 a head",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.state().inputs.rope_dim)}; }},
        {"latent", 9, "absorbed query 0.4731 0.2121 0.2260 times the latent of “The” is 0.0866 again",
         [](const Seen& step) -> Numbers {
             Numbers numbers = step.row(kAbsorbed, kSavedPortrait);
             numbers.push_back(dot_of(numbers, step.row(kLatents, kSavedThe)));
             CHECK(std::abs(numbers.back() - dot_of(step.row(kQ, kSavedPortrait), step.row(kK, kSavedThe))) < 1e-6);
             return numbers;
         }},
        {"latent", 9, "of “portrait” are 0.8593 −0.2863, those of “The” −0.0178 0.6064",
         [](const Seen& step) -> Numbers {
             const Numbers q = step.row(TensorId::rotated_queries, kSavedPortrait);
             const Numbers k = step.row(TensorId::rotated_keys, kSavedThe);
             return {q[2], q[3], k[2], k[3]};
         }},
        {"latent", 10, ": −0.1023",
         [](const Seen& step) -> Numbers {
             const double still = dot_of(step.row(kQ, kSavedPortrait), step.row(kK, kSavedThe));
             const Numbers q = step.row(TensorId::rotated_queries, kSavedPortrait);
             const Numbers k = step.row(TensorId::rotated_keys, kSavedThe);
             CHECK(std::abs(still + q[2] * k[2] + q[3] * k[3] - step.at(kScores, kSavedPortrait, kSavedThe)) < 1e-6);
             return {step.at(kScores, kSavedPortrait, kSavedThe)};
         }},
        {"latent", 10, "3 + 2 = 5 numbers a token instead of 16",
         [](const Seen& step) -> Numbers {
             const Inputs& inputs = step.state().inputs;
             return {static_cast<double>(inputs.latent), static_cast<double>(inputs.rope_dim), kept_a_token(step),
                     kept_a_token(step.with("latent=0&rope_dim=0"))};
         }},
        {"latent", 10, "keeps 64 numbers beside the 512 of its latent",
         [](const Seen&) -> Numbers { return {64, 512}; }},
        {"latent", 10, "(512 + 64) · 60 = 34,560 numbers a token; keys and values of its 128 heads would be 1,966,080",
         [](const Seen&) -> Numbers { return {512, 64, 60, (512.0 + 64) * 60, 128, 2.0 * 128 * 128 * 60}; }},
    };
}

}  // namespace attn::test
