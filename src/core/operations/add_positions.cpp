// X = token vectors + positions. A token's vector is itself the sum of what its pieces are hashed to, if it has any
// (words/embeddings.h); a number that somebody typed has no parts.
#include <cmath>

#include "core/operations/operations.h"

namespace attn {

void add_positions_terms(const Cells& in, const OperandIds&, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const EmbeddingParts& parts = in.embedding_parts();
    const auto part = [&](const Matrix& of, TensorId tensor, const char* label) {
        return single(cell_value(of(cell.row, cell.column), {tensor, 0, cell.row, cell.column}), label);
    };
    if (parts.pieces.empty()) {
        explanation.terms.push_back(part(parts.token_vectors, TensorId::token_vectors, "token"));
    } else {
        const std::vector<std::string>& pieces = parts.pieces[static_cast<std::size_t>(cell.row)];
        for (const std::string& piece : pieces) {
            const float value = piece_value(piece, pieces.size(), cell.column, parts.seed);
            explanation.terms.push_back(single(constant(static_cast<double>(value)), piece));
        }
    }
    if (parts.positions.size() != 0)
        explanation.terms.push_back(part(parts.positions, TensorId::positions, "position"));
    double size = 0;
    for (const Term& term : explanation.terms) size += std::abs(term.product());
    // Each float addition may be off by half a unit in the last place of a partial sum, which is at most `size`.
    const double rounding = static_cast<double>(explanation.terms.size()) * 0x1p-24 * size;
    const auto shown = static_cast<double>(explanation.shown);
    if (std::abs(explanation.sum() - shown) > rounding) explanation.terms = {single(constant(shown), "typed")};
}

}  // namespace attn
