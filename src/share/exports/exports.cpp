// The table of exports, and which code makes each of them.
#include "share/exports/exports.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/lessons/prediction.h"
#include "playground/link/hiding.h"
#include "playground/link/link_text.h"
#include "playground/link/state_url.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"
#include "scene/pens/figure_pixels.h"
#include "scene/pens/figure_svg.h"
#include "share/exports/data_files.h"
#include "share/formats/session_file.h"
#include "share/questions/quiz_formats.h"
#include "share/scripts/notebook.h"
#include "share/scripts/script_class.h"
#include "share/scripts/script_model.h"
#include "share/scripts/script_numpy.h"
#include "share/scripts/script_pytorch.h"
#include "share/scripts/stage_code.h"
#include "share/solution/worked_solution.h"
#include "share/spreadsheet/spreadsheet.h"
#include "share/worksheet/worksheet.h"
#include "views/figures.h"
#include "views/journey/journey_picture.h"
#include "views/lens/shown_lens.h"
#include "views/model/shown_model.h"
#include "views/patch/patch_picture.h"

namespace attn {
namespace {

constexpr std::string_view kSpreadsheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

constexpr ExportInfo kTable[] = {
    {ExportKind::svg, "svg", "SVG figure",
     "the picture as it stands here, as vectors and text: for reports and handouts", ExportScope::view, ".svg",
     "image/svg+xml", true},
    {ExportKind::png, "png", "PNG picture", "the same as pixels, at the scale you choose: for slides and messages",
     ExportScope::view, ".png", "image/png", false},
    {ExportKind::votes, "votes", "CSV of the model",
     "the model's numbers for a spreadsheet: next words, the votes of each head and MLP, what each head does",
     ExportScope::view, ".csv", "text/csv", true},
    {ExportKind::lens, "lens", "CSV of the lens",
     "the logit lens for a spreadsheet: after each layer, at each position the most probable words and the chosen one",
     ExportScope::view, ".csv", "text/csv", true},
    {ExportKind::journey, "journey", "CSV of the journey",
     "a token's way through the model for a spreadsheet: what each head and MLP adds to its stream, in every layer",
     ExportScope::view, ".csv", "text/csv", true},
    {ExportKind::patch, "patch", "CSV of the patches",
     "the effect of each patch for a spreadsheet: what it does to the choice between the two words", ExportScope::view,
     ".csv", "text/csv", true},
    {ExportKind::session, "session", "Session file",
     "everything you chose and typed, to be opened here again: for what is too long for a link", ExportScope::state,
     kSessionExtension, "application/json", true},
    {ExportKind::csv, "csv", "CSV table",
     "the stage's numbers for a spreadsheet: one number a line, with sentence, head, row and column",
     ExportScope::stage, ".csv", "text/csv", true},
    {ExportKind::tsv, "tsv", "TSV table", "the same with tabs, to be pasted into a spreadsheet", ExportScope::stage,
     ".tsv", "text/tab-separated-values", true},
    {ExportKind::json, "json", "JSON", "the stage's numbers as nested lists, with the tokens and the link",
     ExportScope::stage, ".json", "application/json", true},
    {ExportKind::npy, "npy", "NumPy array", "the stage's numbers as one float32 array: numpy.load", ExportScope::stage,
     ".npy", "application/octet-stream", false},
    {ExportKind::npz, "npz", "NumPy arrays", "all stages and matrices by their names, in one file: numpy.load",
     ExportScope::state, ".npz", "application/zip", false},
    {ExportKind::pytorch, "pytorch", "PyTorch script",
     "a short Python script that computes every stage with PyTorch and prints the same numbers", ExportScope::state,
     ".py", "text/x-python", true},
    {ExportKind::code, "code", "PyTorch of the stage",
     "the lines of that script that make the stage: they stand beside its numbers, too", ExportScope::stage, ".py",
     "text/x-python", true},
    {ExportKind::lecture_class, "class", "PyTorch class",
     "the lectures' class that computes this state, from SelfAttention_v1 to MultiHeadAttention, with these numbers",
     ExportScope::state, ".py", "text/x-python", true},
    {ExportKind::numpy, "numpy", "NumPy script", "the same with NumPy alone, PyTorch's random numbers included",
     ExportScope::state, ".py", "text/x-python", true},
    {ExportKind::notebook, "notebook", "Jupyter notebook",
     "the PyTorch script in cells, a stage a cell, with formulas and the page's numbers to compare with",
     ExportScope::state, ".ipynb", "application/x-ipynb+json", true},
    {ExportKind::xlsx, "xlsx", "Spreadsheet",
     "live formulas from X to the output, a sheet a stage: change a number and see what follows", ExportScope::state,
     ".xlsx", kSpreadsheetType, false},
    {ExportKind::solution, "solution", "Worked solution",
     "the steps of one query token with numbers put in, as Markdown with LaTeX for a handout; with blanks a worksheet",
     ExportScope::state, ".md", "text/markdown", true},
    {ExportKind::worksheet, "worksheet", "Worksheet",
     "what is left blank as a page for print: the numbers that are given, boxes to fill in, room for arithmetic",
     ExportScope::state, ".html", "text/html", false},
    {ExportKind::moodle, "moodle", "Questions, Moodle XML",
     "what is asked here as questions for Moodle: pictures, tolerances, a known mistake's name for each wrong answer",
     ExportScope::state, ".xml", "application/xml", false},
    {ExportKind::gift, "gift", "Questions, GIFT", "the same as text, without pictures", ExportScope::state, ".txt",
     "text/plain", false},
    {ExportKind::qti, "qti", "Questions, QTI 2.1", "the same as a package for other course systems", ExportScope::state,
     ".zip", "application/zip", false},
};

// The tables of a model, each offered in its own view.
struct ModelTableRow {
    ExportKind kind;
    ViewKind view;
    Result<std::string> (*write)(const PlaygroundState&);
};
constexpr ModelTableRow kModelTables[] = {{ExportKind::votes, ViewKind::model, csv_of_model},
                                          {ExportKind::lens, ViewKind::lens, csv_of_lens},
                                          {ExportKind::journey, ViewKind::journey, csv_of_journey},
                                          {ExportKind::patch, ViewKind::patch, csv_of_patch}};
const ModelTableRow* find_model_table(ExportKind kind) {
    const auto* const row = std::ranges::find(kModelTables, kind, &ModelTableRow::kind);
    return row == std::end(kModelTables) ? nullptr : row;
}

// Of the state's steps, those that could be taken.
int steps_taken(const PlaygroundState& state, const Evaluation& shown) {
    return shown.run ? shown.run->training().num_steps() : state.inputs.steps;
}

// The first words of the sentence as a part of a file name: ASCII letters and digits, joined by "-".
std::string name_of(const PlaygroundState& state) {
    constexpr std::size_t kMost = 24;
    std::string name = "attention";
    std::string word;
    bool is_full = false;
    const auto end_word = [&] {
        is_full = is_full || name.size() + word.size() >= kMost;
        if (!word.empty() && !is_full) name += "-" + word;
        word.clear();
    };
    for (const char c : shown_sentence(state).substr(0, 200)) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
        if (!is_letter) {
            end_word();
            if (is_full) break;
        } else {
            word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
    }
    end_word();
    return name;
}

// What is between the sentence's words and the extension.
std::string part_of(const ExportInfo& info, const PlaygroundState& state, const ExportOptions& options,
                    TensorId stage) {
    if (info.scope == ExportScope::stage) {
        const bool is_whole =
            options.part == ExportPart::all || info.kind == ExportKind::json || info.kind == ExportKind::code;
        return concat("-", tensor_name(stage),
                      is_whole                           ? ""
                      : options.part == ExportPart::head ? concat("-head-", head_of_part(state.view) + 1)
                                                         : "-window");
    }
    // Two scripts of one sentence lie side by side, and so do its questions.
    if (info.kind == ExportKind::pytorch || info.kind == ExportKind::numpy || info.kind == ExportKind::lecture_class ||
        quiz_format_of_name(info.name))
        return concat("-", info.name);
    if (info.kind == ExportKind::worksheet) return options.is_key ? "-key" : "-worksheet";
    if (info.scope == ExportScope::view) return concat("-", key_info("view").write(state).at(0));
    return "";
}

[[gnu::noinline]] Result<std::string> spreadsheet_of(const PlaygroundState& state, const Evaluation& shown) {
    std::string obstacle = spreadsheet_obstacle(state, shown.sizes);
    if (!obstacle.empty()) return Result<std::string>::failure(std::move(obstacle));
    return write_spreadsheet(write_link(state), state.inputs, state.view.sentence, shown);
}

// The questions of this state alone.
Result<std::string> questions_of_state(QuizFormat format, const PlaygroundState& state, const Evaluator& evaluator) {
    Quiz quiz = {.format = format};
    const std::string refusal = add_quiz_section(quiz, state, evaluator);
    if (!refusal.empty()) return Result<std::string>::failure(refusal);
    return write_quiz(quiz);
}

}  // namespace

std::span<const ExportInfo> export_table() {
    return kTable;
}

const ExportInfo& export_info(ExportKind kind) {
    const auto* const row =
        std::find_if(std::begin(kTable), std::end(kTable), [&](const ExportInfo& info) { return info.kind == kind; });
    ATTN_CHECK(row != std::end(kTable), "no export ", static_cast<int>(kind));
    return *row;
}

bool is_offered(ExportKind kind, const PlaygroundState& state) {
    const bool asks_numbers = !state.view.check.empty() || !hidden_values(state.view).empty();
    if (kind == ExportKind::worksheet) return asks_numbers;
    if (quiz_format_of_name(export_info(kind).name)) return asks_numbers || asked_row(state.view) != nullptr;
    const ModelTableRow* table = find_model_table(kind);
    return table == nullptr || state.view.view == table->view;
}

std::optional<ExportKind> export_of_name(std::string_view name) {
    for (const ExportInfo& info : kTable) {
        if (info.name == name) return info.kind;
    }
    return std::nullopt;
}

struct ExportWork::Body {
    ExportKind kind;
    PlaygroundState state;
    ExportOptions options;
    DrawPng draw_png;
    Notes notes = {};  // what is made smaller than asked
    std::optional<FigureWork> figure = {};
    std::optional<Figure> sheet = {};  // what it made, until one of these takes it
    std::optional<SvgWriter> svg = {};
    std::unique_ptr<PngDrawing> png = {};
    std::optional<StageText> table = {};
    std::optional<PartText> part = {};
    std::optional<Result<std::string>> bytes = {};  // once they are made
    CachedEvaluation whole = {};                    // the shown numbers with those that shown() leaves out

    TensorId stage() const { return options.stage.value_or(state.view.stage); }
    void fail(std::string sentence) { bytes = Result<std::string>::failure(std::move(sentence)); }
    void draw(const Evaluator& evaluator);
    const Evaluation* numbers(const Evaluator& evaluator);
    void write(const Evaluator& evaluator);
    double scale_of(const Figure& drawn);
    void write_at_once(const Evaluator& evaluator);
    Result<std::string> bytes_at_once(const Evaluator& evaluator, const Evaluation& shown) const;
};

// What was asked for, or as large as can be, with a note.
double ExportWork::Body::scale_of(const Figure& drawn) {
    const double asked = options.figure.scale;
    const double scale = scale_that_fits(drawn, asked);
    if (scale < asked) {
        notes.push_back(concat("scale set to ", exact_number(scale), ": at ", exact_number(asked),
                               " the picture would have more pixels than can be drawn"));
    }
    return scale;
}

// The next piece of a figure.
void ExportWork::Body::draw(const Evaluator& evaluator) {
    if (kind == ExportKind::png && !draw_png)
        return fail("PNG pictures can be drawn on the page and in the window only; SVG can be written everywhere.");
    if (svg) {
        if (svg->advance()) bytes = svg->take();
        return;
    }
    if (png) {
        if (png->advance()) bytes = png->take();
        return;
    }
    if (!sheet) {
        if (!figure) figure.emplace(state, evaluator, options.figure);
        if (!figure->advance(evaluator)) return;
        Result<Figure> made = figure->figure(state, evaluator);
        if (!made) return fail(made.error());
        sheet = std::move(*made);
        figure.reset();
    } else if (kind == ExportKind::svg) {
        svg.emplace(std::move(*sheet));
    } else {
        const double scale = scale_of(*sheet);
        png = draw_png(std::move(*sheet), scale);
    }
}

// The shown numbers, and those around a model's attention where the file has them: nobody need look at them. Null while
// these are under way.
const Evaluation* ExportWork::Body::numbers(const Evaluator& evaluator) {
    constexpr std::int64_t kSlice = 20'000'000;  // multiply-adds: some milliseconds
    const Evaluation& shown = evaluator.shown();
    const bool has_block = kind == ExportKind::npz || kind == ExportKind::notebook || is_block_stage(stage());
    if (!has_block || !shown.layer || shown.is_empty() || shown.trace.block) return &shown;
    whole.begin(state.inputs, state.view.sentence, 0, true);
    return whole.advance(kSlice) ? &whole.evaluation() : nullptr;
}

// The next piece of a table.
void ExportWork::Body::write(const Evaluator& evaluator) {
    if (options.part != ExportPart::all && kind != ExportKind::json) {
        const Evaluation* shown = numbers(evaluator);
        if (shown == nullptr) return;
        if (!part) {
            Result<PartText> begun = PartText::begin(kind, state, *shown, stage(), options.part);
            if (!begun) return fail(begun.error());
            part = std::move(*begun);
        }
        if (part->advance(*shown)) bytes = part->take();
        return;
    }
    if (!table) {
        Result<StageText> begun = StageText::begin(kind, state, stage());
        if (!begun) return fail(begun.error());
        table = std::move(*begun);
    }
    if (table->advance(evaluator.shown())) bytes = table->take();
}

void ExportWork::Body::write_at_once(const Evaluator& evaluator) {
    const bool is_of_numbers = kind == ExportKind::npy || kind == ExportKind::npz || kind == ExportKind::notebook;
    const Evaluation* shown = is_of_numbers ? numbers(evaluator) : &evaluator.shown();
    if (shown != nullptr) bytes = bytes_at_once(evaluator, *shown);
}

Result<std::string> ExportWork::Body::bytes_at_once(const Evaluator& evaluator, const Evaluation& shown) const {
    if (kind == ExportKind::session) return write_session(state);
    if (kind == ExportKind::npy && options.part != ExportPart::all)
        return write_part_npy(state, shown, stage(), options.part);
    if (kind == ExportKind::npy) return write_stage_npy(state, shown, stage());
    if (kind == ExportKind::npz) return write_state_npz(state, shown);
    if (kind == ExportKind::pytorch && open_model_of(state.inputs)) return script_model(state);
    if (kind == ExportKind::pytorch) return script_pytorch(state, steps_taken(state, evaluator.shown()));
    if (kind == ExportKind::lecture_class) return script_class(state);
    if (kind == ExportKind::code) return code_of_stage(state, stage());
    if (kind == ExportKind::numpy) return script_numpy(state, steps_taken(state, evaluator.shown()));
    if (kind == ExportKind::notebook) return write_notebook(state, shown, steps_taken(state, evaluator.shown()));
    if (kind == ExportKind::xlsx) return spreadsheet_of(state, shown);
    if (const ModelTableRow* table = find_model_table(kind)) {
        if (!shows_blank(state)) return table->write(state);
        return Result<std::string>::failure(
            "There is no table of a model while numbers are left blank: it would give them away.");
    }
    if (kind == ExportKind::worksheet)
        return write_worksheet(state, shown, options.is_letter ? Paper::letter : Paper::a4, options.is_key);
    if (const std::optional<QuizFormat> format = quiz_format_of_name(export_info(kind).name))
        return questions_of_state(*format, state, evaluator);
    ATTN_CHECK(kind == ExportKind::solution, "no export ", static_cast<int>(kind));
    return worked_solution(state, evaluator.shown());
}

ExportWork::ExportWork(ExportKind kind, PlaygroundState state, ExportOptions options, DrawPng draw_png)
    : body_(std::make_unique<Body>(Body{
          .kind = kind, .state = std::move(state), .options = std::move(options), .draw_png = std::move(draw_png)})) {
    body_->options.figure.has_tips = kind == ExportKind::svg;
}

ExportWork::~ExportWork() = default;
ExportWork::ExportWork(ExportWork&&) noexcept = default;
ExportWork& ExportWork::operator=(ExportWork&&) noexcept = default;

bool ExportWork::advance(const Evaluator& evaluator) {
    Body& body = *body_;
    if (body.bytes) return true;
    switch (body.kind) {
        case ExportKind::svg:
        case ExportKind::png:
            body.draw(evaluator);
            break;
        case ExportKind::csv:
        case ExportKind::tsv:
        case ExportKind::json:
            body.write(evaluator);
            break;
        default:
            body.write_at_once(evaluator);
    }
    return body.bytes.has_value();
}

Result<ExportedFile> ExportWork::take_file() {
    Body& body = *body_;
    ATTN_CHECK(body.bytes, "a file was asked for that is not made yet");
    if (!*body.bytes) return Result<ExportedFile>::failure(body.bytes->error());
    const ExportInfo& info = export_info(body.kind);
    return ExportedFile{
        .name = concat(name_of(body.state), part_of(info, body.state, body.options, body.stage()), info.extension),
        .media_type = std::string(info.media_type),
        .bytes = std::move(**body.bytes),
        .notes = std::move(body.notes)};
}

const PlaygroundState& ExportWork::state() const {
    return body_->state;
}

Result<ExportedFile> export_file(ExportKind kind, const PlaygroundState& state, const Evaluator& evaluator,
                                 const ExportOptions& options, const DrawPng& draw_png) {
    ExportWork work(kind, state, options, draw_png);
    while (!work.advance(evaluator)) continue;
    return work.take_file();
}

}  // namespace attn
