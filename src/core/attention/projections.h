// The learned matrices of attention, drawn from a seed exactly as PyTorch draws them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/attention/stages.h"
#include "core/ground/random.h"
#include "core/ground/tensor.h"

namespace attn {

enum class Init {
    torch_rand,    // nn.Parameter(torch.rand(d_in, d_out))
    torch_linear,  // nn.Linear(d_in, d_out)
    torch_randn,   // nn.Parameter(torch.randn(d_in, d_out))
    identity,      // ones on the diagonal
    none,          // no matrices: query = key = value = X (simplified self-attention); d_out = d_in
};

// Learned matrices are used as x . w + b. One matrix a role; its columns are cut into heads (head h owns columns
// h * head_dim to (h + 1) * head_dim). kv_width is d_out, or less where heads share keys and values. A tensor that is
// absent has size 0: all of them for Init::none, the biases without `bias`, w_out and b_out without `out`.
//
// Latent attention (DeepSeek-V2, 2405.04434, section 2.1.2): x . w_down_kv is the token's latent vector (W_DKV in the
// paper), and keys and values are made of it instead of x. w_key and w_value are then what the paper calls W_UK and
// W_UV. w_down_query (W_DQ) does the same for the queries. The two have no bias, as in the paper.
struct Projections {
    Matrix w_query, w_key, w_value;  // (d_in, d_out), keys and values (d_in, kv_width); (latent, ...) behind a latent
    Matrix w_down_query = {};        // (d_in, query latent); size 0 without
    Matrix w_down_kv = {};           // (d_in, latent); size 0 without
    Vector b_query, b_key, b_value;  // (d_out), keys and values (kv_width)
    Matrix w_out;                    // (d_out, d_out)
    Vector b_out;                    // (d_out)
    // The numbers that are turned alone (section 2.1.3 of the paper): W_QR, of what queries are made of, some for each
    // head, and W_KR, of the embeddings, one row for all heads. Size 0 without; neither has a bias.
    Matrix w_query_rope = {};  // (d_in or query latent, num_heads * rope_dim)
    Matrix w_key_rope = {};    // (d_in, rope_dim)
    // The weights of the norms of queries and keys (see rms_norm.h), the same for all heads: Qwen3 (2505.09388).
    Vector q_norm = {}, k_norm = {};  // (head_dim); size 0 without
    // A sink each head learns: a number beside the masked scores of every row that takes part in the softmax and has no
    // key and no value, so that weights may sum to less than 1 (as in gpt-oss, 2508.10925; with a logit of 0 Miller's
    // "softmax off by one", 2023). It counts only with a mask before the softmax.
    Vector sink_logits = {};  // (num_heads); size 0 without
};

// All that is learned, in the order in which notebooks create their modules; what exports and scripts list.
inline constexpr std::array kLearnedTensors = {
    TensorId::w_down_query, TensorId::w_query,    TensorId::b_query, TensorId::w_down_kv, TensorId::w_key,
    TensorId::b_key,        TensorId::w_value,    TensorId::b_value, TensorId::w_out,     TensorId::b_out,
    TensorId::w_query_rope, TensorId::w_key_rope, TensorId::q_norm,  TensorId::k_norm,    TensorId::sink_logits};

// Calls visit(matrix) or visit(vector) with the tensor of this name, which is_learned(). Returns what it returns.
template <class OfProjections, class Visit>
decltype(auto) with_learned(OfProjections& projections, TensorId tensor, const Visit& visit) {
    struct Member {
        Matrix Projections::* matrix;
        Vector Projections::* vector = nullptr;
    };
    static constexpr std::array<Member, kLearnedTensors.size()> kMembers = {{{&Projections::w_query},
                                                                             {&Projections::w_key},
                                                                             {&Projections::w_value},
                                                                             {&Projections::w_down_query},
                                                                             {&Projections::w_down_kv},
                                                                             {&Projections::w_query_rope},
                                                                             {&Projections::w_key_rope},
                                                                             {nullptr, &Projections::b_query},
                                                                             {nullptr, &Projections::b_key},
                                                                             {nullptr, &Projections::b_value},
                                                                             {&Projections::w_out},
                                                                             {nullptr, &Projections::b_out},
                                                                             {nullptr, &Projections::q_norm},
                                                                             {nullptr, &Projections::k_norm},
                                                                             {nullptr, &Projections::sink_logits}}};
    const Member& member =
        kMembers[static_cast<std::size_t>(tensor) - static_cast<std::size_t>(TensorId::w_query)];  // in their order
    return member.matrix != nullptr ? visit(projections.*member.matrix) : visit(projections.*member.vector);
}

// Its numbers, row by row; none where it is absent. And those of a row, which for a bias is 0.
inline std::span<float> numbers_of(Projections& projections, TensorId tensor) {
    return with_learned(projections, tensor, [](auto& one) { return elements(one); });
}
inline std::span<const float> numbers_of(const Projections& projections, TensorId tensor) {
    return with_learned(projections, tensor, [](const auto& one) { return elements(one); });
}
std::span<float> row_of_learned(Projections& projections, TensorId tensor, int row);
std::span<const float> row_of_learned(const Projections& projections, TensorId tensor, int row);

// Whether latents are compiled in: the engine module that computes forward alone leaves them out.
#ifdef ATTN_NO_LATENTS
inline constexpr bool kHasLatents = false;
#else
inline constexpr bool kHasLatents = true;
#endif

// Where key and value heads that several query heads share come from.
enum class KvFrom {
    drawn,  // drawn as narrower matrices, as modules of that shape are
    mean,   // d_out columns are drawn, and each group of heads becomes their mean (Ainslie et al. 2023, section 2.1)
};

struct ProjectionShape {
    int d_in = 1, d_out = 1;
    bool bias = false, out = false;
    int num_heads = 1,
        num_kv_heads = 0;  // num_kv_heads divides num_heads; 0: as many, and num_heads counts for nothing
    KvFrom kv_from = KvFrom::drawn;
    int query_latent = 0, latent = 0;  // widths of the latent vectors; 0: none
    int rope_dim = 0;                  // numbers of a head that are turned alone; 0: none
    bool has_qk_norm = false;          // weights of norms of queries and keys: num_heads counts then
    bool has_sink = false;             // a sink logit a head: the same

    int head_dim() const { return d_out / num_heads; }
    int kv_width() const { return num_kv_heads == 0 ? d_out : num_kv_heads * head_dim(); }
    int query_rows() const { return query_latent == 0 ? d_in : query_latent; }  // of w_query
    int kv_rows() const { return latent == 0 ? d_in : latent; }                 // of w_key and w_value
    bool operator==(const ProjectionShape&) const = default;
};

// `w` (rows, groups * group_size * head_dim) with each group of neighbouring heads made one: the mean of their columns,
// added in the order of the heads, in float, and divided.
Matrix mean_of_groups(const Matrix& w, int head_dim, int group_size);
Vector mean_of_groups(const Vector& b, int head_dim, int group_size);

// Draws in the order a notebook creates its modules: [down to the query latent,] query, [down to the latent,] key,
// value, then the output projection, then [w_query_rope and w_key_rope], each a weight followed by its bias, all by the
// same `init`. Weights of norms and sink logits are not drawn: they start at 1 and at 0. nn.Linear's weight is
// (d_out, d_in) in PyTorch; here it is its transpose. Init::identity has biases of 0. The output projection always has
// a bias, as in the lectures' nn.Linear(d_out, d_out). Sizes 1 to 1024. Init::none wants d_in == d_out == kv_width,
// bias false, out false, no latent and no rope_dim.
Projections make_projections(Init init, std::uint64_t seed, const ProjectionShape& shape);
Projections make_projections(Init init, std::uint64_t seed, int d_in, int d_out, bool bias, bool out);

// make_projections in slices, for matrices that take longer than a frame: the same bits whatever the slices are.
class ProjectionDraw {
public:
    ProjectionDraw(Init init, std::uint64_t seed, const ProjectionShape& shape);

    // Draws about so many more numbers, at least some. Returns whether all are drawn.
    bool advance(std::size_t num_numbers);

    // What was drawn, once all is. To be called once.
    Projections take();

private:
    void finish(int role);  // its weight is drawn: the bias, which comes next, and the transpose

    Init init_;
    ProjectionShape shape_;
    TorchGenerator generator_;
    static constexpr int kNumDrawn = kHasLatents ? 8 : 6;
    // Down to the query latent, query, down to the latent, key, value, output, w_query_rope, w_key_rope as they are
    // drawn; size 0 where there is none.
    std::array<Matrix, kNumDrawn> weights_;
    std::array<Vector, kNumDrawn> biases_;
    std::array<bool, kNumDrawn> has_bias_ = {};
    int role_ = 0;           // of kNumDrawn, that is being drawn
    std::size_t drawn_ = 0;  // elements of it
};

}  // namespace attn
