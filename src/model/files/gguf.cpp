// Nothing is allocated for a count or a length before the file was found to have as many bytes.
#include "model/files/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <tuple>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/packed_type.h"

namespace attn {
namespace {

using ReadGguf = Result<Gguf>;

// Types of tensors by their numbers; those without a name were given up.
constexpr std::array<std::string_view, 40> kTensorTypes = {
    "F32",    "F16",   "Q4_0",  "Q4_1",   "",      "",      "Q5_0",    "Q5_1",   "Q8_0",    "Q8_1",
    "Q2_K",   "Q3_K",  "Q4_K",  "Q5_K",   "Q6_K",  "Q8_K",  "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S",
    "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS", "I8",    "I16",   "I32",     "I64",    "F64",     "IQ1_M",
    "BF16",   "",      "",      "",       "TQ1_0", "TQ2_0", "",        "",       "",        "MXFP4"};

constexpr std::array<std::size_t, 13> kTypeBytes = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};  // at least

// Reads on from the file's first byte. After a problem all is 0 and "".
class GgufReader {
public:
    explicit GgufReader(ByteSource& file) : file_(file) {}
    std::string problem;  // the first: a whole sentence

    std::uint64_t at() const { return at_; }
    std::uint64_t rest() const { return file_.size() - at_; }

    void fail(std::string_view what) {
        if (problem.empty()) problem = concat("The file ", attn::quoted(file_.name()), " ", what, ".");
    }

    std::string_view bytes(std::uint64_t count) {
        if (!problem.empty()) return {};
        if (count > rest()) fail(kCut);
        if (problem.empty() && at_ + count > Gguf::kMaxHeader)
            fail(concat("has more than ", Gguf::kMaxHeader, " bytes of settings, which are not read"));
        while (problem.empty() && head_.size() < at_ + count) read_more();
        if (!problem.empty()) return {};
        const std::string_view taken =
            std::string_view(head_).substr(static_cast<std::size_t>(at_), static_cast<std::size_t>(count));
        at_ += count;
        return taken;
    }

    std::uint64_t whole(std::size_t size) {
        std::uint64_t number = 0;
        const std::string_view taken = bytes(size);
        for (std::size_t i = 0; i < taken.size(); ++i)
            number |= std::uint64_t{static_cast<unsigned char>(taken[i])} << 8 * i;
        return number;
    }

    std::string text() { return std::string(bytes(whole(8))); }

    // A type's number of a value of 1 to 8 bytes.
    double number(GgufType type) {
        const std::uint64_t bits = whole(kTypeBytes[static_cast<std::size_t>(type)]);
        switch (type) {
            case GgufType::i8:
                return static_cast<std::int8_t>(bits);
            case GgufType::i16:
                return static_cast<std::int16_t>(bits);
            case GgufType::i32:
                return static_cast<std::int32_t>(bits);
            case GgufType::i64:
                return static_cast<double>(static_cast<std::int64_t>(bits));
            case GgufType::f32:
                return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
            case GgufType::f64:
                return std::bit_cast<double>(bits);
            case GgufType::boolean:
                return bits != 0 ? 1 : 0;
            default:
                return static_cast<double>(bits);
        }
    }

    GgufValue value(std::string_view key, int depth = 0) { return value_of(key, type_of(key), depth); }

    static constexpr std::string_view kCut =
        "is cut short, or a length in it lies: what it lists reaches beyond its end";

private:
    void read_more() {
        constexpr std::uint64_t kFirst = 1 << 18;
        const std::uint64_t begin = head_.size();
        const std::uint64_t size = std::min(std::max(begin, kFirst), file_.size() - begin);
        head_.resize(static_cast<std::size_t>(begin + size));
        problem =
            file_.read(begin, {reinterpret_cast<std::uint8_t*>(head_.data()) + begin, static_cast<std::size_t>(size)});
    }

    GgufType type_of(std::string_view key) {
        const std::uint64_t type = whole(4);
        if (type >= kTypeBytes.size())
            fail(concat("has the setting ", attn::quoted(key), " with a value of type ", type, ", which there is not"));
        return static_cast<GgufType>(type < kTypeBytes.size() ? type : 0);
    }

    GgufValue value_of(std::string_view key, GgufType type, int depth) {
        GgufValue value = {.type = type};
        if (type == GgufType::text) {
            value.text = text();
        } else if (type == GgufType::list) {
            read_list(key, value, depth);
        } else {
            value.number = number(type);
        }
        return value;
    }

    void read_list(std::string_view key, GgufValue& list, int depth) {
        list.elements = type_of(key);
        const std::uint64_t count = whole(8);
        if (!problem.empty()) return;
        if (depth == Gguf::kMaxDepth)
            return fail(concat("has the setting ", attn::quoted(key), " with more than ", Gguf::kMaxDepth,
                               " lists within each other, which are not read"));
        if (count > rest() / kTypeBytes[static_cast<std::size_t>(list.elements)]) return fail(kCut);
        num_elements_ += count;
        if (num_elements_ > Gguf::kMaxElements)
            return fail(concat("has lists of more than ", Gguf::kMaxElements, " elements, which are not read"));
        for (std::uint64_t i = 0; i < count && problem.empty(); ++i) {
            if (list.elements == GgufType::text) {
                list.texts.push_back(text());
            } else if (list.elements == GgufType::list) {
                list.lists.push_back(value_of(key, GgufType::list, depth + 1));
            } else {
                list.numbers.push_back(number(list.elements));
            }
        }
    }

    ByteSource& file_;
    std::string head_;
    std::uint64_t at_ = 0, num_elements_ = 0;
};

// The first that is there twice, of sorted texts; null where none is.
const std::string* find_twice(std::vector<std::string>& texts) {
    std::ranges::sort(texts);
    const auto twice = std::ranges::adjacent_find(texts);
    return twice == texts.end() ? nullptr : &*twice;
}

std::string names_of_read_types() {
    std::string names = "F32, F16, BF16";
    const std::span<const PackedType> packed = packed_types();
    for (const PackedType& one : packed) names += concat(&one == &packed.back() ? " and " : ", ", one.name);
    return names;
}

void read_settings(GgufReader& reader, std::uint64_t count, Gguf& gguf) {
    std::vector<std::string> keys;
    for (std::uint64_t i = 0; i < count && reader.problem.empty(); ++i) {
        std::string key = reader.text();
        GgufValue value = reader.value(key);
        keys.push_back(key);
        gguf.settings.emplace_back(std::move(key), std::move(value));
    }
    if (const std::string* twice = find_twice(keys))
        reader.fail(concat("has two settings with the key ", attn::quoted(*twice)));
}

// Type, sides and bytes of a tensor, `begin` from the first of all tensors' bytes on. What is wrong is said by the
// reader.
StoredTensor read_tensor(GgufReader& reader, std::uint64_t alignment) {
    StoredTensor tensor;
    tensor.name = reader.text();
    const auto fail = [&](std::string_view what) {
        reader.fail(concat("has the tensor ", attn::quoted(tensor.name), " ", what));
        return tensor;
    };
    constexpr std::uint64_t kMostSides = 4;
    const std::uint64_t num_sides = reader.whole(4);
    if (num_sides < 1 || num_sides > kMostSides)
        return fail(concat("with ", num_sides, " sides; there are 1 to ", kMostSides));
    constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 56U;
    std::uint64_t count = 1;
    for (std::uint64_t i = 0; i < num_sides; ++i) {
        const std::uint64_t side = reader.whole(8);
        if (side > kMostNumbers || (side != 0 && count > kMostNumbers / side))
            return fail("with more numbers than can be counted");
        count *= side;
        tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(side));
    }
    const std::uint64_t type = reader.whole(4);
    tensor.begin = reader.whole(8);
    if (!reader.problem.empty()) return tensor;
    const std::string name = type < kTensorTypes.size() && !kTensorTypes[static_cast<std::size_t>(type)].empty()
                                 ? std::string(kTensorTypes[static_cast<std::size_t>(type)])
                                 : concat("number ", type);
    tensor.packed = packed_type_of(name);
    tensor.type = number_type_of(tensor.packed != nullptr ? "F32" : name);
    if (tensor.type == nullptr || !tensor.type->is_computed)
        return fail(concat("of the type ", name, "; this program reads ", names_of_read_types(),
                           ": take a file with these, such as one whose name has Q8_0 or Q4_K_M"));
    const std::uint64_t row = static_cast<std::uint64_t>(tensor.shape.back());
    if (tensor.packed != nullptr && row % tensor.packed->numbers != 0)
        return fail(concat("of the type ", name, " with rows of ", row, " numbers, which are not whole blocks of ",
                           tensor.packed->numbers));
    if (tensor.begin % alignment != 0)
        return fail(
            concat("that begins at byte ", tensor.begin, ", which is no multiple of the alignment, ", alignment));
    const std::uint64_t size = tensor.packed != nullptr ? tensor.packed->bytes_of(count)
                                                        : count * static_cast<std::uint64_t>(tensor.type->bits) / 8;
    if (tensor.begin > UINT64_MAX - size) return fail("that reaches beyond the file's end");
    tensor.end = tensor.begin + size;
    return tensor;
}

void read_tensors(GgufReader& reader, std::uint64_t count, std::uint64_t alignment, std::uint64_t file_size,
                  Gguf& gguf) {
    std::vector<std::string> names;
    for (std::uint64_t i = 0; i < count && reader.problem.empty(); ++i) {
        gguf.tensors.push_back(read_tensor(reader, alignment));
        names.push_back(gguf.tensors.back().name);
    }
    if (!reader.problem.empty()) return;
    if (const std::string* twice = find_twice(names))
        return reader.fail(concat("has two tensors with the name ", attn::quoted(*twice)));
    const std::uint64_t first = (reader.at() + alignment - 1) / alignment * alignment;
    std::vector<const StoredTensor*> in_order;
    for (StoredTensor& tensor : gguf.tensors) {
        if (first > file_size || tensor.end > file_size - first)
            return reader.fail(concat("is cut short: it ends before the tensor ", attn::quoted(tensor.name), " does"));
        tensor.begin += first;
        tensor.end += first;
        in_order.push_back(&tensor);
    }
    std::ranges::sort(in_order, {}, [](const StoredTensor* one) { return std::pair(one->begin, one->end); });
    for (std::size_t i = 1; i < in_order.size(); ++i)
        if (in_order[i]->begin < in_order[i - 1]->end)
            return reader.fail(concat("has two tensors in the same bytes: ", attn::quoted(in_order[i - 1]->name),
                                      " and ", attn::quoted(in_order[i]->name)));
}

std::uint64_t read_alignment(GgufReader& reader, const Gguf& gguf) {
    constexpr std::uint64_t kUsual = 32, kMost = 1 << 20;
    const GgufValue* value = gguf.find("general.alignment");
    if (value == nullptr) return kUsual;
    const std::uint64_t number = value->whole().value_or(0);
    if (number < 8 || number > kMost || number % 8 != 0) {
        reader.fail("has a \"general.alignment\" that is no multiple of 8");
        return kUsual;
    }
    return number;
}

void refuse_parts(GgufReader& reader, const Gguf& gguf) {
    const GgufValue *count = gguf.find("split.count"), *number = gguf.find("split.no");
    const std::uint64_t parts = count == nullptr ? 0 : count->whole().value_or(0);
    if (parts > 1)
        reader.fail(concat("is part ", number == nullptr ? 1 : number->whole().value_or(0) + 1, " of ", parts,
                           ": join the parts with llama-gguf-split --merge, and open the file that it writes"));
}

void read_setting_tensors(GgufReader& reader, ByteSource& file, Gguf& gguf) {
    for (const StoredTensor& tensor : gguf.tensors) {
        const bool is_setting = tensor.name == "rope_freqs.weight" || tensor.name.starts_with("rope_factors_");
        if (!is_setting || !reader.problem.empty()) continue;
        const auto count = static_cast<std::size_t>(tensor.num_numbers());
        if (tensor.packed != nullptr || tensor.type->name != "F32" || count > Gguf::kMaxSettingNumbers)
            return reader.fail(concat("has the tensor ", attn::quoted(tensor.name), " that is no list of at most ",
                                      Gguf::kMaxSettingNumbers, " numbers of the type F32"));
        std::vector<std::uint8_t> bytes(count * 4);
        reader.problem = file.read(tensor.begin, bytes);
        std::vector<float>& numbers = gguf.setting_tensors[tensor.name];
        numbers.resize(count);
        widen(*tensor.type, bytes, numbers);
    }
}

}  // namespace

std::optional<std::uint64_t> GgufValue::whole() const {
    constexpr double kMost = 9007199254740991;
    if (!is_number() || type == GgufType::f32 || type == GgufType::f64 || number < 0 || number > kMost)
        return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

const GgufValue* Gguf::find(std::string_view key) const {
    const auto found = std::ranges::find_if(settings, [&](const auto& one) { return one.first == key; });
    return found == settings.end() ? nullptr : &found->second;
}

std::string_view Gguf::text(std::string_view key) const {
    const GgufValue* value = find(key);
    return value == nullptr ? std::string_view() : value->text;
}

bool begins_like_gguf(std::string_view first_bytes) {
    return first_bytes.starts_with("GGUF");
}

Result<Gguf> read_gguf(ByteSource& file) {
    Gguf gguf;
    gguf.file = file.name();
    GgufReader reader(file);
    if (!begins_like_gguf(reader.bytes(4))) reader.fail("is no GGUF file");
    const std::uint64_t version = reader.whole(4);
    if ((version & 0xffffU) == 0 && version != 0)
        reader.fail("has its numbers in the byte order of other machines (big-endian)");
    if (version == 1) reader.fail("is of version 1 of GGUF, of 2023: convert the model anew");
    if (version != 2 && version != 3)
        reader.fail(concat("is of version ", version, " of GGUF; this program reads versions 2 and 3"));
    const std::uint64_t num_tensors = reader.whole(8), num_settings = reader.whole(8);
    constexpr std::uint64_t kLeastOfTensor = 8 + 4 + 8 + 4 + 8, kLeastOfSetting = 8 + 4 + 1;
    for (const auto& [count, least, what] :
         {std::tuple(num_tensors, kLeastOfTensor, "tensors"), std::tuple(num_settings, kLeastOfSetting, "settings")}) {
        if (count > Gguf::kMaxEntries || count > reader.rest() / least)
            reader.fail(concat("says that it has ", count, " ", what, ", more than ",
                               count > Gguf::kMaxEntries ? "are read" : "fit into it"));
    }
    if (reader.problem.empty()) read_settings(reader, num_settings, gguf);
    if (reader.problem.empty()) refuse_parts(reader, gguf);
    const std::uint64_t alignment = read_alignment(reader, gguf);
    if (reader.problem.empty()) read_tensors(reader, num_tensors, alignment, file.size(), gguf);
    if (reader.problem.empty()) read_setting_tensors(reader, file, gguf);
    if (!reader.problem.empty()) return ReadGguf::failure(reader.problem);
    return gguf;
}

}  // namespace attn
