// Every value that people may choose is moved to the nearest legal one, with a note in words they understand.
#include "playground/link/legal.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/random_states.h"
#include "playground/state/shapes.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The state of the defaults after `change`, clamped, and its notes.
struct Clamped {
    PlaygroundState state;
    Notes notes;
};
template <class Change>
Clamped clamp_after(Change change) {
    Clamped result;
    change(result.state);
    result.notes = clamp_to_legal(result.state);
    return result;
}

std::string equal_words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "word ";
    return text;
}

bool divides(int divisor, int number) {
    return divisor >= 1 && number % divisor == 0;
}

// Everything legal.h promises of a clamped state.
void check_legal(const PlaygroundState& state) {
    const Inputs& inputs = state.inputs;
    CHECK((inputs.texts.size() >= 1 && inputs.texts.size() <= kMaxSentences));
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        CHECK(clean_utf8(inputs.texts[s]).num_replaced == 0);
        const std::int64_t num_tokens = count_tokens(inputs, s);
        CHECK(inputs.num_heads * num_tokens * num_tokens <= kMaxScoreElements);
    }
    CHECK((inputs.d_in >= 1 && inputs.d_in <= kMaxWidth));
    CHECK((inputs.d_out >= 1 && inputs.d_out <= kMaxWidth));
    CHECK(divides(inputs.num_heads, inputs.d_out));
    CHECK((inputs.num_kv_heads == 0 || (inputs.num_kv_heads < inputs.num_heads && inputs.init != Init::none)));
    if (inputs.num_kv_heads != 0) CHECK(divides(inputs.num_kv_heads, inputs.num_heads));
    for (const int latent : {inputs.latent, inputs.query_latent})
        CHECK((latent == 0 || (latent > 0 && latent <= inputs.d_out && inputs.init != Init::none)));
    CHECK((inputs.positions != Positions::rope || inputs.rope_dim != 0 || inputs.d_out / inputs.num_heads % 2 == 0));
    CHECK(
        (inputs.rope_dim == 0 || (inputs.rope_dim > 0 && inputs.rope_dim % 2 == 0 && inputs.latent != 0 &&
                                  inputs.positions == Positions::rope && inputs.rope_dim * inputs.num_heads <= 1024)));
    CHECK((inputs.rope_base >= kMinRopeBase && inputs.rope_base <= kMaxRopeBase));
    CHECK(std::abs(inputs.pos_shift) <= kMaxPosShift);
    CHECK((inputs.mask_window >= 0 && inputs.mask_window <= static_cast<int>(kMaxTokens)));
    CHECK((inputs.mask_sinks == 0 || (inputs.mask_sinks > 0 && inputs.mask_window > 0)));
    CHECK((inputs.temperature > 0 && std::isfinite(inputs.temperature)));
    CHECK((inputs.dropout >= 0 && inputs.dropout < 1));
    if (inputs.init == Init::none) CHECK((inputs.d_in == inputs.d_out && !inputs.bias && !inputs.out));
    for (const TypedRows& rows : inputs.typed) {
        for (const std::vector<float>& row : rows) {
            CHECK(std::all_of(row.begin(), row.end(), [](float number) { return std::isfinite(number); }));
        }
    }
    CHECK(std::all_of(inputs.edits.begin(), inputs.edits.end(), [](const Edit& e) { return std::isfinite(e.value); }));

    const View& view = state.view;
    CHECK((view.sentence >= 0 && view.sentence < static_cast<int>(inputs.texts.size())));
    CHECK(is_present(inputs, view.stage));
    if (view.head) CHECK((*view.head >= 0 && *view.head < inputs.num_heads));
    if (view.cell) {
        const int num_tokens = count_tokens(inputs, static_cast<std::size_t>(view.sentence));
        CHECK(extent_of(sizes_of(inputs, num_tokens), view.stage).contains(view.cell->row, view.cell->column));
        const int num_heads = stage_info(view.stage).has_heads ? inputs.num_heads : 1;
        CHECK((view.cell->head >= 0 && view.cell->head < num_heads));
    }
}

}  // namespace

TEST_CASE("the default state is legal", "[legal]") {
    PlaygroundState state;
    CHECK(clamp_to_legal(state).empty());
    CHECK(state == PlaygroundState());
}

TEST_CASE("whatever a state holds becomes legal, and a second look finds nothing to change", "[legal][property]") {
    Dice dice(1);
    for (int n = 0; n < 1500; ++n) {
        CAPTURE(n);
        PlaygroundState state = random_state(dice);
        clamp_to_legal(state);
        check_legal(state);
        const PlaygroundState once = state;
        CHECK(clamp_to_legal(state) == Notes());
        CHECK(state == once);
    }
}

TEST_CASE("heads move to the nearest number that divides d_out", "[legal][bad-input]") {
    struct Case {
        int d_out, asked, legal;
    };
    // Of two equally near divisors the smaller: 3 of 16 lies between 2 and 4.
    const Case c = GENERATE(Case{16, 5, 4}, Case{16, 3, 2}, Case{16, 0, 1}, Case{16, -4, 1}, Case{16, 17, 16},
                            Case{16, 1000000000, 16}, Case{6, 4, 3}, Case{7, 3, 1}, Case{7, 5, 7}, Case{1, 2, 1});
    const auto [state, notes] = clamp_after([&](PlaygroundState& s) {
        s.inputs.d_out = c.d_out;
        s.inputs.num_heads = c.asked;
    });
    CAPTURE(c.d_out, c.asked);
    CHECK(state.inputs.num_heads == c.legal);
    CHECK(notes.size() == 1);
}

TEST_CASE("key heads move to the nearest number that divides heads", "[legal][bad-input]") {
    const auto [asked, legal, note] = GENERATE(
        table<int, int, std::string>({{0, 0, ""},
                                      {1, 1, ""},
                                      {2, 2, ""},
                                      {3, 3, ""},
                                      {4, 3, "kv_heads set to 3: 6 heads cannot share 4 key heads equally"},
                                      {6, 0, ""},
                                      {7, 0, "kv_heads set to 6: 6 heads cannot share 7 key heads equally"},
                                      {-2, 1, "kv_heads set to 1: at least one head of keys and values is needed"}}));
    const Clamped clamped = clamp_after([kv_heads = asked](PlaygroundState& state) {
        state.inputs.d_out = 6;
        state.inputs.num_heads = 6;
        state.inputs.num_kv_heads = kv_heads;
    });
    CAPTURE(asked);
    CHECK(clamped.state.inputs.num_kv_heads == legal);
    CHECK(clamped.notes == (note.empty() ? Notes() : Notes{note}));
}

TEST_CASE("latents have as many numbers as d_out at most, and none without matrices", "[legal][bad-input]") {
    struct Case {
        int latent, query_latent, legal_latent, legal_query_latent;
        Init init;
        Notes notes;
    };
    const Case c =
        GENERATE(Case{0, 0, 0, 0, Init::torch_linear, {}}, Case{1, 8, 1, 8, Init::torch_linear, {}},
                 Case{9,
                      0,
                      8,
                      0,
                      Init::torch_linear,
                      {"latent set to 8: a latent wider than the keys that are made of it compresses nothing"}},
                 Case{4,
                      1000000000,
                      4,
                      8,
                      Init::torch_rand,
                      {"latent_queries set to 8: a latent wider than the queries compresses nothing"}},
                 Case{-1,
                      -7,
                      0,
                      0,
                      Init::torch_linear,
                      {"latent set to 0: a vector has one number at least, and 0 is no latent",
                       "latent_queries set to 0: a vector has one number at least, and 0 is no latent"}},
                 Case{3,
                      0,
                      0,
                      0,
                      Init::none,
                      {"latent set to 0: without learned matrices nothing makes or reads a latent vector"}});
    const Clamped clamped = clamp_after([&](PlaygroundState& state) {
        state.inputs.d_in = state.inputs.d_out = 8;
        state.inputs.init = c.init;
        if (c.init == Init::none) state.inputs.out = false;
        state.inputs.latent = c.latent;
        state.inputs.query_latent = c.query_latent;
    });
    CHECK(clamped.state.inputs.latent == c.legal_latent);
    CHECK(clamped.state.inputs.query_latent == c.legal_query_latent);
    CHECK(clamped.notes == c.notes);
}

TEST_CASE("a rotary part has pairs, and wants a latent and rotary positions", "[legal][bad-input]") {
    struct Case {
        int rope_dim, latent, heads, legal;
        Positions positions;
        std::string note;
    };
    const Case c = GENERATE(
        Case{4, 3, 2, 4, Positions::rope, ""}, Case{512, 3, 2, 512, Positions::rope, ""},
        Case{0, 0, 2, 0, Positions::sin, ""},
        Case{5, 3, 2, 4, Positions::rope, "rope_dim set to 4: numbers are turned in pairs"},
        Case{1, 3, 2, 2, Positions::rope, "rope_dim set to 2: numbers are turned in pairs"},
        Case{-2, 3, 2, 0, Positions::rope, "rope_dim set to 0: a rotary part has two numbers at least, and 0 is none"},
        Case{2000000000, 3, 8, 128, Positions::rope,
             "rope_dim set to 128: it is there for each head, and a matrix has at most 1024 columns"},
        Case{4, 0, 2, 0, Positions::rope, "rope_dim set to 0: without a latent queries and keys themselves are turned"},
        Case{4, 3, 2, 0, Positions::alibi, "rope_dim set to 0: only rotary positions (pos=rope) turn numbers"},
        // Heads of one channel each: what is turned has pairs of its own.
        Case{2, 3, 8, 2, Positions::rope, ""});
    const Clamped clamped = clamp_after([&](PlaygroundState& state) {
        state.inputs.d_in = state.inputs.d_out = 8;
        state.inputs.num_heads = c.heads;
        state.inputs.latent = c.latent;
        state.inputs.rope_dim = c.rope_dim;
        state.inputs.positions = c.positions;
    });
    CHECK(clamped.state.inputs.rope_dim == c.legal);
    CHECK(clamped.state.inputs.num_heads == c.heads);
    CHECK(clamped.notes == (c.note.empty() ? Notes() : Notes{c.note}));
}

TEST_CASE("a sink that is learned needs the mask before the softmax", "[legal][sink][bad-input]") {
    const MaskAt mask_at = GENERATE(MaskAt::before, MaskAt::after, MaskAt::after_raw);
    const Clamped clamped = clamp_after([&](PlaygroundState& state) {
        state.inputs.sink_logits = true;
        state.inputs.mask_at = mask_at;
    });
    const bool is_legal = mask_at == MaskAt::before;
    CHECK(clamped.state.inputs.sink_logits == is_legal);
    CHECK(clamped.state.inputs.mask_at == mask_at);
    CHECK(clamped.notes ==
          (is_legal ? Notes()
                    : Notes{"sink_logits set to 0: a sink that is learned needs the mask before the softmax "
                            "(mask_at=before)"}));
}

TEST_CASE("norms of queries and keys are not for what is made of latents", "[legal][norm][bad-input]") {
    const auto [latent, query_latent] = GENERATE(table<int, int>({{0, 0}, {2, 0}, {0, 2}}));
    const Clamped clamped = clamp_after([&](PlaygroundState& state) {
        state.inputs.qk_norm = true;
        state.inputs.latent = latent;
        state.inputs.query_latent = query_latent;
    });
    const bool is_legal = latent + query_latent == 0;
    CHECK(clamped.state.inputs.qk_norm == is_legal);
    CHECK(clamped.notes ==
          (is_legal
               ? Notes()
               : Notes{"qk_norm set to 0: what is made of a latent is not normed; models norm the latent itself"}));
    PlaygroundState rotated;
    rotated.view.stage = TensorId::rotated_keys;
    rotated.inputs.qk_norm = true;
    CHECK(clamp_to_legal(rotated) == Notes{"the stage shown is normed_keys instead of rotated_keys: pos is not rope"});
    rotated.inputs.qk_norm = false;
    CHECK(clamp_to_legal(rotated) == Notes{"the stage shown is keys instead of normed_keys: qk_norm is off"});
}

TEST_CASE("rotary positions get heads with pairs, or go", "[legal][bad-input]") {
    struct Case {
        int d_out, heads, legal_heads;
        Positions legal;
        std::string note;
    };
    const Case c =
        GENERATE(Case{8, 2, 2, Positions::rope, ""}, Case{1, 1, 1, Positions::none, "1 channel cannot be cut"},
                 Case{6, 2, 1, Positions::rope,
                      "heads set to 1: rotary positions turn pairs of channels, and with 2 heads each has 3"},
                 Case{12, 4, 3, Positions::rope, "heads set to 3"},
                 Case{9, 3, 3, Positions::none,
                      "pos set to none: rotary positions turn pairs of channels, and 9 channels cannot be cut into "
                      "heads of an even number"});
    PlaygroundState state;
    state.inputs.positions = Positions::rope;
    state.inputs.d_out = c.d_out;
    state.inputs.num_heads = c.heads;
    const Notes notes = clamp_to_legal(state);
    CAPTURE(c.d_out, c.heads);
    CHECK(state.inputs.num_heads == c.legal_heads);
    CHECK(state.inputs.positions == c.legal);
    CHECK(notes.empty() == c.note.empty());
    if (!notes.empty()) CHECK_THAT(notes[0], Catch::Matchers::ContainsSubstring(c.note));
}

TEST_CASE("base and shift of rotary positions move to what can be turned", "[legal][bad-input]") {
    PlaygroundState state;
    state.inputs.rope_base = 0;
    state.inputs.pos_shift = 2'000'000'000;
    CHECK(clamp_to_legal(state) ==
          Notes{"rope_base set to 1: with a base of 1 all pairs turn as fast as the first, and none turns faster",
                "pos_shift set to 1000000: a sentence slides by 1,000,000 positions at most"});
    CHECK(state.inputs.rope_base == 1);
    CHECK(state.inputs.pos_shift == kMaxPosShift);
    state.inputs.rope_base = std::numeric_limits<double>::quiet_NaN();
    CHECK(clamp_to_legal(state) == Notes{"rope_base set to 10000: it must be a number"});
    state.view.stage = TensorId::rotated_keys;
    CHECK(clamp_to_legal(state) == Notes{"the stage shown is keys instead of rotated_keys: pos is not rope"});
    state.view.stage = TensorId::biased_scores;
    CHECK(clamp_to_legal(state) ==
          Notes{"the stage shown is scaled_scores instead of biased_scores: pos is not alibi"});
}

TEST_CASE("a cap moves to what scores can be capped by", "[legal][bad-input][score_cap]") {
    PlaygroundState state;
    state.view.stage = TensorId::capped_scores;
    CHECK(clamp_to_legal(state) == Notes{"the stage shown is scaled_scores instead of capped_scores: score_cap is 0"});
    const auto capped = [&](double cap) {
        state.inputs.score_cap = cap;
        const Notes notes = clamp_to_legal(state);
        return notes.empty() ? std::string() : notes.front();
    };
    CHECK(capped(50) == "");
    CHECK(capped(1e-9) == "score_cap set to 0.001: scores are capped by 0.001 to 1000");
    CHECK(capped(1e9) == "score_cap set to 1000: scores are capped by 0.001 to 1000");
    CHECK(capped(-2) == "score_cap set to 0: scores are capped by 0 to 1000");
    CHECK(capped(std::numeric_limits<double>::quiet_NaN()) == "score_cap set to 0: scores are capped by 0 to 1000");
    CHECK(state.inputs == Inputs());
    state.inputs.logit_cap = 1e9;
    state.view.stage = TensorId::capped_logits;
    CHECK(clamp_to_legal(state) == Notes{"logit_cap set to 1000: logits are capped by 0.001 to 1000",
                                         "the stage shown is output instead of capped_logits: goal is not next"});
}

TEST_CASE("a window and its sinks move to what a sentence can have", "[legal][bad-input]") {
    struct Case {
        int window, sinks, legal_window, legal_sinks;
        std::string note;
    };
    const Case c =
        GENERATE(Case{0, 0, 0, 0, ""}, Case{1, 0, 1, 0, ""}, Case{500, 11, 500, 11, ""},
                 Case{-3, 0, 0, 0, "mask_window set to 0: a window has one key at least, and 0 is no window"},
                 Case{1000000000, 0, 2048, 0, "mask_window set to 2048: no sentence has more keys"},
                 Case{0, 2, 0, 0, "mask_sinks set to 0: without mask_window the first keys are visible anyway"},
                 Case{3, -1, 3, 0, "mask_sinks set to 0: a number of keys is at least 0"},
                 Case{3, 12, 3, 11, "mask_sinks set to 11: no sentence has more tokens"});
    const Clamped clamped = clamp_after([&](PlaygroundState& state) {
        state.inputs.mask_window = c.window;
        state.inputs.mask_sinks = c.sinks;
    });
    CAPTURE(c.window, c.sinks);
    CHECK(clamped.state.inputs.mask_window == c.legal_window);
    CHECK(clamped.state.inputs.mask_sinks == c.legal_sinks);
    CHECK(clamped.notes == (c.note.empty() ? Notes() : Notes{c.note}));
}

TEST_CASE("sinks wait while the text is empty, and the longest sentence counts", "[legal]") {
    for (const std::vector<std::string>& texts : {std::vector<std::string>{""}, {"one two", "one two three four"}}) {
        const Clamped clamped = clamp_after([&](PlaygroundState& state) {
            state.inputs.texts = texts;
            state.inputs.mask_window = 1;
            state.inputs.mask_sinks = 4;
        });
        CHECK(clamped.state.inputs.mask_sinks == 4);
        CHECK(clamped.notes.empty());
    }
}

TEST_CASE("without matrices no heads share keys", "[legal][bad-input]") {
    const Clamped clamped = clamp_after([](PlaygroundState& state) {
        state.inputs.init = Init::none;
        state.inputs.out = false;
        state.inputs.d_in = state.inputs.d_out = 4;
        state.inputs.num_kv_heads = 1;
    });
    CHECK(clamped.state.inputs.num_kv_heads == 0);
    CHECK(clamped.notes ==
          Notes{"kv_heads set to 2: without learned matrices keys and values are the embeddings, as wide "
                "as queries"});
}

TEST_CASE("notes are sentences a visitor understands", "[legal][bad-input]") {
    const auto note_of = [](auto change) {
        const Clamped clamped = clamp_after(change);
        return clamped.notes.empty() ? std::string() : clamped.notes.front();
    };
    CHECK(note_of([](PlaygroundState& s) { s.inputs.d_out = 16, s.inputs.num_heads = 5; }) ==
          "heads set to 4: 16 channels cannot be split into 5 equal heads; 5 heads need d_out 20");
    CHECK(note_of([](PlaygroundState& s) { s.inputs.d_in = 1000000000; }) ==
          "d_in set to 1024: a vector has 1 to 1,024 numbers");
    CHECK(note_of([](PlaygroundState& s) { s.inputs.temperature = 0; }) ==
          "temperature set to 0.001: scores can be divided by 0.001 to 1000");
    CHECK(note_of([](PlaygroundState& s) { s.view.stage = TensorId::dropped_weights; }) ==
          "the stage shown is weights instead of dropped_weights: dropout is 0");
}

TEST_CASE("numbers that are none, or infinite, become legal ones", "[legal][bad-input]") {
    const auto temperature_for = [](double asked) {
        return clamp_after([&](PlaygroundState& s) { s.inputs.temperature = asked; }).state.inputs.temperature;
    };
    CHECK(temperature_for(kNaN) == 1);
    CHECK(temperature_for(kInfinite) == kMaxTemperature);
    CHECK(temperature_for(-kInfinite) == kMinTemperature);
    CHECK(temperature_for(0) == kMinTemperature);
    CHECK(temperature_for(0.25) == 0.25);
    const auto dropout_for = [](double asked) {
        return clamp_after([&](PlaygroundState& s) { s.inputs.dropout = asked; }).state.inputs.dropout;
    };
    CHECK(dropout_for(kNaN) == 0);
    CHECK(dropout_for(1) == kMaxDropout);
    CHECK(dropout_for(-1) == 0);
    CHECK(dropout_for(0.5) == 0.5);
}

TEST_CASE("heads that would not fit in memory are fewer, and the note says the size and the limit",
          "[legal][bad-input]") {
    const auto [state, notes] = clamp_after([](PlaygroundState& s) {
        s.inputs.texts = {"short", equal_words(2048)};
        s.inputs.d_out = 48;
        s.inputs.num_heads = 48;
    });
    // 2048 x 2048 scores are 16 MiB a head; 16 heads fill the 256 MiB.
    CHECK(state.inputs.num_heads == 16);
    CHECK(notes ==
          Notes{"heads set to 16: 48 heads of 2,048 x 2,048 scores would take 768 MiB, and the limit is 256 MiB"});

    const auto fits = clamp_after([](PlaygroundState& s) {
        s.inputs.texts = {equal_words(1000)};
        s.inputs.d_out = s.inputs.num_heads = 64;
    });
    CHECK(fits.state.inputs.num_heads == 64);
    CHECK(fits.notes.empty());
}

TEST_CASE("init none leaves no matrices, so nothing that needs one", "[legal]") {
    const auto [state, notes] = clamp_after([](PlaygroundState& s) {
        s.inputs.init = Init::none;
        s.inputs.bias = true;
        s.view.stage = TensorId::output;
    });
    CHECK(state.inputs.d_out == 8);
    CHECK_FALSE(state.inputs.bias);
    CHECK_FALSE(state.inputs.out);
    CHECK(state.view.stage == TensorId::merged);
    CHECK(notes.size() == 4);
}

TEST_CASE("texts become valid, not too many and not too long", "[legal][bad-input]") {
    const auto none = clamp_after([](PlaygroundState& s) { s.inputs.texts.clear(); });
    CHECK(none.state.inputs.texts == std::vector<std::string>{""});

    const auto broken = clamp_after([](PlaygroundState& s) { s.inputs.texts = {"a\xFF", std::string("b\0c", 3)}; });
    CHECK(broken.state.inputs.texts == std::vector<std::string>{"a\xEF\xBF\xBD",
                                                                "b\xEF\xBF\xBD"
                                                                "c"});
    REQUIRE(broken.notes.size() == 1);
    CHECK(broken.notes[0].starts_with("2 unreadable characters"));

    const auto many = clamp_after([](PlaygroundState& s) { s.inputs.texts.assign(20, "a"); });
    CHECK(many.state.inputs.texts.size() == kMaxSentences);

    // Cut between characters: the three bytes of the last one do not fit.
    const auto long_text = clamp_after(
        [](PlaygroundState& s) { s.inputs.texts = {std::string(kMaxTextBytes - 1, 'a') + "\xE6\xB3\xA8"}; });
    CHECK(long_text.state.inputs.texts[0].size() == kMaxTextBytes - 1);
    CHECK(long_text.notes.size() == 1);

    const auto words_kept = clamp_after([](PlaygroundState& s) { s.inputs.texts = {equal_words(10000)}; });
    CHECK(words_kept.state.inputs.texts[0] == equal_words(10000));
    CHECK(words_kept.notes.empty());
}

TEST_CASE("typed numbers are finite, and no more than there is room for", "[legal][bad-input]") {
    const auto broken = clamp_after([](PlaygroundState& s) {
        s.inputs.typed = {{{1, std::numeric_limits<float>::quiet_NaN()}, {std::numeric_limits<float>::infinity()}, {}}};
    });
    CHECK(broken.state.inputs.typed == std::vector<TypedRows>{{{1, 0}, {0}}});
    CHECK(broken.notes == Notes{"2 typed numbers set to 0: only finite numbers can be used"});

    const auto large = clamp_after([](PlaygroundState& s) {
        s.inputs.typed.assign(20, TypedRows(1, std::vector<float>(1, 1.0f)));
        s.inputs.typed[1].assign(3000, std::vector<float>(2000, 1.0f));
    });
    std::size_t num_numbers = 0;
    CHECK(large.state.inputs.typed.size() == kMaxSentences);
    for (const TypedRows& rows : large.state.inputs.typed) {
        CHECK(rows.size() <= kMaxTokens);
        for (const std::vector<float>& row : rows) {
            CHECK(row.size() <= static_cast<std::size_t>(kMaxWidth));
            num_numbers += row.size();
        }
    }
    CHECK(num_numbers == kMaxTypedNumbers);
    CHECK(large.notes.size() == 1);
}

TEST_CASE("what is shown exists", "[legal][bad-input]") {
    const auto [state, notes] = clamp_after([](PlaygroundState& s) {
        s.inputs.texts = {"one two three"};
        s.view.sentence = 7;
        s.view.head = 9;
        s.view.stage = TensorId::context;
        s.view.cell = Cell{.head = -3, .row = 5, .column = 2};
        s.view.hide = {"legend", "everything"};
        s.view.lang = "fr";
    });
    CHECK(state.view.sentence == 0);
    CHECK(state.view.head == 1);
    CHECK(state.view.cell == Cell{.head = 0, .row = 2, .column = 1});
    CHECK(state.view.hide == std::set<std::string>{"legend"});
    CHECK(state.view.lang == "en");
    CHECK(notes.size() == 5);
}

TEST_CASE("the stage shown goes with the place of the mask", "[legal]") {
    const auto after = clamp_after([](PlaygroundState& s) {
        s.inputs.mask_at = MaskAt::after;
        s.view.stage = TensorId::masked_scores;
    });
    CHECK(after.state.view.stage == TensorId::unmasked_weights);
    CHECK(after.notes == Notes{"the stage shown is unmasked_weights instead of masked_scores: the mask comes after the "
                               "softmax (mask_at)"});
    const auto before = clamp_after([](PlaygroundState& s) { s.view.stage = TensorId::unmasked_weights; });
    CHECK(before.state.view.stage == TensorId::weights);
    CHECK(before.notes ==
          Notes{"the stage shown is weights instead of unmasked_weights: the mask comes before the softmax (mask_at)"});
}

TEST_CASE("no cell of an empty sentence can be pinned", "[legal][bad-input]") {
    const auto [state, notes] = clamp_after([](PlaygroundState& s) {
        s.inputs.texts = {"  "};
        s.view.cell = Cell();
    });
    CHECK_FALSE(state.view.cell.has_value());
    CHECK(notes.size() == 1);
}

TEST_CASE("the legal numbers of heads are the divisors of d_out", "[legal]") {
    CHECK(legal_num_heads(1) == std::vector<int>{1});
    CHECK(legal_num_heads(12) == std::vector<int>{1, 2, 3, 4, 6, 12});
    CHECK(legal_num_heads(7) == std::vector<int>{1, 7});
}

TEST_CASE("heads that had to be moved are offered with the channels they need", "[legal]") {
    const auto offer_of = [](std::string_view link) {
        const ReadLink read = read_link(link);
        return heads_offer(read.notes, read.state.view);
    };
    const std::optional<HeadsOffer> offer = offer_of("heads=3&d_out=4");
    REQUIRE(offer);
    CHECK(offer->num_heads == 3);
    CHECK(offer->d_out == 6);
    CHECK(heads_offer_label(*offer) == "Take 3 heads with d_out 6");
    CHECK(offer_of("stage=nonsense&d_out=1000&heads=7")->d_out == 1001);
    for (const int wanted : {3, 5, 7, 11, 1000, 1024}) {
        const std::optional<HeadsOffer> taken = offer_of(concat("d_out=12&heads=", wanted));
        if (12 % wanted == 0) continue;
        REQUIRE(taken);
        CHECK(read_link(concat("d_out=", taken->d_out, "&heads=", taken->num_heads)).notes.empty());
    }
    CHECK_FALSE(offer_of("heads=4&d_out=4"));
    CHECK_FALSE(offer_of("heads=0"));
    CHECK_FALSE(offer_of("d_out=4&heads=5000"));
    CHECK_FALSE(offer_of("d_out=1023&heads=5"));                      // 1025 channels are too many
    CHECK_FALSE(offer_of("init=none&out=0&d_in=4&d_out=4&heads=3"));  // d_out is d_in's
    CHECK_FALSE(offer_of("heads=3&d_out=4&lock=d_out"));
    CHECK_FALSE(offer_of("heads=3&d_out=4&lock=all"));
    CHECK_FALSE(offer_of("stage=;+3+heads+need+d_out+6"));  // a stranger's words
}
