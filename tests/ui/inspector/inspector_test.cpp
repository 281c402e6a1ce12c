// The inspector: from a number to where it comes from, and numbers typed over.
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/numbers/strongest.h"
#include "playground/state/state_edits.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("every factor leads to the cell that it stands in", "[inspector]") {
    Screen screen({1280, 1600}, "stage=weights&cell=2,7,4");
    screen.click("factor score");
    CHECK(screen.state().view.stage == TensorId::masked_scores);
    CHECK(screen.state().view.cell == Cell{.head = 1, .row = 7, .column = 4});
    screen.click("factor only");
    CHECK(screen.state().view.stage == TensorId::scaled_scores);
    screen.click("factor only");
    CHECK(screen.state().view.stage == TensorId::scores);
    screen.click("factor term 1b");
    CHECK(screen.state().view.stage == TensorId::keys);
    CHECK(screen.state().view.cell == Cell{.head = 1, .row = 4, .column = 1});
    screen.click("factor term 0a");
    CHECK(screen.state().view.stage == TensorId::embeddings);
    CHECK(screen.state().view.cell == Cell{.head = 0, .row = 4, .column = 0});
}

TEST_CASE("the steps to a number of a model's layer lead to where it comes from", "[inspector][model]") {
    Screen screen({1280, 1600}, "model=first-words&layer=2&text=the+dog+sees+the+cat&stage=mlp_hidden&cell=1,3,5");
    screen.click("factor step 2 0a");
    CHECK(screen.state().view.stage == TensorId::mlp_sums);
    CHECK(screen.state().view.cell == Cell{.head = 0, .row = 3, .column = 5});
    screen.click("factor step 0 0a");
    CHECK(screen.state().view.stage == TensorId::mlp_input);
    screen.click("factor step 0 2a");  // of the mean
    CHECK(screen.state().view.stage == TensorId::middle);
    screen.click("factor step 0 1a");  // no head is off
    CHECK(screen.state().view.stage == TensorId::output);
    screen.click("back");
    CHECK(screen.state().view.stage == TensorId::middle);
    screen.click("factor step 0 0a");
    CHECK(screen.state().view.stage == TensorId::before);
    CHECK(screen.state().inputs.layer == 1);
    screen.click("factor step 0 0a");  // of the layer below
    CHECK(screen.state().view.stage == TensorId::after);
    CHECK(screen.state().inputs.layer == 0);
    screen.click("back");
    CHECK(screen.state().view.stage == TensorId::before);
    CHECK(screen.state().inputs.layer == 1);
}

TEST_CASE("the chain leads back up, with the row still pinned", "[inspector]") {
    Screen screen({1280, 1600}, "stage=weights&cell=2,7,4");
    screen.click("chain=context");
    CHECK(screen.state().view.stage == TensorId::context);
    CHECK(screen.state().view.cell == Cell{.head = 1, .row = 7, .column = 0});
    screen.click("chain=output");
    CHECK(screen.state().view.stage == TensorId::output);
    CHECK(screen.state().view.cell == Cell{.head = 0, .row = 7, .column = 0});
    CHECK_FALSE(screen.has("chain=output"));
}

TEST_CASE("the chain leads down to the stage that is shown, wherever it stands in the table", "[inspector]") {
    const auto chain_of = [](const std::string& link) {
        const Screen screen({1280, 1600}, link);
        std::vector<std::string> chain;
        for (const UiItem& item : screen.items()) {
            if (item.name.starts_with("chain=")) chain.push_back(item.name.substr(6));
        }
        return chain;
    };
    const std::vector<std::string> above_values = {"output", "merged", "context"};
    CHECK(chain_of("stage=values&cell=1,2,1") == above_values);
    const std::vector<std::string> above_latents = {"output",        "merged",  "context",
                                                    "mixed_latents", "weights", "masked_scores",
                                                    "scaled_scores", "scores",  "absorbed_queries"};
    CHECK(chain_of("latent=2&stage=latents&cell=1,2,1") == above_latents);
    const std::vector<std::string> above_middle = {"final_stream", "after",    "mlp_added",
                                                   "mlp_hidden",   "mlp_sums", "mlp_input"};
    const std::string model = "model=first-words&layer=2&text=the+dog&cell=1,1,1&stage=";
    CHECK(chain_of(model + "middle") == above_middle);
    CHECK(chain_of(model + "before").size() == above_middle.size() + 9);
}

TEST_CASE("every stage can be explained in every cell of a small sentence", "[inspector][property]") {
    Screen screen({1280, 1600}, "text=a+b+c&d_in=3&d_out=2&dropout=0.5&embed=ngrams&bias=1");
    for (const TensorId stage : present_stages(screen.state().inputs)) {
        const Extent extent = extent_of(screen.evaluation().sizes, stage);
        for (int row = 0; row < extent.rows; ++row) {
            for (int column = 0; column < extent.columns; ++column) {
                screen.state().view.stage = stage;
                screen.state().view.cell = Cell{.head = 0, .row = row, .column = column};
                screen.frame();
                screen.frame();
            }
        }
    }
    CHECK(screen.notes().empty());
}

TEST_CASE("the bars of a row pin their key, and light it under the pointer", "[inspector]") {
    Screen screen({1280, 1600}, "stage=weights&cell=1,7,4");
    CHECK(screen.has("bar=7"));
    CHECK_FALSE(screen.has("bar=8"));  // in the future
    screen.click("bar=2");
    CHECK(screen.state().view.cell == Cell{.head = 0, .row = 7, .column = 2});
}

TEST_CASE("a learned number is typed over, and given back to the seed", "[inspector]") {
    Screen screen({1280, 1600}, "stage=queries&cell=1,0,0&d_in=4");
    const float before = screen.evaluation().problem->projections->w_query(2, 0);
    screen.click("factor term 2b");
    screen.click("learned");
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type("0.75");
    screen.press(ImGuiKey_Enter);
    const Edit* edit = find_edit(screen.state().inputs, TensorId::w_query, 0, 2, 0);
    REQUIRE(edit != nullptr);
    CHECK(edit->value == 0.75F);
    CHECK(screen.evaluation().problem->projections->w_query(2, 0) == 0.75F);
    screen.click("learned revert");
    CHECK(screen.state().inputs.edits.empty());
    CHECK(screen.evaluation().problem->projections->w_query(2, 0) == before);
}

TEST_CASE("an embedding is typed over; text, NaN and infinity are not", "[inspector][bad-input]") {
    Screen screen({1280, 1600}, "stage=embeddings&cell=1,2,3");
    const char* typed = GENERATE("nan", "inf", "x", "1e39");
    screen.click("edit");
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type(typed);
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.edits.empty());
    REQUIRE(screen.notes().size() == 1);
    CHECK_THAT(screen.notes()[0], Catch::Matchers::ContainsSubstring(typed));
    screen.click("edit");
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type("-2.5");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.evaluation().problem->embeddings(2, 3) == -2.5F);
}

TEST_CASE("a key is hidden from a query and shown again", "[inspector]") {
    Screen screen({1280, 1600}, "stage=masked_scores&cell=1,5,2");
    screen.click("edit mask");
    CHECK(screen.evaluation().problem->hidden(5, 2) == 1);
    screen.click("edit mask");
    CHECK(screen.evaluation().problem->hidden(5, 2) == 0);
    screen.click("edit revert");
    CHECK(screen.state().inputs.edits.empty());
}

TEST_CASE("a sum of a thousand terms is listed without drawing them all", "[inspector]") {
    Screen screen({1280, 800}, "stage=queries&cell=1,0,0&d_in=1024");
    int num_factors = 0;
    for (const UiItem& item : screen.items()) num_factors += item.name.starts_with("factor term") ? 1 : 0;
    CHECK(num_factors > 4);
    CHECK(num_factors < 60);
}

TEST_CASE("the way from number to number can be walked back", "[inspector]") {
    Screen screen({1280, 1600}, "stage=weights&cell=2,7,4");
    CHECK_FALSE(screen.has("back"));
    screen.click("factor score");
    screen.click("factor only");
    screen.click("factor only");
    screen.click("factor term 1b");
    REQUIRE(screen.state().view.stage == TensorId::keys);
    CHECK(screen.has("trail=3"));
    CHECK_FALSE(screen.has("trail=0"));  // no room for so many
    screen.click("back");
    CHECK(screen.state().view.stage == TensorId::scores);
    CHECK(screen.state().view.cell == Cell{.head = 1, .row = 7, .column = 4});
    screen.click("back");
    screen.click("trail=0");
    CHECK(screen.state().view.stage == TensorId::weights);
    CHECK_FALSE(screen.has("back"));
    // Pinning another cell ends the walk.
    screen.click("factor score");
    CHECK(screen.has("back"));
    screen.click("token=3");
    CHECK_FALSE(screen.has("back"));
}

TEST_CASE("the matrices that terms stand in lead to them", "[inspector]") {
    Screen screen({1280, 1600}, "stage=context&cell=2,7,1");
    CHECK(screen.has("source=weights"));
    screen.click("source=values");
    CHECK(screen.state().view.stage == TensorId::values);
    CHECK(screen.state().view.cell == Cell{.head = 1, .row = 0, .column = 1});
    screen.click("source=w_value");
    CHECK(screen.state().view.view == ViewKind::edit);
    CHECK(screen.state().view.tensor == TensorId::w_value);
}

namespace {

constexpr const char* kLongLink = "text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+S+t&heads=1&mask=none";

// The bars of the inspector from the top down.
std::vector<std::string> bars_of(const Screen& screen) {
    std::vector<std::string> bars;
    for (const UiItem& item : screen.items()) {
        if (item.name.starts_with("bar=")) bars.push_back(item.name);
    }
    return bars;
}

}  // namespace

TEST_CASE("the row's list of a long text is sorted by weight, and goes back to the sentence's order", "[inspector]") {
    Screen screen({1280, 1600}, concat(kLongLink, "&cell=1,3,4"));
    const Evaluation& evaluation = screen.evaluation();
    const Vector weights = stage_row(*evaluation.problem, evaluation.trace, TensorId::weights, 0, 3);
    const std::vector<std::string> sorted = bars_of(screen);
    REQUIRE(sorted.size() >= 10);
    for (std::size_t k = 1; k < sorted.size(); ++k) {
        const auto weight = [&](std::size_t at) { return weights(std::stoul(sorted[at].substr(4))); };
        CHECK(weight(k - 1) >= weight(k));
    }
    screen.click("bars order");
    CHECK(bars_of(screen).front() == "bar=0");
    CHECK(bars_of(screen)[1] == "bar=1");
    screen.click("bars order");
    CHECK(bars_of(screen) == sorted);
}

TEST_CASE("the strongest cells of a head are one click away, and lead to their cells", "[inspector]") {
    Screen screen({1280, 1600}, kLongLink);
    CHECK_FALSE(screen.has("strong=0,0"));
    screen.click("strongest");
    const std::vector<StrongCell> strongest = strongest_cells(screen.evaluation(), TensorId::weights, 0, {});
    const Cell cell = strongest[2].cell;
    screen.click(concat("strong=", cell.row, ",", cell.column));
    CHECK(pinned(screen) == cell);
}

TEST_CASE("a token is found by its letters and pinned", "[inspector]") {
    Screen screen({1280, 1600}, kLongLink);
    screen.click("find");
    screen.type("s");
    screen.click("found=18");
    CHECK(pinned(screen).row == 18);
    screen.click("find");
    screen.type("x");
    CHECK_FALSE(screen.has("found=18"));
}

TEST_CASE("a short text has neither search nor strongest cells", "[inspector]") {
    const Screen screen({1280, 1600});
    CHECK_FALSE(screen.has("find"));
    CHECK_FALSE(screen.has("strongest"));
}

TEST_CASE("a normed number has the squares of its row, and its gradient an average besides", "[inspector][norm]") {
    const auto has = [](const char* keys, const char* name) {
        Screen screen({1280, 1600}, concat("qk_norm=1&cell=1,7,1&", keys));
        screen.settle();
        return screen.has(name);
    };
    CHECK(has("stage=normed_keys", "factor x² 0a"));
    CHECK(has("stage=normed_keys", "factor x² 1a"));
    CHECK_FALSE(has("stage=normed_keys", "factor average 0a"));
    CHECK(has("stage=grad_keys&goal=next&d_in=4", "factor average 1a"));
    CHECK(has("stage=grad_keys&goal=next&d_in=4", "factor term 1b"));
}

TEST_CASE("a sink's share has a row sum and no score: no query and no key made it", "[inspector][sink]") {
    const auto has = [](const char* keys, const char* name) {
        Screen screen({1280, 1600}, concat("sink_logits=1&cell=1,7,", keys));
        screen.settle();
        return screen.has(name);
    };
    CHECK(has("2&stage=weights", "factor q.k 0a"));
    CHECK(has("0&stage=sink_weights", "factor exp 0a"));
    CHECK_FALSE(has("0&stage=sink_weights", "factor q.k 0a"));
    CHECK(has("0&stage=weights", "chain=context"));
    CHECK_FALSE(has("0&stage=weights", "chain=sink_weights"));  // nothing reads it
}

TEST_CASE("the lines of PyTorch stand beside the numbers, can be copied, and lead to other stages", "[inspector]") {
    Screen screen({1280, 1600}, "stage=weights");
    CHECK_FALSE(screen.has("code=scores"));
    screen.click("copy code");
    const std::vector<UiRequest> requests = screen.take_requests();
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::copy);
    CHECK(requests[0].what == ExportKind::code);
    screen.click("all code");
    screen.click("copy class");
    CHECK(screen.take_requests().at(0).what == ExportKind::lecture_class);
    screen.click("code=scores");
    CHECK(screen.state().view.stage == TensorId::scores);
    CHECK_FALSE(screen.has("code=scores"));  // lit, and already shown
    CHECK(screen.has("code=weights"));
    screen.click("all code");
    CHECK_FALSE(screen.has("code=weights"));
}

TEST_CASE("lines of PyTorch stand beside a pinned number, but are not handed out where nothing is", "[inspector]") {
    Screen screen({1280, 1600}, "stage=weights&cell=2,7,4&hide=share");
    CHECK(screen.has("all code"));
    CHECK_FALSE(screen.has("copy code"));
}

TEST_CASE("a model's stage has lines of PyTorch", "[inspector][model]") {
    Screen screen({1280, 800}, "model=first-words&layer=2&text=the+dog&stage=mlp_hidden");
    CHECK(screen.has("copy code"));
}

TEST_CASE("a low canvas and a phone have the lines of PyTorch, too", "[inspector]") {
    const ImVec2 size = GENERATE(ImVec2(640, 400), ImVec2(844, 390), ImVec2(390, 844));
    CAPTURE(size.x);
    Screen screen(size, "text=The+cat+sat&stage=weights&cell=1,2,1");
    CHECK(screen.has("copy code"));
}

TEST_CASE("without tokens there are no lines of PyTorch", "[inspector]") {
    Screen screen({1280, 800}, "text=");
    CHECK_FALSE(screen.has("copy code"));
}

TEST_CASE("long lines of PyTorch stay within the panel", "[inspector]") {
    const char* link = GENERATE("text=a+b&pos=rope&rope_pairs=neighbours&stage=rotated_queries",
                                "model=own-words&layer=1&text=I+love+my+friends&stage=queries");
    Screen screen({1280, 1600}, link);
    screen.click("all code");
    int num_stages = 0;
    for (const UiItem& item : screen.items()) {
        if (!item.name.starts_with("code=")) continue;
        ++num_stages;
        CHECK(item.max.x <= 1280);
    }
    CHECK(num_stages > 5);
}
