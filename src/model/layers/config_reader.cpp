// Each sentence names the key.
#include "model/layers/config_reader.h"

#include <algorithm>
#include <cstdint>

#include "core/ground/check.h"
#include "core/ground/decimal.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

void add_to_list(std::string& list, std::string_view key, std::string_view value) {
    list += concat(list.empty() ? "" : ", ", '"', key, "\": ", value);
}

}  // namespace

std::optional<JsonValue> ConfigReader::find(std::string_view key) const {
    const std::optional<JsonValue> value = root_.find(key);
    return value && !value->is(JsonKind::null) ? value : std::nullopt;
}

void ConfigReader::assume(std::string_view key, std::string_view value) {
    if (facts_ != nullptr) add_to_list(assumed, key, value);
}

int ConfigReader::whole(std::string_view key, int most, int fallback) {
    const std::optional<JsonValue> value = find(key);
    if (!value && facts_ != nullptr) {
        const auto fact = std::ranges::find_if(facts_->sizes, [&](const auto& one) { return one.first == key; });
        if (fact != facts_->sizes.end() && fact->second <= most) {
            add_to_list(taken, key, concat(fact->second));
            return fact->second;
        }
    }
    if (!value && fallback != 0) return fallback;
    const std::optional<std::uint64_t> number = value ? value->whole() : std::nullopt;
    if (number && *number >= 1 && *number <= static_cast<std::uint64_t>(most)) return static_cast<int>(*number);
    fail(
        concat(value || facts_ == nullptr ? "config.json has no \"" : "Neither a config.json nor the tensors have a \"",
               key, "\" that is a whole number from 1 to ", most, "."));
    return 1;
}

int ConfigReader::whole_or_0(std::string_view key, int most, int fallback) {
    const std::optional<JsonValue> value = find(key);
    if (!value) return fallback;
    const std::optional<std::uint64_t> number = value->whole();
    if (number && *number <= static_cast<std::uint64_t>(most)) return static_cast<int>(*number);
    fail(concat("config.json has no \"", key, "\" that is a whole number from 0 to ", most, "."));
    return fallback;
}

int ConfigReader::heads(std::string_view key) {
    constexpr int kMost = 1 << 10;
    if (facts_ == nullptr || find(key)) return whole(key, kMost);
    fail(concat("The tensors are those of ", facts_->kind->words,
                " and do not tell how many heads there are: put a file config.json beside them that says so, such as "
                "{\"",
                key, "\": 12}. The command attn takes --heads 12 instead."));
    return 1;
}

double ConfigReader::positive(std::string_view key, double fallback) {
    const std::optional<JsonValue> value = find(key);
    if (!value) {
        assume(key, general_text(fallback));
        return fallback;
    }
    if (value->number() > 0) return value->number();
    fail(concat("config.json has a \"", key, "\" that is no number above 0."));
    return fallback;
}

bool ConfigReader::flag(std::string_view key, bool fallback) {
    const std::optional<JsonValue> value = find(key);
    if (!value) return fallback;
    if (!value->is(JsonKind::boolean)) fail(concat("config.json has a \"", key, "\" that is neither true nor false."));
    return value->boolean();
}

void ConfigReader::want_flag(std::string_view key, bool wanted) {
    if (flag(key, wanted) == wanted) return;
    fail(concat("config.json says \"", key, "\": ", wanted ? "false" : "true", ", and this program computes ",
                wanted ? "true" : "false", " alone."));
}

void ConfigReader::want_text(std::string_view key, std::string_view wanted) {
    const std::optional<JsonValue> value = find(key);
    if (!value || value->text() == wanted) return;
    fail(concat("config.json says \"", key, "\": ", attn::quoted(value->text()), ", and this program computes \"",
                wanted, "\" alone."));
}

}  // namespace attn
