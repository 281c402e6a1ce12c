#include "share/opening/module_arrays.h"

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "share/formats/npy.h"
#include "share/formats/zip_file.h"
#include "share/opening/open_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

std::string array_file(const std::vector<std::int64_t>& shape, const std::vector<float>& numbers) {
    return write_npy(shape, numbers);
}

Projections projections_read(const std::vector<ZipEntry>& entries, const PlaygroundState& state) {
    const Result<FileOffer> offer = open_file({.name = "a.npz", .bytes = write_zip(entries)}, state);
    INFO(offer.error());
    REQUIRE(offer);
    return *evaluate(offer->choices[0].state.inputs, 0).problem->projections;
}

TEST_CASE("stacked matrices are known by their names, and buffers", "[module_arrays]") {
    for (const char* name : {"in_proj_weight", "in_proj_bias", "layers.0.self_attn.in_proj_weight", "c_attn.weight",
                             "h.0.attn.c_attn.bias", "qkv.weight", "to_qkv.weight"})
        CHECK(is_stacked_name(name));
    for (const char* name :
         {"", "in_proj", "my_in_proj_weight", "in_proj_weight.weight", "x", "c_attn", "my_qkv.weight"})
        CHECK_FALSE(is_stacked_name(name));
    for (const char* name : {"tril", "sa.heads.0.tril", "h.0.attn.bias", "bias", "attn.masked_bias"})
        CHECK(is_buffer_name(name));
    for (const char* name : {"key.bias", "out_proj.bias", "x", ""}) CHECK_FALSE(is_buffer_name(name));
}

// A row below the other: 100 for each part, 10 a row, 1 a column.
TEST_CASE("a state_dict of nn.MultiheadAttention is queries, keys and values below each other", "[module_arrays]") {
    const PlaygroundState state = read_link("text=a+b+c&d_in=2&d_out=2&heads=1&bias=1&pos=none&embed=hash").state;
    std::vector<float> weight, bias;
    for (const float part : {100.F, 200.F, 300.F}) {
        for (const float row : {0.F, 10.F}) {
            weight.insert(weight.end(), {part + row, part + row + 1});
            bias.push_back(-part - row);
        }
    }
    const std::vector<ZipEntry> module = {
        {.name = "attn.in_proj_weight.npy", .bytes = array_file({6, 2}, weight)},
        {.name = "attn.in_proj_bias.npy", .bytes = array_file({6}, bias)},
        {.name = "attn.out_proj.weight.npy", .bytes = array_file({2, 2}, {1, 2, 3, 4})},
        {.name = "attn.out_proj.bias.npy", .bytes = array_file({2}, {5, 6})}};
    const auto opened = [&](const std::vector<ZipEntry>& entries) {
        return open_file({.name = "mha.npz", .bytes = write_zip(entries)}, state);
    };
    const Projections read = projections_read(module, state);
    CHECK(read.w_query == Matrix{{100, 110}, {101, 111}});
    CHECK(read.w_key == Matrix{{200, 210}, {201, 211}});
    CHECK(read.w_value == Matrix{{300, 310}, {301, 311}});
    CHECK(read.b_query == Vector{-100, -110});
    CHECK(read.b_key == Vector{-200, -210});
    CHECK(read.b_value == Vector{-300, -310});
    CHECK(read.w_out == Matrix{{1, 3}, {2, 4}});
    CHECK(opened({module[0]}));
    for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{{4, 3}, {12}, {2, 3, 2}})
        CHECK_THAT(
            opened({{.name = "in_proj_weight.npy", .bytes = array_file(shape, std::vector<float>(12, 1))}}).error(),
            ContainsSubstring("want (3E, E)"));
}

// The same module as nn.Linear keeps it, (3E, d_in), and as GPT-2's Conv1D does, (d_in, 3E).
TEST_CASE("GPT-2's c_attn is cut by rows or by columns, as its shape says", "[module_arrays]") {
    const PlaygroundState state = read_link("text=a+b&d_in=2&d_out=2&heads=1&pos=none&embed=hash").state;
    const std::vector<float> rows = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const std::vector<float> columns = {1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12};
    for (const bool is_conv : {false, true}) {
        const Projections read = projections_read(
            {{.name = "c_attn.weight.npy", .bytes = is_conv ? array_file({2, 6}, columns) : array_file({6, 2}, rows)},
             {.name = "c_attn.bias.npy", .bytes = array_file({6}, {1, 2, 3, 4, 5, 6})},
             {.name = "c_proj.weight.npy",
              .bytes = is_conv ? array_file({2, 2}, {1, 3, 2, 4}) : array_file({2, 2}, {1, 2, 3, 4})},
             {.name = "c_proj.bias.npy", .bytes = array_file({2}, {7, 8})},
             {.name = "attn.bias.npy", .bytes = array_file({1, 1, 4, 4}, std::vector<float>(16, 1))}},
            state);
        CHECK(read.w_query == Matrix{{1, 3}, {2, 4}});
        CHECK(read.w_key == Matrix{{5, 7}, {6, 8}});
        CHECK(read.w_value == Matrix{{9, 11}, {10, 12}});
        CHECK(read.b_value == Vector{5, 6});
        CHECK(read.w_out == Matrix{{1, 3}, {2, 4}});
        CHECK(read.b_out == Vector{7, 8});
    }
    // Where both sides are three of something, the output projection tells: here d_in is 3 and d_out is 2.
    const std::vector<float> wide = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    const ZipEntry out = {.name = "c_proj.weight.npy", .bytes = array_file({2, 2}, {1, 2, 3, 4})};
    const ZipEntry stacked = {.name = "c_attn.weight.npy", .bytes = array_file({6, 3}, wide)};
    CHECK(projections_read({stacked, out}, state).w_key == Matrix{{7, 10}, {8, 11}, {9, 12}});
    CHECK_THAT(open_file({.name = "a.npz", .bytes = write_zip({stacked})}, state).error(),
               ContainsSubstring("\"c_attn.weight\" is (6, 3), want (3E, E) or (E, 3E)"));
}

TEST_CASE("a lecture's head and a library's attention are read by their layers' names", "[module_arrays]") {
    const PlaygroundState state = read_link("text=a+b&d_in=2&d_out=1&heads=1&pos=none&embed=hash").state;
    for (const std::string names : {"key,query,value", "to_k,to_q,to_v", "W_key,W_query,W_value"}) {
        CAPTURE(names);
        const std::string key = names.substr(0, names.find(',')), query = names.substr(key.size() + 1, key.size() + 2),
                          value = names.substr(names.rfind(',') + 1);
        const Projections read = projections_read(
            {{.name = key + ".weight.npy", .bytes = array_file({1, 2}, {1, 2})},
             {.name = query.substr(0, query.find(',')) + ".weight.npy", .bytes = array_file({1, 2}, {3, 4})},
             {.name = value + ".weight.npy", .bytes = array_file({1, 2}, {5, 6})},
             {.name = "tril.npy", .bytes = array_file({3, 3}, std::vector<float>(9, 1))}},
            state);
        CHECK(read.w_key == Matrix{{1}, {2}});
        CHECK(read.w_query == Matrix{{3}, {4}});
        CHECK(read.w_value == Matrix{{5}, {6}});
    }
}

}  // namespace
}  // namespace attn
