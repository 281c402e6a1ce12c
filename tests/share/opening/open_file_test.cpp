#include "share/opening/open_file.h"

#include <catch_amalgamated.hpp>

#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/random_states.h"
#include "share/exports/data_files.h"
#include "share/formats/npy.h"
#include "share/formats/session_file.h"
#include "share/formats/zip_file.h"
#include "share/golden_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("a session file is opened without asking, whatever its name", "[files]") {
    const PlaygroundState state = read_link("text=A small step&heads=4&edit=w_query[0,0]=1").state;
    const Result<FileOffer> offer = open_file({.name = "x.txt", .bytes = write_session(state)}, PlaygroundState());
    REQUIRE(offer);
    CHECK(offer->is_certain);
    REQUIRE(offer->choices.size() == 1);
    CHECK(offer->choices[0].state == state);
    CHECK(offer->choices[0].notes.empty());
}

TEST_CASE("files that cannot be used are refused with a sentence", "[files][bad-input]") {
    CHECK_THAT(open_file({.name = "a", .bytes = ""}, {}).error(), ContainsSubstring("empty"));
    CHECK_THAT(open_file({.name = "a", .bytes = "{\"heads\": 1}"}, {}).error(), ContainsSubstring("not a session"));
    CHECK_THAT(open_file({.name = "a", .bytes = std::string(kMaxFileBytes + 1, '{')}, {}).error(),
               ContainsSubstring("64"));
}

TEST_CASE("a file is told by what is in it", "[files]") {
    PlaygroundState state = read_link("text=a+b+c+d&pos=none&d_in=6&d_out=3&heads=1").state;
    const auto certain = [&](const std::string& name, const std::string& bytes) {
        const Result<FileOffer> offer = open_file({.name = name, .bytes = bytes}, state);
        INFO(name << " " << offer.error());
        REQUIRE(offer);
        return offer->is_certain;
    };
    CHECK(certain("x.txt", write_npy(std::vector<std::int64_t>{4, 6}, std::vector<float>(24, 1))));
    CHECK(certain("w_query.tsv", "1\t2\t3\n1\t2\t3\n1\t2\t3\n1\t2\t3\n1\t2\t3\n1\t2\t3\n"));
    CHECK(certain("unnamed.npz", test::golden_file("numpy/unnamed.npz")));
    state.inputs.bias = true;
    CHECK(certain("stored.zip", test::golden_file("numpy/stored.npz")));
}

TEST_CASE("a table whose commas may be decimal points is asked about where both readings fit", "[files]") {
    const PlaygroundState state = read_link("text=a+b&pos=none&d_in=2&d_out=1&heads=1").state;
    const auto offer_of = [&](const char* name, const char* text) {
        const Result<FileOffer> offer = open_file({.name = name, .bytes = text}, state);
        INFO(offer.error());
        REQUIRE(offer);
        return *offer;
    };
    const auto first_x = [&](const FileChoice& choice) {
        return evaluate(choice.state.inputs, 0).problem->embeddings(0, 0);
    };
    const FileOffer unclear = offer_of("numbers.csv", "0,5\n1,25\n");
    CHECK_FALSE(unclear.is_certain);
    CHECK_THAT(unclear.question, ContainsSubstring("commas between digits"));
    const auto choice_of = [&](std::string_view words) {
        return *std::ranges::find_if(unclear.choices,
                                     [&](const FileChoice& one) { return one.label.starts_with(words); });
    };
    CHECK(first_x(choice_of("(2, 2) numbers, the commas between them, as X")) == 0);
    CHECK(first_x(choice_of("(2, 1) numbers, the commas decimal points, as X")) == 0.5F);
    // One reading is what the name says and the sizes want, the other is not.
    const FileOffer named = offer_of("w_query.csv", "0,5\n1,25\n");
    CHECK(named.is_certain);
    REQUIRE(named.choices.size() == 1);
    CHECK(evaluate(named.choices[0].state.inputs, 0).problem->projections->w_query(1, 0) == 1.25F);
    CHECK(named.choices[0].notes == Notes{"its commas were read as decimal points"});
    // A spreadsheet's tabs leave one reading.
    CHECK(offer_of("x.tsv", "0,5\t1,5\n2,5\t3,5\n").is_certain);
}

TEST_CASE("an archive of a trained state comes back as it was seen", "[files]") {
    const PlaygroundState state =
        read_link("text=a+b+c&text=d+e&bias=1&goal=pattern&target=1:2>0&steps=4&rate=0.5&optimizer=adam").state;
    const Evaluation trained = evaluate(state.inputs, 0);
    const Result<std::string> bytes = write_state_npz(state, trained);
    REQUIRE(bytes);
    const Result<FileOffer> offer = open_file({.name = "trained.npz", .bytes = *bytes}, state);
    INFO(offer.error());
    REQUIRE(offer);
    const FileChoice& choice = offer->choices[0];
    CHECK(choice.state.inputs.steps == 0);
    const Evaluation again = evaluate(choice.state.inputs, 0);
    CHECK(again.problem->projections->w_query == trained.problem->projections->w_query);
    CHECK(again.problem->projections->b_key == trained.problem->projections->b_key);
    const auto weights_of = [](const Evaluation& evaluation) {
        return stage_matrix(*evaluation.problem, evaluation.trace, TensorId::weights, 0);
    };
    CHECK(weights_of(again) == weights_of(trained));
    std::string notes;
    for (const std::string& note : choice.notes) notes += note + "\n";
    CHECK_THAT(notes, ContainsSubstring("gradients and losses left out: they are computed anew"));
    CHECK_THAT(notes, ContainsSubstring("steps set to 0"));
    CHECK_THAT(notes, !ContainsSubstring("grad_"));
}

TEST_CASE("an archive is taken whole or refused", "[files][bad-input]") {
    const PlaygroundState state = read_link("text=a+b&d_in=1&d_out=1&heads=1").state;
    const std::string one = write_npy(std::vector<std::int64_t>{1, 1}, std::vector<float>{1});
    const auto refusal = [&](const std::string& name) {
        const std::vector<ZipEntry> entries = {{.name = "w_out.npy", .bytes = one}, {.name = name, .bytes = one}};
        return open_file({.name = "a.npz", .bytes = write_zip(entries)}, state).error();
    };
    for (const std::string name : {"c_fc.weight", "key", "my_proj_weight", "bias_k", "c_proj.weight"})
        CHECK_THAT(refusal(name + ".npy"), ContainsSubstring("\"a.npz\" also holds \"" + name + "\""));
    CHECK_THAT(open_file({.name = "a.npz", .bytes = test::golden_file("numpy/deflated.npz")}, state).error(),
               ContainsSubstring("also holds \"note\""));
    for (const std::string name : {"weights.npy", "2/scores.npy", "queries.npy", "grad_w_key.npy", "losses.npy",
                                   "notes.txt", "tril.npy", "attn.bias.npy", "key.weight.npy"})
        CHECK(refusal(name).empty());
}

TEST_CASE("other programs' files are refused by name", "[files][bad-input]") {
    const auto refusal = [](const std::vector<ZipEntry>& entries) {
        return open_file({.name = "a", .bytes = write_zip(entries)}, PlaygroundState()).error();
    };
    CHECK_THAT(refusal({{.name = "xl/workbook.xml", .bytes = "<"}}), ContainsSubstring("save the table as CSV"));
    CHECK_THAT(refusal({{.name = "weights/data.pkl", .bytes = "\x80"}}),
               ContainsSubstring("its list of tensors cannot be read"));
    CHECK_THAT(refusal({{.name = "a.txt", .bytes = "1"}}), ContainsSubstring("no NumPy arrays"));
    CHECK_THAT(refusal({}), ContainsSubstring("no NumPy arrays"));
    const std::string one = write_npy(std::vector<std::int64_t>{1}, std::vector<float>{1});
    CHECK_THAT(refusal({{.name = "a.npy", .bytes = one}, {.name = "../../b.npy", .bytes = one}}),
               ContainsSubstring("\"a\", \"../../b\""));
    CHECK_THAT(open_file({.name = "a.gif", .bytes = std::string("GIF89a\0\0", 8)}, {}).error(),
               ContainsSubstring("This file cannot be opened here"));
}

TEST_CASE("whatever is changed in a file, it is refused with a sentence or gives a legal state",
          "[files][bad-input][property]") {
    const PlaygroundState state = read_link("text=a+b+c+d&d_in=6&d_out=3&heads=1").state;
    const std::vector<std::string> files = {
        test::golden_file("numpy/stored.npz"), test::golden_file("numpy/deflated.npz"),
        test::golden_file("numpy/f4-little.npy"), "a,b\n1,2\n3,4\n", write_session(state)};
    test::Dice dice(23);
    for (int round = 0; round < 2000; ++round) {
        std::string changed = files[static_cast<std::size_t>(dice.below(static_cast<int>(files.size())))];
        for (int flips = dice.below(4); flips >= 0; --flips) {
            changed[static_cast<std::size_t>(dice.below(static_cast<int>(changed.size())))] =
                static_cast<char>(dice.below(256));
        }
        if (dice.below(4) == 0) changed.resize(static_cast<std::size_t>(dice.below(static_cast<int>(changed.size()))));
        const Result<FileOffer> offer = open_file({.name = "f", .bytes = changed}, state);
        if (!offer) {
            REQUIRE_FALSE(offer.error().empty());
            REQUIRE(offer.error().size() < 1000);
            continue;
        }
        REQUIRE_FALSE(offer->choices.empty());
        for (const FileChoice& choice : offer->choices) {
            PlaygroundState again = choice.state;
            REQUIRE(clamp_to_legal(again).empty());
            REQUIRE(again == choice.state);
        }
    }
}

}  // namespace
}  // namespace attn
