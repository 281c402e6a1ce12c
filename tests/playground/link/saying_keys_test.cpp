// The keys of view=model: read, written, made legal.
#include "playground/link/saying_keys.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "playground/link/state_url.h"

namespace attn::test {

TEST_CASE("how the next word is drawn is in the link, and comes back from it", "[link][property]") {
    const std::string link = "map=mean&word=artist&next_temperature=0.5&top_k=5&top_p=0.9&next_seed=7&said=3";
    const ReadLink read = read_link(link);
    CHECK(read.notes.empty());
    const View& view = read.state.view;
    CHECK(view.map == LayerMap::mean);
    CHECK(view.word == "artist");
    CHECK(view.next_temperature == 0.5);
    CHECK(view.top_k == 5);
    CHECK(view.top_p == 0.9);
    CHECK(view.next_seed == 7);
    CHECK(view.said == 3);
    CHECK(read_link(write_link(read.state)).state == read.state);
    for (const char* key : {"map", "word", "next_temperature", "top_k", "top_p", "next_seed", "said"})
        CHECK(write_link({}).find(key) == std::string::npos);
}

TEST_CASE("what cannot be drawn with is moved to the nearest legal value, with a note", "[link][bad-input]") {
    const auto note_of = [](const std::string& link) {
        const ReadLink read = read_link(link);
        REQUIRE(read.notes.size() == 1);
        return read.notes[0];
    };
    CHECK(note_of("next_temperature=-1") == "next_temperature set to 0: it goes from 0 to 100");
    CHECK(note_of("next_temperature=1000") == "next_temperature set to 100: it goes from 0 to 100");
    CHECK(note_of("top_k=-5") == "top_k set to 0: it goes from 0, which is all words, to 1000000");
    CHECK(note_of("top_p=0") == "top_p set to 0.001: it goes from 0.001 to 1, which is all words");
    CHECK(note_of("top_p=2") == "top_p set to 1: it goes from 0.001 to 1, which is all words");
    CHECK(note_of("said=-1") == "said set to 0: it goes from 0 to 2048");
    CHECK(note_of("word=" + std::string(600, 'x')).starts_with("word left out: \"xxx"));
    CHECK(note_of("map=sum").find("map") != std::string::npos);
    CHECK(note_of("word=a%FFb") == "word has unreadable characters: \xEF\xBF\xBD stands in their place");
    CHECK(read_link("word=a%FFb").state.view.word ==
          "a\xEF\xBF\xBD"
          "b");
    CHECK(read_link("word=" + std::string(600, 'x')).state.view.word.empty());
}

}  // namespace attn::test
