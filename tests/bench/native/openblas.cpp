// OpenBLAS as a contender: bench_openblas dense | causal.
#include <cblas.h>

#include <string>

#include "bench/native/blocks.h"

int main(int count, char** words) {
    const bool is_dense = count > 1 && std::string(words[1]) == "dense";
    const auto multiply = [](const attn::bench::Product& p) {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, p.is_b_transposed ? CblasTrans : CblasNoTrans, p.rows, p.columns,
                    p.inner, p.factor, p.a, p.a_stride, p.b, p.b_stride, 0, p.result, p.result_stride);
    };
    const std::string version = std::string(openblas_get_config()) + ", core " + openblas_get_corename();
    return attn::bench::answer_commands(version, attn::bench::attention_by(multiply, is_dense));
}
