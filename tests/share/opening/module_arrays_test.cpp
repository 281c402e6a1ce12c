#include "share/opening/module_arrays.h"

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "model/files/safetensors_writer.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/origin.h"
#include "share/formats/npy.h"
#include "share/formats/zip_file.h"
#include "share/golden_file.h"
#include "share/opening/open_file.h"
#include "share/opening/tensor_arrays.h"

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

Result<FileOffer> opened(const std::vector<ZipEntry>& entries, std::string_view link) {
    return open_file({.name = "a.npz", .bytes = write_zip(entries)}, read_link(link).state);
}

TEST_CASE("the module of a name is what stands before its layer, its head and its array", "[module_arrays]") {
    const std::pair<std::string_view, std::string_view> cases[] = {{"in_proj_weight", ""},
                                                                   {"self_attn.in_proj_bias", "self_attn"},
                                                                   {"self_attn.out_proj.weight", "self_attn"},
                                                                   {"h.0.attn.c_attn.weight", "h.0.attn"},
                                                                   {"attn.to_out.0.bias", "attn"},
                                                                   {"blocks.1.sa.heads.2.key.weight", "blocks.1.sa"},
                                                                   {"blocks.1.sa.heads.2.tril", "blocks.1.sa"},
                                                                   {"heads.0.W_query.weight", ""},
                                                                   {"heads.0.W_query", ""},
                                                                   {"layers.0.W_query.weight", "layers.0"},
                                                                   {"x", ""}};
    for (const auto& [name, module] : cases) {
        CAPTURE(name);
        CHECK(module_of(name) == module);
    }
    const std::vector<std::string> names = {"emb.weight", "b.0.sa.key.weight", "b.0.sa.proj.weight",
                                            "b.1.sa.key.weight"};
    CHECK(attention_modules(names) == std::vector<std::string_view>{"b.0.sa", "b.1.sa"});
    CHECK(belongs_to("x", "b.0.sa"));
    CHECK(belongs_to("b.0.sa.tril", "b.0.sa"));
    CHECK_FALSE(belongs_to("b.0.sab.tril", "b.0.sa"));
    CHECK_FALSE(belongs_to("proj.weight", "b.0.sa"));
}

// Head 1 has rows 1 and 2 of each matrix, head 2 rows 3 and 4.
TEST_CASE("heads that are modules of their own are read side by side", "[module_arrays]") {
    std::vector<ZipEntry> entries;
    for (const int head : {1, 0})
        for (const std::string layer : {"key", "query", "value"}) {
            const auto at = static_cast<float>(4 * head + (layer == "key" ? 10 : layer == "query" ? 20 : 30));
            entries.push_back({.name = concat("sa.heads.", head, ".", layer, ".weight.npy"),
                               .bytes = array_file({2, 2}, {at, at + 1, at + 2, at + 3})});
        }
    for (const int head : {0, 1})
        entries.push_back(
            {.name = concat("sa.heads.", head, ".tril.npy"), .bytes = array_file({3, 3}, std::vector<float>(9, 1))});
    entries.push_back({.name = "sa.proj.weight.npy", .bytes = array_file({4, 4}, std::vector<float>(16, 2))});
    const Result<FileOffer> offer = opened(entries, "text=a+b&d_in=2&d_out=4&heads=1&pos=none&embed=hash");
    INFO(offer.error());
    REQUIRE(offer);
    CHECK_FALSE(offer->is_certain);
    CHECK_THAT(offer->question, ContainsSubstring("those of 2 heads; here is 1"));
    CHECK_THAT(offer->choices[0].label, ContainsSubstring("heads become 2"));
    const Inputs& inputs = offer->choices[0].state.inputs;
    CHECK(inputs.num_heads == 2);
    CHECK(evaluate(inputs, 0).problem->projections->w_key == Matrix{{10, 12, 14, 16}, {11, 13, 15, 17}});
    CHECK(opened(entries, "text=a+b&d_in=2&d_out=4&heads=2&pos=none&embed=hash")->is_certain);

    // As a notebook keeps matrices without layers, (d_in, head_dim).
    const std::vector<ZipEntry> plain = {{.name = "heads.0.W_query.npy", .bytes = array_file({2, 1}, {1, 2})},
                                         {.name = "heads.1.W_query.npy", .bytes = array_file({2, 1}, {3, 4})},
                                         {.name = "heads.0.W_key.npy", .bytes = array_file({2, 1}, {5, 6})},
                                         {.name = "heads.1.W_key.npy", .bytes = array_file({2, 1}, {7, 8})}};
    const Result<FileOffer> of_plain = opened(plain, "text=a+b&d_in=2&d_out=2&heads=2&pos=none&embed=hash");
    REQUIRE(of_plain);
    CHECK(evaluate(of_plain->choices[0].state.inputs, 0).problem->projections->w_query == Matrix{{1, 3}, {2, 4}});
}

TEST_CASE("heads that do not go together are refused", "[module_arrays][bad-input]") {
    const std::string link = "text=a+b&d_in=2&d_out=2&heads=2&pos=none&embed=hash";
    const auto refusal = [&](std::vector<ZipEntry> more) {
        std::vector<ZipEntry> entries = {{.name = "heads.0.key.weight.npy", .bytes = array_file({1, 2}, {1, 2})},
                                         {.name = "heads.0.query.weight.npy", .bytes = array_file({1, 2}, {1, 2})},
                                         {.name = "heads.1.query.weight.npy", .bytes = array_file({1, 2}, {1, 2})}};
        entries.insert(entries.end(), more.begin(), more.end());
        return opened(entries, link).error();
    };
    CHECK(refusal({}) == "There are 2 heads, and 1 of them have \"key.weight\".");
    CHECK_THAT(refusal({{.name = "heads.1.key.weight.npy", .bytes = array_file({2, 1}, {1, 2})}}),
               ContainsSubstring("\"heads.1.key.weight\" is (2, 1), and \"heads.0.key.weight\" is (1, 2)"));
    const ZipEntry key = {.name = "heads.1.key.weight.npy", .bytes = array_file({1, 2}, {1, 2})};
    CHECK(refusal({key}).empty());
    CHECK_THAT(refusal({key,
                        {.name = "heads.0.proj.weight.npy", .bytes = array_file({1, 1}, {1})},
                        {.name = "heads.1.proj.weight.npy", .bytes = array_file({1, 1}, {1})}}),
               ContainsSubstring("each head has one of its own"));
    const auto mask = [&](int head, float last) {
        return ZipEntry{.name = concat("heads.", head, ".mask.npy"), .bytes = array_file({2, 2}, {0, 1, 0, last})};
    };
    CHECK(refusal({key, mask(0, 0), mask(1, 0)}).empty());
    CHECK_THAT(refusal({key, mask(0, 0), mask(1, 1)}), ContainsSubstring("Each head has a mask of its own"));
}

TEST_CASE("of a layer the attention is offered, of several modules one is chosen", "[module_arrays]") {
    const std::string link = "text=a+b&d_in=2&d_out=2&heads=1&bias=1&pos=none&embed=hash";
    std::vector<ZipEntry> layer;
    for (const std::string module : {"self_attn", "multihead_attn"}) {
        const float first = module == "self_attn" ? 0 : 100;
        std::vector<float> numbers(12);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = first + static_cast<float>(i);
        layer.push_back({.name = module + ".in_proj_weight.npy", .bytes = array_file({6, 2}, numbers)});
        layer.push_back({.name = module + ".in_proj_bias.npy", .bytes = array_file({6}, {1, 2, 3, 4, 5, 6})});
        layer.push_back({.name = module + ".out_proj.weight.npy", .bytes = array_file({2, 2}, {1, 2, 3, 4})});
    }
    layer.push_back({.name = "linear1.weight.npy", .bytes = array_file({4, 2}, std::vector<float>(8, 1))});
    const Result<FileOffer> of_decoder = opened(layer, link);
    INFO(of_decoder.error());
    REQUIRE(of_decoder);
    CHECK(of_decoder->question ==
          "\"a.npz\" holds 2 attention modules; the playground shows one. What else is in the file has no place here: "
          "\"linear1.weight\".");
    CHECK_FALSE(of_decoder->is_certain);
    REQUIRE(of_decoder->choices.size() == 2);
    CHECK(of_decoder->choices[1].label.starts_with("multihead_attn: take them over"));
    CHECK(evaluate(of_decoder->choices[1].state.inputs, 0).problem->projections->w_query ==
          Matrix{{100, 102}, {101, 103}});

    std::erase_if(layer, [](const ZipEntry& entry) { return entry.name.starts_with("multi"); });
    const Result<FileOffer> of_encoder = opened(layer, link);
    REQUIRE(of_encoder);
    REQUIRE(of_encoder->choices.size() == 1);
    CHECK_FALSE(of_encoder->is_certain);
    CHECK_THAT(of_encoder->question,
               ContainsSubstring("What else is in the file has no place here: \"linear1.weight\"."));
    layer.pop_back();
    CHECK(opened(layer, link)->choices.size() == 1);
    layer[0].name = "self_attn.in_proj_weight_twice.npy";
    CHECK(opened(layer, link).error().find("in_proj_weight_twice") != std::string::npos);
}

TEST_CASE("a module's matrices take the place of a trained model's", "[module_arrays]") {
    PlaygroundState state = read_link("text=the+cat&view=door").state;
    REQUIRE(state.inputs.model == kFirstWords.name);
    const Result<FileOffer> offer =
        open_file({.name = "module.pt", .bytes = test::golden_file("modules/module.pt")}, state);
    INFO(offer.error());
    REQUIRE(offer);
    const PlaygroundState& after = offer->choices[0].state;
    CHECK(after.inputs.model.empty());
    CHECK(after.inputs.d_in == 6);
    CHECK(after.view.view == ViewKind::matrix);
    CHECK(after.inputs.texts == state.inputs.texts);
    CHECK(offer->choices[0].notes.at(0) == "the matrices are the file's, no longer those of \"first-words\"");
}

TEST_CASE("keys of another width than queries are refused by both sizes", "[module_arrays][bad-input]") {
    const std::vector<ZipEntry> module = {
        {.name = "q_proj_weight.npy", .bytes = array_file({2, 2}, {1, 2, 3, 4})},
        {.name = "k_proj_weight.npy", .bytes = array_file({2, 3}, {1, 2, 3, 4, 5, 6})},
        {.name = "v_proj_weight.npy", .bytes = array_file({2, 3}, {1, 2, 3, 4, 5, 6})}};
    const std::string error = opened(module, "text=a+b&d_in=2&d_out=2&heads=1").error();
    CAPTURE(error);
    CHECK_FALSE(error.empty());
    CHECK(opened({module[0], {.name = "k_proj_weight.npy", .bytes = array_file({2, 2}, {1, 2, 3, 4})}},
                 "text=a+b&d_in=2&d_out=2&heads=1"));
}

TEST_CASE("a state_dict in a safetensors file is read as its arrays, in all types that have numbers",
          "[module_arrays]") {
    const std::vector<float> numbers = {1, -2, 0.5F, 4};
    const std::string bytes =
        write_safetensors(std::vector<WrittenTensor>{{.name = "W_query.weight", .shape = {2, 2}, .numbers = numbers},
                                                     {.name = "W_key.weight", .shape = {2, 2}, .numbers = numbers}},
                          "F16", {});
    CHECK(looks_like_safetensors(bytes));
    const PlaygroundState state = read_link("text=a+b&d_in=2&d_out=2&heads=1&pos=none&embed=hash").state;
    const Result<FileOffer> offer = open_file({.name = "w.safetensors", .bytes = bytes}, state);
    INFO(offer.error());
    REQUIRE(offer);
    CHECK(evaluate(offer->choices[0].state.inputs, 0).problem->projections->w_query == Matrix{{1, 0.5}, {-2, 4}});
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
        CHECK_FALSE(open_file({.name = "w.safetensors", .bytes = std::string_view(bytes).substr(0, cut)}, state));

    const auto file_of = [](std::string_view type, const std::string& data, std::string_view shape) {
        std::string header =
            concat(R"({"mask":{"dtype":")", type, R"(","shape":)", shape, R"(,"data_offsets":[0,)", data.size(), "]}}");
        std::string length(8, '\0');
        length[0] = static_cast<char>(header.size());
        return length + header + data;
    };
    const auto read = [&](std::string_view type, const std::string& data, std::string_view shape) {
        const std::string file = file_of(type, data, shape);
        const Result<TensorFiles> tensors = open_tensors("a.safetensors", file);
        INFO(tensors.error());
        REQUIRE(tensors);
        return read_tensors(*tensors, [](std::string_view) { return true; });
    };
    const auto numbers_read = [&](std::string_view type, const std::string& data) {
        const Result<NpzContents> contents = read(type, data, "[2]");
        INFO(contents.error());
        REQUIRE(contents);
        CHECK(contents->arrays[0].array.is_boolean == (type == "BOOL"));
        return contents->arrays[0].array.numbers;
    };
    using Numbers = std::vector<double>;
    CHECK(numbers_read("BOOL", std::string("\1\0", 2)) == Numbers{1, 0});
    CHECK(numbers_read("U8", "\xff\x01") == Numbers{255, 1});
    CHECK(numbers_read("I8", "\xff\x01") == Numbers{-1, 1});
    CHECK(numbers_read("I16", std::string("\xfe\xff\x01\x00", 4)) == Numbers{-2, 1});
    CHECK(numbers_read("I64", std::string("\xfd\xff\xff\xff\xff\xff\xff\xff\1\0\0\0\0\0\0\0", 16)) == Numbers{-3, 1});
    CHECK(numbers_read("F64", std::string("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0", 16)) == Numbers{1, -2});
    CHECK(numbers_read("BF16", std::string("\x80\x3f\x00\xc0", 4)) == Numbers{1, -2});
    CHECK(read("F8_E4M3", "ab", "[2]").error() == "\"mask\" has numbers of the type F8_E4M3, which are not read here.");
}

// Files that PyTorch 1.13.1 saved, and what its modules make of the same X (tests/torch/student_modules.py).
TEST_CASE("a module's file from torch.save gives what PyTorch's module gives", "[module_arrays][golden]") {
    std::map<std::string, std::vector<float>> numbers;
    std::istringstream lines(test::golden_file("modules/outputs.txt"));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        for (float number = 0; words >> number;) numbers[name].push_back(number);
    }
    const std::string with_x = write_npy(std::vector<std::int64_t>{4, 6}, numbers.at("x"));
    for (const std::string name : {"module", "encoder_layer", "heads", "turned"}) {
        CAPTURE(name);
        PlaygroundState state =
            read_link("text=a+b+c+d&d_in=6&d_out=6&heads=3&bias=1&pos=none&embed=typed&mask_at=before").state;
        state = open_file({.name = "x.npy", .bytes = with_x}, state)->choices[0].state;
        const Result<FileOffer> offer =
            open_file({.name = name + ".pt", .bytes = test::golden_file("modules/" + name + ".pt")}, state);
        INFO(offer.error());
        REQUIRE(offer);
        CHECK(offer->choices.size() == 1);
        CHECK(offer->is_certain == (name != "encoder_layer"));
        const Evaluation read = evaluate(offer->choices[0].state.inputs, 0);
        const Matrix& output = read.trace.output;
        REQUIRE(output.size() == numbers.at(name).size());
        for (std::size_t i = 0; i < output.size(); ++i)
            CHECK_THAT(output.data()[i], Catch::Matchers::WithinAbs(numbers.at(name)[i], 2e-6));  // floats of size 1
    }
}

}  // namespace
}  // namespace attn
