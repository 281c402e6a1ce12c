#include "share/formats/npy.h"

#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/ground/check.h"
#include "playground/random_states.h"
#include "share/golden_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

// What tests/golden/numpy/expected.json says of an array.
NumberArray array_of(const json& expected) {
    NumberArray array = {.shape = expected["shape"], .numbers = {}};
    for (const json& number : expected["numbers"]) {
        const bool is_text = number.is_string();
        const double infinity = std::numeric_limits<double>::infinity();
        array.numbers.push_back(!is_text           ? number.get<double>()
                                : number == "nan"  ? std::nan("")
                                : number == "-inf" ? -infinity
                                                   : infinity);
    }
    return array;
}

bool is_same(const NumberArray& a, const NumberArray& b) {
    if (a.shape != b.shape || a.numbers.size() != b.numbers.size()) return false;
    for (std::size_t i = 0; i < a.numbers.size(); ++i) {
        const bool are_both_nan = std::isnan(a.numbers[i]) && std::isnan(b.numbers[i]);
        if (!are_both_nan && (a.numbers[i] != b.numbers[i] || std::signbit(a.numbers[i]) != std::signbit(b.numbers[i])))
            return false;
    }
    return true;
}

// A file of version 1.0 with this header, padded as NumPy does, and these bytes after it.
std::string npy_file(std::string header, std::string_view bytes, char version = 1) {
    header += '\n';
    std::string file = std::string("\x93NUMPY") + version + '\0' + static_cast<char>(header.size() & 255U) +
                       static_cast<char>(header.size() >> 8U);
    return file + header + std::string(bytes);
}

TEST_CASE("every array that NumPy wrote is read as NumPy reads it", "[npy][golden]") {
    const json expected = json::parse(test::golden_file("numpy/expected.json"));
    int num_files = 0;
    for (const auto& [name, array] : expected.items()) {
        if (!name.ends_with(".npy")) continue;
        INFO(name);
        const Result<NumberArray> read = read_npy(test::golden_file("numpy/" + name));
        INFO(read.error());
        REQUIRE(read);
        CHECK(is_same(*read, array_of(array)));
        ++num_files;
    }
    CHECK(num_files >= 35);
}

TEST_CASE("what is written is what NumPy writes, byte by byte", "[npy][golden]") {
    const Result<NumberArray> read = read_npy(test::golden_file("numpy/f4-little.npy"));
    REQUIRE(read);
    const std::vector<float> numbers(read->numbers.begin(), read->numbers.end());
    CHECK(write_npy(read->shape, numbers) == test::golden_file("numpy/f4-little.npy"));
}

TEST_CASE("random arrays survive a file, bit by bit", "[npy][property]") {
    test::Dice dice(7);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::int64_t> shape;
        std::size_t count = 1;
        for (int axis = dice.below(5); axis > 0; --axis) {
            shape.push_back(dice.below(6));
            count *= static_cast<std::size_t>(shape.back());
        }
        std::vector<float> numbers;
        for (std::size_t i = 0; i < count; ++i) numbers.push_back(dice.any_float());
        const std::string bytes = write_npy(shape, numbers);
        CHECK((bytes.size() - 4 * count) % 64 == 0);
        const Result<NumberArray> read = read_npy(bytes);
        REQUIRE(read);
        REQUIRE(read->shape == shape);
        REQUIRE(read->numbers.size() == count);
        for (std::size_t i = 0; i < count; ++i) {
            if (std::isnan(numbers[i])) {
                REQUIRE(std::isnan(read->numbers[i]));
            } else {
                REQUIRE(std::bit_cast<std::uint32_t>(static_cast<float>(read->numbers[i])) ==
                        std::bit_cast<std::uint32_t>(numbers[i]));
            }
        }
    }
}

TEST_CASE("a file is as large as its array, for every shape and its header's length", "[npy][property]") {
    // Headers of every length around the next multiple of 64.
    for (std::int64_t rows = 1; rows <= 1000000; rows *= 10) {
        const std::vector<std::int64_t> shape = {rows, 0, 1000000 / rows, 12345, 12345, 1};
        const Result<NumberArray> read = read_npy(write_npy(shape, {}));
        REQUIRE(read);
        CHECK(read->shape == shape);
    }
}

TEST_CASE("arrays without numbers to use are refused, and the sentence says what they hold", "[npy][bad-input]") {
    const auto [name, words] = GENERATE(table<std::string, std::string>({{"objects", "Python objects"},
                                                                         {"complex", "complex numbers"},
                                                                         {"texts", "texts"},
                                                                         {"records", "several fields"},
                                                                         {"longdouble", "16, 32 or 64 bits"}}));
    const Result<NumberArray> read = read_npy(test::golden_file("numpy/refused-" + name + ".npy"));
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error(), ContainsSubstring(words));
}

TEST_CASE("a header that cannot be is refused with a sentence", "[npy][bad-input]") {
    const auto [header, words] = GENERATE(table<std::string, std::string>({
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "24 bytes are missing"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }", "more than the 4,194,304"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999,), }", "cannot be read"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3), }", "cannot be read"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4194305,), }", "(4194305,)"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)", "cannot be read"},
        {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,), }", "cannot be read"},
        {"{'descr': '<f4', 'shape': (2,), }", "cannot be read"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "cannot be read"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': True}", "cannot be read"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } + evil()", "cannot be read"},
        {"{'descr': '<f3', 'fortran_order': False, 'shape': (2,), }", "'"},
        {"{'descr': '<b8', 'fortran_order': False, 'shape': (2,), }", "not known"},
        {"", "cannot be read"},
        {std::string(400, '('), "cannot be read"},
    }));
    INFO(header);
    const Result<NumberArray> read = read_npy(npy_file(header, ""));
    REQUIRE_FALSE(read);
    if (words != "'") CHECK_THAT(read.error(), ContainsSubstring(words));
    CHECK(read.error().size() < 400);
}

TEST_CASE("bytes too few or too many are counted", "[npy][bad-input]") {
    const std::string whole = write_npy(std::vector<std::int64_t>{2, 3}, std::vector<float>(6, 1));
    CHECK_THAT(read_npy(whole.substr(0, whole.size() - 5)).error(), ContainsSubstring("5 bytes are missing"));
    CHECK_THAT(read_npy(whole + "xyz").error(), ContainsSubstring("3 bytes follow"));
    CHECK_THAT(read_npy(npy_file("{}", "", 9)).error(), ContainsSubstring("version 9"));
    std::string long_header = whole;
    long_header[6] = 2;  // its length now has four bytes, the last two of them from the dictionary
    CHECK_THAT(read_npy(long_header).error(), ContainsSubstring("no array that NumPy wrote"));
}

TEST_CASE("no cut and no changed byte of a file does any harm", "[npy][bad-input][property]") {
    for (const char* name : {"f2-big-fortran.npy", "i8-little.npy", "version3.npy", "three-axes.npy"}) {
        const std::string whole = test::golden_file(std::string("numpy/") + name);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const Result<NumberArray> read = read_npy(std::string_view(whole).substr(0, size));
            REQUIRE_FALSE(read);
            REQUIRE_FALSE(read.error().empty());
        }
        test::Dice dice(3);
        for (int round = 0; round < 3000; ++round) {
            std::string changed = whole;
            for (int flips = 1 + dice.below(4); flips > 0; --flips) {
                changed[static_cast<std::size_t>(dice.below(static_cast<int>(whole.size())))] =
                    static_cast<char>(dice.below(256));
            }
            const Result<NumberArray> read = read_npy(changed);
            if (read) {
                std::int64_t count = 1;
                for (const std::int64_t length : read->shape) count *= length;
                REQUIRE(static_cast<std::size_t>(count) == read->numbers.size());
            } else {
                REQUIRE_FALSE(read.error().empty());
            }
        }
    }
}

}  // namespace
}  // namespace attn
