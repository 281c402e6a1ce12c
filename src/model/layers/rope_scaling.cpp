// Formulas as the papers have them, and defaults as Hugging Face's transformers have them.
#include "model/layers/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kLeastFactor = 1.0 / 16;

// Members that are read; "finetuned" changes nothing, rope_theta and partial_rotary_factor are the config's.
constexpr std::array<std::string_view, 17> kRopeMembers = {"type",
                                                           "rope_type",
                                                           "factor",
                                                           "original_max_position_embeddings",
                                                           "low_freq_factor",
                                                           "high_freq_factor",
                                                           "beta_fast",
                                                           "beta_slow",
                                                           "truncate",
                                                           "attention_factor",
                                                           "mscale",
                                                           "mscale_all_dim",
                                                           "short_factor",
                                                           "long_factor",
                                                           "finetuned",
                                                           "rope_theta",
                                                           "partial_rotary_factor"};

// Remembers the first thing that is wrong.
class RopeReader {
public:
    explicit RopeReader(JsonValue object) : object_(object) {}
    std::string problem;

    std::optional<JsonValue> find(std::string_view name) const {
        const std::optional<JsonValue> value = object_.find(name);
        return value && !value->is(JsonKind::null) ? value : std::nullopt;
    }
    bool has(std::string_view name) const { return find(name).has_value(); }
    double positive(std::string_view name, std::optional<double> fallback) {
        const std::optional<JsonValue> value = find(name);
        if (!value && fallback) return *fallback;
        if (value && value->is(JsonKind::number) && value->number() > 0) return value->number();
        fail(concat("config.json has rotary positions without a \"", name, "\" that is a number above 0."));
        return 1;
    }
    std::vector<double> factors(std::string_view name, std::size_t count) {
        std::vector<double> list;
        if (const std::optional<JsonValue> value = find(name); value && value->is(JsonKind::list)) {
            for (const JsonValue one : *value) list.push_back(one.number());
        }
        const bool is_right = list.size() == count && std::ranges::all_of(list, [](double one) { return one > 0; });
        if (!is_right)
            fail(concat("config.json has rotary positions without a \"", name, "\" of ", count,
                        " numbers above 0, one for each pair of a head."));
        for (const double one : list) want_not_tiny(name, one);
        return list;
    }
    // Frequencies are divided by it: one near 0 would make angles beyond those that have a cosine here (2^20).
    void want_not_tiny(std::string_view name, double factor) {
        if (factor < kLeastFactor)
            fail(concat("config.json has rotary positions with a \"", name,
                        "\" below 1/16, which this program does not "
                        "compute."));
    }
    void fail(std::string sentence) {
        if (problem.empty()) problem = std::move(sentence);
    }

private:
    JsonValue object_;
};

// By how much yarn lengthens queries and keys: Peng et al., section 3.4.
double yarn_length(double factor, double scale = 1) {
    return factor <= 1 ? 1 : 0.1 * scale * portable::log(factor) + 1;
}

void read_yarn(RopeReader& reader, RopeScaling& scaling) {
    scaling.beta_fast = reader.positive("beta_fast", 32);
    scaling.beta_slow = reader.positive("beta_slow", 1);
    const std::optional<JsonValue> truncates = reader.find("truncate");
    scaling.truncates = !truncates || truncates->boolean();
    const bool has_both = reader.has("mscale") && reader.has("mscale_all_dim");
    scaling.length = yarn_length(scaling.factor);
    if (has_both)
        scaling.length = yarn_length(scaling.factor, reader.positive("mscale", 1)) /
                         yarn_length(scaling.factor, reader.positive("mscale_all_dim", 1));
    scaling.length = reader.positive("attention_factor", scaling.length);
}

void read_longrope(RopeReader& reader, RopeScaling& scaling) {
    const auto pairs = static_cast<std::size_t>(scaling.dim / 2);
    scaling.short_factors = reader.factors("short_factor", pairs);
    scaling.long_factors = reader.factors("long_factor", pairs);
    const double stretch = scaling.max_positions / scaling.original_positions;
    const double length =
        stretch <= 1 ? 1 : std::sqrt(1 + portable::log(stretch) / portable::log(scaling.original_positions));
    scaling.length = reader.positive("attention_factor", length);
}

// The pair that turns so often within the original positions, as a number between pairs.
double pair_that_turns(double turns, const RopeScaling& scaling) {
    const double original = scaling.original_positions;
    return scaling.dim * portable::log(original / (turns * 2 * kPi)) / (2 * portable::log(scaling.base));
}

void stretch_along_ramp(const RopeScaling& scaling, std::vector<double>& frequencies) {
    double low = pair_that_turns(scaling.beta_fast, scaling);
    double high = pair_that_turns(scaling.beta_slow, scaling);
    if (scaling.truncates) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, scaling.dim - 1.0);
    if (low == high) high += 0.001;  // no division by 0
    for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
        const double ramp = std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
        frequencies[pair] = ramp * frequencies[pair] / scaling.factor + (1 - ramp) * frequencies[pair];
    }
}

void stretch_slow_ones(const RopeScaling& scaling, std::vector<double>& frequencies) {
    const double low = scaling.low_freq_factor, high = scaling.high_freq_factor;
    for (double& frequency : frequencies) {
        const double turns = scaling.original_positions * frequency / (2 * kPi);  // within the original positions
        const double share = std::clamp((turns - low) / (high - low), 0.0, 1.0);
        frequency = (1 - share) * frequency / scaling.factor + share * frequency;
    }
}

}  // namespace

std::string read_rope_scaling(JsonValue object, RopeScaling& scaling) {
    RopeReader reader(object);
    for (const JsonValue member : object) {
        if (std::ranges::find(kRopeMembers, member.name()) == kRopeMembers.end() && !member.is(JsonKind::null))
            reader.fail(concat("config.json has ", attn::quoted(member.name()),
                               " among its rotary positions, which this program does not know."));
    }
    const std::optional<JsonValue> name = reader.has("rope_type") ? reader.find("rope_type") : reader.find("type");
    if (!name) return reader.problem;
    const auto type =
        std::ranges::find_if(kRopeTypes, [&](const RopeTypeName& one) { return one.name == name->text(); });
    if (type == kRopeTypes.end())
        return concat("config.json says that rotary positions are of the type ", attn::quoted(name->text()),
                      "; this program computes \"default\", \"linear\", \"dynamic\", \"llama3\", \"yarn\" and "
                      "\"longrope\".");
    scaling.type = type->type;
    if (scaling.type == RopeType::plain) return reader.problem;
    const bool needs_factor = scaling.type != RopeType::longrope;
    scaling.factor = reader.positive("factor", needs_factor ? std::nullopt : std::optional(1.0));
    reader.want_not_tiny("factor", scaling.factor);
    const bool needs_original = scaling.type == RopeType::llama3;
    const double known = scaling.original_positions > 0 ? scaling.original_positions : scaling.max_positions;
    scaling.original_positions =
        reader.positive("original_max_position_embeddings", needs_original ? std::nullopt : std::optional(known));
    if (scaling.type == RopeType::llama3) {
        scaling.low_freq_factor = reader.positive("low_freq_factor", std::nullopt);
        scaling.high_freq_factor = reader.positive("high_freq_factor", std::nullopt);
        if (scaling.high_freq_factor <= scaling.low_freq_factor)
            reader.fail(
                "config.json has rotary positions whose \"high_freq_factor\" is not above \"low_freq_factor\".");
    }
    // Their formulas divide by these logarithms.
    if (scaling.type == RopeType::yarn && scaling.base <= 1)
        return "config.json has rotary positions of the type \"yarn\" with a \"rope_theta\" that is not above 1.";
    if (scaling.type == RopeType::longrope && scaling.original_positions <= 1)
        return "config.json has rotary positions whose \"original_max_position_embeddings\" is not above 1.";
    if (scaling.type == RopeType::yarn) read_yarn(reader, scaling);
    if (scaling.type == RopeType::longrope) read_longrope(reader, scaling);
    return reader.problem;
}

std::vector<double> rope_frequencies(const RopeScaling& scaling, int num_tokens) {
    std::vector<double> frequencies;
    for (int pair = 0; pair < scaling.dim / 2; ++pair)
        frequencies.push_back(rotary_angle(1, pair, scaling.dim, scaling.base));
    switch (scaling.type) {
        case RopeType::plain:
        case RopeType::dynamic:
            break;
        case RopeType::linear:
            for (double& one : frequencies) one /= scaling.factor;
            break;
        case RopeType::llama3:
            stretch_slow_ones(scaling, frequencies);
            break;
        case RopeType::yarn:
            stretch_along_ramp(scaling, frequencies);
            break;
        case RopeType::longrope: {
            const bool is_long = num_tokens > scaling.original_positions;
            const std::vector<double>& factors = is_long ? scaling.long_factors : scaling.short_factors;
            for (std::size_t pair = 0; pair < frequencies.size(); ++pair) frequencies[pair] /= factors[pair];
            break;
        }
    }
    return frequencies;
}

Rotation rope_rotation(const RopeScaling& scaling, int position, int num_tokens) {
    if (scaling.type == RopeType::plain) return rotation_at(position, scaling.dim, scaling.base);
    Rotation rotation;
    for (const double frequency : rope_frequencies(scaling, num_tokens)) {
        const double angle = position * frequency;
        rotation.cosines.push_back(scaling.length * portable::cos(angle));
        rotation.sines.push_back(scaling.length * portable::sin(angle));
    }
    return rotation;
}

bool turns_otherwise(const RopeScaling& scaling, int before, int after) {
    if (scaling.type != RopeType::longrope) return false;
    return (before > scaling.original_positions) != (after > scaling.original_positions);
}

}  // namespace attn
