// The field's words of settings, views and lessons, and how a query is compared with them.
#include "playground/find/find.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/link/hiding.h"
#include "playground/link/key_table.h"
#include "playground/link/link_text.h"
#include "playground/link/model_limits.h"
#include "playground/link/setting_groups.h"
#include "playground/state/open_models.h"
#include "playground/state/view_table.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

// What people in the field also call a row of a table: "name|words|before", a line each. A row that is not here has its
// title and help. Of settings `before` is in whose row to look while it has none of its own. Each is one text, which
// the page's first part need not have (tools/lib/cold_data.mjs).
constexpr char kSettingFieldWords[] =
    "text|batch prompt input|\n"
    "tokens|tokenizer BPE characters|\n"
    "embed|embeddings word vectors word2vec n-grams nn.Embedding|\n"
    "embed_seed|random|embed\n"
    "x|embeddings matrix|embed\n"
    "pos|positional encoding embedding sinusoidal absolute relative RoPE rotary ALiBi bias learned|\n"
    "rope_pairs|rotary interleaved|pos\n"
    "rope_base|rotary theta frequency|pos\n"
    "pos_shift|rotary relative|pos\n"
    "d_in|d_model dimension embedding width channels hidden size|\n"
    "d_out|d_k d_v dimension width channels head_dim|\n"
    "heads|multi-head attention MHA num_heads n_head|\n"
    "kv_heads|GQA MQA grouped-query multi-query attention num_kv_heads num_key_value_heads KV cache|\n"
    "kv_from|GQA grouped-query uptraining convert|kv_heads\n"
    "latent|MLA multi-head latent attention DeepSeek compression low-rank kv_lora_rank KV cache|\n"
    "latent_queries|MLA multi-head latent attention DeepSeek low-rank q_lora_rank|latent\n"
    "rope_dim|MLA RoPE DeepSeek rotary q_rope k_rope qk_rope_head_dim|latent\n"
    "mask|causal attention mask autoregressive bidirectional future|\n"
    "mask_window|local attention SWA sliding Mistral Longformer mask|\n"
    "mask_sinks|StreamingLLM attention sink|mask_window\n"
    "mask_at|causal mask softmax renormalise|\n"
    "score_cap|soft cap capping tanh Gemma 2 logits|\n"
    "logit_cap|soft cap final logit softcapping tanh Gemma 2|\n"
    "qk_norm|QK norm query-key normalization RMSNorm q_norm k_norm Qwen3|\n"
    "sink_logits|attention sink gpt-oss softmax off-by-one|\n"
    "scale|scaled dot-product sqrt square root d_k softmax|\n"
    "temperature|softmax sharpness entropy|\n"
    "dropout|regularization|\n"
    "dropout_seed|random|dropout\n"
    "init|initialization weights W_q W_k W_v nn.Linear nn.Parameter random matrices|\n"
    "seed|random manual_seed matrices|\n"
    "bias|qkv_bias|\n"
    "out|output projection W_o W_out|\n"
    "edit|override revert intervention|\n"
    "goal|training loss objective next-word prediction language model cross-entropy|\n"
    "target|pattern paint supervision|\n"
    "steps|training iterations epochs|\n"
    "optimizer|gradient descent SGD momentum Adam AdamW|\n"
    "rate|lr step size|\n"
    "train|parameters requires_grad freeze|\n"
    "model|transformer checkpoint weights GPT-2 BERT Llama|\n"
    "layer|block depth|\n"
    "off|ablation knock out|\n"
    "off_by|ablation mean zero|\n"
    "patch|activation patching causal tracing|\n";

constexpr char kViewFieldWords[] =
    "matrix|attention weights map heatmap pattern scores softmax matrix|\n"
    "lines|BertViz arcs|\n"
    "vectors|cosine similarity projection|\n"
    "compare|difference diff A/B|\n"
    "edit|change values override|\n"
    "learn|training loss curve gradient descent backpropagation|\n"
    "split|reshape view transpose multi-head|\n"
    "stacked|multi-head concatenate|\n"
    "cost|parameters FLOPs memory|\n"
    "model|transformer next word generate sampling temperature top-k top-p GPT ablation switch off head|\n"
    "cache|KV cache prefill decode generation memory GQA MQA MLA|\n"
    "lens|logit lens residual stream unembedding early exit interpretability|\n"
    "journey|residual stream block layer norm MLP neurons activations|\n"
    "patch|activation patching causal tracing intervention interchange|\n"
    "dots|scaled dot-product variance sqrt|\n"
    "softmax|temperature probabilities exponential|\n";

constexpr char kLessonFieldWords[] =
    "no-weights|self-attention dot product softmax context|\n"
    "why-softmax|temperature argmax normalise exponential overflow log-sum-exp|\n"
    "dictionary|query key value lookup database retrieval self-attention|\n"
    "trainable|self-attention query key value projection W_q W_k W_v scaled dot-product|\n"
    "scaling|scaled dot-product softmax temperature variance|\n"
    "dog-bites-man|positional encoding sinusoidal sine cosine word order permutation|\n"
    "causal|mask softmax autoregressive|\n"
    "masks|attention mask causal prefix LM padding packing encoder decoder bidirectional|\n"
    "dropout|regularization|\n"
    "heads|multi-head attention MHA|\n"
    "split|multi-head attention reshape view transpose|\n"
    "stacked|multi-head attention MHA|\n"
    "cost|FLOPs|\n"
    "linear|projection|\n"
    "shares|multi-head softmax|\n"
    "one-row|mask|\n"
    "twice|KV cache decode generation|\n"
    "cache|prefill decode generation memory|\n"
    "groups|GQA MQA grouped-query multi-query attention KV cache|\n"
    "turning|RoPE rotary positional encoding relative|\n"
    "fainter|ALiBi sliding window attention sinks StreamingLLM gpt-oss mask positional|\n"
    "latent|MLA multi-head latent attention DeepSeek absorb RoPE KV cache|\n"
    "one-step|training SGD loss|\n"
    "way-back|gradients autograd softmax|\n"
    "readings|loss cross-entropy|\n"
    "head-dim|rank bottleneck|\n"
    "saturated|vanishing gradient temperature scaled|\n"
    "learned|first-words transformer|\n"
    "block|transformer layer norm MLP feed-forward GELU residual stream|\n"
    "next-word|output projection unembedding lm_head logits softmax layer norm|\n"
    "votes|direct logit attribution logit lens|\n"
    "off|knock out intervention|\n"
    "copying|in-context|\n"
    "layers|logit lens flow|\n"
    "stream-sum|direct logit attribution layer norm MLP skip connection|\n"
    "depths|logit lens unembedding interpretability early exit|\n"
    "patching|activation patching causal tracing intervention agreement|\n"
    "circuit|induction head previous token K-composition in-context|\n"
    "bertviz|BERT|\n"
    "byte-pairs|BPE tokenizer subword vocabulary merges|\n"
    "own-sentence|own-words next-word prediction logits attention sink ablation|\n";

struct FieldWords {
    std::string_view words, before;
};

FieldWords words_for(std::string_view lines, std::string_view name) {
    while (!lines.empty()) {
        std::string_view line = take_until(lines, '\n');
        if (take_until(line, '|') != name) continue;
        const std::string_view words = take_until(line, '|');
        return {.words = words, .before = line};
    }
    return {};
}

char small_letter(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Bytes above 127 are parts of letters.
bool is_of_word(char letter) {
    const auto byte = static_cast<unsigned char>(small_letter(letter));
    return byte > 127 || byte == '_' || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
}

std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    bool goes_on = false;
    for (const char letter : text) {
        if (is_of_word(letter)) {
            if (!goes_on) words.emplace_back();
            words.back() += small_letter(letter);
        }
        goes_on = is_of_word(letter);
    }
    return words;
}

// Whether one of the words begins with `beginning`.
bool has_beginning(const std::vector<std::string>& words, const std::string& beginning) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word.starts_with(beginning); });
}

// How well a row fits, 0 the best: its title begins with the query's first word and has all others; all are in the
// title; all are there without the help; some are in the help alone. Nothing where one is nowhere. A setting that may
// have no row comes after the one before it.
std::optional<int> rank_of(const std::vector<std::string>& query, const Found& found, const FieldWords& field) {
    const std::vector<std::string> title = words_in(found.title);
    const std::vector<std::string> terms = words_in(concat(found.name, " ", field.words));
    const std::vector<std::string> help = words_in(found.about);
    int rank = !title.empty() && title.front().starts_with(query.front()) ? 0 : 1;
    for (const std::string& word : query) {
        if (has_beginning(title, word)) continue;
        if (has_beginning(terms, word)) {
            rank = std::max(rank, 2);
        } else if (has_beginning(help, word)) {
            rank = 3;
        } else {
            return std::nullopt;
        }
    }
    return 2 * rank + (field.before.empty() ? 0 : 5);
}

std::vector<std::pair<Found, FieldWords>> all_rows(const PlaygroundState& state) {
    std::vector<std::pair<Found, FieldWords>> rows;
    const View& view = state.view;
    if (!hides_part(view, "settings")) {
        for (const KeyInfo& info : key_table()) {
            const SettingGroup group = group_of_key(info.key);
            const bool is_of_model = group == SettingGroup::model && state.inputs.model.empty();
            if (group == SettingGroup::none || is_of_model || hides_control(view, info.key)) continue;
            const bool is_trained_elsewhere = group == SettingGroup::learning && open_model_of(state.inputs);
            if (is_trained_elsewhere || is_fixed_by_model(state.inputs, info.key)) continue;
            rows.push_back({{.kind = FoundKind::setting,
                             .name = info.key,
                             .title = info.label,
                             .where = concat("setting, ", setting_group_info(group).title),
                             .about = info.help()},
                            words_for(kSettingFieldWords, info.key)});
        }
    }
    if (!hides_part(view, "views") && !locks_control(view, "view")) {
        for (const ViewInfo& info : kViews) {
            rows.push_back(
                {{.kind = FoundKind::view, .name = info.name, .title = info.title, .where = "view", .about = info.help},
                 words_for(kViewFieldWords, info.name)});
        }
    }
    if (hides_part(view, "lessons") || locks_control(view, "lesson")) return rows;
    int number = 0;
    for (const Lesson& lesson : lessons()) {
        rows.push_back({{.kind = FoundKind::lesson,
                         .name = lesson.name,
                         .title = lesson.title,
                         .where = concat("lesson ", ++number, ", ", minutes_of(lesson), " min"),
                         .about = lesson.about},
                        words_for(kLessonFieldWords, lesson.name)});
    }
    return rows;
}

std::string_view word_of_kind(FoundKind kind) {
    return kind == FoundKind::setting ? "setting" : kind == FoundKind::view ? "view" : "lesson";
}

}  // namespace

std::vector<Found> find_by_words(std::string_view query, const PlaygroundState& state) {
    const std::vector<std::string> words = words_in(query);
    if (words.empty()) return {};
    std::vector<std::pair<int, Found>> ranked;
    for (auto& [found, field] : all_rows(state)) {
        if (const std::optional<int> rank = rank_of(words, found, field)) ranked.emplace_back(*rank, std::move(found));
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Found> all;
    all.reserve(ranked.size());
    for (auto& [rank, found] : ranked) all.push_back(std::move(found));
    return all;
}

std::string_view setting_before(std::string_view key) {
    return words_for(kSettingFieldWords, key).before;
}

std::string found_as_json(std::string_view query, const PlaygroundState& state) {
    std::string text;
    JsonWriter json(text);
    json.begin_array();
    for (const Found& found : find_by_words(query, state)) {
        json.begin_object();
        json.member("kind", word_of_kind(found.kind));
        json.member("name", found.name);
        json.member("title", found.title);
        json.member("where", found.where);
        json.member("about", found.about);
        json.end_object();
    }
    json.end_array();
    return text;
}

}  // namespace attn
