// Reads and writes NPY: what may stand in its header, and the numbers.
#include "share/formats/npy.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/notes.h"
#include "share/formats/npy_dictionary.h"

namespace attn {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;            // NumPy's: the numbers begin at a multiple of it
constexpr std::size_t kMaxHeaderBytes = 1 << 16;  // NumPy itself refuses more than 10,000 unless told otherwise
static_assert(kMaxNpyHeaderBytes == kMaxHeaderBytes + kMagic.size() + 6,
              "what stands before the dictionary: its length");

Result<NpyHeader> refuse(std::string sentence) {
    return Result<NpyHeader>::failure(std::move(sentence));
}

// Takes over how the numbers are written; false where they are none.
bool take_type(std::string_view type, NpyHeader& header) {
    if (type.size() != 3 || std::string_view("<>|=").find(type[0]) == std::string_view::npos) return false;
    header.kind = type[1];
    header.size = type[2] - '0';
    header.is_big_endian = type[0] == '>';
    const bool is_whole = header.kind == 'i' || header.kind == 'u';
    const bool is_power = header.size == 1 || header.size == 2 || header.size == 4 || header.size == 8;
    return header.kind == 'b' ? header.size == 1 : is_power && (is_whole || (header.kind == 'f' && header.size > 1));
}

// Why an array of this type holds no numbers that can be used.
std::string what_is_no_number(std::string_view type) {
    if (type == "[]") return "it holds records of several fields";
    const char kind = type.size() > 1 ? type[1] : '?';
    if (kind == 'O') return "it holds Python objects";
    if (kind == 'c') return "it holds complex numbers";
    if (kind == 'U' || kind == 'S' || kind == 'a') return "it holds texts";
    if (kind == 'M' || kind == 'm') return "it holds times";
    if (kind == 'f') return "its floats are not of 16, 32 or 64 bits";
    return "its type is not known here";
}

// The product, or nothing when it is beyond kMaxArrayNumbers. An axis of length 0 makes it 0 whatever the others are.
std::optional<std::int64_t> count_elements(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t length : shape) {
        if (length == 0) return 0;
    }
    for (const std::int64_t length : shape) {
        if (length > kMaxArrayNumbers / count) return std::nullopt;
        count *= length;
    }
    return count;
}

// IEEE 754 binary16: 1 bit of sign, 5 of exponent (bias 15), 10 of fraction.
double half_number(std::uint64_t bits) {
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const auto fraction = static_cast<double>(bits & 1023U);
    double number = 0;
    if (exponent == 31) {
        number = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    } else {
        number = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    }
    return (bits >> 15U & 1U) != 0 ? -number : number;
}

double read_element(std::string_view bytes, const NpyHeader& type) {
    std::uint64_t bits = 0;
    for (std::size_t b = 0; b < bytes.size(); ++b) {
        const std::size_t place = type.is_big_endian ? bytes.size() - 1 - b : b;
        bits |= std::uint64_t{static_cast<unsigned char>(bytes[b])} << (8 * place);
    }
    if (type.kind == 'b') return bits == 0 ? 0 : 1;
    if (type.kind == 'u') return static_cast<double>(bits);
    if (type.kind == 'i') {
        const int unused = 64 - 8 * type.size;
        return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);  // fills up with the sign
    }
    if (type.size == 2) return half_number(bits);
    if (type.size == 4) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    return std::bit_cast<double>(bits);
}

// The element that stands next in memory order in the place where the first axis runs fastest.
std::vector<double> turned_from_fortran(const NumberArray& array) {
    const std::size_t num_axes = array.shape.size();
    std::vector<std::size_t> strides(num_axes, 1), index(num_axes, 0);
    for (std::size_t axis = 1; axis < num_axes; ++axis) {
        strides[axis] = strides[axis - 1] * static_cast<std::size_t>(array.shape[axis - 1]);
    }
    std::vector<double> turned;
    turned.reserve(array.numbers.size());
    while (turned.size() < array.numbers.size()) {
        std::size_t from = 0;
        for (std::size_t axis = 0; axis < num_axes; ++axis) from += index[axis] * strides[axis];
        turned.push_back(array.numbers[from]);
        for (std::size_t axis = num_axes; axis-- > 0;) {
            if (++index[axis] < static_cast<std::size_t>(array.shape[axis])) break;
            index[axis] = 0;
        }
    }
    return turned;
}

// Takes the text of the header off the front of `bytes`; an empty text and a sentence when it is not there.
Result<std::string_view> take_header(std::string_view& bytes) {
    using Text = Result<std::string_view>;
    if (bytes.size() < kMagic.size() + 2) return Text::failure("The file ends before the version of its format.");
    const auto byte_at = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(bytes[at])}; };
    const std::size_t version = byte_at(kMagic.size());
    if (version < 1 || version > 3) {
        return Text::failure(concat("The file is NPY of version ", version, "; versions 1, 2 and 3 can be read."));
    }
    const std::size_t length_at = kMagic.size() + 2;
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    if (bytes.size() < length_at + length_bytes) return Text::failure("The file ends inside its header.");
    std::size_t length = 0;
    for (std::size_t b = 0; b < length_bytes; ++b) length |= byte_at(length_at + b) << (8 * b);
    bytes.remove_prefix(length_at + length_bytes);
    if (length > kMaxHeaderBytes) {
        return Text::failure(concat("The header of the file would have ",
                                    with_thousands(static_cast<std::int64_t>(length)),
                                    " bytes: this is no array that NumPy wrote."));
    }
    if (length > bytes.size()) return Text::failure("The file ends inside its header.");
    const std::string_view header = bytes.substr(0, length);
    bytes.remove_prefix(length);
    return header;
}

}  // namespace

std::string shape_text(std::span<const std::int64_t> shape) {
    std::string text = "(";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) text += concat(axis == 0 ? "" : ", ", shape[axis]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::string write_npy(std::span<const std::int64_t> shape, std::span<const float> numbers) {
    std::string header = concat("{'descr': '<f4', 'fortran_order': False, 'shape': ", shape_text(shape), ", }");
    const std::size_t before_header = kMagic.size() + 4;
    header.append(kAlignment - 1 - (before_header + header.size()) % kAlignment, ' ');
    header += '\n';
    std::string bytes(kMagic);
    bytes += {'\x01', '\x00', static_cast<char>(header.size() & 255U), static_cast<char>(header.size() >> 8U)};
    bytes += header;
    const std::size_t first = bytes.size();
    bytes.resize(first + 4 * numbers.size());
    char* byte = bytes.data() + first;
    for (const float number : numbers) {
        const auto bits = std::bit_cast<std::uint32_t>(number);
        for (std::uint32_t shift = 0; shift < 32; shift += 8) *byte++ = static_cast<char>(bits >> shift & 255U);
    }
    return bytes;
}

bool looks_like_npy(std::string_view bytes) {
    return bytes.starts_with(kMagic);
}

Result<NpyHeader> read_npy_header(std::string_view begin, std::uint64_t num_bytes) {
    if (!looks_like_npy(begin)) return refuse("The file does not begin as an NPY file does.");
    std::string_view rest = begin;
    const Result<std::string_view> text = take_header(rest);
    if (!text) return refuse(text.error());
    std::optional<NpyDictionary> dictionary = read_npy_dictionary(*text);
    if (!dictionary) {
        return refuse(concat("The header of the file cannot be read: ", quoted(*text),
                             "; it needs 'descr', 'fortran_order' and 'shape'."));
    }
    const std::string& type = dictionary->type;
    NpyHeader header;
    if (!take_type(type, header)) {
        return refuse(concat("The array cannot be used: ", what_is_no_number(type),
                             type == "[]" ? "" : concat(" (", quoted(type), ")"),
                             "; only numbers can, such as numpy.float32."));
    }
    header.shape = std::move(dictionary->shape);
    header.is_fortran = dictionary->is_fortran;
    header.numbers_at = begin.size() - rest.size();
    const std::string shape = shape_text(header.shape);
    const std::optional<std::int64_t> count = count_elements(header.shape);
    if (!count) {
        return refuse(concat("The array says it is ", shape, ": more than the ", with_thousands(kMaxArrayNumbers),
                             " numbers that can be read."));
    }
    header.num_numbers = *count;
    const std::uint64_t num_wanted = static_cast<std::uint64_t>(*count) * static_cast<std::uint64_t>(header.size);
    const std::uint64_t num_there = num_bytes - header.numbers_at;
    if (num_there != num_wanted) {
        const bool is_short = num_there < num_wanted;
        const std::uint64_t difference = is_short ? num_wanted - num_there : num_there - num_wanted;
        return refuse(concat("The array says it is ", shape, " of ", quoted(type), ", and ",
                             counted(static_cast<std::int64_t>(difference), "byte"),
                             is_short ? " are missing at the end of the file." : " follow after its numbers."));
    }
    return header;
}

Result<NumberArray> read_npy(std::string_view bytes) {
    Result<NpyHeader> header = read_npy_header(bytes, bytes.size());
    if (!header) return Result<NumberArray>::failure(header.error());
    const auto size = static_cast<std::size_t>(header->size);
    NumberArray array = {.shape = std::move(header->shape), .numbers = {}, .is_boolean = header->kind == 'b'};
    array.numbers.reserve(static_cast<std::size_t>(header->num_numbers));
    for (std::size_t at = header->numbers_at; at < bytes.size(); at += size) {
        array.numbers.push_back(read_element(bytes.substr(at, size), *header));
    }
    if (header->is_fortran && array.shape.size() > 1) array.numbers = turned_from_fortran(array);
    return array;
}

}  // namespace attn
