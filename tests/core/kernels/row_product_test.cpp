// One row times a matrix as it lies: the bits of the kernels' packed products, of every size and stride.
#include "core/kernels/row_product.h"

#include <catch_amalgamated.hpp>
#include <vector>

#include "core/kernels/packed_matrix.h"
#include "core/problems.h"

namespace attn::test {
TEST_CASE("one row's products have the bits of packed ones", "[kernels][property]") {
    for (const std::size_t inputs : {1, 3, 4, 7, 64, 130}) {
        for (const std::size_t columns : {1, 2, 5, 8, 9, 31, 64, 101}) {
            INFO(inputs << " x " << columns);
            const std::vector<float> x = drawn_numbers(inputs, 3);
            PackedRows row;
            REQUIRE(row.reserve(1, inputs));
            row.pack(x.data(), 1, inputs);
            const std::vector<float> w = drawn_numbers((inputs + 3) * (columns + 3), 4);
            PackedMatrix packed;
            std::vector<float> out(columns + 1, -7);

            REQUIRE(packed.pack(w.data(), columns + 3, inputs, columns));
            const float* wanted = packed.project(row, 0, 1, nullptr);
            multiply_row(x.data(), w.data(), columns + 3, inputs, columns, out.data());
            for (std::size_t c = 0; c < columns; ++c) REQUIRE(out[c] == wanted[c]);
            CHECK(out.back() == -7);

            REQUIRE(packed.pack_transposed(w.data(), inputs + 3, inputs, columns));
            wanted = packed.project(row, 0, 1, nullptr);
            multiply_row_transposed(x.data(), w.data(), inputs + 3, inputs, columns, out.data());
            for (std::size_t c = 0; c < columns; ++c) REQUIRE(out[c] == wanted[c]);
            CHECK(out.back() == -7);
        }
    }
}

}  // namespace attn::test
