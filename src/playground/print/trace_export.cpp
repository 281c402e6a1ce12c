// One writer for each format; a walk (trace_walk.h) hands it the numbers.
#include "playground/print/trace_export.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "core/words/code_points.h"
#include "playground/link/state_url.h"
#include "playground/numbers/digest.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

constexpr std::int64_t kWriting = 400;                  // multiply-adds that take as long as a number's text, about
constexpr std::int64_t kPiece = std::int64_t{1} << 24;  // multiply-adds between two pieces for a sink

// Writes one format: appends to a text what the walk hands it.
class TraceText : public TraceVisitor {
public:
    std::string text;

    virtual void begin(const PlaygroundState& /*state*/, const Notes& /*notes*/) {}
    // `digest` is empty for one stage alone.
    virtual void end(const std::string& /*digest*/) {}
};

class TraceJson : public TraceText {
public:
    void begin(const PlaygroundState& state, const Notes& notes) override {
        texts_ = &state.inputs.texts;
        json_.begin_object();
        json_.member("link", write_link(state));
        put_texts("notes", notes);
        json_.key("sentences");
        json_.begin_array();
    }
    void begin_sentence(const Evaluation& evaluation) override {
        json_.begin_object();
        json_.member("text", (*texts_)[sentence_++]);
        json_.key("tokens");
        json_.begin_row();
        for (const Token& token : evaluation.tokens.tokens) json_.text(token.text);
        json_.end_row();
        put_texts("notes", evaluation.notes);
        json_.key("stages");
        json_.begin_array();
    }
    void begin_stage(const Evaluation& evaluation, TensorId stage) override {
        const StageInfo& info = stage_info(stage);
        json_.begin_object();
        json_.member("name", info.name);
        json_.member("letters", shape_letters(evaluation.sizes, stage));
        json_.key("shape");
        json_.begin_row();
        for (const int size : stage_shape(evaluation, stage)) json_.integer(size);
        json_.end_row();
        json_.key("values");
        has_heads_ = info.has_heads;
        if (has_heads_) json_.begin_array();
    }
    void begin_matrix(const Evaluation& /*evaluation*/, TensorId /*stage*/, int /*head*/) override {
        json_.begin_array();
    }
    void add_rows(const Evaluation& /*evaluation*/, const Matrix& rows) override {
        for (int i = 0; i < length(rows, 0); ++i) {
            json_.begin_row();
            for (const float number : row_of(rows, i)) json_.number(number);
            json_.end_row();
        }
    }
    void end_matrix() override { json_.end_array(); }
    void end_stage() override {
        if (has_heads_) json_.end_array();
        json_.end_object();
    }
    void end_sentence() override {
        json_.end_array();
        json_.end_object();
    }
    void end(const std::string& digest) override {
        json_.end_array();
        if (!digest.empty()) json_.member("digest", digest);
        json_.end_object();
        text += '\n';
    }

private:
    void put_texts(std::string_view key, const std::vector<std::string>& texts) {
        json_.key(key);
        json_.begin_array();
        for (const std::string& each : texts) json_.text(each);
        json_.end_array();
    }

    JsonWriter json_{text};
    const std::vector<std::string>* texts_ = nullptr;
    std::size_t sentence_ = 0;
    bool has_heads_ = false;
};

class TraceCsv : public TraceText {
public:
    void begin(const PlaygroundState& /*state*/, const Notes& /*notes*/) override {
        text += "sentence,stage,head,row,column,value\n";
    }
    void begin_sentence(const Evaluation& /*evaluation*/) override { ++sentence_; }
    void begin_matrix(const Evaluation& /*evaluation*/, TensorId stage, int head) override {
        const std::string number = stage_info(stage).has_heads ? concat(head + 1) : "";
        place_ = concat(sentence_, ",", tensor_name(stage), ",", number, ",");
        row_ = 0;
    }
    void add_rows(const Evaluation& /*evaluation*/, const Matrix& rows) override {
        for (int i = 0; i < length(rows, 0); ++i, ++row_) {
            const std::string before = concat(place_, row_, ',');
            for (int c = 0; c < length(rows, 1); ++c) text += concat(before, c, ',', exact_number(rows(i, c)), '\n');
        }
    }

private:
    int sentence_ = 0;  // from 1
    int row_ = 0;       // the next of the matrix
    std::string place_;
};

// Characters on a screen, roughly: code points.
std::size_t width_of(std::string_view text) {
    const auto starts_character = [](char byte) { return !continues_code_point(byte); };
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string padding(std::string_view text, std::size_t width) {
    return std::string(width - std::min(width, width_of(text)), ' ');
}

std::string shape_text(const Evaluation& evaluation, TensorId stage) {
    std::string text;
    for (const int size : stage_shape(evaluation, stage)) text += concat(text.empty() ? "(" : ", ", size);
    return text + ")";
}

// Tables with the row tokens at the left and tokens or channel numbers at the top.
class TraceTables : public TraceText {
public:
    void begin(const PlaygroundState& state, const Notes& notes) override {
        texts_ = &state.inputs.texts;
        parts_ = layer_parts(state.inputs);
        goal_ = state.inputs.goal;
        text += concat("link: ", write_link(state), '\n');
        put_notes(notes);
    }
    void begin_sentence(const Evaluation& evaluation) override {
        text += concat("\nsentence ", sentence_ + 1, ": ", one_line((*texts_)[sentence_]), '\n');
        ++sentence_;
        put_notes(evaluation.notes);
        token_width_ = 0;
        for (const Token& token : evaluation.tokens.tokens) token_width_ = std::max(token_width_, width_of(token.text));
    }
    void begin_stage(const Evaluation& evaluation, TensorId stage) override {
        text += concat('\n', stage_info(stage).name, ' ', shape_letters(evaluation.sizes, stage), " = ",
                       shape_text(evaluation, stage), ": ", stage_words(stage, parts_, goal_).formula, '\n');
    }
    void begin_matrix(const Evaluation& evaluation, TensorId stage, int head) override {
        if (stage_info(stage).has_heads)
            text += concat(has_kv_heads(stage) && evaluation.sizes.num_kv_heads != 0 ? "key head " : "head ", head + 1,
                           '\n');
        std::vector<std::string> titles;
        cell_width_ = 9;  // "−123.4567"
        for (int c = 0; c < extent_of(evaluation.sizes, stage).columns; ++c) {
            const bool is_key = stage_info(stage).columns == Axis::key_token;
            titles.push_back(is_key ? evaluation.tokens.tokens[static_cast<std::size_t>(c)].text : concat(c));
            cell_width_ = std::max(cell_width_, width_of(titles.back()));
        }
        text += std::string(token_width_, ' ');
        for (const std::string& title : titles) text += concat("  ", padding(title, cell_width_), title);
        text += '\n';
        row_ = 0;
    }
    void add_rows(const Evaluation& evaluation, const Matrix& rows) override {
        for (int i = 0; i < length(rows, 0); ++i, ++row_) {
            const std::string& token = evaluation.tokens.tokens[row_].text;
            text += concat(token, padding(token, token_width_));
            for (const float value : row_of(rows, i)) {
                const std::string number = shown_number(static_cast<double>(value));
                text += concat("  ", padding(number, cell_width_), number);
            }
            text += '\n';
        }
    }
    void end(const std::string& digest) override {
        if (!digest.empty()) text += concat("\ndigest: ", digest, '\n');
    }

private:
    void put_notes(const Notes& notes) {
        for (const std::string& note : notes) text += concat("note: ", note, '\n');
    }

    const std::vector<std::string>* texts_ = nullptr;
    LayerParts parts_;
    GoalKind goal_ = GoalKind::none;
    std::size_t sentence_ = 0;
    std::size_t row_ = 0;  // the next of the matrix
    std::size_t token_width_ = 0, cell_width_ = 0;
};

std::unique_ptr<TraceText> text_of(ExportFormat format) {
    if (format == ExportFormat::json) return std::make_unique<TraceJson>();
    if (format == ExportFormat::csv) return std::make_unique<TraceCsv>();
    return std::make_unique<TraceTables>();
}

}  // namespace

// Hands everything on to the format, and to the hash if all stages are written.
struct TraceWriter::Body : TraceVisitor {
    PlaygroundState state;
    std::unique_ptr<TraceText> out;
    TraceWalk walk;
    bool has_digest = false;
    Hash hash;
    DigestVisitor digest{hash};
    bool is_done = false;

    void begin_sentence(const Evaluation& evaluation) override {
        out->begin_sentence(evaluation);
        digest.begin_sentence(evaluation);
    }
    void begin_stage(const Evaluation& evaluation, TensorId stage) override {
        out->begin_stage(evaluation, stage);
        digest.begin_stage(evaluation, stage);
    }
    void begin_matrix(const Evaluation& evaluation, TensorId stage, int head) override {
        out->begin_matrix(evaluation, stage, head);
    }
    void add_rows(const Evaluation& evaluation, const Matrix& rows) override {
        out->add_rows(evaluation, rows);
        if (has_digest) digest.add_rows(evaluation, rows);
    }
    void end_matrix() override { out->end_matrix(); }
    void end_stage() override { out->end_stage(); }
    void end_sentence() override { out->end_sentence(); }
};

TraceWriter::TraceWriter(const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                         ExportFormat format)
    : body_(std::make_unique<Body>()) {
    body_->state = state;
    body_->out = text_of(format);
    body_->walk = TraceWalk(state.inputs, stage, kWriting);
    body_->has_digest = !stage;
    body_->out->begin(body_->state, notes);
}

TraceWriter::~TraceWriter() = default;
TraceWriter::TraceWriter(TraceWriter&&) noexcept = default;
TraceWriter& TraceWriter::operator=(TraceWriter&&) noexcept = default;

bool TraceWriter::advance(std::int64_t multiply_adds, const Evaluation* known) {
    Body& body = *body_;
    if (body.is_done) return true;
    if (!body.walk.advance(body, multiply_adds, known, body.state.view.sentence)) return false;
    body.out->end(body.has_digest ? digest_text(body.hash.value()) : "");
    return body.is_done = true;
}

std::string TraceWriter::take_text() {
    return std::exchange(body_->out->text, {});
}

void write_trace(const TextSink& sink, const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                 ExportFormat format) {
    TraceWriter writer(state, notes, stage, format);
    bool is_done = false;
    while (!is_done) {
        is_done = writer.advance(kPiece);
        sink(writer.take_text());
    }
}

std::string export_trace(const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                         ExportFormat format) {
    TraceWriter writer(state, notes, stage, format);
    while (!writer.advance(kWholeWalk)) continue;
    return writer.take_text();
}

}  // namespace attn
