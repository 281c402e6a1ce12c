// What is promised of any bytes that somebody opens as a file: a sentence, or states that are legal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "share/opening/open_file.h"

namespace attn::test {

// A small state that the seeds fit.
inline const PlaygroundState& state_for_files() {
    static const PlaygroundState state = read_link("text=a+b+c+d&d_in=6&d_out=3&heads=1&bias=1").state;
    return state;
}

inline void open_and_check(std::string_view name, std::string_view bytes) {
    const Result<FileOffer> offer =
        open_file({.name = std::string(name), .bytes = std::string(bytes)}, state_for_files());
    if (!offer) {
        ATTN_CHECK(!offer.error().empty() && offer.error().size() < 2000, "no sentence: ", offer.error());
        return;
    }
    ATTN_CHECK(!offer->choices.empty() && !offer->question.empty(), "an offer of nothing");
    for (const FileChoice& choice : offer->choices) {
        PlaygroundState again = choice.state;
        const Notes notes = clamp_to_legal(again);
        ATTN_CHECK(notes.empty() && again == choice.state,
                   "a file gave an illegal state: ", notes.empty() ? "" : notes[0]);
        const std::string link = write_link(choice.state);
        ATTN_CHECK(read_link(link).state == choice.state, "the state does not survive its link ", link);
    }
}

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace attn::test
