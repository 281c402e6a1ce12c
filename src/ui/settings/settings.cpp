// The settings: everything that decides the numbers, in the order in which it comes in. A column, or a drawer.
#include "ui/settings/settings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/numbers/sentence_embeddings.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"
#include "playground/state/words.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/touch.h"
#include "ui/kit/undo.h"
#include "ui/kit/widgets.h"
#include "ui/settings/about.h"
#include "ui/settings/learning_group.h"
#include "ui/settings/performance.h"
#include "ui/settings/typed_editor.h"

namespace attn {
namespace {

std::optional<std::string> whole_between(int value, int low, int high) {
    return value >= low && value <= high ? std::optional(concat(value)) : std::nullopt;
}

// From low to high.
Steps whole_steps(int value, int step, int low, int high) {
    return {.less = whole_between(value - step, low, high), .more = whole_between(value + step, low, high)};
}

Steps steps_by(int value, int step, int low) {
    return {.less = whole_between(value - step, low, kMaxWidth), .more = whole_between(value + step, 1, kMaxWidth)};
}

// The neighbours of `value` on the grid of `step`, inside what the key table allows. Rounded, so that 0.1 three times
// is 0.3.
Steps steps_on_grid(std::string_view key, double value, double step) {
    const KeyInfo& info = key_info(key);
    const auto at = [&](double place) -> std::optional<std::string> {
        const double next = std::round(place) * step;
        const double rounded = std::round(next * 1e6) / 1e6;
        if (rounded < info.low || rounded > info.high) return std::nullopt;
        return exact_number(rounded);
    };
    return {.less = at(std::ceil(value / step - 1e-6) - 1), .more = at(std::floor(value / step + 1e-6) + 1)};
}

// The neighbours of `value` in an ascending list.
Steps steps_along(const std::vector<int>& list, int value) {
    Steps steps;
    for (const int count : list) {
        if (count < value) steps.less = concat(count);
        if (count > value && !steps.more) steps.more = concat(count);
    }
    return steps;
}

// Whether any of these rows is not left out.
bool shows_any(const Shown& shown, std::initializer_list<std::string_view> keys) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](std::string_view key) { return !hides_control(shown.state.view, key); });
}

// A line under a setting, in soft ink.
void put_remark(const Look& look, const std::string& text) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 4);
    put_wrapped_text(small(look), text);
}

// How many sentences the batch has: one more is an example to write over, one less drops the last.
void put_sentence_count(UiFrame& frame) {
    if (locks_control(frame.state.view, "text") && frame.state.inputs.texts.size() == 1) return;  // nothing to say
    const std::vector<std::string>& texts = frame.state.inputs.texts;
    const int count = static_cast<int>(texts.size());
    SettingRow row(frame, "text", "sentences");
    const std::string value = concat(count);
    const float width = row.place_control(stepper_width(frame, value));
    const StepperLook look = {count > 1, texts.size() < kMaxSentences, Icon::plus, "sentences"};
    const StepperEvent event = stepper(frame, "sentences", value, look, width);
    if (event.step > 0) {
        frame.next.inputs.texts.emplace_back("Your journey starts with one step");
        frame.next.view.sentence = count;
    }
    if (event.step < 0) {
        frame.next.inputs.texts.pop_back();
        frame.next.view.sentence = std::min(frame.state.view.sentence, count - 2);
    }
}

// What positions in the scores do, and the settings of rotary ones. Apart, as all that a first picture has not.
[[gnu::noinline]] void put_positions_in_scores(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    if (inputs.positions == Positions::alibi) put_remark(frame, "ALiBi: scores fall with the distance");
    if (inputs.positions != Positions::rope) return;
    put_remark(frame, inputs.rope_dim == 0 ? "RoPE: queries and keys are turned" : "RoPE: their last numbers turn");
    choice_row(frame, "rope_pairs");
    // Tenfold steps: models take 10,000 or 1,000,000.
    const double base = inputs.rope_base;
    const auto times = [&](double factor) -> std::optional<std::string> {
        const double next = base * factor;
        if (next < kMinRopeBase || next > kMaxRopeBase) return std::nullopt;
        return exact_number(next);
    };
    number_row(frame, "rope_base", exact_number(base), {.less = times(0.1), .more = times(10)});
    number_row(frame, "pos_shift", concat(inputs.pos_shift),
               whole_steps(inputs.pos_shift, 1, -kMaxPosShift, kMaxPosShift));
}

void put_positions(UiFrame& frame) {
    choice_row(frame, "pos");
    const Positions positions = frame.state.inputs.positions;
    const bool is_in_scores = positions == Positions::alibi || positions == Positions::rope;
    if (is_in_scores && !hides_control(frame.state.view, "pos")) put_positions_in_scores(frame);
}

// The layer and what the model decides, in the place of the controls of drawn matrices.
void put_open_model(UiFrame& frame, const OpenModel& model) {
    const Inputs& inputs = frame.state.inputs;
    const ModelShape& shape = model.shape();
    put_remark(frame, concat(inputs.model, ": ", shape.kind, ", ", counted(shape.num_layers, "layer"), " of ",
                             counted(shape.num_heads, "head")));
    if (!shows_part(frame, "stages")) {  // else they stand before the stages
        std::vector<int> layers;
        for (int layer = 1; layer <= shape.num_layers; ++layer) layers.push_back(layer);
        number_row(frame, "layer", concat(inputs.layer + 1), steps_along(layers, inputs.layer + 1));
    }
    if (!inputs.off.empty()) {
        choice_row(frame, "off_by");
        SettingRow row(frame, "off");
        const std::string label = concat("switch ", inputs.off.size(), " on");
        row.place_control(text_size(body(frame), label).x + 24);
        if (button(frame, "off=", label)) frame.next.inputs.off.clear();
    }
    const auto fixed = [&](std::string_view name, const auto& value) { return concat(", ", name, " ", value); };
    put_remark(frame, concat("The model decides: d_in ", inputs.d_in, fixed("d_out", inputs.d_out),
                             fixed("heads", inputs.num_heads), ", head_dim ", inputs.d_out / inputs.num_heads,
                             inputs.num_kv_heads > 0 ? fixed("key heads", inputs.num_kv_heads) : "",
                             fixed("mask", word_of(kMaskWords, inputs.mask)),
                             inputs.mask_window > 0 ? concat(", the last ", counted(inputs.mask_window, "token")) : "",
                             fixed("scale", word_of(kScaleWords, inputs.scale))));
}

// A state with a model, whether it is open or not.
[[gnu::noinline]] void put_model_group(UiFrame& frame) {
    put_heading(frame, "MODEL");
    const std::shared_ptr<const OpenModel> model = open_model_of(frame.state.inputs);
    if (model) {
        put_open_model(frame, *model);
    } else {
        put_remark(frame, concat(frame.state.inputs.model,
                                 " is not loaded. Showing random matrices until you open its files."));
    }
    const LockScope lock(frame, "model", frame.palette.panel);
    if (button(frame, "model=", "Random matrices instead")) make_random(frame.next.inputs);
}

void put_input_group(UiFrame& frame) {
    put_heading(frame, "INPUT");
    const Inputs& inputs = frame.state.inputs;
    put_sentence_count(frame);
    if (open_model_of(inputs)) return;
    choice_row(frame, "tokens");
    const EmbeddingKind before = inputs.embed;
    choice_row(frame, "embed");
    if (before == EmbeddingKind::hash && !hides_control(frame.state.view, "embed"))
        put_remark(frame, "hash: a random vector per word");
    if (before != EmbeddingKind::typed && frame.next.inputs.embed == EmbeddingKind::typed) {
        keep_embeddings_as_typed(frame.next.inputs, before);
    }
    if (inputs.embed == EmbeddingKind::typed) {
        const LockScope lock(frame, "x", frame.palette.panel);
        put_typed_editor(frame);
    } else {
        seed_row(frame, "embed_seed", inputs.embed_seed);
    }
    put_positions(frame);
    number_row(frame, "d_in", concat(inputs.d_in), steps_by(inputs.d_in, 1, 1));
}

// Whether any key may be hidden; otherwise it does not matter where the mask comes in.
bool hides_a_key(const Inputs& inputs) {
    const auto hides = [&](const Edit& edit) {
        return edit.layer == inputs.layer && edit.tensor == TensorId::mask && edit.value != 0;
    };
    return inputs.mask == Mask::causal || inputs.mask_window != 0 ||
           std::any_of(inputs.edits.begin(), inputs.edits.end(), hides);
}

// Heads of keys and values: they go along the divisors of heads.
void put_kv_heads(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    if (inputs.num_heads == 1 || inputs.init == Init::none) return;
    const int now = inputs.num_kv_heads == 0 ? inputs.num_heads : inputs.num_kv_heads;
    number_row(frame, "kv_heads", concat(now), steps_along(legal_num_heads(inputs.num_heads), now));
    if (frame.next.inputs.num_kv_heads == inputs.num_heads) frame.next.inputs.num_kv_heads = 0;
    if (inputs.num_kv_heads == 0) return;
    if (!hides_control(frame.state.view, "kv_heads")) {
        const int readers = inputs.num_heads / inputs.num_kv_heads;
        put_remark(frame, inputs.num_kv_heads == 1 ? concat("one for all ", readers, " heads (MQA)")
                                                   : concat(readers, " heads share each (GQA)"));
    }
    choice_row(frame, "kv_from");
}

[[gnu::noinline]] void put_latent_rows(UiFrame& frame, const Steps& query_steps) {
    const Inputs& inputs = frame.state.inputs;
    if (inputs.latent != 0 && !hides_control(frame.state.view, "latent")) {
        const int kv_heads = inputs.num_kv_heads == 0 ? inputs.num_heads : inputs.num_kv_heads;
        put_remark(frame, concat("a cache keeps ", counted(inputs.latent + inputs.rope_dim, "number"), " a token, not ",
                                 2 * kv_heads * (inputs.d_out / inputs.num_heads)));
    }
    number_row(frame, "latent_queries", concat(inputs.query_latent), query_steps);
    if (inputs.latent == 0 || inputs.positions != Positions::rope) return;
    const int most = kMaxWidth / inputs.num_heads / 2 * 2;
    number_row(frame, "rope_dim", concat(inputs.rope_dim), whole_steps(inputs.rope_dim, 2, 0, most));
}

// The vectors that keys, values and queries are made of: from 0, none, to d_out numbers.
void put_latents(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    if (inputs.init == Init::none) return;
    const auto steps_of = [&](int value) { return whole_steps(value, 1, 0, inputs.d_out); };
    number_row(frame, "latent", concat(inputs.latent), steps_of(inputs.latent));
    if (inputs.latent != 0 || inputs.query_latent != 0) put_latent_rows(frame, steps_of(inputs.query_latent));
}

// The window of the mask, and beside it the keys that stay.
void put_window(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    const int window = inputs.mask_window;
    const auto steps_of = [](int value) { return whole_steps(value, 1, 0, static_cast<int>(kMaxTokens)); };
    number_row(frame, "mask_window", concat(window), steps_of(window));
    if (frame.next.inputs.mask_window == 0) frame.next.inputs.mask_sinks = 0;
    if (window == 0) return;
    if (!hides_control(frame.state.view, "mask_window")) {
        put_remark(frame, concat(window == 1 ? "each token sees itself" : concat("itself and ", window - 1, " before"),
                                 inputs.mask == Mask::none && window > 1 ? concat(", ", window - 1, " after") : ""));
    }
    number_row(frame, "mask_sinks", concat(inputs.mask_sinks), steps_of(inputs.mask_sinks));
}

void put_attention_group(UiFrame& frame) {
    if (shows_any(frame, {"d_out", "heads", "kv_heads", "kv_from", "latent", "latent_queries", "rope_dim", "mask",
                          "mask_window", "mask_sinks", "mask_at", "sink_logits", "scale", "temperature", "dropout",
                          "dropout_seed"}))
        put_heading(frame, "ATTENTION");
    const Inputs& inputs = frame.state.inputs;
    // d_out goes in steps of num_heads: a step of 1 would at once take the heads away.
    number_row(frame, "d_out", concat(inputs.d_out), steps_by(inputs.d_out, inputs.num_heads, inputs.num_heads));
    Steps steps = steps_along(legal_num_heads(inputs.d_out), inputs.num_heads);
    // With as many heads as channels, one more head brings one more channel along.
    const std::optional<int> wider = steps.more || locks_control(frame.state.view, "d_out")
                                         ? std::nullopt
                                         : d_out_for_heads(inputs, inputs.num_heads + 1);
    if (wider) steps.more = concat(inputs.num_heads + 1);
    number_row(frame, "heads", concat(inputs.num_heads), steps);
    if (wider && frame.next.inputs.num_heads == inputs.num_heads + 1) frame.next.inputs.d_out = *wider;
    if (!hides_control(frame.state.view, "heads"))
        put_remark(frame,
                   concat("head_dim = ", inputs.d_out, " / ", inputs.num_heads, " = ", inputs.d_out / inputs.num_heads,
                          wider ? concat("; one head more takes d_out ", *wider) : ""));
    put_kv_heads(frame);
    choice_row(frame, "mask");
    put_window(frame);
    if (hides_a_key(inputs) || inputs.mask_at != MaskAt::before) choice_row(frame, "mask_at");
    choice_row(frame, "scale");
    number_row(frame, "temperature", exact_number(inputs.temperature),
               steps_on_grid("temperature", inputs.temperature, 0.1));
    number_row(frame, "dropout", exact_number(inputs.dropout), steps_on_grid("dropout", inputs.dropout, 0.1));
    if (inputs.dropout > 0) {
        seed_row(frame, "dropout_seed", inputs.dropout_seed);
        if (!hides_control(frame.state.view, "dropout_seed"))
            put_remark(frame, "PyTorch builds differ here between platforms.");
    }
    put_latents(frame);  // last, so that mask and scale stay in sight: most layers have none, as of what follows
    if (inputs.mask_at == MaskAt::before) flag_row(frame, "sink_logits", inputs.has_sink());
}

void put_edits(UiFrame& frame) {
    if (hides_control(frame.state.view, "edit")) return;
    const std::vector<Edit>& edits = frame.state.inputs.edits;
    SettingRow row(frame, "edit");
    TextStyle style = body(frame);
    if (edits.empty()) {
        style.color = frame.palette.soft_ink;
        const float width = row.place_control(text_size(style, "none").x);
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        ImGui::Dummy({width, control_height(frame)});
        draw_text_in(corner, {corner.x + width, corner.y + control_height(frame)}, {0, 0.5F}, style, "none");
        return;
    }
    const std::string label = concat("revert ", with_thousands(static_cast<std::int64_t>(edits.size())));
    row.place_control(text_size(style, label).x + 24);
    if (button(frame, "edit=", label)) frame.next.inputs.edits.clear();
}

void put_matrices_group(UiFrame& frame) {
    if (shows_any(frame, {"init", "seed", "bias", "out", "edit"})) put_heading(frame, "LEARNED MATRICES");
    const Inputs& inputs = frame.state.inputs;
    choice_row(frame, "init");
    const bool is_random = inputs.init != Init::identity && inputs.init != Init::none;
    // The output projection is drawn from the seed for every init that has one.
    if (is_random || inputs.bias || inputs.out) seed_row(frame, "seed", inputs.seed);
    if (inputs.init != Init::none) {
        flag_row(frame, "bias", inputs.bias);
        flag_row(frame, "out", inputs.out);
    }
    put_edits(frame);
}

// Choices that stand above the picture if there is room there.
void put_picture_group(UiFrame& frame) {
    if (shows_part(frame, "undo")) {
        SettingRow row(frame, "edit", "changes");
        row.place_control(undo_buttons_width(frame));
        put_undo_buttons(frame);
    }
    if (shows_any(frame, {"combine", "row_stat"})) put_heading(frame, "PICTURE");
    choice_row(frame, "combine");
    choice_row(frame, "row_stat");
}

// About the program, at the end of the settings.
void put_program_links(UiFrame& frame) {
    const bool has_about = shows_part(frame, "about");
    const bool has_performance = shows_part(frame, "performance");
    if (!has_about && !has_performance) return;
    ImGui::Dummy({1, 8});
    if (has_about) put_about_link(frame);
    if (has_about && has_performance) ImGui::SameLine(0, 16);
    if (has_performance) put_performance_link(frame);
}

// Whether the visitor is here to train: then what decides the training comes first. It stays where it is when a goal is
// chosen or dropped, which would move it away from the pointer.
bool puts_learning_first(const Shown& shown) {
    return shown.state.view.view == ViewKind::learn || (has_lesson(shown) && has_goal(shown.state.inputs));
}

}  // namespace

void keep_embeddings_as_typed(Inputs& inputs, EmbeddingKind kind) {
    if (!inputs.typed.empty()) return;
    Inputs before = inputs;
    before.embed = kind;
    for (int sentence = 0; sentence < static_cast<int>(before.texts.size()); ++sentence) {
        const Tokens tokens = tokenize(before.texts[static_cast<std::size_t>(sentence)], before.tokens);
        TypedRows& rows = inputs.typed.emplace_back();
        if (tokens.tokens.empty()) continue;
        Notes unread;
        const Matrix vectors = make_embedding_parts(before, sentence, tokens, unread).token_vectors;
        for (std::size_t i = 0; i < vectors.shape(0); ++i) {
            std::vector<float>& row = rows.emplace_back();
            for (std::size_t c = 0; c < vectors.shape(1); ++c) row.push_back(std::round(vectors(i, c) * 1e4F) / 1e4F);
        }
    }
}

void draw_settings(UiFrame& frame) {
    const float margin = 14;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const SettingHelp help = setting_help(frame, room.x - 2 * margin);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    // The rows scroll; the help stays where it is.
    const float rows_height = std::max(room.y - help.size.y, 80.0F);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, margin));
    ImGui::BeginChild("settings", {room.x, rows_height},
                      ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 4));
    const bool is_learning_first = puts_learning_first(frame);
    if (is_learning_first && !open_model_of(frame.state.inputs)) put_learning_group(frame);
    put_input_group(frame);
    if (!frame.state.inputs.model.empty()) put_model_group(frame);
    if (open_model_of(frame.state.inputs)) {
        put_edits(frame);
    } else {
        put_attention_group(frame);
        put_matrices_group(frame);
        if (!is_learning_first) put_learning_group(frame);
    }
    if (frame.is_folded || saves_height(frame)) put_picture_group(frame);
    put_program_links(frame);
    ImGui::PopStyleVar();
    scroll_by_finger(frame);
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({corner.x + margin, corner.y + rows_height});
    put_setting_help(frame, help);
}

}  // namespace attn
