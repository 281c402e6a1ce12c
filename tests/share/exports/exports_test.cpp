#include "share/exports/exports.h"
#include "share/exports/export_options.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <set>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "share/formats/npz.h"
#include "views/figures.h"

namespace attn {
namespace {

ExportedFile exported(ExportKind kind, std::string_view link, const ExportOptions& options = {}) {
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    evaluator.update(state);
    const Result<ExportedFile> file = export_file(kind, state, evaluator, options);
    REQUIRE(file);
    return *file;
}

TEST_CASE("every row of the export table is found by its name, and no two have the same", "[exports]") {
    std::set<std::string_view> names;
    for (const ExportInfo& info : export_table()) {
        CHECK(export_of_name(info.name) == info.kind);
        CHECK(&export_info(info.kind) == &info);
        CHECK(names.insert(info.name).second);
    }
    CHECK_FALSE(export_of_name("word"));
}

TEST_CASE("a file is named after the sentence, in letters every system takes", "[exports]") {
    CHECK(exported(ExportKind::session, "text=The artist painted the portrait").name ==
          "attention-the-artist.attention");
    CHECK(exported(ExportKind::session, "text=注意力機制").name == "attention.attention");
    CHECK(exported(ExportKind::pytorch, "text=free speech").name == "attention-free-speech-pytorch.py");
    CHECK(exported(ExportKind::numpy, "text=free speech").name == "attention-free-speech-numpy.py");
    CHECK(exported(ExportKind::code, "text=free speech").name == "attention-free-speech-weights.py");
    CHECK(exported(ExportKind::lecture_class, "text=free speech").name == "attention-free-speech-class.py");
    CHECK(exported(ExportKind::notebook, "text=free speech").name == "attention-free-speech.ipynb");
    CHECK(exported(ExportKind::session, "text=../../etc/passwd").name == "attention-etc-passwd.attention");
}

TEST_CASE("files have what stands around a model's attention, though nobody looks at it", "[exports][model]") {
    const std::string link = "model=first-words&layer=2&text=the+dog+sees";
    const Result<NpzContents> npz =
        read_npz(exported(ExportKind::npz, link).bytes, [](std::string_view) { return true; });
    REQUIRE(npz);
    const auto is_there = [&](std::string_view name) {
        return std::ranges::find(npz->arrays, name, &NamedArray::name) != npz->arrays.end();
    };
    for (const char* name : {"before", "middle", "mlp_input", "mlp_sums", "mlp_hidden", "mlp_added", "after"})
        CHECK(is_there(name));
    CHECK(!is_there("attention_added"));  // it is output
    CHECK(exported(ExportKind::notebook, link).bytes.find("\\\"mlp_hidden\\\": (") != std::string::npos);
    ExportOptions options;
    options.stage = TensorId::mlp_hidden;
    const std::string csv = exported(ExportKind::csv, link, options).bytes;
    CHECK(std::ranges::count(csv, '\n') == 1 + 4 * 256);
    CHECK(exported(ExportKind::npy, link, options).bytes.size() > 4 * 4 * 256);
}

// Takes three pieces.
class Drawing : public PngDrawing {
public:
    explicit Drawing(Result<std::string> outcome) : outcome_(std::move(outcome)) {}
    bool advance() override { return ++num_pieces_ == 3; }
    Result<std::string> take() override { return num_pieces_ == 3 ? outcome_ : Result<std::string>("too early"); }

private:
    Result<std::string> outcome_;
    int num_pieces_ = 0;
};

TEST_CASE("a picture is drawn by whoever can, at a scale that fits", "[exports]") {
    const PlaygroundState state = read_link("text=a b&heads=1").state;
    Evaluator evaluator;
    evaluator.update(state);
    ExportOptions options;
    const Result<ExportedFile> nobody = export_file(ExportKind::png, state, evaluator, options);
    REQUIRE_FALSE(nobody);
    CHECK(nobody.error().starts_with("PNG pictures can be drawn on the page"));

    double drawn_at = 0;
    double points = 0;
    const DrawPng draw = [&](Figure figure, double scale) {
        drawn_at = scale;
        points = std::max(figure.width, figure.height);
        return std::make_unique<Drawing>(Result<std::string>("the bytes"));
    };
    options.figure.scale = 3;
    const Result<ExportedFile> small = export_file(ExportKind::png, state, evaluator, options, draw);
    REQUIRE(small);
    CHECK(small->bytes == "the bytes");
    CHECK(small->name == "attention-a-b-matrix.png");
    CHECK(small->notes.empty());
    CHECK(drawn_at == 3);

    const PlaygroundState wide = read_link("text=a b c d e&heads=16&d_out=1024&stage=queries").state;
    evaluator.update(wide);
    options.figure.scale = kMaxFigureScale;
    const Result<ExportedFile> large = export_file(ExportKind::png, wide, evaluator, options, draw);
    REQUIRE(large);
    CHECK(drawn_at < kMaxFigureScale);
    CHECK(drawn_at > 1);
    CHECK(drawn_at * points <= 16384);
    REQUIRE(large->notes.size() == 1);
    CHECK(large->notes[0].starts_with("scale set to "));

    const DrawPng refuse = [](const Figure&, double) {
        return std::make_unique<Drawing>(Result<std::string>::failure("No."));
    };
    const Result<ExportedFile> refused = export_file(ExportKind::png, state, evaluator, options, refuse);
    REQUIRE_FALSE(refused);
    CHECK(refused.error() == "No.");
}

struct SeenInFigure {
    std::string texts;
    int num_tips = 0;
};

SeenInFigure seen_in(const Figure& figure) {
    SeenInFigure seen;
    for (const FigureElement& element : figure.elements) {
        if (const auto* text = std::get_if<FigureText>(&element)) seen.texts += text->text + "\n";
        if (const auto* rect = std::get_if<FigureRect>(&element)) seen.num_tips += rect->tip.empty() ? 0 : 1;
    }
    return seen;
}

TEST_CASE("a picture has what a drawing has but the tips, which only SVG can show", "[exports]") {
    const char* const view = GENERATE("matrix", "numbers", "stacked");
    CAPTURE(view);
    const PlaygroundState state = read_link(concat("text=a b c&heads=2&view=", view)).state;
    Evaluator evaluator;
    evaluator.update(state);
    SeenInFigure picture;
    const DrawPng look = [&](const Figure& figure, double) {
        picture = seen_in(figure);
        return std::make_unique<Drawing>(Result<std::string>("the bytes"));
    };
    REQUIRE(export_file(ExportKind::png, state, evaluator, {}, look));
    const Result<Figure> drawing = figure_of(state, evaluator, {});
    REQUIRE(drawing);
    CHECK(picture.texts == seen_in(*drawing).texts);
    CHECK(picture.num_tips == 0);
    CHECK(seen_in(*drawing).num_tips > 8);
}

TEST_CASE("a file of a long text is made in many pieces, and is the one that is made at once", "[exports][property]") {
    std::string words = "text=w0";
    for (int k = 1; k < 600; ++k) words += concat("+w", k % 97);
    const PlaygroundState state = read_link(words + "&text=another+one&heads=2&combine=none&cell=2,7,4").state;
    Evaluator evaluator;
    evaluator.update(state);
    for (const ExportInfo& info : export_table()) {
        if (info.kind == ExportKind::png) continue;  // a figure, drawn by somebody else
        CAPTURE(info.name);
        ExportWork work(info.kind, state, {}, {});
        CHECK(work.state() == state);
        int num_pieces = 1;
        while (!work.advance(evaluator)) ++num_pieces;
        const bool takes_all_numbers = info.kind == ExportKind::svg || info.kind == ExportKind::csv ||
                                       info.kind == ExportKind::tsv || info.kind == ExportKind::json;
        CHECK((num_pieces > 5) == takes_all_numbers);
        CHECK(work.advance(evaluator));
        const Result<ExportedFile> file = work.take_file();
        const Result<ExportedFile> whole = export_file(info.kind, state, evaluator, {});
        CHECK(bool(file) == bool(whole));
        if (!file || !whole) continue;
        CHECK(file->name == whole->name);
        CHECK(file->bytes == whole->bytes);
    }
}

TEST_CASE("what cannot be made is refused at the first piece", "[exports][bad-input]") {
    const PlaygroundState state = read_link("text=").state;
    Evaluator evaluator;
    evaluator.update(state);
    for (const ExportKind kind : {ExportKind::svg, ExportKind::csv, ExportKind::npy, ExportKind::npz}) {
        ExportWork work(kind, state, {}, {});
        CHECK(work.advance(evaluator));
        const Result<ExportedFile> file = work.take_file();
        REQUIRE_FALSE(file);
        CHECK(file.error().find("empty") != std::string::npos);
    }
}

TEST_CASE("export options are read, and moved to what is legal", "[exports]") {
    const PlaygroundState state = read_link("heads=2").state;
    Notes notes;
    const ExportOptions options =
        read_export_options("dark=1&transparent=1&title=0&legend=0&head=2&scale=3.5&stage=context", state, notes);
    CHECK(notes.empty());
    const FigureOptions figure = {
        .is_dark = true, .is_transparent = true, .has_title = false, .has_legend = false, .head = 1, .scale = 3.5};
    CHECK(options == ExportOptions{.figure = figure, .stage = TensorId::context});
    const ExportOptions moved = read_export_options("head=9&scale=99&stage=color&ink=1", state, notes);
    CHECK(moved.figure.head == 1);
    CHECK(moved.figure.scale == kMaxFigureScale);
    CHECK_FALSE(moved.stage);
    CHECK(notes.size() == 4);
}

}  // namespace
}  // namespace attn
