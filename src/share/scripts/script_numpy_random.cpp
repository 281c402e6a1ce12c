#include "share/scripts/script_numpy_random.h"

#include <set>
#include <string>
#include <string_view>

#include "playground/state/shapes.h"

namespace attn {
namespace {

std::size_t vocabulary_size(const std::vector<ScriptSentence>& sentences) {
    std::set<std::string> distinct;
    for (const ScriptSentence& sentence : sentences) distinct.insert(sentence.tokens.begin(), sentence.tokens.end());
    return distinct.size();
}

// torch.rand and what is made of it. Methods of the class below, each with an empty line before it.
constexpr std::string_view kRandomHead = R"py(

class TorchRandom:
    """PyTorch's random numbers on a CPU after torch.manual_seed(seed)."""

    def __init__(self, seed):
        self.twister = np.random.RandomState(seed % 2**32)  # MT19937
)py";
constexpr std::string_view kSpare = R"py(        self.spare = []  # normals come in pairs: the second one waits here
)py";
constexpr std::string_view kDraw = R"py(
    def draw32(self, n):
        return self.twister.randint(2**32, size=n, dtype=np.uint32)
)py";
constexpr std::string_view kRand = R"py(
    def rand(self, *shape):  # 24 bits of one draw
        bits = self.draw32(math.prod(shape)).reshape(shape) % 2**24
        return bits.astype(np.float32) / np.float32(2**24)
)py";
constexpr std::string_view kLinear = R"py(
    def linear_weight(self, n_in, n_out):  # nn.Linear keeps (n_out, n_in); here x @ w
        bound = np.float32(1 / math.sqrt(n_in))
        return (self.rand(n_out, n_in) * (2 * bound) - bound).T
)py";
constexpr std::string_view kLinearBias = R"py(
    def linear_bias(self, n_in, n_out):
        bound = np.float32(1 / math.sqrt(n_in))
        return self.rand(n_out) * (2 * bound) - bound
)py";
constexpr std::string_view kUniform53 = R"py(
    def uniform53(self, n):  # 53 bits of two draws, in double precision
        high, low = self.draw32(2 * n).astype(np.uint64).reshape(n, 2).T
        return (high * 2**32 + low) % 2**53 / 2**53
)py";
constexpr std::string_view kRandn = R"py(
    def randn(self, *shape):
)py";
constexpr std::string_view kSmall =
    R"py(        return np.array([self.normal() for _ in range(math.prod(shape))], dtype=np.float32).reshape(shape)
)py";
constexpr std::string_view kLarge = R"py(        values = self.rand(math.prod(shape))
        for i in range(0, values.size - 15, 16):
            values[i : i + 16] = self.normals(values[i : i + 16])
        if values.size % 16:  # the last 16 are drawn again
            values[-16:] = self.normals(self.rand(16))
        return values.reshape(shape)
)py";
constexpr std::string_view kNormal = R"py(
    def normal(self):  # Box and Muller
        if not self.spare:
            u1, u2 = self.uniform53(2)
            radius = math.sqrt(-2 * math.log1p(-u2))
            self.spare.append(radius * math.sin(2 * math.pi * u1))
            return radius * math.cos(2 * math.pi * u1)
        return self.spare.pop()
)py";
constexpr std::string_view kNormals = R"py(
    def normals(self, u):  # Box and Muller: 16 uniforms become 16 normals
        radius, angle = np.sqrt(-2 * np.log(1 - u[:8])), np.float32(2 * np.pi) * u[8:]
        return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])
)py";

}  // namespace

Draws draws_of(const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    Draws draws;
    const auto d_in = static_cast<std::size_t>(inputs.d_in), d_out = static_cast<std::size_t>(inputs.d_out);
    if (inputs.init == Init::torch_randn) {
        const auto kv_width = static_cast<std::size_t>(
            inputs.kv_from == KvFrom::mean ? inputs.d_out : sizes_of(inputs, 0).kv_width());  // as it is drawn
        const Sizes sizes = sizes_of(inputs, 0);
        for (const int latent : {sizes.query_latent, sizes.latent})
            if (latent != 0) draws.add_randn(d_in * static_cast<std::size_t>(latent));
        draws.add_randn(static_cast<std::size_t>(sizes.query_rows()) * d_out);
        draws.add_randn(static_cast<std::size_t>(sizes.kv_rows()) * kv_width);
        if (inputs.bias || inputs.out) draws.add_randn(d_out);
        if (inputs.bias) draws.add_randn(kv_width);
        if (inputs.out) draws.add_randn(d_out * d_out);
        if (inputs.rope_dim != 0) {
            draws.add_randn(static_cast<std::size_t>(sizes.query_rows() * sizes.num_heads * sizes.rope_dim));
            draws.add_randn(d_in * static_cast<std::size_t>(sizes.rope_dim));
        }
    }
    if (inputs.embed == EmbeddingKind::torch) draws.add_randn(vocabulary_size(sentences) * d_in);
    if (inputs.positions == Positions::learned) draws.add_randn(static_cast<std::size_t>(kNumLearnedPositions) * d_in);
    draws.linear = inputs.init == Init::torch_linear;
    draws.linear_bias = draws.linear && (inputs.bias || inputs.out);
    draws.rand = draws.linear || inputs.init == Init::torch_rand || draws.large_randn;
    draws.dropout = inputs.dropout > 0;
    return draws;
}

void write_random(PythonText& python, const Draws& draws) {
    if (!draws.any()) return;
    python.block(kRandomHead);
    if (draws.small_randn) python.block(kSpare);
    python.block(kDraw);
    if (draws.rand) python.block(kRand);
    if (draws.linear) python.block(kLinear);
    if (draws.linear_bias) python.block(kLinearBias);
    if (draws.uniform53()) python.block(kUniform53);
    if (draws.small_randn || draws.large_randn) python.block(kRandn);
    if (draws.small_randn && draws.large_randn) {
        python.line("        if math.prod(shape) < 16:");
        python.deeper();
        python.block(kSmall);
        python.back();
    } else if (draws.small_randn) {
        python.block(kSmall);
    }
    if (draws.large_randn) python.block(kLarge);
    if (draws.small_randn) python.block(kNormal);
    if (draws.large_randn) python.block(kNormals);
}

}  // namespace attn
