// The settings: everything that decides the numbers, in the order in which it comes in. A column, or a drawer.
#include "ui/settings/settings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/legal.h"
#include "playground/link/setting_groups.h"
#include "playground/link/state_url.h"
#include "playground/numbers/sentence_embeddings.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/touch.h"
#include "ui/kit/undo.h"
#include "ui/kit/widgets.h"
#include "ui/settings/about.h"
#include "ui/settings/finding.h"
#include "ui/settings/folding.h"
#include "ui/settings/learning_group.h"
#include "ui/settings/model_rows.h"
#include "ui/settings/performance.h"
#include "ui/settings/typed_editor.h"
#include "ui/settings/variant_rows.h"

namespace attn {
namespace {

Steps steps_by(int value, int step, int low) {
    return {.less = whole_steps(value, step, low, kMaxWidth).less, .more = whole_steps(value, step, 1, kMaxWidth).more};
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

void put_input_rows(UiFrame& frame) {
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
    number_row(frame, "d_in", concat(inputs.d_in), steps_by(inputs.d_in, 1, 1));
}

void put_attention_rows(UiFrame& frame) {
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
    choice_row(frame, "mask");
    choice_row(frame, "scale");
    number_row(frame, "temperature", exact_number(inputs.temperature),
               steps_on_grid("temperature", inputs.temperature, 0.1));
    number_row(frame, "dropout", exact_number(inputs.dropout), steps_on_grid("dropout", inputs.dropout, 0.1));
    if (inputs.dropout > 0) {
        seed_row(frame, "dropout_seed", inputs.dropout_seed);
        if (!hides_control(frame.state.view, "dropout_seed"))
            put_remark(frame, "PyTorch builds differ here between platforms.");
    }
}

void put_matrix_rows(UiFrame& frame) {
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
    const View& view = frame.state.view;
    if (!hides_control(view, "combine") || !hides_control(view, "row_stat")) put_heading(frame, "Picture");
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

// Whether any of the group's settings is not left out. Without a goal there is no recipe.
bool shows_group(const Shown& shown, SettingGroup group) {
    const bool is_without_goal = group == SettingGroup::learning && !has_goal(shown.state.inputs);
    if (is_without_goal && hides_control(shown.state.view, "goal")) return false;
    std::string_view keys = setting_group_info(group).keys;
    while (!keys.empty()) {
        const std::size_t end = keys.find(' ');
        if (!hides_control(shown.state.view, keys.substr(0, end))) return true;
        keys.remove_prefix(end + 1);
    }
    return false;
}

// What the line of a folded group says where a state says more than the group's words.
std::string folded_words(const Inputs& inputs, SettingGroup group) {
    switch (group) {
        case SettingGroup::input:
            return counted(static_cast<std::int64_t>(inputs.texts.size()), "sentence");
        case SettingGroup::model:
            return model_in_summary(inputs);
        case SettingGroup::attention:
            return concat(counted(inputs.num_heads, "head"), inputs.mask == Mask::causal ? ", causal" : ", no mask");
        default:
            return {};
    }
}

void put_rows_of(UiFrame& frame, SettingGroup group) {
    switch (group) {
        case SettingGroup::learning:
            return put_learning_rows(frame);
        case SettingGroup::input:
            return put_input_rows(frame);
        case SettingGroup::model:
            return put_model_rows(frame);
        case SettingGroup::attention:
            put_attention_rows(frame);
            return put_matrix_rows(frame);
        case SettingGroup::positions:
            return put_position_rows(frame);
        case SettingGroup::variants:
            return put_variant_rows(frame);
        case SettingGroup::none:
            return;
    }
}

void put_setting_group(UiFrame& frame, SettingGroup group) {
    if (!shows_group(frame, group)) return;
    if (put_group_heading(frame, group, folded_words(frame.state.inputs, group))) put_rows_of(frame, group);
}

// All groups, or of a model that is open only those that it leaves to the visitor.
void put_groups(UiFrame& frame) {
    follow_state(frame);
    const bool is_learning_first = puts_learning_first(frame);
    const bool has_open_model = open_model_of(frame.state.inputs) != nullptr;
    if (is_learning_first && !has_open_model) put_setting_group(frame, SettingGroup::learning);
    put_setting_group(frame, SettingGroup::input);
    if (!frame.state.inputs.model.empty()) put_setting_group(frame, SettingGroup::model);
    if (has_open_model) return;
    for (const SettingGroup group : {SettingGroup::attention, SettingGroup::positions, SettingGroup::variants})
        put_setting_group(frame, group);
    if (!is_learning_first) put_setting_group(frame, SettingGroup::learning);
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
    constexpr float kAboveSearch = 12;
    constexpr float kLow = 480;
    const float margin = 14;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const SettingHelp help = setting_help(frame, room.x - 2 * margin);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    // The rows scroll; the help stays where it is, and so does the search where there is height for both.
    const bool scrolls_search = ImGui::GetIO().DisplaySize.y < kLow;
    const float search_height = scrolls_search ? 0 : find_field_height(frame) + kAboveSearch;
    const float rows_height = std::max(room.y - help.size.y - search_height, 80.0F);
    ImGui::SetCursorScreenPos({corner.x + margin, corner.y + kAboveSearch});
    if (!scrolls_search) put_find_field(frame, room.x - 2 * margin);
    ImGui::SetCursorScreenPos({corner.x, corner.y + search_height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, 8));
    ImGui::BeginChild("settings", {room.x, rows_height},
                      ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 4));
    if (scrolls_search) put_find_field(frame, ImGui::GetContentRegionAvail().x);
    const std::size_t first_item = frame.items.size();
    if (!put_found(frame)) {
        put_groups(frame);
        follow_found(frame, first_item);
        if (frame.is_folded || saves_height(frame)) put_picture_group(frame);
        put_program_links(frame);
    }
    ImGui::PopStyleVar();
    scroll_by_finger(frame);
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({corner.x + margin, corner.y + search_height + rows_height});
    put_setting_help(frame, help);
}

}  // namespace attn
