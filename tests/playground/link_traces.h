// What the tests of published numbers share: links made of golden files, and the traces they lead to.
#pragma once

#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/golden_json.h"
#include "playground/link/state_url.h"
#include "playground/print/trace_export.h"

namespace attn::test {

inline constexpr double kSixDecimals = 0.5e-6;  // half a unit of the last digit in the files
inline constexpr double kFourDecimals = 0.5e-4;

inline const std::string kJourney = "text=Your+journey+starts+with+one+step&embed=typed&pos=none&x=";

// Rows as links write them: "1,2;3,4".
inline std::string link_rows(const nlohmann::json& rows) {
    std::string text;
    for (const nlohmann::json& row : rows) {
        if (!text.empty()) text += ';';
        for (std::size_t c = 0; c < row.size(); ++c) text += (c == 0 ? "" : ",") + row[c].dump();
    }
    return text;
}

// The matrices of the heads as one: (num_heads, T, head_dim) to (T, d_out).
inline nlohmann::json heads_side_by_side(const nlohmann::json& heads) {
    nlohmann::json rows = heads[0];
    for (std::size_t h = 1; h < heads.size(); ++h) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (const nlohmann::json& number : heads[h][i]) rows[i].push_back(number);
        }
    }
    return rows;
}

// The trace of a link that must need no notes.
inline nlohmann::json trace_of(const std::string& link) {
    const ReadLink read = read_link(link);
    nlohmann::json trace =
        nlohmann::json::parse(export_trace(read.state, read.notes, std::nullopt, ExportFormat::json));
    REQUIRE(trace["notes"].empty());
    for (const nlohmann::json& sentence : trace["sentences"]) REQUIRE(sentence["notes"].empty());
    return trace;
}

inline nlohmann::json stage_of(const nlohmann::json& trace, std::string_view name, std::size_t sentence = 0) {
    for (const nlohmann::json& stage : trace["sentences"][sentence]["stages"]) {
        if (stage["name"] == name) return stage["values"];
    }
    FAIL("no stage " << name);
    return {};
}

// The bound on |computed - golden|: absolute, or relative for large numbers. Null stands for -inf.
inline void check_close(const nlohmann::json& computed, const nlohmann::json& golden, double absolute,
                        double relative) {
    REQUIRE(computed.is_array() == golden.is_array());
    if (golden.is_array()) {
        REQUIRE(computed.size() == golden.size());
        for (std::size_t i = 0; i < golden.size(); ++i) check_close(computed[i], golden[i], absolute, relative);
    } else if (golden.is_null()) {
        CHECK(computed.is_null());
    } else {
        CHECK(std::abs(computed.get<double>() - golden.get<double>()) <=
              absolute + relative * std::abs(golden.get<double>()));
    }
}

}  // namespace attn::test
