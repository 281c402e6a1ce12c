// Golden numbers in files of JSON, and comparisons with them that say which cell differs. Apart from problems.h: the
// library's header costs a compiler more than all others of a test together.
#pragma once

#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/ground/tensor.h"
#include "project_folder.h"

namespace attn::test {

inline nlohmann::json load_golden(const std::string& name) {
    std::ifstream file(std::string(kProjectFolder) + "/tests/golden/" + name);
    REQUIRE(file.good());
    return nlohmann::json::parse(file);
}

inline Matrix matrix_of(const nlohmann::json& rows) {
    Matrix matrix = zeros<Matrix>(rows.size(), rows.at(0).size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows[i].size(); ++j) matrix(i, j) = rows[i][j].get<float>();
    }
    return matrix;
}

// Every cell of `computed` within `tolerance` of the number in the file; null there stands for -inf.
template <class Computed>
void require_close(const Computed& computed, const nlohmann::json& golden, double tolerance) {
    REQUIRE(computed.shape(0) == golden.size());
    for (std::size_t i = 0; i < golden.size(); ++i) {
        REQUIRE(computed.shape(1) == golden[i].size());
        for (std::size_t j = 0; j < golden[i].size(); ++j) {
            CAPTURE(i, j);
            const double value = static_cast<double>(computed(i, j));
            if (golden[i][j].is_null()) {
                REQUIRE(value == -std::numeric_limits<double>::infinity());
            } else {
                REQUIRE(std::abs(value - golden[i][j].get<double>()) <= tolerance);
            }
        }
    }
}

}  // namespace attn::test
