// The attention of a layer for the last rows of a text alone: from what it reads to its heads side by side, without the
// tables of an AttentionProblem that people look at, and without computing anew what earlier tokens left in a cache. In
// slices; the same bits as LayerWork's whole attention, whatever the rows and the slices are. The core's KvCache holds
// its matrices packed, a second time: for a model's there is no room.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/attention/attention.h"
#include "core/fast/head_attention.h"
#include "model/layers/blocked_product.h"

namespace attn {

// What a layer keeps of each token for those behind it, (num_kv_heads, T, head_dim): as the heads read it, normed and
// turned where the model does that.
struct KeysAndValues {
    Cube keys, values;
    int num_tokens() const { return length(keys, 1); }
};

// What queries and keys are projected from: rows of the attention's input, the first one at position `first`, with the
// positions added where the model adds them there alone.
Matrix placed_rows(const Model& model, Matrix rows, int first);

// Queries or keys of some rows of a layer, the first one at position `first` of a text of `num_tokens`, after their
// projection: normed and turned where the model does that.
struct RowsOfText {
    int layer = 0, first = 0, num_tokens = 0;
};
void finish_role(const ModelConfig& config, const NormWeights& norm, const RowsOfText& at, Matrix& rows);

class RowAttention {
public:
    // `input` (rows, width): what the attention of the last rows of a text of num_tokens reads. `kept` has the tokens
    // before them, and may have others behind these; null where there are none. All but the rows stay where they are.
    RowAttention(const Model& model, const LayerWeights& weights, int layer, Matrix input, int num_tokens,
                 const KeysAndValues* kept);

    // Goes on until about `multiply_adds` are spent or all is done. Takes what was spent from it.
    bool advance(std::int64_t& multiply_adds);
    bool is_done() const { return step_ == Step::done; }

    Matrix& merged() { return merged_; }                    // (rows, attention_width), once all is done
    KeysAndValues& keys_and_values() { return all_kept_; }  // of all tokens, once all is done

private:
    enum class Step { query, key, value, heads, done };
    void run(std::int64_t& multiply_adds);
    // Returns whether `rows` is complete.
    bool project(const LinearWeights& linear, const Matrix& x, Matrix& rows, std::int64_t& multiply_adds);
    void keep(const Matrix& rows, Cube KeysAndValues::* role);
    void begin_heads();
    void attend_rows(std::int64_t& multiply_adds);

    const Model* model_;
    const LayerWeights* weights_;
    int layer_, first_, num_tokens_;
    const KeysAndValues* kept_;
    Step step_ = Step::query;
    Matrix input_, placed_;  // placed_: size 0 where it is input_
    std::optional<BlockedProduct> product_;
    Matrix query_, key_, value_, merged_;
    KeysAndValues all_kept_;

    // Of the heads: what each query sees, the head under way, and its next row.
    std::vector<int> visible_;
    Flags hidden_;                        // size 0 where visible_ says all
    std::vector<float> queries_, mixed_;  // (T, head_dim); what lies before the rows is not read or written
    HeadAttention attention_;
    int head_ = 0, row_ = 0;
};

}  // namespace attn
