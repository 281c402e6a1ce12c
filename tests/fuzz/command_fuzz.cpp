// What a message of the page around reaches of the engine (web/messages.js, src/engine.cpp): any text as a link, as the
// name of a stage, as the kind and the options of an export, a line each.
#include <algorithm>

#include "core/ground/check.h"
#include "fuzz/opened_file.h"
#include "fuzz/target.h"
#include "playground/link/link_text.h"
#include "playground/numbers/computation.h"
#include "playground/print/trace_export.h"
#include "share/exports/export_options.h"
#include "share/exports/exports.h"

namespace {

using namespace attn;

// Enough for every kind of file, and quick.
bool is_small(const PlaygroundState& state) {
    std::size_t num_bytes = state.view.compare.size();
    for (const std::string& text : state.inputs.texts) num_bytes += text.size();
    const Inputs& inputs = state.inputs;
    return num_bytes <= 200 && inputs.d_in <= 16 && inputs.d_out <= 16 && state.view.pairs <= 1000;
}

void make_file(const PlaygroundState& state, ExportKind kind, const ExportOptions& options) {
    Computation computation;
    computation.begin(state);
    while (!computation.is_complete()) computation.work(1, [] { return 0.0; });
    ExportWork work(kind, state, options);
    while (!work.advance(computation.evaluator())) continue;
    const Result<ExportedFile> file = work.take_file();
    ATTN_CHECK(file || !file.error().empty(), "no sentence");
    ATTN_CHECK(!file || (!file->bytes.empty() && !file->name.empty()), "a file of nothing");
    ATTN_CHECK(!file || file->name.find_first_of("/\\") == std::string::npos, "a file in a folder: ", file->name);
    if (file && kind == ExportKind::session) test::open_and_check(file->name, file->bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    std::string_view rest = test::text_of(bytes, size);
    const std::string_view link = take_until(rest, '\n');
    const std::string_view stage_name = take_until(rest, '\n');
    const std::string_view kind_name = take_until(rest, '\n');
    const ReadLink read = read_link(link);
    Notes notes;
    const ExportOptions options = read_export_options(rest, read.state, notes);
    if (!is_small(read.state)) return 0;
    const std::optional<TensorId> stage = stage_of_name(stage_name);
    if (!stage || is_present(read.state.inputs, *stage))
        ATTN_CHECK(!export_trace(read.state, read.notes, stage, ExportFormat::json).empty(), "no trace");
    if (const std::optional<ExportKind> kind = export_of_name(kind_name)) make_file(read.state, *kind, options);
    return 0;
}

std::string input_of_link(std::string_view link) {
    const std::span<const ExportInfo> kinds = export_table();
    const std::string_view kind = kinds[link.size() % kinds.size()].name;
    return concat(link, "\nweights\n", kind, "\ndark=1&scale=2&stage=context");
}
