// Links: every legal state survives being written and read, and any byte string gives a legal state.
#include "playground/link/state_url.h"
#include "playground/link/legal.h"
#include "samples.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "core/ground/check.h"
#include "playground/link/link_text.h"
#include "playground/numbers/evaluation.h"
#include "playground/random_states.h"

using namespace attn;
using namespace attn::test;

namespace {

Inputs inputs_of(std::string_view link) {
    return read_link(link).state.inputs;
}
View view_of(std::string_view link) {
    return read_link(link).state.view;
}

void check_is_legal(const PlaygroundState& state) {
    PlaygroundState again = state;
    CHECK(clamp_to_legal(again) == Notes());
    CHECK(again == state);
}

}  // namespace

TEST_CASE("the default state is the shortest link, and no link is the default state", "[link]") {
    CHECK(write_link(PlaygroundState()) == "v=1");
    for (const std::string_view link : {"", "#", "?", "v=1", "https://host.example/"}) {
        CAPTURE(link);
        CHECK(read_link(link).state == PlaygroundState());
        CHECK(read_link(link).notes.empty());
    }
}

TEST_CASE("each key reaches its field", "[link]") {
    CHECK(inputs_of("text=one+two").texts == std::vector<std::string>{"one two"});
    CHECK(inputs_of("text=a&text=b").texts == std::vector<std::string>{"a", "b"});
    CHECK(inputs_of("text=").texts == std::vector<std::string>{""});
    CHECK(inputs_of("tokens=chars").tokens == TokenKind::chars);
    CHECK(inputs_of("embed=ngrams").embed == EmbeddingKind::ngrams);
    CHECK(inputs_of("embed_seed=7").embed_seed == 7);
    CHECK(inputs_of("x=1,2;3&x=4").typed == std::vector<TypedRows>{{{1, 2}, {3}}, {{4}}});
    CHECK(inputs_of("pos=none").positions == Positions::none);
    CHECK(inputs_of("d_in=5").d_in == 5);
    CHECK(inputs_of("d_out=6").d_out == 6);
    CHECK(inputs_of("heads=4").num_heads == 4);
    CHECK(inputs_of("mask=none").mask == Mask::none);
    CHECK(inputs_of("pos=rope&rope_pairs=neighbours").rope_pairs == RotaryPairs::neighbours);
    CHECK(inputs_of("pos=rope&rope_base=500000").rope_base == 500000);
    CHECK(inputs_of("pos=rope&pos_shift=-3").pos_shift == -3);
    CHECK(inputs_of("pos=alibi").positions == Positions::alibi);
    CHECK(inputs_of("mask_window=3").mask_window == 3);
    CHECK(inputs_of("mask_window=3&mask_sinks=2").mask_sinks == 2);
    CHECK(inputs_of("scale=dim").scale == Scale::dim);
    CHECK(inputs_of("temperature=0.7").temperature == 0.7);
    CHECK(inputs_of("dropout=0.1").dropout == 0.1);
    CHECK(inputs_of("dropout_seed=8").dropout_seed == 8);
    CHECK(inputs_of("init=torch.randn").init == Init::torch_randn);
    CHECK(inputs_of("seed=18446744073709551615").seed == 18446744073709551615U);
    CHECK(inputs_of("bias=1").bias);
    CHECK_FALSE(inputs_of("out=0").out);
    CHECK(inputs_of("edit=w_key[1,2]=3").edits ==
          std::vector{Edit{.tensor = TensorId::w_key, .sentence = 0, .row = 1, .column = 2, .value = 3}});
    CHECK(view_of("text=a&text=b&sentence=2").sentence == 1);
    CHECK(view_of("view=numbers").view == ViewKind::numbers);
    CHECK(view_of("stage=context").stage == TensorId::context);
    CHECK(view_of("head=2").head == 1);
    CHECK(view_of("cell=2,7,4").cell == Cell{.head = 1, .row = 7, .column = 4});
    CHECK(view_of("stage=merged&cell=1,7,3").cell == Cell{.head = 0, .row = 7, .column = 3});
    CHECK(view_of("phase=3").phase == 2);
    CHECK(view_of("hide=legend,notes").hide == std::set<std::string>{"legend", "notes"});
    CHECK(view_of("theme=dark").theme == Theme::dark);
    CHECK(view_of("lang=en").lang == "en");
}

TEST_CASE("the table has each key once, with words for it", "[link]") {
    std::set<std::string_view> keys;
    for (const KeyInfo& info : key_table()) {
        CAPTURE(info.key);
        CHECK(keys.insert(info.key).second);
        CHECK_FALSE(info.label.empty());
        CHECK_FALSE(info.legal().empty());
        CHECK_FALSE(info.help().empty());
        CHECK((info.kind != KeyKind::choice || info.choices.size() >= 1));
        CHECK(info.low <= info.high);
        CHECK(&key_info(info.key) == &info);
        // Each choice reads without a note (no stage output or dropped_weights is refused by the reader itself).
        for (const std::string_view choice : info.choices) {
            PlaygroundState state;
            Notes notes;
            info.read(state, choice, notes);
            CHECK(notes.empty());
            if (info.kind == KeyKind::choice) CHECK(info.write(state) == std::vector<std::string>{std::string(choice)});
        }
    }
    CHECK(keys.size() == 86);
    CHECK(key_table().front().key == "v");
}

TEST_CASE("every legal state survives its link, without a note", "[link][property]") {
    Dice dice(11);
    for (int n = 0; n < samples(3000); ++n) {
        PlaygroundState state = random_state(dice);
        clamp_to_legal(state);
        const std::string link = write_link(state);
        CAPTURE(n, link);
        const ReadLink back = read_link(link);
        CHECK(back.state == state);
        CHECK(back.notes == Notes());
        CHECK(write_link(back.state) == link);
        CHECK(read_link("https://host.example/page?x=1#" + link).state == state);
    }
}

TEST_CASE("the largest legal state fits in a link", "[link][property]") {
    PlaygroundState state;
    state.inputs.texts.assign(kMaxSentences, std::string(kMaxTextBytes, '\x7F'));
    for (std::string& text : state.inputs.texts) text.assign(kMaxTextBytes / 3 * 3, 'x');
    for (std::string& text : state.inputs.texts) {
        for (std::size_t i = 0; i < text.size(); i += 3)
            text.replace(i, 3, "\xE6\xB3\xA8");  // nine characters each in a link
    }
    const float longest = -1.17549435e-38f;
    state.inputs.typed.assign(kMaxSentences, TypedRows(16, std::vector<float>(1024, longest)));
    for (int i = 0; i < static_cast<int>(kMaxEdits); ++i) {  // no two are neighbours
        state.inputs.edits.push_back(
            {.tensor = TensorId::embeddings, .sentence = 15, .row = i / 500, .column = i % 500 * 2, .value = longest});
    }
    REQUIRE(clamp_to_legal(state).empty());
    const std::string link = write_link(state);
    CHECK(link.size() < kMaxLinkBytes);
    CHECK(read_link(link).state == state);
}

TEST_CASE("typed embeddings decide d_in unless the link does", "[link]") {
    CHECK(inputs_of("embed=typed&x=1,2,3;4").d_in == 3);
    CHECK(inputs_of("x=1,2,3;4&embed=typed").d_in == 3);
    CHECK(inputs_of("embed=typed&x=1,2,3;4&d_in=5").d_in == 5);
    CHECK(inputs_of("embed=typed").d_in == 8);
    CHECK(inputs_of("x=1,2,3").d_in == 8);
    PlaygroundState state = read_link("embed=typed&x=1,2,3").state;
    CHECK(write_link(state) == "v=1&embed=typed&x=1,2,3");
    state.inputs.d_in = 8;  // the other default must be written here
    CHECK(write_link(state) == "v=1&embed=typed&x=1,2,3&d_in=8");
}

TEST_CASE("bad values become legal ones and are told", "[link][bad-input]") {
    const auto notes_of = [](std::string_view link) { return read_link(link).notes; };
    CHECK(notes_of("d_out=16&heads=5") ==
          Notes{"heads set to 4: 16 channels cannot be split into 5 equal heads; 5 heads need d_out 20"});
    CHECK(notes_of("colour=red&%FF=1") == Notes{"ignored in the link, no such key: \"colour\", \"\xEF\xBF\xBD\""});
    CHECK(notes_of("seed=1&seed=2") == Notes{"seed stands more than once: the last one counts"});
    CHECK(inputs_of("seed=1&seed=2").seed == 2);
    CHECK(notes_of("v=7").size() == 1);
    CHECK(notes_of("v=1&heads").size() == 1);
    CHECK(inputs_of("d_in=1e9").d_in == kMaxWidth);
    CHECK(inputs_of("d_in=nan").d_in == 8);
    CHECK(inputs_of("temperature=inf").temperature == kMaxTemperature);
    CHECK(inputs_of("temperature=0").temperature == kMinTemperature);
    CHECK(inputs_of("heads=0").num_heads == 1);
    CHECK(view_of("head=0").head == 0);
    CHECK_FALSE(view_of("head=x").head.has_value());
    CHECK_FALSE(view_of("cell=1,2").cell.has_value());
    CHECK(view_of("cell=1,2.4,1").cell == Cell{.head = 0, .row = 2, .column = 1});
    CHECK(view_of("stage=w_query").stage == TensorId::weights);
    CHECK(notes_of("&&&").empty());
}

TEST_CASE("a key that is left empty is a note, not a change", "[link][bad-input]") {
    for (const KeyInfo& info : key_table()) {
        if (info.kind == KeyKind::text || info.kind == KeyKind::list) continue;
        if (info.key == "head" || info.key == "lens") continue;  // no head is enlarged, no layer chosen
        CAPTURE(info.key);
        CHECK(read_link(concat(info.key, "=")).notes.size() == 1);
        CHECK(read_link(concat(info.key, "=")).state == PlaygroundState());
    }
}

TEST_CASE("what may be absent is taken away by an empty value", "[link]") {
    const std::string all = "lesson=heads&step=6";  // has a cell and targets
    REQUIRE(view_of(all).cell.has_value());
    REQUIRE_FALSE(read_link(all).state.inputs.targets.empty());
    const ReadLink less = read_link(all + "&cell=&target=&head=&select=&check=&score=&edit=&x=&compare=&hide=");
    CHECK(less.notes.empty());
    CHECK_FALSE(less.state.view.cell.has_value());
    CHECK(less.state.inputs.targets.empty());
    CHECK(read_link(all + "&wish=").state.inputs.targets.empty());  // the key of older links
    CHECK_FALSE(view_of("head=2&head=").head.has_value());
    CHECK_FALSE(view_of("lens=2&lens=").lens.has_value());
    CHECK_FALSE(view_of("cell=1,1,1&cell=").cell.has_value());
}

TEST_CASE("any bytes give a legal state", "[link][property][bad-input]") {
    Dice dice(13);
    for (int n = 0; n < samples(3000); ++n) {
        const std::string bytes = dice.bytes(dice.below(120));
        CAPTURE(n);
        check_is_legal(read_link(bytes).state);
    }
}

TEST_CASE("a damaged link gives a legal state", "[link][property][bad-input]") {
    Dice dice(17);
    for (int n = 0; n < samples(3000); ++n) {
        PlaygroundState state = random_state(dice);
        clamp_to_legal(state);
        std::string link = write_link(state);
        for (int damage = 1 + dice.below(4); damage > 0; --damage) {
            const auto place = static_cast<std::size_t>(dice.below(static_cast<int>(link.size()) + 1));
            const auto count = static_cast<std::size_t>(dice.below(6));
            const int kind = dice.below(3);
            if (kind == 0) link.erase(place, count);
            if (kind == 1) link.insert(place, dice.bytes(static_cast<int>(count)));
            if (kind == 2) link.insert(place, link.substr(link.size() / 2, count * 3));
        }
        CAPTURE(n);
        check_is_legal(read_link(link).state);
    }
}

// What is read by the square of its length shows in the next test: there it would not come to an end.
TEST_CASE("100 kB of noise are read into few notes", "[link][bad-input]") {
    Dice dice(19);
    constexpr int kSize = 100000;
    const std::string bytes = dice.bytes(kSize);
    std::string separators, keys, edits, rows, numbers;
    while (separators.size() < kSize) separators += "&=;,"[static_cast<std::size_t>(dice.below(4))];
    while (keys.size() < kSize)
        keys += concat(key_table()[static_cast<std::size_t>(dice.below(28))].key, "=", dice.bytes(2), "&");
    while (edits.size() < kSize) edits += "edit=w_query[1,1]=;;,1,,&";
    rows = "embed=typed&x=" + std::string(kSize, ';') + "&x=" + std::string(kSize, ',');
    numbers = "seed=" + std::string(kSize, '7') + "&heads=" + std::string(kSize, '7');
    for (const std::string& noise :
         {bytes, separators, keys, edits, rows, numbers, "text=" + bytes, "text=" + std::string(kSize, 'a')}) {
        CAPTURE(noise.substr(0, 20));
        const ReadLink read = read_link(noise);
        check_is_legal(read.state);
        CHECK(read.notes.size() <= 13);
    }
}

TEST_CASE("a link longer than its limit is cut, with a note", "[link][bad-input]") {
    const ReadLink read = read_link("seed=5&" + std::string(kMaxLinkBytes, '&'));
    CHECK(read.state.inputs.seed == 5);
    CHECK(read.notes == Notes{"the link was cut after 16 MiB"});
}

TEST_CASE("the key table as JSON holds every key with its default", "[link]") {
    const nlohmann::json keys = nlohmann::json::parse(keys_as_json());
    REQUIRE(keys.size() == key_table().size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        CHECK(keys[i]["key"] == key_table()[i].key);
        CHECK(keys[i]["help"] == key_table()[i].help());
    }
    const auto entry = [&](std::string_view key) {
        return *std::find_if(keys.begin(), keys.end(), [&](const nlohmann::json& row) { return row["key"] == key; });
    };
    CHECK(entry("heads")["default"] == nlohmann::json::array({"2"}));
    CHECK(entry("heads")["low"] == 1);
    CHECK(entry("heads")["kind"] == "whole_number");
    CHECK(entry("mask")["choices"] == nlohmann::json::array({"causal", "none"}));
    CHECK(entry("mask")["labels"] == nlohmann::json::array({"causal", "none"}));
    CHECK(entry("mask_at")["labels"] ==
          nlohmann::json::array({"before softmax", "after, renormalised", "after, not renormalised (wrong)"}));
    CHECK(entry("mask")["low"].is_null());
    CHECK(entry("cell")["default"].empty());
    CHECK(entry("text")["repeats"] == true);
    CHECK(entry("theme")["decides_numbers"] == false);
}
