// The field's words of settings, views and lessons, and how a query is compared with them.
#include "playground/find/find.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/link/hiding.h"
#include "playground/link/key_table.h"
#include "playground/link/model_limits.h"
#include "playground/link/setting_groups.h"
#include "playground/state/open_models.h"
#include "playground/state/view_table.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

// What people in the field also call a row of a table. A row that is not here has its title and help.
struct FieldWords {
    std::string_view name;
    std::string_view words;
    std::string_view before = {};  // of settings: in whose row to look while it has none of its own
};

constexpr auto kSettingWords = std::to_array<FieldWords>({
    {"text", "batch prompt input"},
    {"tokens", "tokenizer BPE characters"},
    {"embed", "embeddings word vectors word2vec n-grams nn.Embedding"},
    {"embed_seed", "random", "embed"},
    {"x", "embeddings matrix", "embed"},
    {"pos", "positional encoding embedding sinusoidal absolute relative RoPE rotary ALiBi bias learned"},
    {"rope_pairs", "rotary interleaved", "pos"},
    {"rope_base", "rotary theta frequency", "pos"},
    {"pos_shift", "rotary relative", "pos"},
    {"d_in", "d_model dimension embedding width channels hidden size"},
    {"d_out", "d_k d_v dimension width channels head_dim"},
    {"heads", "multi-head attention MHA num_heads n_head"},
    {"kv_heads", "GQA MQA grouped-query multi-query attention num_kv_heads num_key_value_heads KV cache"},
    {"kv_from", "GQA grouped-query uptraining convert", "kv_heads"},
    {"latent", "MLA multi-head latent attention DeepSeek compression low-rank kv_lora_rank KV cache"},
    {"latent_queries", "MLA multi-head latent attention DeepSeek low-rank q_lora_rank", "latent"},
    {"rope_dim", "MLA RoPE DeepSeek rotary q_rope k_rope qk_rope_head_dim", "latent"},
    {"mask", "causal attention mask autoregressive bidirectional future"},
    {"mask_window", "local attention SWA sliding Mistral Longformer mask"},
    {"mask_sinks", "StreamingLLM attention sink", "mask_window"},
    {"mask_at", "causal mask softmax renormalise"},
    {"sink_logits", "attention sink gpt-oss softmax off-by-one"},
    {"scale", "scaled dot-product sqrt square root d_k softmax"},
    {"temperature", "softmax sharpness entropy"},
    {"dropout", "regularization"},
    {"dropout_seed", "random", "dropout"},
    {"init", "initialization weights W_q W_k W_v nn.Linear nn.Parameter random matrices"},
    {"seed", "random manual_seed matrices"},
    {"bias", "qkv_bias"},
    {"out", "output projection W_o W_out"},
    {"edit", "override revert intervention"},
    {"goal", "training loss objective next-word prediction language model cross-entropy"},
    {"target", "pattern paint supervision"},
    {"steps", "training iterations epochs"},
    {"optimizer", "gradient descent SGD momentum Adam AdamW"},
    {"rate", "lr step size"},
    {"train", "parameters requires_grad freeze"},
    {"model", "transformer checkpoint weights GPT-2 BERT Llama"},
    {"layer", "block depth"},
    {"off", "ablation knock out"},
    {"off_by", "ablation mean zero"},
});

constexpr auto kViewWordsOfField = std::to_array<FieldWords>({
    {"matrix", "attention weights map heatmap pattern scores softmax matrix"},
    {"lines", "BertViz arcs"},
    {"vectors", "cosine similarity projection"},
    {"compare", "difference diff A/B"},
    {"edit", "change values override"},
    {"learn", "training loss curve gradient descent backpropagation"},
    {"split", "reshape view transpose multi-head"},
    {"stacked", "multi-head concatenate"},
    {"cost", "parameters FLOPs memory"},
    {"model",
     "transformer next word generate sampling temperature top-k top-p logit lens GPT ablation switch off head"},
    {"cache", "KV cache prefill decode generation memory GQA MQA MLA"},
    {"dots", "scaled dot-product variance sqrt"},
    {"softmax", "temperature probabilities exponential"},
});

constexpr auto kLessonWords = std::to_array<FieldWords>({
    {"no-weights", "self-attention dot product softmax context"},
    {"trainable", "self-attention query key value projection W_q W_k W_v scaled dot-product"},
    {"scaling", "scaled dot-product softmax temperature variance"},
    {"causal", "mask softmax autoregressive"},
    {"dropout", "regularization"},
    {"heads", "multi-head attention MHA"},
    {"split", "multi-head attention reshape view transpose"},
    {"stacked", "multi-head attention MHA"},
    {"cost", "FLOPs"},
    {"linear", "projection"},
    {"shares", "multi-head softmax"},
    {"one-row", "mask"},
    {"twice", "KV cache decode generation"},
    {"cache", "prefill decode generation memory"},
    {"groups", "GQA MQA grouped-query multi-query attention KV cache"},
    {"latent", "MLA multi-head latent attention DeepSeek absorb RoPE KV cache"},
    {"turning", "RoPE rotary positional encoding relative"},
    {"fainter", "ALiBi sliding window attention sinks StreamingLLM gpt-oss mask positional"},
    {"one-step", "training SGD loss"},
    {"way-back", "gradients autograd softmax"},
    {"readings", "loss cross-entropy"},
    {"head-dim", "rank bottleneck"},
    {"saturated", "vanishing gradient temperature scaled"},
    {"learned", "first-words transformer"},
    {"votes", "direct logit attribution logit lens"},
    {"off", "knock out intervention"},
    {"copying", "in-context"},
    {"layers", "logit lens flow"},
    {"bertviz", "BERT"},
});

template <std::size_t kSize>
const FieldWords* words_for(const std::array<FieldWords, kSize>& table, std::string_view name) {
    const auto row = std::find_if(table.begin(), table.end(), [&](const FieldWords& one) { return one.name == name; });
    return row == table.end() ? nullptr : &*row;
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
// title; all are there without the help; some are in the help alone. Nothing where one is nowhere.
std::optional<int> rank_of(const std::vector<std::string>& query, const Found& found, const FieldWords* field) {
    const std::vector<std::string> title = words_in(found.title);
    const std::vector<std::string> terms = words_in(concat(found.name, " ", field == nullptr ? "" : field->words));
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
    return rank;
}

std::vector<std::pair<Found, const FieldWords*>> all_rows(const PlaygroundState& state) {
    std::vector<std::pair<Found, const FieldWords*>> rows;
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
                            words_for(kSettingWords, info.key)});
        }
    }
    if (!hides_part(view, "views") && !locks_control(view, "view")) {
        for (const ViewInfo& info : kViews) {
            rows.push_back(
                {{.kind = FoundKind::view, .name = info.name, .title = info.title, .where = "view", .about = info.help},
                 words_for(kViewWordsOfField, info.name)});
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
                        words_for(kLessonWords, lesson.name)});
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
    const FieldWords* row = words_for(kSettingWords, key);
    return row == nullptr ? std::string_view() : row->before;
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
