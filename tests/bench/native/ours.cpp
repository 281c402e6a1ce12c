// The engine as a contender, through its entry on plain arrays: bench_ours [INSTRUCTION_SET], as in simd_kernels.h. The
// matrices keep their name from call to call, as a layer's do in the engine module (contenders/ours.mjs).
#include <cmath>
#include <iostream>
#include <memory>

#include "bench/native/program.h"
#include "core/fast/dense_attention.h"
#include "core/kernels/simd_kernels.h"

namespace {

attn::bench::Attend prepare(const attn::bench::Problem& problem, bool with_weights) {
    attn::DenseProblem dense;
    dense.num_tokens = problem.num_tokens;
    dense.d_in = problem.d_in;
    dense.d_out = problem.d_out;
    dense.num_heads = problem.num_heads;
    dense.x = problem.x.data();
    dense.w_query = problem.w_query.data();
    dense.w_key = problem.w_key.data();
    dense.w_value = problem.w_value.data();
    dense.matrices = 1;
    dense.divisor = std::sqrt(static_cast<float>(problem.head_dim()));
    const auto engine = std::make_shared<attn::DenseAttention>();
    return [=]() -> attn::bench::Answer {
        if (!engine->run(dense, with_weights)) std::cerr << "bench: the memory was refused\n";
        const attn::DenseResult& result = engine->result();
        if (!result.merged) return {};
        const auto num_tokens = static_cast<std::size_t>(dense.num_tokens);
        const std::size_t num_weights = static_cast<std::size_t>(dense.num_heads) * num_tokens * num_tokens;
        return {{result.merged, num_tokens * static_cast<std::size_t>(dense.d_out)},
                {result.weights, result.weights ? num_weights : 0}};
    };
}

}  // namespace

int main(int count, char** words) {
    for (const attn::simd::InstructionSet set : attn::simd::available()) {
        if (count > 1 && attn::simd::name_of(set) == words[1]) attn::simd::use(set);
    }
    return attn::bench::answer_commands(std::string(attn::simd::name_of(attn::simd::in_use())), prepare);
}
