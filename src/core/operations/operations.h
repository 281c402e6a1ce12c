// The faces of each operation: its value in double, added to `result`, and the terms of one number on the screen, added
// to the explanation. operations.cpp lists them.
#pragma once

#include "core/operations/terms.h"
#include "core/operations/values.h"

namespace attn {

using ValueOf = void(const Operands& in, CubeD& result);
using TermsOf = void(const Cells& in, const OperandIds& operands, Explanation& explanation);

TermsOf add_positions_terms;

ValueOf project_value, project_grad_x_value, project_grad_w_value, project_grad_b_value;
TermsOf project_terms, project_grad_x_terms, project_grad_w_terms, project_grad_b_terms;

ValueOf rms_norm_value, rms_norm_grad_x_value, rms_norm_grad_w_value;
TermsOf rms_norm_terms, rms_norm_grad_x_terms, rms_norm_grad_w_terms;

ValueOf rotate_value, rotate_grad_value, rotate_own_grad_value;
TermsOf rotate_terms, rotate_grad_terms, rotate_own_grad_terms;

ValueOf absorb_value;
TermsOf absorb_terms;

ValueOf dot_value, mix_value, mix_by_key_value, mix_grad_weights_value;
TermsOf dot_terms, mix_terms, mix_by_key_terms, mix_grad_weights_terms;

ValueOf scale_value, add_alibi_value, drop_value, copy_value;
TermsOf scale_terms, add_alibi_terms, drop_terms, copy_terms;

ValueOf cap_value, cap_grad_value;
TermsOf cap_terms, cap_grad_terms;

ValueOf mask_value, mask_weights_value, mask_weights_grad_value;
TermsOf mask_weights_terms, mask_weights_grad_terms;

ValueOf softmax_value, sink_share_value, softmax_grad_value, sink_grad_value;
TermsOf softmax_terms, sink_share_terms, softmax_grad_terms, sink_grad_terms;

ValueOf merge_value, split_value;
TermsOf merge_terms, split_terms;

ValueOf pattern_grad_value, next_grad_value;
TermsOf pattern_grad_terms, next_grad_terms;

// Minus the average that a softmax or a division takes off each gradient of a row: the sum of gradient * weight over
// the keys that the query sees, whose terms it adds to the explanation.
Term average_term(const Cells& in, TensorId gradient, TensorId weights, Explanation& explanation);

}  // namespace attn
