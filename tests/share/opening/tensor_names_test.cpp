#include "share/opening/tensor_names.h"

#include <catch_amalgamated.hpp>

namespace attn {
namespace {

TEST_CASE("the names of notebooks, of PyTorch and of this program are known", "[tensor_names]") {
    const auto [name, role] = GENERATE(table<std::string, ArrayRole>({
        {"x", {.tensor = TensorId::embeddings}},
        {"X", {.tensor = TensorId::embeddings}},
        {"embeddings", {.tensor = TensorId::embeddings}},
        {"W_query", {.tensor = TensorId::w_query}},
        {"W_q", {.tensor = TensorId::w_query}},
        {"Wk", {.tensor = TensorId::w_key}},
        {"w_value", {.tensor = TensorId::w_value}},
        {"W_query.weight", {.tensor = TensorId::w_query, .is_turned = true}},
        {"layers.3.att.W_key.weight", {.tensor = TensorId::w_key, .is_turned = true}},
        {"self_attn.q_proj.bias", {.tensor = TensorId::b_query}},
        {"out_proj.weight", {.tensor = TensorId::w_out, .is_turned = true}},
        {"out_proj.bias", {.tensor = TensorId::b_out}},
        {"b_value", {.tensor = TensorId::b_value}},
        {"key.weight", {.tensor = TensorId::w_key, .is_turned = true}},
        {"attention.self.value.bias", {.tensor = TensorId::b_value}},
        {"to_q.weight", {.tensor = TensorId::w_query, .is_turned = true}},
        {"to_out.0.weight", {.tensor = TensorId::w_out, .is_turned = true}},
        {"to_out.0.bias", {.tensor = TensorId::b_out}},
        {"sa.proj.weight", {.tensor = TensorId::w_out, .is_turned = true}},
        {"queries", {.tensor = TensorId::queries}},
        {"2/mask", {.tensor = TensorId::mask, .sentence = 1}},
        {"16/embeddings", {.tensor = TensorId::embeddings, .sentence = 15}},
    }));
    INFO(name);
    CHECK(role_of_name(name) == role);
}

TEST_CASE("other names say nothing", "[tensor_names]") {
    const auto* name =
        GENERATE("", "key", "to_q", "c_proj.weight", "arr_0", "weights", "scores", "weight", "bias", "x.weight",
                 "mask.bias", "0/x", "17/x", "99999999999999999999/x", "-1/x", "../x", "in_proj_weight", "/x.", "2/");
    INFO(name);
    CHECK_FALSE(role_of_name(name));
}

TEST_CASE("a file is known by its name without what browsers and this program add", "[tensor_names]") {
    CHECK(role_of_file("w_query.npy")->tensor == TensorId::w_query);
    CHECK(role_of_file("W_query.weight.npy")->is_turned);
    CHECK(role_of_file("w_key (1).csv")->tensor == TensorId::w_key);
    CHECK(role_of_file("attention-the-artist-embeddings.npy")->tensor == TensorId::embeddings);
    CHECK_FALSE(role_of_file("attention-the-artist-weights.npy"));
    CHECK_FALSE(role_of_file("my-mask.npy"));
    CHECK_FALSE(role_of_file("(1)"));
    CHECK_FALSE(role_of_file("1).npy"));
    CHECK_FALSE(role_of_file(""));
}

}  // namespace
}  // namespace attn
