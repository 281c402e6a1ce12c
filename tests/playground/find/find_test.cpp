// What the field's words find.
#include "playground/find/find.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "playground/lessons/lessons.h"
#include "playground/link/key_table.h"
#include "playground/link/setting_groups.h"
#include "playground/link/state_url.h"
#include "playground/state/view_table.h"

using namespace attn;

namespace {

std::vector<std::string> found_names(std::string_view query, std::string_view link = "") {
    std::vector<std::string> names;
    for (const Found& found : find_by_words(query, read_link(link).state)) names.emplace_back(found.name);
    return names;
}

bool finds_row(std::string_view query, std::string_view name, std::string_view link = "") {
    const std::vector<std::string> names = found_names(query, link);
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("the field's words find their setting, view and lesson", "[find]") {
    for (const auto& [query, name] :
         std::initializer_list<std::pair<const char*, const char*>>{{"RoPE", "pos"},
                                                                    {"RoPE", "turning"},
                                                                    {"rope", "rope_base"},
                                                                    {"MLA", "latent"},
                                                                    {"GQA", "kv_heads"},
                                                                    {"gqa", "groups"},
                                                                    {"MQA", "kv_heads"},
                                                                    {"MQA", "groups"},
                                                                    {"KV cache", "cache"},
                                                                    {"kv cache", "twice"},
                                                                    {"softmax", "softmax"},
                                                                    {"softmax", "temperature"},
                                                                    {"mask", "mask"},
                                                                    {"mask", "causal"},
                                                                    {"dropout", "dropout"},
                                                                    {"ALiBi", "pos"},
                                                                    {"alibi", "fainter"},
                                                                    {"temperature", "model"},
                                                                    {"attention", "matrix"},
                                                                    {"sinks", "mask_sinks"},
                                                                    {"sliding window", "mask_window"},
                                                                    {"learning rate", "rate"},
                                                                    {"multi-head", "heads"},
                                                                    {"Adam", "optimizer"},
                                                                    {"ablation", "off"},
                                                                    {"induction", "copying"},
                                                                    {"BertViz", "lines"},
                                                                    {"positional encoding", "pos"},
                                                                    {"sqrt", "scale"},
                                                                    {"DeepSeek", "latent"},
                                                                    {"temperature", "why-softmax"},
                                                                    {"retrieval", "dictionary"},
                                                                    {"sinusoidal", "dog-bites-man"},
                                                                    {"padding", "masks"},
                                                                    {"causal tracing", "patching"}}) {
        CAPTURE(query, name);
        CHECK(finds_row(query, name));
    }
}

TEST_CASE("the best comes first: a title that begins with the word", "[find]") {
    CHECK(found_names("temperature").front() == "temperature");
    CHECK(found_names("MLA").front() == "latent");
    CHECK(found_names("GQA").front() == "kv_heads");
    CHECK(found_names("dropout").front() == "dropout");
    CHECK(found_names("KV").front() == "cache");
    CHECK(found_names("Model").front() == "model");
    const std::vector<std::string> rope = found_names("RoPE");
    CHECK(rope.front() == "turning");
    CHECK(rope[1] == "pos");  // before its own settings, which have no rows yet
}

TEST_CASE("every setting, view and lesson is found by its own title", "[find][property]") {
    for (const KeyInfo& info : key_table()) {
        CAPTURE(info.key);
        const SettingGroup group = group_of_key(info.key);
        if (group == SettingGroup::none || group == SettingGroup::model) continue;
        CHECK(finds_row(info.label, info.key));
    }
    for (const ViewInfo& view : kViews) CHECK(finds_row(view.title, view.name));
    for (const Lesson& lesson : lessons()) {
        CAPTURE(lesson.name);
        CHECK(finds_row(lesson.title, lesson.name));
    }
}

TEST_CASE("all words of a query must be there, each as a beginning", "[find]") {
    CHECK(finds_row("grouped query", "kv_heads"));
    CHECK(finds_row("head gqa", "kv_heads"));
    CHECK_FALSE(finds_row("gqa dropout", "kv_heads"));
    CHECK_FALSE(finds_row("ope", "rope_base"));
    CHECK(found_names("").empty());
    CHECK(found_names(" … !").empty());
    CHECK(found_names("zyzzyva").empty());
}

TEST_CASE("what a page hides or locks is not found there", "[find]") {
    CHECK_FALSE(finds_row("dropout", "dropout_seed", "hide=control.dropout_seed"));
    CHECK(finds_row("dropout", "dropout", "hide=control.dropout_seed"));
    CHECK(found_names("GQA", "hide=settings,lessons") == std::vector<std::string>{"cache"});
    CHECK_FALSE(finds_row("softmax", "softmax", "hide=views"));
    CHECK_FALSE(finds_row("softmax", "softmax", "lock=view"));
    CHECK(finds_row("temperature", "temperature", "lock=temperature"));
    CHECK_FALSE(finds_row("GQA", "groups", "lock=lesson"));
    CHECK_FALSE(finds_row("layer", "layer"));  // there is no model
    CHECK(finds_row("layer", "layer", "model=nobody"));
}

TEST_CASE("a setting without a row of its own has one before it", "[find]") {
    CHECK(setting_before("rope_base") == "pos");
    CHECK(setting_before("mask_sinks") == "mask_window");
    CHECK(setting_before("mask").empty());
    for (const KeyInfo& info : key_table()) {
        const std::string_view before = setting_before(info.key);
        if (before.empty()) continue;
        CAPTURE(info.key);
        CHECK(group_of_key(before) == group_of_key(info.key));
        CHECK(setting_before(before).empty());
    }
}

TEST_CASE("the list as JSON is the list", "[find]") {
    const PlaygroundState state;
    const nlohmann::json rows = nlohmann::json::parse(found_as_json("mla", state));
    const std::vector<Found> found = find_by_words("mla", state);
    REQUIRE(rows.size() == found.size());
    CHECK(rows[0]["kind"] == "setting");
    CHECK(rows[0]["name"] == "latent");
    CHECK(rows[0]["title"] == "MLA: latent");
    CHECK(rows[0]["where"] == "setting, Variants");
    for (const nlohmann::json& row : rows) CHECK_FALSE(row["about"].get<std::string>().empty());
    CHECK(nlohmann::json::parse(found_as_json("", state)).empty());
}
