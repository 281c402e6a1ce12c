// The text of the answers: what was written is read again, and what strangers write does no harm.
#include "share/formats/answer_sheet.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

AnswerRecord some_record() {
    return {
        .place = {.lesson = "causal", .step = 7, .question = "weights[1,4,2]", .numbers = "v=1&lesson=causal&step=8"},
        .asked = "weights, head 1, \"with\" → =1+1",
        .typed = "0.3333",
        .tries = 3,
        .right_at = 3,
        .hints = 1,
        .is_told = false,
        .mistakes = {"forget to divide by √2", "</script>"},
        .first = 1'796'000'000,
        .last = 1'796'000'060};
}

TEST_CASE("answers are written and read again", "[answers]") {
    AnswerRecord outside = some_record();
    outside.place.lesson.clear();
    outside.place.step = 0;
    const std::vector<AnswerRecord> records = {some_record(), outside};
    const Result<std::vector<AnswerRecord>> read = read_answers(write_answers(records));
    REQUIRE(read);
    CHECK(*read == records);
}

TEST_CASE("the text of answers is the documented JSON", "[answers]") {
    const nlohmann::json json = nlohmann::json::parse(write_answers({some_record()}));
    CHECK(json["format"] == "attention-playground-answers");
    CHECK(json["version"] == 1);
    const nlohmann::json& answer = json["answers"][0];
    CHECK(answer["lesson"] == "causal");
    CHECK(answer["step"] == 8);
    CHECK(answer["title"] == "Causal attention");
    CHECK_FALSE(answer["step_title"].get<std::string>().empty());
    CHECK(answer["right_at"] == 3);
    CHECK(answer["told"] == false);
    CHECK(answer["mistakes"].size() == 2);
}

TEST_CASE("what is no text of answers is refused in a sentence", "[answers][bad-input]") {
    const auto refusal = [](std::string_view text) {
        const Result<std::vector<AnswerRecord>> read = read_answers(text);
        return read ? std::string() : read.error();
    };
    CHECK_THAT(refusal(""), ContainsSubstring("The text of the answers"));
    CHECK_THAT(refusal("[]"), ContainsSubstring("format"));
    CHECK_THAT(refusal(write_answers({some_record()}).substr(0, 200)), ContainsSubstring("The text of the answers"));
    CHECK_THAT(refusal(R"({"format": "attention-playground-answers", "version": 2, "answers": []})"),
               ContainsSubstring("of version 2"));
}

TEST_CASE("members of another kind leave a record as it begins", "[answers][bad-input]") {
    const Result<std::vector<AnswerRecord>> read = read_answers(
        R"({"format": "attention-playground-answers", "version": 1, "answers": [7, {"tries": "x", "step": -3,
            "told": "yes", "mistakes": "no list", "first": 1e300, "right_at": 99999999999999}]})");
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    CHECK(read->front().tries == 0);
    CHECK(read->front().place.step == 0);
    CHECK_FALSE(read->front().is_told);
    CHECK(read->front().mistakes.empty());
    AnswerLog log;
    log.merge(*read);
    CHECK(log.records().front().right_at == 0);
}

}  // namespace
}  // namespace attn
