// Any byte string as a link, and as a task in a link.
#include "core/ground/check.h"
#include "fuzz/opened_file.h"
#include "fuzz/target.h"
#include "playground/lessons/lessons.h"
#include "playground/link/legal.h"
#include "playground/link/own_task.h"
#include "playground/numbers/evaluation.h"
#include "playground/print/trace_export.h"

namespace {

// Small enough to be computed a thousand times a second.
bool is_small(const attn::Inputs& inputs) {
    std::size_t num_bytes = 0;
    for (const std::string& text : inputs.texts) num_bytes += text.size();
    return num_bytes <= 64 && inputs.d_in <= 16 && inputs.d_out <= 16;
}

// The same bytes behind the mark of a task: read or refused, and what is read is written and read again.
void check_as_task(std::string_view bytes) {
    const attn::Result<attn::OwnTask> task = attn::read_task(attn::concat("task1\n", bytes));
    if (!task) return;
    const std::string value = attn::write_task(*task);
    const attn::Result<attn::OwnTask> back = attn::read_task(value);
    ATTN_CHECK(back && attn::write_task(*back) == value, "a task does not survive its link ", back.error());
    for (const attn::OwnStep& step : task->steps) {
        if (!is_small(attn::read_link(step.link).state.inputs)) return;
    }
    attn::problems_of_task(*task);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    check_as_task(attn::test::text_of(bytes, size));
    const attn::ReadLink read = attn::read_link(attn::test::text_of(bytes, size));
    attn::PlaygroundState again = read.state;
    const attn::Notes notes = attn::clamp_to_legal(again);
    ATTN_CHECK(notes.empty() && again == read.state, "a link gave an illegal state: ", notes.empty() ? "" : notes[0]);

    const std::string link = attn::write_link(read.state);
    const attn::ReadLink back = attn::read_link(link);
    ATTN_CHECK(back.state == read.state, "the state does not survive its link ", link);
    ATTN_CHECK(back.notes.empty(), "a written link needs a note: ", back.notes[0]);

    if (is_small(read.state.inputs)) {
        ATTN_CHECK(!attn::export_trace(read.state, read.notes, std::nullopt, attn::ExportFormat::json).empty(),
                   "no trace");
    }
    return 0;
}

std::string input_of_link(std::string_view link) {
    return std::string(link);
}
