// One table a face, so that the linker can leave out the faces that a module does not call.
#include "core/operations/operations.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

template <class Rows>
constexpr bool is_in_order(const Rows& rows) {
    for (std::size_t n = 0; n < rows.size(); ++n) {
        if (rows[n].operation != static_cast<Operation>(n)) return false;
    }
    return true;
}

struct ValueRow {
    Operation operation;
    ValueOf* value;
};
constexpr std::array<ValueRow, kNumOperations> kValues = {{
    {Operation::add_positions, nullptr},  // a problem has the embeddings, which are the sum
    {Operation::project, project_value},
    {Operation::rms_norm, rms_norm_value},
    {Operation::rotate, rotate_value},
    {Operation::absorb, absorb_value},
    {Operation::dot, dot_value},
    {Operation::scale, scale_value},
    {Operation::cap, cap_value},
    {Operation::add_alibi, add_alibi_value},
    {Operation::mask, mask_value},
    {Operation::softmax, softmax_value},
    {Operation::sink_share, sink_share_value},
    {Operation::mask_weights, mask_weights_value},
    {Operation::drop, drop_value},
    {Operation::mix, mix_value},
    {Operation::merge, merge_value},
    {Operation::project_grad_x, project_grad_x_value},
    {Operation::project_grad_w, project_grad_w_value},
    {Operation::project_grad_b, project_grad_b_value},
    {Operation::rms_norm_grad_x, rms_norm_grad_x_value},
    {Operation::rms_norm_grad_w, rms_norm_grad_w_value},
    {Operation::rotate_grad, rotate_grad_value},
    {Operation::rotate_own_grad, rotate_own_grad_value},
    {Operation::copy, copy_value},
    {Operation::cap_grad, cap_grad_value},
    {Operation::softmax_grad, softmax_grad_value},
    {Operation::sink_grad, sink_grad_value},
    {Operation::mask_weights_grad, mask_weights_grad_value},
    {Operation::mix_by_key, mix_by_key_value},
    {Operation::mix_grad_weights, mix_grad_weights_value},
    {Operation::split, split_value},
    {Operation::pattern_grad, pattern_grad_value},
    {Operation::next_grad, next_grad_value},
}};
static_assert(is_in_order(kValues));

struct TermsRow {
    Operation operation;
    TermsOf* terms;
};
constexpr bool is_of_forward_module(Operation operation) {
    constexpr std::array kOthers = {Operation::rms_norm, Operation::rotate, Operation::cap, Operation::add_alibi,
                                    Operation::sink_share};
    return operation < Operation::project_grad_x && std::ranges::find(kOthers, operation) == kOthers.end();
}
constexpr auto kTerms = [] {
    std::array<TermsRow, kNumOperations> rows = {{
        {Operation::add_positions, add_positions_terms},
        {Operation::project, project_terms},
        {Operation::rms_norm, rms_norm_terms},
        {Operation::rotate, rotate_terms},
        {Operation::absorb, absorb_terms},
        {Operation::dot, dot_terms},
        {Operation::scale, scale_terms},
        {Operation::cap, cap_terms},
        {Operation::add_alibi, add_alibi_terms},
        {Operation::mask, copy_terms},
        {Operation::softmax, softmax_terms},
        {Operation::sink_share, sink_share_terms},
        {Operation::mask_weights, mask_weights_terms},
        {Operation::drop, drop_terms},
        {Operation::mix, mix_terms},
        {Operation::merge, merge_terms},
        {Operation::project_grad_x, project_grad_x_terms},
        {Operation::project_grad_w, project_grad_w_terms},
        {Operation::project_grad_b, project_grad_b_terms},
        {Operation::rms_norm_grad_x, rms_norm_grad_x_terms},
        {Operation::rms_norm_grad_w, rms_norm_grad_w_terms},
        {Operation::rotate_grad, rotate_grad_terms},
        {Operation::rotate_own_grad, rotate_own_grad_terms},
        {Operation::copy, copy_terms},
        {Operation::cap_grad, cap_grad_terms},
        {Operation::softmax_grad, softmax_grad_terms},
        {Operation::sink_grad, sink_grad_terms},
        {Operation::mask_weights_grad, mask_weights_grad_terms},
        {Operation::mix_by_key, mix_by_key_terms},
        {Operation::mix_grad_weights, mix_grad_weights_terms},
        {Operation::split, split_terms},
        {Operation::pattern_grad, pattern_grad_terms},
        {Operation::next_grad, next_grad_terms},
    }};
    // The engine module that computes forward alone explains neither the way back nor what it does not compute.
    for (TermsRow& row : rows) {
        if (kForwardOnly && !is_of_forward_module(row.operation)) row.terms = nullptr;
    }
    return rows;
}();
static_assert(is_in_order(kTerms));

}  // namespace

void add_value(Operation operation, const Operands& in, CubeD& result) {
    kValues[static_cast<std::size_t>(operation)].value(in, result);
}

void add_terms(Operation operation, const Cells& in, const OperandIds& operands, Explanation& explanation) {
    kTerms[static_cast<std::size_t>(operation)].terms(in, operands, explanation);
}

}  // namespace attn
