// The groups of settings, and which of them a state opens.
#include "playground/link/setting_groups.h"

#include <catch_amalgamated.hpp>

#include "playground/link/key_table.h"
#include "playground/link/state_url.h"

using namespace attn;

namespace {

std::string open_in(std::string_view link) {
    const PlaygroundState state = read_link(link).state;
    std::string open;
    for (const SettingGroupInfo& info : kSettingGroups) {
        if (opens_group(state, info.group)) open += std::string(info.name) + " ";
    }
    return open;
}

constexpr const char* kAll = "learning input model attention positions variants ";

}  // namespace

TEST_CASE("every key that decides numbers stands in one group, no other in any", "[settings]") {
    for (const KeyInfo& info : key_table()) {
        CAPTURE(info.key);
        CHECK((group_of_key(info.key) != SettingGroup::none) == info.decides_numbers);
    }
    for (const SettingGroupInfo& info : kSettingGroups) {
        CHECK(&setting_group_info(info.group) == &info);
        std::string_view keys = info.keys;
        REQUIRE(keys.ends_with(' '));
        while (!keys.empty()) {
            CHECK(group_of_key(keys.substr(0, keys.find(' '))) == info.group);
            keys.remove_prefix(keys.find(' ') + 1);
        }
    }
}

TEST_CASE("rare groups are open only where they hold a value", "[settings]") {
    CHECK(open_in("") == "input attention ");
    CHECK(open_in("seed=7&heads=4&d_in=6&dropout=.5") == "input attention ");
    CHECK(open_in("pos=rope") == "input attention positions ");
    CHECK(open_in("pos=none") == "input attention positions ");
    for (const char* link :
         {"heads=4&kv_heads=2", "latent=2", "latent_queries=2", "mask_window=3", "qk_norm=1", "sink_logits=1"}) {
        CAPTURE(link);
        CHECK(open_in(link) == "input attention variants ");
    }
    CHECK(open_in("goal=next&d_out=8") == "learning input attention ");
    CHECK(open_in("target=1:10>1") == "learning input attention ");
    CHECK(open_in("view=learn") == "learning input attention ");
}

TEST_CASE("in lessons and on an author's page all groups are open", "[settings]") {
    for (const char* link : {"lesson=causal", "lock=seed", "hide=control.seed", "hide=share", "lesson=votes"}) {
        CAPTURE(link);
        CHECK(open_in(link) == kAll);
    }
}

TEST_CASE("with a model the groups are folded, but for the one that says why it is not there", "[settings][model]") {
    CHECK(open_in("model=first-words") == "");
    CHECK(open_in("model=first-words&off=2:7&edit=x[0,0]=1") == "");
    CHECK(open_in("model=nobody") == "model ");
    CHECK(open_in("model=first-words&lock=layer") == kAll);
}
