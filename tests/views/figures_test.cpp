#include "views/figures.h"
#include "core/operations/stage_words.h"

#include <set>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/numbers/heads_together.h"
#include "playground/numbers/stage_range.h"
#include "playground/random_states.h"
#include "playground/stage_summary.h"
#include "playground/text/format.h"
#include "scene/pens/figure_svg.h"
#include "scene/xml_reader.h"
#include "views/figure_reading.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::all_named;
using test::read_xml;
using test::XmlElement;

Result<Figure> figure_at(const std::string& link, const FigureOptions& options = {}) {
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    evaluator.update(state);
    return figure_of(state, evaluator, options);
}

std::unique_ptr<XmlElement> svg_at(const std::string& link, const FigureOptions& options = {}) {
    const Result<Figure> figure = figure_at(link, options);
    INFO(link << ": " << figure.error());
    REQUIRE(figure);
    return read_xml(figure_as_svg(*figure));
}

std::vector<std::string> texts_of(const XmlElement& root) {
    std::vector<std::string> texts;
    for (const XmlElement* text : all_named(root, "text")) texts.push_back(text->text);
    return texts;
}

bool has_text(const XmlElement& root, const std::string& wanted) {
    const std::vector<std::string> texts = texts_of(root);
    return std::find(texts.begin(), texts.end(), wanted) != texts.end();
}

std::string hex(Rgb color) {
    const auto byte = [](float part) { return static_cast<int>(std::lround(part * 255)); };
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", byte(color.r), byte(color.g), byte(color.b));
    return text.data();
}

// The rectangles that are cells, in the order of the file.
std::vector<const XmlElement*> cells_of(const XmlElement& root) {
    std::vector<const XmlElement*> cells;
    for (const XmlElement* rect : all_named(root, "rect")) {
        if (!rect->title().empty()) cells.push_back(rect);
    }
    return cells;
}

TEST_CASE("every view gives a figure or a sentence, for random states, and the SVG is valid", "[figure][property]") {
    test::Dice dice(static_cast<std::uint32_t>(GENERATE(range(0, 250))));
    PlaygroundState state = test::random_state(dice);
    state.inputs.d_in %= 64;  // wide ones are slow, and have a test of their own
    state.inputs.d_out %= 64;
    clamp_to_legal(state);
    Evaluator evaluator;
    evaluator.update(state);
    FigureOptions options = {.is_dark = dice.coin(),
                             .is_transparent = dice.coin(),
                             .has_title = dice.coin(),
                             .has_legend = dice.coin(),
                             .head = {},
                             .scale = 1};
    if (dice.coin()) options.head = dice.below(state.inputs.num_heads);
    INFO(write_link(state));
    const Result<Figure> figure = figure_of(state, evaluator, options);
    if (!figure) {
        CHECK(figure.error().size() > 20);
        CHECK(figure.error().back() == '.');
        return;
    }
    CHECK(figure->elements.size() <= kMaxFigureElements);
    CHECK(figure->width > 0);
    CHECK(figure->height > 0);
    CHECK(figure->ground.has_value() != options.is_transparent);
    CHECK_FALSE(figure->title.empty());
    const auto root = read_xml(figure_as_svg(*figure));
    // Nothing lies outside of the sheet.
    for (const XmlElement* rect : all_named(*root, "rect")) {
        if (rect->own("x").empty()) continue;  // the ground
        CHECK(rect->number("x") >= 0);
        CHECK(rect->number("x") + rect->number("width") <= figure->width + 0.01);
        CHECK(rect->number("y") >= 0);
        CHECK(rect->number("y") + rect->number("height") <= figure->height + 0.01);
    }
}

TEST_CASE("every cell of a random matrix has its number, its tip and its colour", "[figure][property]") {
    test::Dice dice(static_cast<std::uint32_t>(GENERATE(range(1000, 1150))));
    PlaygroundState state = test::random_state(dice);
    state.view.view = ViewKind::matrix;
    state.view.select.clear();  // veils
    state.view.hide.erase("values");
    state.inputs.d_in %= 20;
    state.inputs.d_out %= 20;
    clamp_to_legal(state);
    Evaluator evaluator;
    const Evaluation& evaluation = evaluator.update(state);
    FigureOptions options = {.is_dark = dice.coin(), .head = {}};
    const Result<Figure> figure = figure_of(state, evaluator, options);
    INFO(write_link(state));
    REQUIRE(static_cast<bool>(figure) != evaluation.is_empty());
    if (evaluation.is_empty()) return;
    const auto root = read_xml(figure_as_svg(*figure));
    const std::vector<const XmlElement*> cells = cells_of(*root);
    // What is printed, by the middle of its line, in hundredths of a point.
    std::map<std::pair<long, long>, std::string> printed;
    for (const XmlElement* text : all_named(*root, "text")) {
        if (text->inherited("text-anchor") != "middle") continue;
        const double middle = text->number("y") - 0.35 * std::stod(text->inherited("font-size"));
        printed[{std::lround(text->number("x") * 100), std::lround(middle * 20)}] = text->text;
    }

    const TensorId stage = state.view.stage;
    const StageInfo& info = stage_info(stage);
    const Blanks blanks(state);
    const bool is_together = is_combined(evaluation, stage, state.view.combine);
    const int num_maps = is_together || !info.has_heads ? 1 : state.inputs.num_heads;
    const auto map_of = [&](int head) {
        return is_together ? combined_matrix(evaluation, stage, state.view.combine)
                           : shown_matrix(evaluation, stage, head);
    };
    const auto is_blank = [&](int head, int i, int j) {
        if (!is_together) return blanks.has(stage, head, i, j);
        bool found = false;
        for (int h = 0; h < state.inputs.num_heads; ++h) found = found || blanks.has(stage, h, i, j);
        return found;
    };
    constexpr float kHidden = -std::numeric_limits<float>::infinity();
    const StageSummary summary = test::summarize_stage(evaluation, stage, num_maps, [&](int head) {
        Matrix values = map_of(head);
        for (int i = 0; i < length(values, 0); ++i) {
            for (int j = 0; j < length(values, 1); ++j) {
                if (is_blank(head, i, j)) values(i, j) = kHidden;
            }
        }
        return values;
    });
    const StageRange range = stage_range(evaluation, stage, summary);
    const ColorMap map = info.is_signed ? ColorMap::diverging : ColorMap::sequential;
    std::size_t next = 0;
    for (int head = 0; head < num_maps; ++head) {
        if (state.view.head && num_maps > 1 && *state.view.head != head) continue;
        const Matrix values = map_of(head);
        for (int i = 0; i < length(values, 0); ++i) {
            for (int j = 0; j < length(values, 1); ++j) {
                const float value = values(i, j);
                if (value != kHidden && is_blank(head, i, j)) continue;
                if (value == kHidden && length(values, 0) > 33) continue;  // too small to print, or to say so
                REQUIRE(next < cells.size());
                const XmlElement& cell = *cells[next++];
                const std::string number = value == kHidden ? "masked" : shown_number(static_cast<double>(value));
                CHECK_THAT(cell.title(), Catch::Matchers::EndsWith(": " + number));
                if (info.has_heads && !is_together) {
                    CHECK_THAT(cell.title(), Catch::Matchers::StartsWith(concat("head ", head + 1, " · ")));
                }
                if (value == kHidden || std::isnan(value)) continue;
                CHECK(cell.own("fill") ==
                      hex(map_color(map, options.is_dark, map_position(value, range.low, range.high))));
                const double width = cell.number("width") + 1;
                const double height = cell.number("height") + 1;
                if (std::min(width, height) < 19) continue;
                const auto place = std::pair(std::lround((cell.number("x") + width / 2) * 100),
                                             std::lround((cell.number("y") + height / 2) * 20));
                CHECK(printed[place] == cell_number(static_cast<double>(value)));
            }
        }
    }
    CHECK(next == cells.size());
}

TEST_CASE("numbers that are left blank are nowhere in the file", "[figure]") {
    const auto [hide, view] = GENERATE(table<std::string, std::string>({
        {"weights[1,7,2]", "view=matrix"},
        {"weights[1,7,2]", "view=numbers&row_stat=sum"},
        {"weights[1,7,2]", "view=matrix&combine=max&row_stat=largest"},
        {"weights[1,7,2]", "view=lines"},
        {"weights[1,7,2]", "view=compare&compare=heads%3D2"},
        {"weights[1,7,*]", "view=matrix&target=7>2&row_stat=entropy"},
        {"weights[1,7,2]", "view=lines&target=7>2&cell=1,7,2"},
        {"stage.weights", "view=lines"},
        {"scores[1,7,2]", "view=matrix&stage=scores"},
        {"embeddings[3,2]", "view=edit&tensor=x"},
    }));
    const std::string link = concat("heads=2&cell=1,7,2&", view, "&hide=", hide);
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    const Evaluation& evaluation = evaluator.update(state);
    INFO(link);
    const Result<Figure> figure = figure_of(state, evaluator, {});
    if (!figure) {
        CHECK_THAT(figure.error(), ContainsSubstring("left blank") || ContainsSubstring("blank"));
        return;
    }
    const std::string svg = figure_as_svg(*figure);
    const TensorId stage = state.view.stage;
    const Matrix values = shown_matrix(evaluation, stage, 0);
    // No other number of this sentence looks the same.
    CHECK(svg.find(shown_number(static_cast<double>(values(7, 2)))) == std::string::npos);
    CHECK(svg.find("head 1 · woman → painted") == std::string::npos);
    CHECK(has_text(*read_xml(svg), "?"));
    CHECK(has_text(*read_xml(svg), "left blank"));
}

TEST_CASE("a stage that is to be filled in is all question marks", "[figure]") {
    const auto root = svg_at("heads=1&check=weights&mask=none&row_stat=sum");
    CHECK(cells_of(*root).empty());
    int count = 0;
    for (const std::string& text : texts_of(*root)) count += text == "?" ? 1 : 0;
    CHECK(count == 11 * 11 + 11 + 1);  // cells, rows, the legend
    CHECK_FALSE(figure_at("check=weights&view=lines"));
}

TEST_CASE("title, legend, ground and head are as the options want them", "[figure]") {
    const std::string link = "heads=2&cell=2,7,1";
    const auto whole = svg_at(link);
    CHECK(has_text(*whole, "“The artist painted the portrait of a woman with a brush”"));
    CHECK(has_text(*whole, "every row sums to 1"));
    CHECK(has_text(*whole, "Head 1"));
    CHECK(has_text(*whole, "Head 2"));
    FigureOptions bare = {.is_dark = true, .is_transparent = true, .has_title = false, .has_legend = false, .head = 1};
    const auto one = svg_at(link, bare);
    CHECK_FALSE(has_text(*one, "“The artist painted the portrait of a woman with a brush”"));
    CHECK_FALSE(has_text(*one, "every row sums to 1"));
    CHECK_FALSE(has_text(*one, "Head 1"));
    CHECK(has_text(*one, "Head 2"));
    CHECK(one->number("width") < whole->number("width"));
    CHECK_THAT(one->title(), ContainsSubstring("The artist"));
    CHECK(has_text(*svg_at(link + "&hide=legend"), "Head 2"));
    CHECK_FALSE(has_text(*svg_at(link + "&hide=legend"), "every row sums to 1"));
}

TEST_CASE("beneath a figure a stage has the formula of its goal and mask", "[figure][learn]") {
    const auto all_texts = [](const std::string& link) {
        const Result<Figure> figure = figure_at(link);
        REQUIRE(figure);
        std::string all;  // a long line is cut in several
        for (const std::string& text : test::texts_of(*figure)) all += text + " ";
        return all;
    };
    const std::string view = GENERATE("view=matrix", "view=numbers", "view=compare&compare=seed%3D124");
    CAPTURE(view);
    const std::string gradient = view + "&d_out=8&target=1:10>1&stage=grad_masked_scores&goal=";
    CHECK_THAT(all_texts(gradient + "pattern"), ContainsSubstring("(weights - target) / rows with targets"));
    CHECK_THAT(all_texts(gradient + "next"), ContainsSubstring("weights · (grad_weights - their average in the row)"));
    const std::string formula(stage_words(TensorId::weights, {.mask_at = MaskAt::after}, GoalKind::none).formula);
    REQUIRE(formula != stage_words(TensorId::weights).formula);
    CHECK_THAT(all_texts("view=lines&mask_at=after"), ContainsSubstring(formula));
}

TEST_CASE("where the page hides all numbers the figure has none", "[figure]") {
    const std::string view = GENERATE("view=matrix", "view=numbers", "view=lines&cell=1,7,1");
    const auto root = svg_at(concat("heads=2&row_stat=sum&hide=values&", view));
    for (const XmlElement* cell : cells_of(*root)) CHECK(cell->title().find(':') == std::string::npos);
    CHECK_FALSE(has_text(*root, "Σ"));
    CHECK_FALSE(has_text(*root, ".15"));
    CHECK_FALSE(has_text(*root, "0.3910"));
}

TEST_CASE("the pinned cell has a ring in its head's colour, the others a thin one", "[figure]") {
    const auto root = svg_at("heads=2&cell=2,7,1");
    std::map<std::string, std::string> widths;  // by colour
    for (const XmlElement* rect : all_named(*root, "rect")) {
        if (rect->own("fill") != "none") continue;
        widths[rect->inherited("stroke")] = rect->inherited("stroke-width");
    }
    CHECK(widths[hex(head_color(1, false))] == "2.5");
    CHECK(widths[hex(head_color(0, false))] == "1.5");
}

TEST_CASE("thousands of tokens are drawn as one picture, and the title says what was put together", "[figure]") {
    std::string text = "text=w";
    for (int i = 1; i < 2048; ++i) text += "+w";
    const Result<Figure> figure = figure_at(text + "&heads=1&d_in=2&d_out=2&embed=hash");
    INFO(figure.error());
    REQUIRE(figure);
    CHECK(figure->width < 1200);
    const std::string svg = figure_as_svg(*figure);
    CHECK(svg.size() < 8U << 20U);
    CHECK_THAT(figure->description, ContainsSubstring("drawn as one"));
    CHECK_THAT(svg, ContainsSubstring("Of 2,048 × 2,048 cells"));
    const Result<Figure> table = figure_at(text + "&heads=1&d_in=2&d_out=2&view=numbers&cell=1,1000,900");
    REQUIRE(table);
    CHECK_THAT(table->description, ContainsSubstring("of 2,048"));
    CHECK(table->elements.size() < kMaxFigureElements);
    const Result<Figure> lines = figure_at(text + "&heads=1&d_in=2&d_out=2&view=lines");
    REQUIRE(lines);
    CHECK_THAT(lines->description, ContainsSubstring("The strongest 2,000 of 2,098,176 lines"));
}

TEST_CASE("joined cells are as many squares as there are cells, in the right colours", "[figure]") {
    // 120 tokens: smaller than a cell of its own, not yet reduced.
    std::string text = "text=w0";
    for (int i = 1; i < 120; ++i) text += concat("+w", i);
    const std::string link = text + "&heads=1&mask=none&stage=weights";
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    const Evaluation& evaluation = evaluator.update(state);
    const Matrix values = shown_matrix(evaluation, TensorId::weights, 0);
    const StageSummary summary = test::summarize_stage(evaluation, TensorId::weights, 1, [&](int) { return values; });
    const StageRange range = stage_range(evaluation, TensorId::weights, summary);
    std::map<std::string, int> wanted;  // cells by colour
    for (const float value : elements(values)) {
        const auto step = std::lround(map_position(value, range.low, range.high) * 255);
        ++wanted[hex(map_color(ColorMap::sequential, false, static_cast<float>(step) / 255))];
    }
    const Result<Figure> figure = figure_of(state, evaluator, {});
    REQUIRE(figure);
    std::map<std::string, double> area;
    for (const FigureElement& element : figure->elements) {
        const auto* path = std::get_if<FigurePath>(&element);
        if (path == nullptr || !path->look.is_crisp) continue;
        for (const FigurePiece& piece : path->pieces) {
            REQUIRE(piece.step == FigureStep::box);
            area[hex(*path->look.fill)] += (piece.a.x - piece.to.x) * (piece.a.y - piece.to.y);
        }
    }
    CHECK(area.size() == wanted.size());
    for (const auto& [color, count] : wanted) CHECK(area[color] == Catch::Approx(count * 25));  // cells of 5 x 5
}

TEST_CASE("lines have the heads' colours and the weights in their tips", "[figure]") {
    const std::string link = "heads=2&view=lines&cell=1,7,1";
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    const Evaluation& evaluation = evaluator.update(state);
    const Result<Figure> figure = figure_of(state, evaluator, {});
    REQUIRE(figure);
    std::set<std::string> tips;
    const auto root = read_xml(figure_as_svg(*figure));
    for (const XmlElement* path : all_named(*root, "path")) {
        if (!path->title().empty()) tips.insert(path->inherited("stroke") + " " + path->title());
    }
    std::set<std::string> wanted;
    for (int head = 0; head < 2; ++head) {
        const Matrix weights = shown_matrix(evaluation, TensorId::weights, head);
        for (int key = 0; key <= 7; ++key) {
            wanted.insert(concat(hex(head_color(head, false)), " head ", head + 1, " · woman → ",
                                 evaluation.tokens.tokens[static_cast<std::size_t>(key)].text, ": ",
                                 shown_number(static_cast<double>(weights(7, key)))));
        }
    }
    CHECK(tips == wanted);
}

TEST_CASE("a table has every number with four decimals, and the sums beside its rows", "[figure]") {
    const std::string link = "heads=2&view=numbers&stage=weights&row_stat=sum&head=2";
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    const Matrix weights = shown_matrix(evaluator.update(state), TensorId::weights, 1);
    const auto root = svg_at(link);
    const std::vector<std::string> texts = texts_of(*root);
    std::multiset<std::string> left(texts.begin(), texts.end());
    for (int i = 0; i < 11; ++i) {
        for (int j = 0; j < 11; ++j) {
            const std::string number = j > i ? "0" : shown_number(static_cast<double>(weights(i, j)));
            const auto found = left.find(number);
            REQUIRE(found != left.end());
            left.erase(found);
        }
    }
    CHECK(left.count("1.0000") >= 11 - 1);
    CHECK(left.count("Σ") == 1);
}

TEST_CASE("the editor's figure marks what was typed over", "[figure]") {
    const auto root = svg_at("view=edit&tensor=w_query&edit=w_query[0,1]=0.5");
    CHECK(has_text(*root, "typed over: 1 number"));
    std::string tip;
    for (const XmlElement* cell : cells_of(*root)) {
        if (cell->title().starts_with("w_query[0,1]")) tip = cell->title();
    }
    CHECK_THAT(tip, Catch::Matchers::StartsWith("w_query[0,1] = 0.5000 · was "));
    CHECK_THAT(figure_at("view=edit&tensor=b_query&bias=0").error(), ContainsSubstring("bias is off"));
}

TEST_CASE("a comparison has A, B and their difference", "[figure]") {
    const auto root = svg_at("heads=2&view=compare&compare=heads%3D2%26seed%3D124&cell=1,7,1");
    CHECK(has_text(*root, "A · Head 1"));
    CHECK(has_text(*root, "B · Head 1"));
    CHECK(has_text(*root, "A − B"));
    const auto tips = cells_of(*root);
    CHECK(tips.size() == 3 * 121);
    double numbers[3] = {};
    for (const XmlElement* cell : tips) {
        const std::string tip = cell->title();
        if (tip.find("woman → artist: ") == std::string::npos) continue;
        const std::string shown = tip.substr(tip.rfind(' ') + 1);
        const std::size_t which = tip.starts_with("A − B") ? 2 : tip.starts_with("A") ? 0 : 1;
        numbers[which] = parse_number(shown).value();
    }
    // Three numbers that were each rounded to four decimals.
    CHECK(numbers[0] - numbers[1] == Catch::Approx(numbers[2]).margin(1.6e-4));
    CHECK_THAT(figure_at("view=compare").error(), ContainsSubstring("B"));
}

TEST_CASE("a difference that is float rounding has the colour of 0", "[figure]") {
    const auto colors_of = [](const char* link) {
        std::set<std::string> colors;
        const auto root = svg_at(link);
        for (const XmlElement* cell : cells_of(*root)) {
            const std::string tip = cell->title();
            if (tip.starts_with("A − B") && tip.find("masked") == std::string::npos) colors.insert(cell->own("fill"));
        }
        return colors;
    };
    CHECK(colors_of("view=compare&compare=mask_at%3Dafter").size() == 1);
    CHECK(colors_of("view=compare&compare=mask_at%3Draw").size() > 10);
}

TEST_CASE("an empty sentence has no figure", "[figure]") {
    CHECK_THAT(figure_at("text=").error(), ContainsSubstring("empty sentence"));
}

}  // namespace
}  // namespace attn
