#include "share/open_file.h"

#include <catch_amalgamated.hpp>

#include "playground/state_url.h"
#include "share/session_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("a session file is opened without asking, whatever its name", "[files]") {
    const PlaygroundState state = read_link("text=A small step&heads=4&edit=w_query[0,0]=1").state;
    const Result<FileOffer> offer = open_file({.name = "x.txt", .bytes = write_session(state)}, PlaygroundState());
    REQUIRE(offer);
    CHECK(offer->is_certain);
    REQUIRE(offer->choices.size() == 1);
    CHECK(offer->choices[0].state == state);
    CHECK(offer->choices[0].notes.empty());
}

TEST_CASE("files that cannot be used are refused with a sentence", "[files][bad-input]") {
    CHECK_THAT(open_file({.name = "a", .bytes = ""}, {}).error(), ContainsSubstring("empty"));
    CHECK_THAT(open_file({.name = "a", .bytes = "{\"heads\": 1}"}, {}).error(), ContainsSubstring("no session"));
    CHECK_THAT(open_file({.name = "a", .bytes = std::string(kMaxFileBytes + 1, '{')}, {}).error(),
               ContainsSubstring("64"));
}

}  // namespace
}  // namespace attn
