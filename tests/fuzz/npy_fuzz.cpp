// Any bytes as an array of NumPy's. The seeds are NumPy's own files (tests/golden/numpy) and stages of golden links.
#include "fuzz/opened_file.h"
#include "fuzz/target.h"
#include "share/exports/data_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    attn::test::open_and_check("x.npy", attn::test::text_of(bytes, size));
    attn::test::open_and_check("numbers", attn::test::text_of(bytes, size));
    return 0;
}

std::string input_of_link(std::string_view link) {
    const attn::PlaygroundState state = attn::read_link(link).state;
    const attn::Evaluation shown = attn::evaluate(state.inputs, state.view.sentence);
    const attn::Result<std::string> file = attn::write_stage_npy(state, shown, attn::TensorId::embeddings);
    return file ? *file : "";
}
