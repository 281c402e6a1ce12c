// Every type is read to doubles, which hold all numbers of the floats and whole numbers up to 2^53.
#include "share/opening/tensor_arrays.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

class BytesElsewhere : public ByteSource {
public:
    BytesElsewhere(std::string_view name, std::string_view bytes) : name_(name), bytes_(bytes) {}
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return bytes_.size(); }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        const std::string_view part = bytes_.substr(static_cast<std::size_t>(begin), into.size());
        ATTN_CHECK(part.size() == into.size(), "bytes ", begin, " to ", begin + into.size(), " of ", bytes_.size());
        std::copy(part.begin(), part.end(), into.begin());
        return "";
    }

private:
    std::string name_;
    std::string_view bytes_;
};

bool is_read(std::string_view type) {
    constexpr std::string_view kTypes[] = {"F32", "F16", "BF16", "F64", "BOOL", "U8",
                                           "I8",  "U16", "I16",  "U32", "I32",  "I64"};
    return std::ranges::find(kTypes, type) != std::end(kTypes);
}

// A number of a type that is read, from its bytes, little endian.
double number_of(const NumberType& type, std::span<const std::uint8_t> bytes) {
    if (type.is_computed) {
        float number = 0;
        widen(type, bytes, {&number, 1});
        return number;
    }
    std::uint64_t bits = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) bits = bits << 8U | bytes[i];
    if (type.name == "F64") return std::bit_cast<double>(bits);
    const unsigned unused = 64 - static_cast<unsigned>(type.bits);
    if (type.name.starts_with('I')) return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
    return static_cast<double>(bits);
}

NumberArray array_of(const StoredTensor& tensor, std::vector<std::uint8_t> bytes) {
    const std::vector<std::uint8_t> ordered = bytes_in_order(tensor, std::move(bytes));
    const auto size = static_cast<std::size_t>(tensor.type->bits) / 8;
    NumberArray array = {.shape = tensor.shape, .numbers = {}, .is_boolean = tensor.type->name == "BOOL"};
    array.numbers.reserve(ordered.size() / size);
    for (std::size_t at = 0; at < ordered.size(); at += size)
        array.numbers.push_back(number_of(*tensor.type, std::span(ordered).subspan(at, size)));
    return array;
}

}  // namespace

bool looks_like_safetensors(std::string_view bytes) {
    if (bytes.size() <= kSafetensorsLengthBytes || bytes[kSafetensorsLengthBytes] != '{') return false;
    const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return static_cast<bool>(safetensors_header_length({first, kSafetensorsLengthBytes}, bytes.size(), ""));
}

Result<TensorFiles> open_tensors(std::string_view name, std::string_view bytes) {
    std::vector<std::unique_ptr<ByteSource>> files;
    files.push_back(std::make_unique<BytesElsewhere>(name, bytes));
    return TensorFiles::open(std::move(files));
}

Result<NpzContents> read_tensors(const TensorFiles& tensors,
                                 const std::function<bool(std::string_view name)>& is_wanted,
                                 const WhyNoArray& why_not) {
    using Contents = Result<NpzContents>;
    NpzContents contents;
    std::vector<const FiledTensor*> wanted;
    std::int64_t num_numbers = 0;
    for (const FiledTensor& filed : tensors.tensors()) {
        const StoredTensor& tensor = filed.tensor;
        if (!is_wanted(tensor.name)) {
            contents.others.push_back(tensor.name);
            continue;
        }
        const auto refuse = [&](std::string_view why) { return Contents::failure(concat(quoted(tensor.name), why)); };
        if (!is_read(tensor.type->name))
            return refuse(concat(" has numbers of the type ", tensor.type->name, ", which are not read here."));
        const NpyHeader header = {
            .shape = tensor.shape, .size = tensor.type->bits / 8, .num_numbers = tensor.num_numbers()};
        num_numbers += header.num_numbers;
        if (num_numbers > kMaxArrayNumbers)
            return Contents::failure(concat("The arrays have more than ", with_thousands(kMaxArrayNumbers),
                                            " numbers together, up to ", quoted(tensor.name), "."));
        std::string refusal = why_not ? why_not(tensor.name, header) : std::string();
        if (!refusal.empty()) return Contents::failure(std::move(refusal));
        wanted.push_back(&filed);
    }
    for (const FiledTensor* const filed : wanted) {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(filed->tensor.end - filed->tensor.begin));
        std::string problem = tensors.read(*filed, 0, bytes);
        if (!problem.empty()) return Contents::failure(std::move(problem));
        contents.arrays.push_back({.name = filed->tensor.name, .array = array_of(filed->tensor, std::move(bytes))});
    }
    return contents;
}

}  // namespace attn
