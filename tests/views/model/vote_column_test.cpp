// The column adds up as it is printed.
#include "views/model/vote_column.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "core/ground/random.h"
#include "playground/text/format.h"
#include "small_model.h"

namespace attn::test {
namespace {

// What a reader adds: the printed texts, to the last digit.
std::int64_t read_thousandths(std::string text) {
    if (const std::size_t minus = text.find("−"); minus != std::string::npos) text.replace(minus, 3, "-");
    return std::llround(*parse_number(text) * 1000);
}

std::int64_t printed_sum(const VoteColumn& column) {
    std::int64_t sum = read_thousandths(shown_thousandths(column.rounding, true));
    for (const VoteLine& line : column.lines) sum += read_thousandths(shown_thousandths(line.thousandths, true));
    return sum;
}

}  // namespace

TEST_CASE("a column of votes adds up to the logit as printed, for random votes", "[model-view][property]") {
    TorchGenerator generator(5);
    for (int round = 0; round < 200; ++round) {
        Votes votes;
        const auto draw = [&] { return (generator.uniform53() - 0.5) * 8; };
        const auto add = [&](Vote::From from, int layer, int head) {
            votes.votes.push_back({from, layer, head, draw()});
            votes.sum += votes.votes.back().logit;
        };
        add(Vote::From::embeddings, 0, 0);
        const int num_layers = 1 + round % 5;
        for (int l = 0; l < num_layers; ++l) {
            for (int h = 0; h < 8; ++h) add(Vote::From::head, l, h);
            add(Vote::From::attention_bias, l, 0);
            add(Vote::From::mlp, l, 0);
        }
        add(Vote::From::final_bias, 0, 0);
        votes.logit = votes.sum + (generator.uniform53() - 0.5) * 1e-5;  // the model's floats
        const std::optional<VoteColumn> column = vote_column(votes, {}, num_layers - 1);
        REQUIRE(column);
        CHECK(printed_sum(*column) == read_thousandths(shown_thousandths(column->logit)));
        CHECK(std::abs(static_cast<double>(column->logit) / 1000 - votes.logit) <= 0.0005 + 1e-9);
        CHECK(std::abs(column->rounding) <= static_cast<std::int64_t>(column->lines.size() + 1) / 2 + 1);
        // With many layers the others are a line each, and the heads of the chosen one stand by themselves.
        const bool joins = votes.votes.size() > kMostVoteLines;
        CHECK(column->lines.size() == (joins ? static_cast<std::size_t>(num_layers) - 1 + 12 : votes.votes.size()));
    }
}

TEST_CASE("lines are named, and heads that are off say so", "[model-view]") {
    Votes votes;
    votes.votes = {{Vote::From::embeddings, 0, 0, 0.1115},
                   {Vote::From::head, 1, 3, -1.4696},
                   {Vote::From::attention_bias, 1, 0, 0},
                   {Vote::From::mlp, 1, 0, 2},
                   {Vote::From::final_bias, 0, 0, 0.25}};
    votes.logit = 0.8919;
    const std::optional<VoteColumn> column = vote_column(votes, {{1, 3}}, 1);
    REQUIRE(column);
    CHECK(column->lines[0].label == "embedding");
    CHECK(column->lines[1].label == "2 · head 4");
    CHECK(column->lines[1].is_off);
    CHECK(shown_thousandths(column->lines[1].thousandths, true) == "−1.470");
    CHECK(column->lines[2].label == "2 · bias");
    CHECK(column->lines[3].label == "2 · MLP");
    CHECK(column->lines[4].label == "last bias");
    CHECK(shown_thousandths(column->logit) == "0.892");
    CHECK(printed_sum(*column) == 892);
    votes.votes[1].logit = std::nan("");
    CHECK_FALSE(vote_column(votes, {}, 1));
    CHECK(shown_thousandths(0, true) == "0.000");
    CHECK(shown_thousandths(7, true) == "+0.007");
    CHECK(shown_thousandths(12345) == "12.345");
}

TEST_CASE("votes of random models add up as printed, with heads off too", "[model-view][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Model model = small_model(checkpoint);
        if (!find_votes_problem(model.config, model.weights).empty()) continue;
        ModelRun run(model, {.ids = kTheArtist, .off = {{0, 2}}});
        run.advance(1'000'000'000);
        for (int token = 0; token < 17; ++token) {
            const std::optional<VoteColumn> column = vote_column(votes_for(model, run, 7, token), {{0, 2}}, 1);
            REQUIRE(column);
            CHECK(printed_sum(*column) == column->logit);
            int num_off = 0;
            for (const VoteLine& line : column->lines) num_off += line.is_off && line.thousandths == 0 ? 1 : 0;
            CHECK(num_off == 1);
        }
    }
}

}  // namespace attn::test
