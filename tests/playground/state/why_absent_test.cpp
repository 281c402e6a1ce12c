// A tensor that is not there is not there because of a setting of the link, and that one is named.
#include <catch_amalgamated.hpp>
#include <string>

#include "playground/link/state_url.h"
#include "playground/state/shapes.h"

namespace attn::test {

TEST_CASE("a tensor says why it is absent if it is, and only then", "[state][property]") {
    const std::string link =
        GENERATE("", "d_out=8&heads=2&dropout=0.1&bias=1&out=1&mask_at=after", "pos=rope&latent=3",
                 "pos=rope&latent=3&rope_dim=2&latent_queries=2", "pos=alibi&sink_logits=1&score_cap=3",
                 "qk_norm=1&goal=next&d_in=4", "init=none&d_in=4&d_out=4", "d_out=8&goal=next",
                 "d_out=8&goal=next&logit_cap=3", "d_out=8&logit_cap=3&goal=pattern&target=0>0");
    const Inputs inputs = read_link(link).state.inputs;
    for (int id = 0; id <= static_cast<int>(TensorId::vocabulary); ++id) {
        const auto tensor = static_cast<TensorId>(id);
        CAPTURE(link, tensor_name(tensor));
        const bool is_there = is_stage(tensor)     ? is_present(inputs, tensor)
                              : is_learned(tensor) ? has_learned(tensor, layer_parts(inputs))
                                                   : true;
        CHECK(why_absent(inputs, tensor).empty() == is_there);
    }
}

TEST_CASE("the setting that leaves a tensor out is named", "[state]") {
    const auto why = [](const std::string& link, TensorId tensor) {
        return why_absent(read_link(link).state.inputs, tensor);
    };
    CHECK(why("", TensorId::grad_w_query) == "goal is none");
    CHECK(why("", TensorId::logits) == "goal is not next");
    CHECK(why("d_out=8&goal=pattern&target=0>0", TensorId::grad_values) ==
          "goal is pattern, and no weight depends on values");
    CHECK(why("d_out=8&goal=next", TensorId::grad_b_key) == "bias is off");
    CHECK(why("", TensorId::dropped_weights) == "dropout is 0");
    CHECK(why("out=0", TensorId::output) == "out, the output projection, is off");
    CHECK(why("", TensorId::rotated_keys) == "pos is not rope");
    CHECK(why("", TensorId::capped_scores) == "score_cap is 0");
    CHECK(why("d_in=4&goal=next", TensorId::grad_capped_scores) == "score_cap is 0");
    CHECK(why("d_in=4&goal=next", TensorId::capped_logits) == "logit_cap is 0");
    CHECK(why("", TensorId::biased_scores) == "pos is not alibi");
    CHECK(why("", TensorId::absorbed_queries) == "latent is 0");
    CHECK(why("pos=rope&latent=3", TensorId::absorbed_queries) == "pos is rope, which is between queries and w_key");
    CHECK(why("", TensorId::query_latents) == "latent_queries is 0");
    CHECK(why("", TensorId::position_keys) == "rope_dim is 0");
    CHECK(why("", TensorId::unmasked_weights) == "the mask comes before the softmax (mask_at)");
    CHECK(why("mask_at=after", TensorId::masked_scores) == "the mask comes after the softmax (mask_at)");
    CHECK(why("", TensorId::normed_keys) == "qk_norm is off");
    CHECK(why("d_out=8&logit_cap=3", TensorId::capped_logits) == "goal is not next");
    CHECK(why("", TensorId::sink_weights) == "sink_logits is off");
    CHECK(why("init=none&d_in=4&d_out=4", TensorId::w_query) == "init is none: query = key = value = X");
}

}  // namespace attn::test
