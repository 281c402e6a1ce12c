// Scores of heads whose role is known because they were made for it.
#include "model/roles/role_scores.h"

#include <catch_amalgamated.hpp>
#include <functional>

#include "model/layers/random_model.h"
#include "model/roles/votes.h"

using attn::HeadOnText;
using attn::WeightRows;
using Catch::Approx;

namespace {

// One head whose row i is what `weight` says, made to sum to 1.
WeightRows head_of_rule(int num_tokens, const std::function<double(int i, int j)>& weight) {
    WeightRows rows;
    rows.resize(1, num_tokens);
    for (int i = 0; i < num_tokens; ++i) {
        double sum = 0;
        for (int j = 0; j < num_tokens; ++j) sum += weight(i, j);
        for (int j = 0; j < num_tokens; ++j)
            rows.head(0)[static_cast<std::size_t>(i) * rows.row_stride() + static_cast<std::size_t>(j)] =
                static_cast<float>(weight(i, j) / sum);
    }
    return rows;
}

// A run of eight tokens, twice.
const std::vector<int> kTwice = {5, 9, 2, 7, 1, 8, 3, 6, 5, 9, 2, 7, 1, 8, 3, 6};

}  // namespace

TEST_CASE("a head that looks at the token before has that role and no other", "[roles]") {
    const WeightRows rows = head_of_rule(16, [](int i, int j) { return j == std::max(i - 1, 0) ? 1.0 : 0.0; });
    const HeadOnText head{rows};
    CHECK(offset_score(head, 1) == 1.0);
    CHECK(offset_hits(head, 1) == 1.0);
    CHECK(offset_score(head, 0) == Approx(1.0 / 16));  // the first row has nothing else to look at
    CHECK(offset_score(head, 2) == 0.0);
    CHECK(first_token_score(head) == Approx(1.0 / 15));
    CHECK(confidence(head) == 1.0);
    CHECK(induction_score(head, kTwice) == 0.0);
    CHECK(duplicate_score(head, kTwice) == 0.0);
}

TEST_CASE("induction looks behind the earlier copy, a duplicate head at it", "[roles]") {
    // The classic slip is to be off by one between the two.
    const WeightRows behind = head_of_rule(16, [](int i, int j) { return j == (i < 8 ? 0 : i - 8 + 1) ? 1.0 : 0.0; });
    CHECK(induction_score(HeadOnText{behind}, kTwice) == 1.0);
    CHECK(duplicate_score(HeadOnText{behind}, kTwice) == 0.0);
    CHECK(offset_score(HeadOnText{behind}, 7) > 0.8);
    const WeightRows at = head_of_rule(16, [](int i, int j) { return j == (i < 8 ? 0 : i - 8) ? 1.0 : 0.0; });
    CHECK(induction_score(HeadOnText{at}, kTwice) == 0.0);
    CHECK(duplicate_score(HeadOnText{at}, kTwice) == 1.0);
    // A head that knows nothing gives every token it sees the same.
    const WeightRows even = head_of_rule(16, [](int i, int j) { return j <= i ? 1.0 : 0.0; });
    double mean = 0;
    for (int i = 8; i < 16; ++i) mean += 1.0 / (i + 1) / 8;
    CHECK(*induction_score(HeadOnText{even}, kTwice) == Approx(mean).epsilon(1e-6));
}

TEST_CASE("a text without a copy has no induction to score", "[roles]") {
    const WeightRows rows = head_of_rule(3, [](int i, int j) { return j <= i ? 1.0 : 0.0; });
    const std::vector<int> ids = {1, 2, 3};
    CHECK_FALSE(induction_score(HeadOnText{rows}, ids));
    CHECK_FALSE(duplicate_score(HeadOnText{rows}, ids));
    CHECK_FALSE(offset_score(HeadOnText{rows}, 3));
    CHECK_FALSE(arc_hits(HeadOnText{rows}, {}));
    CHECK_FALSE(attn::best_fixed_offset({}));
}

TEST_CASE("arcs are hit by the largest weight that is not ignored", "[roles]") {
    // Each row looks at token 0 most, then two tokens back.
    const WeightRows rows = head_of_rule(6, [](int i, int j) { return j == 0 ? 5.0 : j == i - 2 ? 3.0 : 0.1; });
    const std::vector<attn::Arc> arcs = {{3, 1}, {4, 2}, {5, 3}, {4, 1}};
    const std::vector<int> first = {0};
    CHECK(arc_hits(HeadOnText{rows}, arcs) == 0.0);
    CHECK(arc_hits(HeadOnText{rows}, arcs, first) == 0.75);
    CHECK(arc_hits(HeadOnText{rows}, attn::reversed(arcs), first) == 0.0);
    CHECK(attn::best_fixed_offset(arcs) == 0.75);  // so this head is no better than a distance
}

TEST_CASE("an attachment is right where its place has more weight", "[roles]") {
    const WeightRows rows = head_of_rule(5, [](int, int j) { return j + 1.0; });
    const std::vector<attn::Attachment> two = {{4, {1, 2}, {3}}, {4, {0}, {3}}};  // 2 + 3 against 4, 1 against 4
    CHECK(attachment_score(HeadOnText{rows}, two) == 0.5);
}

TEST_CASE("votes add up to the logit, for every kind of model that has them", "[roles][property]") {
    int num_kinds = 0;
    for (const auto& [name, checkpoint] : attn::test::all_checkpoints()) {
        INFO(name);
        const attn::Result<attn::Model> model = checkpoint.load();
        REQUIRE(model);
        if (!find_votes_problem(model->config, model->weights).empty()) continue;
        ++num_kinds;
        const attn::ModelInput input = {.ids = {3, 16, 0, 3, 7, 7, 11}, .off = {{1, 2}}};
        attn::ModelRun run(*model, input);
        run.advance(1'000'000'000);
        const attn::Matrix logits = logits_of(*model, input);
        for (const int row : {0, 6}) {
            for (const int token : {0, 16}) {
                const attn::Votes votes = votes_for(*model, run, row, token);
                double largest = 1;
                int num_off = 0;
                for (const attn::Vote& vote : votes.votes) {
                    largest = std::max(largest, std::abs(vote.logit));
                    const bool is_off = vote.from == attn::Vote::From::head && vote.layer == 1 && vote.head == 2;
                    if (is_off && vote.logit == 0) ++num_off;
                }
                CHECK(std::abs(votes.sum - votes.logit) < 1e-5 * largest);
                CHECK(std::abs(votes.logit - static_cast<double>(logits(row, token))) < 1e-5 * largest);
                CHECK(num_off == 1);
            }
        }
    }
    CHECK(num_kinds == 26);
    const attn::Result<attn::Model> bert = attn::test::random_bert().load();
    CHECK(find_votes_problem(bert->config, bert->weights).starts_with("This model's norms come after"));
}

TEST_CASE("the loss of targets is -log of their probabilities", "[roles]") {
    const attn::Result<attn::Model> model = attn::test::random_gpt2().load();
    REQUIRE(model);
    const attn::ModelInput input = {.ids = {3, 16, 0}};
    attn::ModelRun run(*model, input);
    run.advance(1'000'000'000);
    const attn::Matrix logits = logits_of(*model, input);
    const auto loss = [&](int row, int token) {
        return -std::log(
            static_cast<double>(attn::probabilities_of(attn::row_of(logits, row))[static_cast<std::size_t>(token)]));
    };
    CHECK(mean_loss(*model, run, {{1, 0}, {2, 5}}) == Approx((loss(1, 0) + loss(2, 5)) / 2).epsilon(1e-5));
}
