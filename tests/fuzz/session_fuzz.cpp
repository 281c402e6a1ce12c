// Any bytes as a session file. A seed is the file that the program writes of a golden link.
#include "core/ground/check.h"
#include "fuzz/opened_file.h"
#include "fuzz/target.h"
#include "share/formats/session_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    attn::test::open_and_check("a.attention", attn::test::text_of(bytes, size));
    // What is no session by its first byte is asked for as one, too: attn --session does.
    const attn::Result<attn::ReadLink> read = attn::read_session(attn::test::text_of(bytes, size));
    if (!read) return 0;
    const attn::Result<attn::ReadLink> back = attn::read_session(attn::write_session(read->state));
    ATTN_CHECK(back && back->state == read->state, "the state does not survive its file ", back.error());
    return 0;
}

std::string input_of_link(std::string_view link) {
    return attn::write_session(attn::read_link(link).state);
}
