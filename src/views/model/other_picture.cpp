// Finds the words and votes of A in B: by number where both have one vocabulary, else by the words themselves.
#include "views/model/other_picture.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "views/compare/compare_words.h"

namespace attn {
namespace {

std::vector<VoteLine> printed_lines(const VoteColumn& column) {
    std::vector<VoteLine> lines = column.lines;
    if (column.rounding != 0) lines.push_back({.label = "rounding", .thousandths = column.rounding});
    return lines;
}

// "… who has the hat ? the": what is said of a text that is too long to be said whole; empty for a shorter one.
std::string end_of_text(std::string_view text) {
    constexpr std::size_t kEnd = 32;  // bytes
    const std::size_t blank = text.size() > kEnd ? text.find(' ', text.size() - kEnd) : std::string_view::npos;
    return blank == std::string_view::npos ? std::string() : concat("…", text.substr(blank));
}

}  // namespace

std::optional<PlaygroundState> other_state(const View& view) {
    return view.compare.empty() ? std::nullopt : std::optional(read_link(view.compare).state);
}

OtherPicture other_picture(const PlaygroundState& a, const PlaygroundState& b, const ModelText* text,
                           const ModelPictureWork* work, const ModelDrawing& drawing) {
    OtherPicture other = {.words = other_in_words(a, b)};
    const std::string end = end_of_text(shown_sentence(b));
    if (!end.empty() && shown_sentence(a) != shown_sentence(b))
        other.words += concat(". B ends: “", isolated(end), "”");
    if (text == nullptr) other.words += ". B has no model that is open.";
    if (text == nullptr || work == nullptr || !work->has_picture()) return other;
    other.picture = &work->picture();
    other.tokenizer = text->tokenizer.get();
    other.has_same_words = other.tokenizer == drawing.tokenizer;
    if (!drawing.word || !other.picture->has_next() || !work->votes_problem().empty()) return other;
    ModelDrawing both = drawing;
    both.other = other;
    const std::optional<int> word = token_of_other(both, *drawing.word);
    if (word && work->asks_for_votes(*word))
        other.votes = vote_column(work->votes(*word), other.picture->input.off, drawing.layer);
    return other;
}

bool has_other(const ModelDrawing& drawing) {
    return drawing.other && drawing.other->picture != nullptr && drawing.other->picture->has_next();
}

std::optional<int> token_of_other(const ModelDrawing& drawing, int token) {
    const OtherPicture& other = *drawing.other;
    const std::optional<int> found =
        other.has_same_words ? token : token_of_word(other.tokenizer, word_of_token(drawing.tokenizer, token));
    const bool is_known = found && *found < other.picture->config.vocabulary;
    return is_known ? found : std::nullopt;
}

std::optional<double> probability_of_other(const ModelDrawing& drawing, int token) {
    if (!has_other(drawing)) return std::nullopt;
    const std::optional<int> found = token_of_other(drawing, token);
    if (!found) return std::nullopt;
    return static_cast<double>(drawing.other->picture->probabilities[static_cast<std::size_t>(*found)]);
}

std::vector<int> shown_words_of_both(const ModelDrawing& drawing) {
    std::vector<int> ids = shown_next_words(drawing.picture, drawing.word);
    if (!has_other(drawing)) return ids;
    const OtherPicture& other = *drawing.other;
    for (const int id : other.picture->most_probable(kShownNextWords)) {
        const std::optional<int> known =
            other.has_same_words ? id : token_of_word(drawing.tokenizer, word_of_token(other.tokenizer, id));
        const bool is_known = known && *known < drawing.picture.config.vocabulary;
        if (is_known && std::ranges::find(ids, *known) == ids.end()) ids.push_back(*known);
    }
    return ids;
}

std::string shown_difference(double difference) {
    return concat(difference > 0 ? "+" : "", shown_number(difference));
}

std::vector<VotesOfLine> votes_of_both(const ModelDrawing& drawing) {
    std::vector<VotesOfLine> lines;
    for (const VoteLine& line : printed_lines(*drawing.votes)) lines.push_back({.line = line, .a = line.thousandths});
    if (!drawing.other || !drawing.other->votes) return lines;
    for (const VoteLine& line : printed_lines(*drawing.other->votes)) {
        const auto same =
            std::ranges::find_if(lines, [&](const VotesOfLine& one) { return one.line.label == line.label; });
        if (same != lines.end()) {
            same->b = line.thousandths;
        } else {
            lines.push_back({.line = line, .b = line.thousandths});
        }
    }
    return lines;
}

}  // namespace attn
