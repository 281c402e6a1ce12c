// The About card: what the program is, and the digest of all numbers, which it computes a slice a frame.
#include "ui/settings/about.h"

#include "core/ground/check.h"
#include "core/kernels/simd_kernels.h"
#include "playground/text/format.h"
#include "ui/kit/card.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr const char* kCard = "about card";
constexpr float kWidth = 460;
constexpr float kDigestSize = 22;
constexpr std::int64_t kSlice = 1 << 24;  // multiply-adds a frame: some milliseconds

AboutMemory& about_memory(PanelMemory& memory) {
    if (!memory.about) memory.about = std::make_shared<AboutMemory>();
    return *memory.about;
}

// Continues the digest of the evaluator's numbers. Returns whether it is done.
bool work_on_digest(Display& display) {
    const Evaluator& evaluator = display.evaluator;
    if (!display.evaluation.is_complete() || !evaluator.state()) return false;
    DigestWork& digest = about_memory(display.memory).digest;
    if (digest.inputs() != evaluator.inputs()) digest = DigestWork(evaluator.inputs());
    const bool is_done = digest.advance(kSlice, &display.evaluation, evaluator.state()->view.sentence);
    if (!is_done) display.widgets.is_moving = true;
    return is_done;
}

void put_digest(UiFrame& frame) {
    put_heading(frame, "DIGEST OF ALL NUMBERS");
    const bool is_done = work_on_digest(frame);
    const DigestWork& digest = about_memory(frame.memory).digest;
    const std::string label = "Copy digest";
    const float side = control_height(frame) + 4;
    const float room = ImGui::GetContentRegionAvail().x;
    const float button_width = text_size(body(frame), label).x + 24;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const std::string progress = frame.evaluation.is_complete()
                                     ? concat("computing: ", shown_number(100 * digest.share_done(), 0), " %")
                                     : std::string("waiting for the numbers");
    const std::string shown = is_done ? digest_text(digest.digest()) : progress;
    const TextStyle style = {is_done ? frame.fonts.mono : frame.fonts.sans, is_done ? kDigestSize : kTextSize,
                             frame.palette.ink};
    const bool fits = text_size(style, shown).x + 12 + button_width <= room;
    put_text(style, shown, side);
    record_item(frame, "digest");
    if (fits) ImGui::SetCursorScreenPos({corner.x + room - button_width, corner.y});
    if (button(frame, "copy=digest", label, ButtonKind::quiet, is_done)) {
        frame.requests.push_back({.kind = UiRequest::Kind::copy_digest,
                                  .what = {},
                                  .options = {},
                                  .text = digest_text(digest.digest()),
                                  .index = 0});
    }
    put_wrapped_text(
        small(frame),
        "It covers every bit of every stage of all sentences. Anyone who opens the same link gets the same digest, on "
        "any machine: two people compare these digits instead of all numbers.");
}

// Of the desktop program, whose window has no text version.
void put_word_for_screen_readers(UiFrame& frame) {
    put_heading(frame, "WITH A SCREEN READER");
    put_wrapped_text(body(frame),
                     "A screen reader finds nothing in this window. Open the playground's page instead, or its single "
                     "HTML file, attention-playground.html: both work offline, take the same links, and have all of "
                     "this as text (the button Text).");
}

}  // namespace

void put_prepare_link(UiFrame& frame, const std::string& name) {
    const std::string& address = frame.surroundings.page_address;
    if (!address.starts_with("http") || address.ends_with("attention-playground.html")) return;
    TextStyle style = body(frame);
    style.color = frame.palette.link;
    if (text_link(frame, name, style, "Prepare for a class …"))
        frame.requests.push_back({.kind = UiRequest::Kind::prepare, .what = {}, .options = {}, .text = {}, .index = 0});
    put_tooltip(frame, "Opens the author's page: what is left out, what is fixed, link, QR code, snippet", {}, {});
}

void put_about_link(UiFrame& frame) {
    TextStyle style = small(frame);
    style.color = frame.palette.link;
    if (text_link(frame, "about", style, "About")) ImGui::OpenPopup(kCard);
    if (!begin_card(frame, kCard, "about", concat("Attention Playground ", ATTN_VERSION), kWidth)) return;
    put_wrapped_text(body(frame),
                     "Multi-head attention on a sentence of yours, every number explained down to its products. "
                     "Nothing you type leaves this machine.");
    put_prepare_link(frame, "about prepare");
    put_digest(frame);
    if (!frame.surroundings.page_shows_sentence) put_word_for_screen_readers(frame);
    put_wrapped_text(small(frame), concat("Computed here with these instructions: ", simd::name_of(simd::in_use()),
                                          ". Free software under the MIT licence."));
    end_card(frame);
}

}  // namespace attn
