#include "share/formats/session_file.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "playground/link/legal.h"
#include "playground/random_states.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("a session file gives every random state again, without notes", "[session][property]") {
    test::Dice dice(static_cast<std::uint32_t>(GENERATE(range(0, 300))));
    PlaygroundState state = test::random_state(dice);
    clamp_to_legal(state);
    const Result<ReadLink> read = read_session(write_session(state));
    INFO(write_session(state));
    REQUIRE(read);
    CHECK(read->state == state);
    CHECK(read->notes.empty());
}

TEST_CASE("a session file is the documented JSON", "[session]") {
    PlaygroundState state;
    state.inputs.texts = {"A \"small\" step", "und noch einer"};
    state.inputs.num_heads = 4;
    state.inputs.temperature = 0.5;
    state.inputs.seed = 18446744073709551615U;
    const nlohmann::json json = nlohmann::json::parse(write_session(state));
    CHECK(json == nlohmann::json{{"format", "attention-playground session"},
                                 {"version", 1},
                                 {"state",
                                  {{"text", {"A \"small\" step", "und noch einer"}},
                                   {"heads", 4},
                                   {"temperature", 0.5},
                                   {"seed", "18446744073709551615"}}}});
}

TEST_CASE("a newer file is opened as far as it is understood, and what was ignored is named", "[session]") {
    const Result<ReadLink> read = read_session(
        R"({"format": "attention-playground session", "version": 7, "made_by": {"a": 1}, "state": {"heads": 4, "layers": 3}})");
    REQUIRE(read);
    CHECK(read->state.inputs.num_heads == 4);
    std::string notes;
    for (const std::string& note : read->notes) notes += note + "\n";
    CHECK_THAT(notes, ContainsSubstring("its version is 7"));
    CHECK_THAT(notes, ContainsSubstring("\"made_by\""));
    CHECK_THAT(notes, ContainsSubstring("\"layers\""));
}

TEST_CASE("files that are no session are refused with a sentence that says where", "[session][bad-input]") {
    const auto [text, words] = GENERATE(table<std::string, std::string>({
        {"", "line 1, column 1"},
        {"{\"format\": \"attention-playground session\",\n \"version\": 1,\n \"state\": {\"heads\" 4}}",
         "line 3, column 20"},
        {"{\"format\": \"attention-playground session\", \"version\": 1, \"state\": {", "not valid JSON"},
        {"[1, 2]", "not a session"},
        {"{\"format\": \"photo\", \"version\": 1, \"state\": {}}", "it is \"photo\""},
        {"{\"format\": \"attention-playground session\", \"state\": {}}", "no version"},
        {"{\"format\": \"attention-playground session\", \"version\": 1}", "no \"state\""},
        {"{\"format\": \"attention-playground session\", \"version\": 1, \"state\": [1]}", "no \"state\""},
    }));
    INFO(text);
    const Result<ReadLink> read = read_session(text);
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error(), ContainsSubstring(words));
}

TEST_CASE("a file that is longer than any state is refused before it is read", "[session][bad-input]") {
    CHECK_THAT(read_session(std::string(kMaxSessionBytes + 1, '{')).error(), ContainsSubstring("more than 10 MiB"));
    CHECK_THAT(read_session(std::string(1 << 20, '{')).error(), ContainsSubstring("not valid JSON"));
}

TEST_CASE("the largest state there is has a session that can be opened", "[session]") {
    PlaygroundState state = read_link("embed=typed&d_in=16&d_out=1024&heads=1").state;
    const std::string few_words = std::string(1000, '\"') + " ";
    state.inputs.texts.assign(kMaxSentences, "");
    for (std::string& text : state.inputs.texts) {
        while (text.size() < kMaxTextBytes) text += few_words;
        text.resize(kMaxTextBytes);
        text.back() = '\"';
    }
    constexpr float kLong = -1.2345678e-05F;
    state.inputs.typed.assign(kMaxSentences,
                              TypedRows(kMaxTypedNumbers / 16 / kMaxSentences, std::vector<float>(16, kLong)));
    for (int i = 0; i < static_cast<int>(kMaxEdits); ++i) {
        const TensorId tensor = i < 16 * 1024 ? TensorId::w_query : TensorId::w_key;
        const int cell = i % (16 * 1024);
        state.inputs.edits.push_back(
            {.tensor = tensor, .sentence = 0, .row = cell / 1024, .column = cell % 1024, .value = kLong});
    }
    clamp_to_legal(state);
    CHECK(state.inputs.texts.front().size() > kMaxTextBytes / 2);
    CHECK(state.inputs.edits.size() == kMaxEdits);
    const std::string bytes = write_session(state);
    CAPTURE(bytes.size());
    CHECK(bytes.size() > kMaxSessionBytes / 2);
    // B's link, which may have kMaxCompareBytes, and its quotes escaped.
    CHECK(bytes.size() + 2 * kMaxCompareBytes <= kMaxSessionBytes);
    const Result<ReadLink> read = read_session(bytes);
    REQUIRE(read);
    CHECK(read->state == state);
}

TEST_CASE("a deeply nested file is refused without harm", "[session][bad-input]") {
    CHECK_FALSE(read_session(std::string(1 << 20, '[')));
    CHECK_FALSE(read_session(std::string(1 << 20, '[') + std::string(1 << 20, ']')));
}

}  // namespace
}  // namespace attn
