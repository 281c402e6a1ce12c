// Files opened where memory is short, at every size: each ends with what was asked for or with a sentence. On the page
// a refused operator new ends the program, so there must be none.
#include "share/opening/file_memory.h"
#include "project_folder.h"
#include "samples.h"

#include <catch_amalgamated.hpp>
#include <fstream>
#include <new>
#include <vector>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/random_states.h"
#include "share/exports/data_files.h"
#include "share/formats/npz.h"
#include "share/formats/session_file.h"
#include "share/golden_file.h"
#include "share/memory/counted_memory.h"
#include "share/opening/open_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::MemoryCount;
using test::MemoryLimits;

// Without as much, nothing can even be said.
constexpr std::int64_t kForSentences = 1 << 16;

struct Opened {
    Result<FileOffer> offer = Result<FileOffer>::failure("");
    MemoryCount count;
};

Opened open_with(const NamedFile& file, const PlaygroundState& state, const MemoryLimits& limits) {
    Opened opened;
    test::begin_counting(limits);
    try {
        opened.offer = open_file(file, state);
    } catch (const std::bad_alloc&) {  // it is counted
    }
    opened.count = test::end_counting();
    return opened;
}

bool is_same(const Result<FileOffer>& a, const Result<FileOffer>& b) {
    if (!a || !b) return !a && !b && a.error() == b.error();
    const auto is_same_choice = [](const FileChoice& x, const FileChoice& y) {
        return x.label == y.label && x.state == y.state && x.notes == y.notes;
    };
    return a->question == b->question && a->is_certain == b->is_certain &&
           std::equal(a->choices.begin(), a->choices.end(), b->choices.begin(), b->choices.end(), is_same_choice);
}

// The smallest limit with which the file is opened as without one: everything below must end with the sentence. A file
// is not refused where it would fit forty times over.
void check_every_limit(const NamedFile& file, const PlaygroundState& state) {
    open_file(file, state);  // what is made once and stays is there
    const Opened free = open_with(file, state, {});
    INFO(file.name << ", " << file.bytes.size() << " bytes: " << free.offer.error());
    std::int64_t too_little = kForSentences, enough = 40 * (free.count.most_bytes + (1 << 20));
    const auto is_enough = [&](std::int64_t limit) {
        const Opened opened = open_with(file, state, {.most_bytes = limit});
        INFO(limit << " bytes of memory");
        REQUIRE_FALSE(opened.count.was_new_refused);
        if (is_same(opened.offer, free.offer)) return true;
        REQUIRE_FALSE(opened.offer);
        REQUIRE_THAT(opened.offer.error(), ContainsSubstring("memory") || ContainsSubstring("cannot be unpacked") ||
                                               ContainsSubstring("incomplete") || ContainsSubstring("is damaged"));
        return false;
    };
    REQUIRE(is_enough(enough));
    if (is_enough(too_little)) return;
    while (enough - too_little > std::max<std::int64_t>(4096, enough / 256)) {
        const std::int64_t middle = too_little + (enough - too_little) / 2;
        (is_enough(middle) ? enough : too_little) = middle;
    }
    // Not by luck alone: sizes all over, down to nothing but sentences.
    for (std::int64_t limit = enough; limit > kForSentences; limit -= std::max<std::int64_t>(limit / 5, 4096))
        is_enough(limit);
}

PlaygroundState state_of(std::string_view link) {
    return read_link(link).state;
}

constexpr const char* kStates[] = {
    "text=a+b+c+d&d_in=6&d_out=3&heads=1&bias=1",
    "text=a+b+c&text=d+e&text=f+g+h+i+j&embed=torch&pos=sin&d_in=64&d_out=64&heads=8&sentence=2",
    "text=a+b+c&init=none&d_in=4&embed=ngrams",
};

std::string npy_of(std::int64_t rows, std::int64_t columns) {
    std::vector<float> numbers(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 1000) / 8;
    return write_npy(std::vector<std::int64_t>{rows, columns}, numbers);
}

std::string table_of(int rows, int columns, std::string_view number) {
    std::string text = "name";
    for (int c = 0; c < columns; ++c) text += ",c" + std::to_string(c);
    for (int r = 0; r < rows; ++r) {
        text += "\nr" + std::to_string(r);
        for (int c = 0; c < columns; ++c) text.append(",").append(number);
    }
    return text;
}

std::string words(int count) {
    std::string text = "text=w";
    for (int i = 1; i < count; ++i) text += "+w";
    return text;
}

TEST_CASE("an array is opened, or there is a sentence, with any amount of memory", "[memory][bad-input]") {
    for (const char* link : kStates) {
        const PlaygroundState state = state_of(link);
        for (const auto& [rows, columns] : {std::pair{4, 6}, {6, 3}, {64, 64}, {1, 3}, {3, 3}, {141, 141}, {300, 64}}) {
            const std::string bytes = npy_of(rows, columns);
            check_every_limit({.name = "numbers.npy", .bytes = bytes}, state);
        }
    }
    const PlaygroundState state = state_of(kStates[0]);
    for (const auto& [rows, columns] : {std::pair{1024, 1024}, {2048, 128}, {256, 1024}, {2048, 2048}}) {
        const std::string bytes = npy_of(rows, columns);
        check_every_limit({.name = "w_query.npy", .bytes = bytes}, state);
    }
}

TEST_CASE("what belongs to a long sentence is opened, or there is a sentence, with any amount of memory",
          "[memory][bad-input]") {
    const PlaygroundState state = state_of(words(600) + "&d_in=48&d_out=48&heads=4");
    for (const char* name : {"mask.npy", "queries.npy", "x.npy"}) {
        const std::string bytes = npy_of(600, name[0] == 'm' ? 600 : 48);
        check_every_limit({.name = name, .bytes = bytes}, state);
    }
    std::vector<float> flags(600 * 600, 0);
    const std::string mask = write_npy(std::vector<std::int64_t>{600, 600}, flags);
    check_every_limit({.name = "mask.npy", .bytes = mask}, state_of(words(600) + "&mask=none"));
}

TEST_CASE("an archive is opened, or there is a sentence, with any amount of memory", "[memory][bad-input]") {
    for (const char* name : {"stored.npz", "deflated.npz", "unnamed.npz"}) {
        const std::string bytes = test::golden_file(std::string("numpy/") + name);
        check_every_limit({.name = "a.npz", .bytes = bytes}, state_of(kStates[0]));
    }
    for (const char* link : kStates) {
        const PlaygroundState from = state_of(link);
        const Result<std::string> bytes = write_state_npz(from, evaluate(from.inputs, from.view.sentence));
        REQUIRE(bytes);
        check_every_limit({.name = "a.npz", .bytes = *bytes}, state_of(kStates[0]));
        check_every_limit({.name = "a.npz", .bytes = *bytes}, state_of(kStates[1]));
    }
    std::vector<NpzArray> large;
    for (const char* name : {"w_query", "w_key", "w_value"})
        large.push_back({.name = name, .shape = {800, 600}, .numbers = std::vector<float>(800 * 600, 1)});
    const std::string bytes = write_npz(large);
    check_every_limit({.name = "a.npz", .bytes = bytes}, state_of(kStates[0]));
}

TEST_CASE("a table is opened, or there is a sentence, with any amount of memory", "[memory][bad-input]") {
    for (const char* link : kStates) {
        for (const std::string& text : {std::string("1,2\n3,4\n"), table_of(300, 60, "1,25"), table_of(4, 6, "0.25"),
                                        table_of(500, 100, "0.123456"), table_of(64, 64, "-1"),
                                        std::string("[[1, 2], [3, 4]]"), std::string("7")})
            check_every_limit({.name = "numbers.csv", .bytes = text}, state_of(link));
    }
    const std::string quoted = "\"" + std::string(3'000'000, 'x') + "\",1\n2,3";
    check_every_limit({.name = "numbers.csv", .bytes = quoted}, state_of(kStates[0]));
    const std::string digits = "0." + std::string(3'000'000, '7') + ",1\n2,3";
    check_every_limit({.name = "numbers.csv", .bytes = digits}, state_of(kStates[0]));
}

TEST_CASE("a session is opened, or there is a sentence, with any amount of memory", "[memory][bad-input]") {
    const PlaygroundState here = state_of(kStates[0]);
    for (std::uint32_t seed = 0; seed < static_cast<std::uint32_t>(test::samples(40)); ++seed) {
        test::Dice dice(seed);
        PlaygroundState state = test::random_state(dice);
        clamp_to_legal(state);
        const std::string bytes = write_session(state);
        check_every_limit({.name = "a.attention", .bytes = bytes}, here);
    }
    std::ifstream links(std::string(test::kProjectFolder) + "/tests/golden/links.txt");
    int number = 0;
    for (std::string link; std::getline(links, link); ++number) {
        if (number % test::sample_step(8) != 0) continue;
        const std::string bytes = write_session(state_of(link));
        check_every_limit({.name = "a.attention", .bytes = bytes}, here);
    }
    const auto session = [](const std::string& state) {
        return R"({"format":"attention-playground session","version":1,"state":{)" + state + "}}";
    };
    const auto repeated = [](std::string_view piece, int times) {
        std::string text;
        for (int i = 0; i < times; ++i) text += piece;
        return text;
    };
    for (const int times : {1000, 100'000}) {
        for (const std::string& state :
             {R"("text":[")" + repeated("x", times) + "\"]", R"("text":[)" + repeated("\"\",", times) + "\"\"]",
              R"("edit":["w_query[0,0]=)" + repeated("1,", times) + "\"]",
              R"("edit":["w_query[0,0]=)" + repeated("1;", times) + "\"]", R"("x":[")" + repeated(";", times) + "\"]",
              R"("x":[)" + repeated("\";;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;\",", times / 16) + "\"\"]",
              R"("x":[")" + repeated(",", times) + "\"]", R"("target":")" + repeated("1>1,", times) + "\"",
              R"("hide":")" + repeated("weights[1,1,1],a,", times) + "\"",
              R"("hide":"weights[)" + repeated(",", times) + "]\"", R"("vector":")" + repeated("1,", times) + "\"",
              R"("compare":")" + repeated("text=a&", times) + "\"", repeated("\"key\":1,", times) + "\"heads\":1",
              R"("a":)" + repeated("[", times), R"("a":")" + repeated("x", times)}) {
            const std::string bytes = session(state);
            check_every_limit({.name = "a.attention", .bytes = bytes}, here);
        }
    }
}

TEST_CASE("whichever allocation fails while an archive is unpacked, there is a sentence", "[memory][bad-input]") {
    const PlaygroundState state = state_of(kStates[0]);
    for (const char* name : {"stored.npz", "deflated.npz"}) {
        const std::string bytes = test::golden_file(std::string("numpy/") + name);
        const Opened free = open_with({.name = "a.npz", .bytes = bytes}, state, {});
        std::int64_t num_told = 0;
        for (std::int64_t n = 1; n <= free.count.num_mallocs; ++n) {
            const Opened opened = open_with({.name = "a.npz", .bytes = bytes}, state, {.refused_malloc = n});
            INFO(name << ", request " << n << ": " << opened.offer.error());
            REQUIRE(opened.count.num_refused == 1);
            REQUIRE_FALSE(opened.count.was_new_refused);
            // minizip goes on where it does not need the memory: to look for the list of contents of a larger archive.
            if (!is_same(opened.offer, free.offer)) REQUIRE_FALSE(opened.offer.error().empty());
            num_told += opened.offer ? 0 : 1;
        }
        CHECK(num_told >= 8);
    }
}

}  // namespace
}  // namespace attn
