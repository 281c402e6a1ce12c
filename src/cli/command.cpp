// Each action reads the link, asks playground, and prints.
#include "cli/command.h"

#include <algorithm>

#include "cli/files.h"
#include "cli/kinds_command.h"
#include "cli/lesson_site.h"
#include "cli/model_command.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "cli/tell.h"
#include "cli/tokenizer_command.h"
#include "cli/train_command.h"
#include "cli/variants_command.h"
#include "cli/why_outside.h"
#include "core/explain/explain.h"
#include "core/ground/check.h"
#include "playground/cache/cache_print.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/models/own_models.h"
#include "playground/numbers/memory_needs.h"
#include "share/exports/data_files.h"
#include "share/exports/export_options.h"
#include "share/exports/exports.h"
#include "share/formats/session_file.h"

namespace attn {
namespace {

int fail(std::ostream& err, std::string_view sentence) {
    tell(err, sentence);
    return kFailure;
}

// Standard input up to its end, without the last line's end. Reading stops at one byte more than a sentence may
// have, which is enough for a note.
std::string read_sentence(std::istream& in) {
    std::string text(kMaxTextBytes + 4, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    return text;
}

// The state of the link or the session file with the sentences of --text, if there is memory for its numbers.
Result<ReadLink> read_state(const Options& options, std::istream& in) {
    ReadLink link;
    if (options.session) {
        const Result<std::string> bytes = read_bytes(*options.session, in);
        if (!bytes) return Result<ReadLink>::failure(bytes.error());
        Result<ReadLink> session = read_session(*bytes);
        if (!session) return session;
        link = std::move(*session);
    } else {
        link = read_link(options.link.value_or(""));
    }
    if (!options.texts.empty()) {
        link.state.inputs.texts.clear();
        for (const std::string& text : options.texts) {
            link.state.inputs.texts.push_back(text == "-" ? read_sentence(in) : text);
        }
        append_notes(link.notes, clamp_to_legal(link.state));
    }
    if (!has_room_for(link.state)) return Result<ReadLink>::failure(concat(no_room_text(link.state), "."));
    return link;
}

// A sentence when these inputs do not have the stage, else nothing.
std::string no_stage_text(const Inputs& inputs, TensorId stage) {
    if (is_present(inputs, stage)) return "";
    return concat("This link has no stage ", tensor_name(stage), ": ", why_absent(inputs, stage), ".");
}

int trace(const Options& options, std::istream& in, std::ostream& out, std::ostream& err) {
    const Result<ReadLink> read = read_state(options, in);
    if (!read) return fail(err, read.error());
    const ReadLink& link = *read;
    if (options.stage) {
        const std::string refusal = no_stage_text(link.state.inputs, *options.stage);
        if (!refusal.empty()) return fail(err, refusal);
    }
    const std::string obstacle = trace_obstacle(link.state.inputs, options.stage);
    if (!obstacle.empty()) return fail(err, obstacle);
    const TextSink sink = [&](std::string_view piece) { out << piece; };
    write_trace(sink, link.state, link.notes, options.stage, options.format.value_or(ExportFormat::json));
    return 0;
}

int explain_cell(const Options& options, std::istream& in, std::ostream& out, std::ostream& err) {
    const Result<ReadLink> read = read_state(options, in);
    if (!read) return fail(err, read.error());
    const ReadLink& link = *read;
    const PlaygroundState& state = link.state;
    const TensorId stage = options.stage.value_or(state.view.stage);
    const std::string absence = no_stage_text(state.inputs, stage);
    if (!absence.empty()) return fail(err, absence);
    const bool has_heads = stage_info(stage).has_heads;
    const bool names_cell = options.row && options.column && (options.head || !has_heads);
    if (!names_cell && !state.view.cell) {
        return fail(err, concat("Say which cell: ", has_heads ? "--head, " : "",
                                "--row and --column, or a link with a pinned cell."));
    }
    const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
    if (evaluation.is_empty()) return fail(err, "The sentence is empty, so there is no number to explain.");

    const Cell pinned = state.view.cell.value_or(Cell());
    const int head = has_heads ? options.head.value_or(pinned.head + 1) : options.head.value_or(1);
    const int row = options.row.value_or(pinned.row);
    const int column = options.column.value_or(pinned.column);
    const Extent extent = extent_of(evaluation.sizes, stage);
    const int num_heads = has_heads ? state.inputs.num_heads : 1;
    for (const std::string& refusal : {why_outside("head", head, 1, num_heads, tensor_name(stage)),
                                       why_outside("row", row, 0, extent.rows, tensor_name(stage)),
                                       why_outside("column", column, 0, extent.columns, tensor_name(stage))}) {
        if (!refusal.empty()) return fail(err, refusal);
    }
    const Explanation explanation = explain(evaluation, stage, head - 1, row, column);
    out << export_explanation(evaluation, explanation, link.notes, options.format.value_or(ExportFormat::text));
    return 0;
}

int run_cache(const Options& options, std::istream& in, std::ostream& out, std::ostream& err) {
    const Result<ReadLink> read = read_state(options, in);
    if (!read) return fail(err, read.error());
    const PlaygroundState& state = read->state;
    const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
    if (evaluation.is_empty()) return fail(err, "The sentence is empty, so there is nothing to keep in a cache.");
    out << (options.format == ExportFormat::json ? cache_as_json(state, evaluation, read->notes)
                                                 : cache_as_text(state, evaluation, read->notes));
    return 0;
}

int list_exports(std::ostream& out) {
    std::size_t widest = 0;
    for (const ExportInfo& info : export_table()) widest = std::max(widest, info.name.size());
    const std::string indent(widest + 2, ' ');
    for (const ExportInfo& info : export_table()) {
        out << info.name << std::string(indent.size() - info.name.size(), ' ') << info.label << " (" << info.extension
            << ")\n"
            << indent << info.about << '\n';
    }
    return 0;
}

// The file goes to `out` or to --out; notes, which no file has room for, to `err`.
int export_state(const Options& options, std::istream& in, std::ostream& out, std::ostream& err) {
    if (options.lists_kinds) return list_exports(out);
    Result<ReadLink> read = read_state(options, in);
    if (!read) return fail(err, read.error());
    const PlaygroundState& state = read->state;
    ExportOptions wanted = read_export_options(options.export_options, state, read->notes);
    if (options.stage) wanted.stage = options.stage;
    Evaluator evaluator;
    evaluator.update(state);
    const Result<ExportedFile> file = export_file(*options.kind, state, evaluator, wanted);
    if (!file) return fail(err, file.error());
    append_notes(read->notes, evaluator.shown().notes);
    append_notes(read->notes, file->notes);
    for (const std::string& note : read->notes) tell_note(err, note);
    if (options.output) {
        const std::string refusal = write_bytes(*options.output, file->name, file->bytes);
        return refusal.empty() ? 0 : fail(err, refusal);
    }
    out.write(file->bytes.data(), static_cast<std::streamsize>(file->bytes.size()));
    return 0;
}

std::string default_of(const KeyInfo& info) {
    const std::vector<std::string> values = info.write(PlaygroundState());
    return values.empty() ? "" : concat("; default ", values[0]);
}

int print_keys(const Options& options, std::ostream& out) {
    if (options.format == ExportFormat::json) {
        out << keys_as_json();
        return 0;
    }
    std::size_t widest = 0;
    for (const KeyInfo& info : key_table()) widest = std::max(widest, info.key.size());
    const std::string indent(widest + 2, ' ');
    for (const KeyInfo& info : key_table()) {
        out << info.key << std::string(indent.size() - info.key.size(), ' ') << info.help() << '\n'
            << indent << info.legal() << default_of(info) << '\n';
    }
    return 0;
}

int run_task(const std::string& path, std::istream& in, std::ostream& out, std::ostream& err) {
    open_own_models();
    const Result<std::string> bytes = read_bytes(path, in);
    if (!bytes) return fail(err, bytes.error());
    const Result<std::string> text = task_text(*bytes);
    if (!text) return fail(err, text.error());
    out << *text;
    return 0;
}

}  // namespace

int run_command(std::span<const std::string> arguments, std::istream& in, std::ostream& out, std::ostream& err) {
    if (is_about_training(arguments)) return run_train_command(arguments, out, err);
    if (is_about_tokenizer(arguments)) return run_tokenizer_command(arguments, out, err);
    if (is_about_kinds(arguments)) {
        out << kinds_text();
        return 0;
    }
    if (is_about_lessons(arguments)) {
        open_own_models();
        const Result<std::string> text = lessons_text(arguments);
        if (!text) return fail(err, text.error());
        out << *text;
        return 0;
    }
    if (is_about_task(arguments)) return run_task(arguments[2], in, out, err);
    if (is_about_lesson_site(arguments)) {
        open_own_models();
        return run_lesson_site(arguments, err);
    }
    if (is_about_variants(arguments)) {
        open_own_models();
        return run_variants_command(arguments, in, out, err);
    }
    if (is_about_model(arguments)) return run_model_command(arguments, out, err);
    const Result<Options> options = read_options(arguments);
    if (!options) return fail(err, options.error());
    open_own_models();
    switch (options->action) {
        case Action::trace:
            return trace(*options, in, out, err);
        case Action::explain:
            return explain_cell(*options, in, out, err);
        case Action::cache:
            return run_cache(*options, in, out, err);
        case Action::export_file:
            return export_state(*options, in, out, err);
        case Action::keys:
            return print_keys(*options, out);
        case Action::help:
            out << help_text(concat(model_help_text(), train_help_text(), tokenizer_help_text(), kinds_help_text(),
                                    lessons_help_text(), variants_help_text()));
            return 0;
        case Action::version:
            out << "attn " ATTN_VERSION "\n";
            return 0;
    }
    fail_check(__FILE__, __LINE__, "no such action");
}

}  // namespace attn
