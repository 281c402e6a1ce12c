// Counts that are asked for: the right ones against counting one by one, and the slips behind wrong ones.
#include "playground/cache/cache_questions.h"

#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/state_url.h"

namespace attn::test {
namespace {

std::string remark(const CacheQuestion& question, const char* typed) {
    return judge_count(question, typed).remark;
}

}  // namespace

TEST_CASE("a prompt of 6 and 4 passes: 9 and 30 rows, 45 and 130 cells", "[cache][check][golden]") {
    const Inputs inputs;
    const Sizes sizes = {.num_tokens = 9, .d_in = 8, .d_out = 4, .num_heads = 2};
    const std::vector<CacheQuestion> questions = cache_questions(inputs, sizes, {.prompt = 6, .at = 3});
    REQUIRE(questions.size() == 5);
    CHECK(judge_count(questions[0], "9").verdict == Verdict::right);
    CHECK(judge_count(questions[1], " 30").verdict == Verdict::right);
    CHECK(judge_count(questions[2], "45").verdict == Verdict::right);
    CHECK(judge_count(questions[3], "130").verdict == Verdict::right);
    CHECK(judge_count(questions[4], "8").verdict == Verdict::right);
    CHECK(questions[0].asks == "How many rows of keys and values do all 4 passes compute with a cache?");
    const CacheSplit both = {.prompt = 6, .at = 1};
    CHECK(cache_questions(inputs, sizes, both)[1].asks ==
          "How many rows of keys and values do both passes compute without a cache?");

    CHECK(remark(questions[0], "30") == "Not yet. That is the count without a cache.");
    CHECK(remark(questions[0], "10").find("3 passes add a row each") != std::string::npos);
    CHECK(remark(questions[1], "36").find("early passes have fewer") != std::string::npos);
    CHECK(remark(questions[3], "230").find("later tokens") != std::string::npos);  // 36 + 49 + 64 + 81
    CHECK(remark(questions[4], "12").find("Queries are not kept") != std::string::npos);
    CHECK(remark(questions[0], "8") == "Not yet, because it is more.");
    for (const char* typed : {"", "nine", "9.5", "9 rows", "99999999999999999999"})
        CHECK(judge_count(questions[0], typed).verdict == Verdict::unclear);
}

TEST_CASE("which key head a query head reads", "[cache][check]") {
    const Inputs inputs;
    const Sizes sizes = {.num_tokens = 3, .d_in = 8, .d_out = 16, .num_heads = 8, .num_kv_heads = 2};
    const std::vector<CacheQuestion> questions = cache_questions(inputs, sizes, {.prompt = 3, .at = 0});
    REQUIRE(questions.size() == 8);
    CHECK(questions[5].asks == "8 query heads share 2 key heads. Which key head does query head 2 read?");
    CHECK(questions[5].number == 1);
    CHECK(questions[6].number == 2);  // query head 5
    CHECK(questions[7].number == 2);  // query head 8
    CHECK(remark(questions[5], "2").find("neighbours") != std::string::npos);
    CHECK(remark(questions[7], "1").find("counts from 0") != std::string::npos);
    CHECK(questions[0].asks == "How many numbers does one more token add to the cache?");
    CHECK(remark(questions[0], "32").find("Here heads share them") != std::string::npos);
}

TEST_CASE("with a latent, rows of latents are asked for, and what a token adds is its width", "[cache][check]") {
    const Sizes sizes = {.num_tokens = 3, .d_in = 8, .d_out = 16, .num_heads = 4, .latent = 5};
    const std::vector<CacheQuestion> questions = cache_questions(Inputs(), sizes, {.prompt = 2, .at = 1});
    CHECK(questions[0].asks.find("rows of latents") != std::string::npos);
    CHECK(questions[4].number == 5);
    CHECK(judge_count(questions[4], "32").remark.find("made of the latent") != std::string::npos);
    CHECK(judge_count(questions[4], "20").remark.find("One serves all") != std::string::npos);
}

TEST_CASE("with a rotary part a token adds its latent and one turned key", "[cache][check]") {
    const Sizes sizes = {.num_tokens = 3, .d_in = 8, .d_out = 16, .num_heads = 4, .latent = 5, .rope_dim = 2};
    const std::vector<CacheQuestion> questions = cache_questions(Inputs(), sizes, {.prompt = 2, .at = 1});
    CHECK(questions[4].number == 7);
    CHECK(questions[4].formula == "latent + rope_dim = 5 + 2 = 7");
    CHECK(judge_count(questions[4], "5").remark.find("is kept, too") != std::string::npos);
    CHECK(judge_count(questions[4], "13").remark.find("One serves all") != std::string::npos);
}

TEST_CASE("no slip has the right number, and none of two the same", "[cache][check][property]") {
    for (int heads : {1, 2, 4, 8}) {
        for (int kv = 1; kv <= heads; kv *= 2) {
            for (int p = 1; p < 6; ++p) {
                for (int at = 0; at < 4; ++at) {
                    const Sizes sizes = {
                        .num_tokens = p + at, .d_in = 4, .d_out = 8, .num_heads = heads, .num_kv_heads = kv};
                    for (const CacheQuestion& question : cache_questions(Inputs(), sizes, {.prompt = p, .at = at})) {
                        CHECK(judge_count(question, std::to_string(question.number)).verdict == Verdict::right);
                        CHECK(question.formula.ends_with(std::to_string(question.number)));
                        CHECK(question.hint.find(concat(" ", question.number, ".")) == std::string::npos);
                        for (const auto& [number, sentence] : question.slips) CHECK(number != question.number);
                    }
                }
            }
        }
    }
}

TEST_CASE("the counts that are asked for are in the link, and blank in the text", "[cache][check][link]") {
    const PlaygroundState state = read_link("view=cache&check=counts").state;
    CHECK(state.view.asks_counts);
    CHECK(write_link(state).find("check=counts") != std::string::npos);
    const PlaygroundState both = read_link("check=weights,counts").state;
    CHECK(both.view.check.size() == 1);
    CHECK(read_link(write_link(both)).state == both);
    const PlaygroundState all = read_link("check=all,counts").state;
    CHECK(read_link(write_link(all)).state == all);
}

}  // namespace attn::test
