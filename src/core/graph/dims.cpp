// Looks up what the names stand for.
#include "core/graph/dims.h"

namespace attn {

int Sizes::of(Dim dim) const {
    switch (dim) {
        case Dim::one:
            return 1;
        case Dim::tokens:
        case Dim::keys:
            return num_tokens;
        case Dim::d_in:
            return d_in;
        case Dim::d_out:
            return d_out;
        case Dim::heads:
            return num_heads;
        case Dim::kv_heads:
            return kv_heads();
        case Dim::head_dim:
            return head_dim();
        case Dim::kv_width:
            return kv_width();
        case Dim::latent:
            return latent;
        case Dim::query_latent:
            return query_latent;
        case Dim::query_rows:
            return query_rows();
        case Dim::kv_rows:
            return kv_rows();
        case Dim::rope_dim:
            return rope_dim;
        case Dim::rope_width:
            return num_heads * rope_dim;
        case Dim::score_dim:
            return score_dim();
        case Dim::mlp_width:
            return mlp_width;
        case Dim::words:
            return num_words;
    }
    return 0;
}

std::string_view Sizes::letters(Dim dim) const {
    switch (dim) {
        case Dim::one:
            return "1";
        case Dim::tokens:
        case Dim::keys:
            return "T";
        case Dim::d_in:
            return "d_in";
        case Dim::d_out:
            return "d_out";
        case Dim::heads:
            return "num_heads";
        case Dim::kv_heads:
            return num_kv_heads == 0 ? "num_heads" : "kv_heads";
        case Dim::head_dim:
            return "head_dim";
        case Dim::kv_width:
            return num_kv_heads == 0 ? "d_out" : "kv_width";
        case Dim::latent:
            return "latent";
        case Dim::query_latent:
            return "query_latent";
        case Dim::query_rows:
            return query_latent == 0 ? "d_in" : "query_latent";
        case Dim::kv_rows:
            return latent == 0 ? "d_in" : "latent";
        case Dim::rope_dim:
            return "rope_dim";
        case Dim::rope_width:
            return "num_heads · rope_dim";
        case Dim::score_dim:
            return rope_dim == 0 ? "head_dim" : "head_dim + rope_dim";
        case Dim::mlp_width:
            return "mlp_width";
        case Dim::words:
            return "V";
    }
    return "";
}

Extent extent_of(const Sizes& sizes, TensorId tensor) {
    const Dims dims = dims_of(tensor);
    return {.rows = sizes.of(dims.rows), .columns = sizes.of(dims.columns)};
}

Extent whole_extent(const Sizes& sizes, TensorId tensor) {
    const Extent one = extent_of(sizes, tensor);
    return {.rows = one.rows, .columns = one.columns * sizes.of(dims_of(tensor).matrices)};
}

std::string shape_letters(const Sizes& sizes, TensorId tensor) {
    const Dims dims = dims_of(tensor);
    std::string letters = "(";
    if (dims.matrices != Dim::one) letters.append(sizes.letters(dims.matrices)).append(", ");
    letters.append(sizes.letters(dims.rows)).append(", ").append(sizes.letters(dims.columns)).append(")");
    return letters;
}

}  // namespace attn
