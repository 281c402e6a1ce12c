// What the lesson about the induction circuit claims.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/ground/check.h"
#include "playground/lessons/seen_model.h"
#include "playground/lessons/seen_patches.h"

namespace attn::test {
namespace {

// Of "<s> k w f n b v k w f n".
constexpr int kCopiedK = 1, kCopiedN = 4, kCopiedB = 5, kAskingN = 10;
constexpr int kWriter = 8, kReader = 8;  // heads of layer 1 and of layer 2, from 1

// How much the reading head gives "b" from the last "n".
double weight_of_b(const Seen& step) {
    return step.with("view=matrix&layer=2").at(kWeights, kAskingN, kCopiedB, kReader);
}

Seen with_other_letter(const Seen& step) {
    return step.with("patch=&text=k+w+f+r+b+v+k+w+f+n");
}

}  // namespace

std::vector<Claim> claims_of_a_circuit() {
    return {
        {"circuit", 1, "the model says “b” with 0.9998",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "b");
             return {model.probability("b")};
         }},
        {"circuit", 1, "Head 8 of layer 2 looks from that “n” at the “b”, with 0.9774",
         [](const Seen& step) -> Numbers { return {kReader, 2, weight_of_b(step)}; }},
        {"circuit", 2, "only heads of layer 1 can",
         [](const Seen& step) -> Numbers {
             CHECK(weight_of_b(with_other_letter(step)) < 0.1);
             return {1};
         }},
        {"circuit", 2, "the weight of “b” in layer 2 falls; with any other it stays above 0.96",
         [](const Seen& step) -> Numbers {
             double least = 1;
             for (int head = 1; head <= 8; ++head) {
                 const double weight = weight_of_b(step.with(concat("patch=1:", head, "@6")));
                 if (head == kWriter) CHECK(weight < 0.1);
                 if (head != kWriter) least = std::min(least, weight);
             }
             CHECK(least > 0.96);
             return {2, 0.96};
         }},
        {"circuit", 2, "Which head of layer 1 tells", [](const Seen&) -> Numbers { return {1}; }},
        {"circuit", 3, ": head 8.", [](const Seen&) -> Numbers { return {kWriter}; }},
        {"circuit", 3, "Head 8 of layer 1 looks at the token before",
         [](const Seen& step) -> Numbers {
             for (const Seen& one : {step, with_other_letter(step)})
                 CHECK(one.with("layer=1").at(kWeights, kCopiedB, kCopiedN, kWriter) > 0.8);
             return {kWriter, 1};
         }},
        {"circuit", 3,
         "the key of “b” in layer 2 is another, while the query of “n” is as it was. In channel 4 the query is 1.9328 "
         "and the key −3.1306, in the place of 1.6563; the other seven products make 9.9860",
         [](const Seen& step) -> Numbers {
             const Seen without = step.with("patch=");
             const Numbers query = step.row(kQ, kAskingN, kReader), key = step.row(kK, kCopiedB, kReader);
             CHECK(query == without.row(kQ, kAskingN, kReader));
             return {2,
                     4,
                     query[4],
                     key[4],
                     without.at(kK, kCopiedB, 4, kReader),
                     static_cast<double>(query.size()) - 1,
                     dot_of(query, key) - query[4] * key[4]};
         }},
        {"circuit", 4, "3.9352",
         [](const Seen& step) -> Numbers {
             return {dot_of(step.row(kQ, kAskingN, kReader), step.row(kK, kCopiedB, kReader))};
         }},
        {"circuit", 4,
         "“b” had the score 21.1398. Now its score over √8 is 1.3913, the row's largest is 3.3499, of the first “k”, "
         "and "
         "with that taken off the powers of e add up to 1.5692. What is left of the weight 0.9774",
         [](const Seen& step) -> Numbers {
             const Seen without = step.with("patch=");
             const Numbers row = step.row(kScaled, kAskingN, kReader);
             const double most = largest_of(row);
             CHECK(place_of_largest(row) == kCopiedK);
             double sum = 0;
             for (const double score : row) sum += std::exp(score - most);
             return {
                 without.at(kScores, kAskingN, kCopiedB, kReader), 8, row[kCopiedB], most, sum, weight_of_b(without)};
         }},
        {"circuit", 5, "0.0899", [](const Seen& step) -> Numbers { return {weight_of_b(step.with("step=4"))}; }},
        {"circuit", 5, "the model says “k” with 0.9995",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "k");
             return {model.probability("k")};
         }},
        {"circuit", 5, "head 8 of layer 1 hands on now", [](const Seen&) -> Numbers { return {kWriter, 1}; }},
        {"circuit", 6, "The last “n” gives “b” 0.9255 again",
         [](const Seen& step) -> Numbers {
             const SeenModel with(step), without(step.with("patch="));
             CHECK(with.most_probable() == "b");
             for (const char* other : {"k", "r"}) CHECK(with.probability(other) < 0.0001);
             CHECK(without.most_probable() == "k");
             CHECK(without.probability("b") < 0.0001);
             return {weight_of_b(step)};
         }},
        {"circuit", 6,
         "with head 8 of layer 1 off, the text with the “n” keeps 0.1904; with any other head of that layer off, at "
         "least 0.9397",
         [](const Seen& step) -> Numbers {
             const Seen whole = step.with("patch=&text=k+w+f+n+b+v+k+w+f+n");
             double least = 1;
             for (int head = 1; head <= 8; ++head) {
                 if (head != kWriter) least = std::min(least, weight_of_b(whole.with(concat("off=1:", head))));
             }
             return {kWriter, 1, weight_of_b(whole.with("off=1:8")), least};
         }},
        {"circuit", 7,
         "Head 8 of layer 1 moves the choice between “b” and “k” by −25.095, head 8 of layer 2 by −25.114",
         [](const Seen& step) -> Numbers {
             const SeenPatches patches(step);
             const double whole = patches.here() - patches.there();
             CHECK(-patches.of_head(1, kWriter) > 0.9 * whole);
             CHECK(-patches.of_head(2, kReader) > 0.9 * whole);
             return {kWriter, 1, patches.of_head(1, kWriter), kReader, 2, patches.of_head(2, kReader)};
         }},
        {"circuit", 7, "patched together they move it by −26.697. Two such heads",
         [](const Seen& step) -> Numbers { return {SeenPatches(step.with("patch=1:8@*,2:8@*")).of_link(), 2}; }},
    };
}

}  // namespace attn::test
