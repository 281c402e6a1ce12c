#include "share/exports.h"

#include <catch_amalgamated.hpp>
#include <set>

#include "playground/state_url.h"

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
    CHECK(exported(ExportKind::session, "text=../../etc/passwd").name == "attention-etc-passwd.attention");
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
    const ExportOptions moved = read_export_options("head=9&scale=99&stage=color&paper=a4", state, notes);
    CHECK(moved.figure.head == 1);
    CHECK(moved.figure.scale == kMaxFigureScale);
    CHECK_FALSE(moved.stage);
    CHECK(notes.size() == 4);
}

}  // namespace
}  // namespace attn
