// view=split: how one (T, d_out) matrix becomes num_heads matrices of (T, head_dim), and back: two reshapes, three
// shapes. Says where each number stands in each shape. Knows numbers and shapes, no pixels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"

namespace attn {

// The tensor whose split a stage shows: queries, keys and values are cut into heads, the context is joined again.
// Earlier stages show the queries, stages in between the context.
TensorId split_tensor(TensorId stage);

// Whether the heads are joined into one matrix, as the context's are.
bool is_merge(TensorId tensor);

// One of the three shapes, in the order of `phase`.
struct SplitPhase {
    std::string letters;  // "(b, T, num_heads, head_dim)"
    std::string shape;    // "(1, 11, 2, 2)"
    std::string code;     // the PyTorch call that led here: ".transpose(1, 2)"
    std::string meaning;  // one sentence
    bool is_split;        // the channels are cut into heads
    bool heads_first;     // head before token
};

// The sizes of `tensor`: keys and values that heads share are narrower, and cut into as many heads as there are of
// them. All below wants these.
Sizes split_sizes(Sizes sizes, TensorId tensor);

// `batch`: how many sentences share one tensor. Without learned matrices, queries, keys and values are X itself.
std::array<SplitPhase, kNumPhases> split_phases(TensorId tensor, int batch, const Sizes& sizes,
                                                bool has_matrices = true);
std::array<SplitPhase, kNumPhases> split_phases(TensorId tensor, int batch, const Evaluation& evaluation);

// What order_of counts, in words.
std::string_view memory_in_words(const SplitPhase& phase);

// The b of the shapes: how many sentences the batch has. 1 if their lengths differ, because a tensor has no ragged
// rows.
int batch_size(const Inputs& inputs);

// A number of the tensor, whatever its shape.
struct SplitElement {
    int token = 0;
    int head = 0;
    int channel = 0;  // of the head
};

// The last two axes make a block; the axes before count the blocks: one, one a token, or one a head.
struct SplitBlocks {
    int count, rows, columns;
};
SplitBlocks blocks_of(const SplitPhase& phase, const Sizes& sizes);

struct SplitPlace {
    int block, row, column;
};
SplitPlace place_of(const SplitPhase& phase, const Sizes& sizes, const SplitElement& element);

// The element's place, from 0, among the sentence's T * d_out numbers if this shape is written row by row; and the
// element at a place.
std::int64_t order_of(const SplitPhase& phase, const Sizes& sizes, const SplitElement& element);
SplitElement element_at(const SplitPhase& phase, const Sizes& sizes, std::int64_t order);

// The number itself. `tensor` comes from split_tensor.
float split_number(const Evaluation& evaluation, TensorId tensor, const SplitElement& element);

// How much of a tensor is drawn: all of it, or the first tokens, heads and channels.
struct SplitCut {
    int tokens = 1, heads = 1, channels = 1;

    bool is_whole(const Sizes& sizes) const {
        return tokens == sizes.num_tokens && heads == sizes.num_heads && channels == sizes.head_dim();
    }
    // As if there were no more.
    Sizes of(Sizes sizes) const {
        sizes.num_tokens = tokens;
        sizes.num_heads = heads;
        sizes.d_out = heads * channels;
        return sizes;
    }
};
SplitCut cut_for(const Sizes& sizes);

// "the first 24 of 40 tokens, ...": what is left out, in words.
std::string cut_in_words(const SplitCut& cut, const Sizes& sizes);

// The blocks of the phase as tables of text.
std::vector<TextTable> tables_of_split(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
