// Any bytes as a table of numbers, opened as a file and pasted. A seed is X of a golden link, copied from the
// playground.
#include <cmath>

#include "core/ground/check.h"
#include "fuzz/opened_file.h"
#include "fuzz/target.h"
#include "playground/numbers/evaluation.h"
#include "views/edit/edit_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text = attn::test::text_of(bytes, size);
    attn::test::open_and_check("x.csv", text);
    attn::test::open_and_check("numbers", text);
    const attn::Result<attn::NumberBlock> block = attn::parse_number_block(text);
    ATTN_CHECK(block || !block.error().empty(), "no sentence");
    if (!block) return 0;
    for (const std::vector<float>& row : *block) {
        ATTN_CHECK(row.size() == block->front().size() && !row.empty(), "rows of different lengths");
        for (const float number : row) ATTN_CHECK(std::isfinite(number), "a number that is none");
    }
    const attn::Result<attn::NumberBlock> again = attn::parse_number_block(attn::write_number_block(*block));
    ATTN_CHECK(again && *again == *block, "a block is not read as it was written ", again.error());
    return 0;
}

std::string input_of_link(std::string_view link) {
    const attn::PlaygroundState state = attn::read_link(link).state;
    const attn::Evaluation shown = attn::evaluate(state.inputs, state.view.sentence);
    const attn::Extent extent = attn::table_extent(shown, attn::TensorId::embeddings);
    if (extent.rows == 0) return "";
    return attn::write_number_block(attn::copy_area(
        shown, attn::TensorId::embeddings, {.row = 0, .column = 0, .rows = extent.rows, .columns = extent.columns}));
}
