// One row of the stage table.
#pragma once

#include <string_view>

#include "core/graph/dims.h"

namespace attn {

// What a row or a column is: a token of the sentence, a token that is looked at, a number of a vector, a word of the
// vocabulary, or the one column that a sink takes.
enum class Axis { token, key_token, channel, word, sink };

struct StageInfo {
    TensorId id;
    std::string_view name;    // in links and exports: "weights"
    std::string_view title;   // on the stage strip: "weights"
    std::string_view symbol;  // "A"
    bool is_signed;           // drawn with the diverging map

    // What follows from its dims.
    bool has_heads;  // one matrix a head, else one for all
    Axis rows, columns;
};

// A row of the table, its shape as dims_of() says.
constexpr StageInfo stage_row(TensorId id, std::string_view name, std::string_view title, std::string_view symbol,
                              bool is_signed) {
    const Dims dims = dims_of(id);
    const Axis columns = dims.columns == Dim::keys    ? Axis::key_token
                         : dims.columns == Dim::words ? Axis::word
                         : dims.columns == Dim::one   ? Axis::sink
                                                      : Axis::channel;
    return {.id = id,
            .name = name,
            .title = title,
            .symbol = symbol,
            .is_signed = is_signed,
            .has_heads = dims.matrices != Dim::one,
            .rows = dims.rows == Dim::tokens ? Axis::token : Axis::channel,
            .columns = columns};
}

}  // namespace attn
