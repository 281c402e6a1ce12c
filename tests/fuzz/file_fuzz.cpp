// Any byte string as a file that somebody drops on the playground: libFuzzer looks for one that crashes a reader or
// gives an illegal state. The files of tests/golden/numpy are good ones to begin with.
//   cmake --preset fuzz && cmake --build --preset fuzz --target file_fuzz
//   mkdir -p build/fuzz/files && build/fuzz/file_fuzz -max_len=4096 build/fuzz/files tests/golden/numpy
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/check.h"
#include "playground/legal.h"
#include "playground/state_url.h"
#include "share/open_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const attn::PlaygroundState state = attn::read_link("text=a+b+c+d&d_in=6&d_out=3&heads=1&bias=1").state;
    const std::string file(reinterpret_cast<const char*>(bytes), size);
    const attn::Result<attn::FileOffer> offer = attn::open_file({.name = "file", .bytes = file}, state);
    if (!offer) {
        ATTN_CHECK(!offer.error().empty() && offer.error().size() < 2000, "no sentence: ", offer.error());
        return 0;
    }
    ATTN_CHECK(!offer->choices.empty() && !offer->question.empty(), "an offer of nothing");
    for (const attn::FileChoice& choice : offer->choices) {
        attn::PlaygroundState again = choice.state;
        const attn::Notes notes = attn::clamp_to_legal(again);
        ATTN_CHECK(notes.empty() && again == choice.state,
                   "a file gave an illegal state: ", notes.empty() ? "" : notes[0]);
    }
    return 0;
}
