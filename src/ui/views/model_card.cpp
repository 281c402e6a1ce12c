// The line above the picture, and the card that it opens.
#include "ui/views/model_card.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/state/origin.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/card.h"
#include "ui/kit/lock.h"
#include "ui/kit/widgets.h"
#include "ui/views/door_ways.h"
#include "ui/views/model_parts.h"
#include "views/model/model_text.h"
#include "views/model/model_words.h"
#include "views/model/shown_model.h"

namespace attn {
namespace {

constexpr const char* kCardPopup = "model card";
constexpr float kCardWidth = 560;

TextStyle link_text(const Look& look) {
    return {look.fonts.sans, kTextSize, look.palette.link};
}

void put_words(const Look& look, const ModelTokenizer& tokenizer) {
    const std::vector<std::string> words = words_it_knows(tokenizer);
    if (words.empty()) {
        put_wrapped_text(small(look), concat("It knows ", with_thousands(tokenizer.size()), " tokens."));
        return;
    }
    put_heading(look, concat("THE ", words.size(), " WORDS IT KNOWS"));
    std::string list;
    for (const std::string& word : words) list += concat(list.empty() ? "" : "  ", word);
    put_wrapped_text(small(look), list);
}

// A sentence in one line: its end, which is what starts differ in.
std::string end_of(const TextStyle& style, std::string_view sentence, float width) {
    std::string shown(sentence);
    while (text_size(style, shown).x > width) {
        const std::size_t blank = sentence.find(' ');
        if (blank == std::string_view::npos) break;
        sentence.remove_prefix(blank + 1);
        shown = concat("… ", sentence);
    }
    return shown;
}

// "Most probable: “well. I am …” Drawn: “little in …”"
std::string continuations_in_words(const StartSentence& start) {
    const auto shown = [](std::string_view text) { return concat("“", one_line(trimmed(text)), " …”"); };
    return concat("Most probable: ", shown(start.likeliest), " Drawn: ", shown(start.drawn));
}

void put_starts(UiFrame& frame, const ModelCard& card) {
    put_heading(frame, "SENTENCES TO START FROM");
    int number = 0;
    for (const StartSentence& start : card.starts) {
        const std::string name = concat("start=", ++number);
        const LockScope lock(frame, "text", frame.palette.panel);
        const TextStyle style = link_text(frame);
        if (text_link(frame, name, style, end_of(style, start.text, ImGui::GetContentRegionAvail().x))) {
            const auto sentence = static_cast<std::size_t>(frame.state.view.sentence);
            if (sentence < frame.next.inputs.texts.size()) frame.next.inputs.texts[sentence] = start.text;
            frame.next.view.said = 0;
            frame.next.view.cell.reset();
            frame.next.view.word.clear();
            ImGui::CloseCurrentPopup();
        }
        put_wrapped_text(small(frame), start.about);
        if (!start.likeliest.empty()) put_wrapped_text(small(frame), continuations_in_words(start));
    }
}

void put_card_of(UiFrame& frame, const ModelText& shown) {
    if (!begin_card(frame, kCardPopup, "card", frame.state.inputs.model, kCardWidth)) return;
    const ModelCard* card = find_model_card(frame.state.inputs.model);
    put_wrapped_text(body(frame), concat(model_in_words(shown.model->config, num_parameters(*shown.model)), "."));
    if (card) {
        for (const std::string_view paragraph : card->about) put_wrapped_text(body(frame), paragraph);
        put_starts(frame, *card);
    }
    if (shown.tokenizer) put_words(frame, *shown.tokenizer);
    end_card(frame);
}

void put_offer(UiFrame& frame) {
    const std::string& model = frame.state.inputs.model;
    if (find_own_model(model) && !will_not_come(frame)) {
        put_wrapped_text(body(frame), kOpeningModel);
        return;
    }
    if (!model.empty()) {
        put_wrapped_text(body(frame),
                         concat("The model ", quoted(model),
                                " is not open yet. One that comes with this page opens by itself. To open "
                                "another one, drop its files here: config.json, model.safetensors, tokenizer.json."));
        put_fetch_button(frame, "fetch model");
        return;
    }
    put_wrapped_text(
        body(frame),
        frame.state.view.view == ViewKind::lens
            ? "Here each layer of a trained model is asked which word its stream would give. The matrices of the other "
              "views are random."
        : frame.state.view.view == ViewKind::patch
            ? "Here parts of a trained model's run on a second text take the place of this text's. The matrices of the "
              "other views are random."
        : frame.state.view.view == ViewKind::journey
            ? "Here one token goes through all layers of a trained model. The matrices of the other views are random."
            : "Here the heads of all layers of a trained model stand side by side, with the words that come next "
              "and who votes for them. The matrices of the other views are random.");
    const LockScope lock(frame, "model", frame.palette.paper);
    for (const OwnModel& own : kOwnModels) {
        const ButtonKind kind = &own == &kFirstWords ? ButtonKind::primary : ButtonKind::quiet;
        if (button(frame, concat("model=", own.name), concat("Open ", own.name, size_to_fetch(own)), kind)) {
            show_own_model(frame.next, own);
            frame.next.view.view = frame.state.view.view;
        }
        put_wrapped_text(small(frame), concat("It is ", about_own_model(own), "."));
    }
    put_fetch_button(frame, "fetch model");
}

}  // namespace

void put_fetch_button(UiFrame& frame, const std::string& name) {
    if (!frame.surroundings.has_fetch_page) return;
    if (button(frame, name, "Fetch a model …")) {
        frame.requests.push_back(
            {.kind = UiRequest::Kind::fetch_model, .what = {}, .options = {}, .text = {}, .index = 0});
    }
    put_tooltip(frame, "Opens a page that fetches a model from an address that you name, when you press there", {}, {});
}

void put_model_card(UiFrame& frame, const ModelText* shown) {
    if (shown == nullptr) return put_offer(frame);
    const ModelCard* card = find_model_card(frame.state.inputs.model);
    const std::int64_t count = num_parameters(*shown->model);
    const std::string own = concat("A small model of ", with_thousands(count), " numbers");
    const std::string words =
        card ? concat(own, ", trained by this project on ", card->trained_on, ".")
             : concat(frame.state.inputs.model, ": ", model_in_words(shown->model->config, count), ".");
    const TextStyle style = body(frame);
    const std::string_view link = card ? "What it is, and its words" : "What it knows";
    constexpr float kGap = 10;
    const float room = ImGui::GetContentRegionAvail().x - text_size(style, link).x - kGap;
    // The longest of these that stands beside the link.
    const auto fits = [&](std::string_view one) { return text_size(style, one).x <= room; };
    std::string shown_words = words;
    if (card && !fits(words)) shown_words = fits(concat(own, ".")) ? concat(own, ".") : "A small model.";
    put_text(style, shortened(style, shown_words, std::max(room, 60.0F)), text_link_height(frame, style));
    ImGui::SameLine(0, kGap);
    if (text_link(frame, "model=card", link_text(frame), link)) ImGui::OpenPopup(kCardPopup);
    put_card_of(frame, *shown);
    const bool has_chips = frame.state.inputs.model == kFirstWords.name && !has_lesson(frame) && !is_low_for_model();
    if (has_chips && frame.layout != LayoutKind::phone) put_sentence_chips(frame, ImGui::GetContentRegionAvail().x);
}

}  // namespace attn
