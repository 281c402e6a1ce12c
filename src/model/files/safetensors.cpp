// Each rule of the format has its sentence.
#include "model/files/safetensors.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/json_tree.h"

namespace attn {
namespace {

using Header = Result<SafetensorsHeader>;

// a * b, or nothing beyond 2^63 - 1.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (a != 0 && b > kMost / a) return std::nullopt;
    return a * b;
}

// Puts what the header says of a tensor into `tensor`, offsets from the first number on. Returns the end of a sentence
// that begins with the tensor, or nothing.
std::string read_entry(JsonValue entry, StoredTensor& tensor) {
    if (!entry.is(JsonKind::object)) return "is not described by an object";
    const std::optional<JsonValue> type = entry.find("dtype");
    const std::optional<JsonValue> shape = entry.find("shape");
    const std::optional<JsonValue> offsets = entry.find("data_offsets");
    if (!type || !type->is(JsonKind::text)) return "has no \"dtype\", the name of a type of numbers";
    if (!shape || !shape->is(JsonKind::list)) return "has no \"shape\", a list of whole numbers";
    if (!offsets || !offsets->is(JsonKind::list) || offsets->count() != 2)
        return "has no \"data_offsets\", a list of two whole numbers";

    tensor.type = number_type_of(type->text());
    if (tensor.type == nullptr)
        return concat("has numbers of type ", attn::quoted(type->text()), ", which there is not");
    if (shape->count() > kMaxTensorAxes)
        return concat("has ", shape->count(), " axes; at most ", kMaxTensorAxes, " are read");
    std::uint64_t num_numbers = 1;
    for (const JsonValue size : *shape) {
        const std::optional<std::uint64_t> whole = size.whole();
        if (!whole) return "has a shape with something in it that is no whole number from 0 to 2^53 - 1";
        tensor.shape.push_back(static_cast<std::int64_t>(*whole));
        const std::optional<std::uint64_t> more = product(num_numbers, *whole);
        if (!more)
            return concat("has the shape ", tensor_shape_text(tensor.shape), ": more numbers than can be counted");
        num_numbers = *more;
    }
    const std::optional<std::uint64_t> bits = product(num_numbers, static_cast<std::uint64_t>(tensor.type->bits));
    if (!bits) return concat("has the shape ", tensor_shape_text(tensor.shape), ": more bits than can be counted");
    if (*bits % 8 != 0)
        return concat("has ", num_numbers, " numbers of ", tensor.type->bits, " bits, which do not fill whole bytes");
    const std::optional<std::uint64_t> first = (*offsets->begin()).whole();
    const std::optional<std::uint64_t> last = (*++offsets->begin()).whole();
    if (!first || !last) return "has \"data_offsets\" that are no whole numbers from 0 to 2^53 - 1";
    if (*first > *last) return concat("ends before it begins: its bytes are ", *first, " to ", *last);
    if (*last - *first != *bits / 8) {
        return concat("has the shape ", tensor_shape_text(tensor.shape), " of ", tensor.type->name, ", which is ",
                      *bits / 8, " bytes, but its place in the file has ", *last - *first);
    }
    tensor.begin = *first;
    tensor.end = *last;
    return "";
}

// Whether the tensors, sorted, fill `num_bytes` bytes without a hole: a sentence's end where they do not.
std::string find_hole(std::span<const StoredTensor> tensors, std::uint64_t num_bytes) {
    std::uint64_t at = 0;
    const StoredTensor* before = nullptr;
    for (const StoredTensor& tensor : tensors) {
        if (tensor.begin < at)
            return concat("has two tensors in the same bytes: ", attn::quoted(before->name), " and ",
                          attn::quoted(tensor.name));
        if (tensor.begin > at) {
            return concat("has ", tensor.begin - at, " bytes before the tensor ", attn::quoted(tensor.name),
                          " that belong to no tensor");
        }
        at = tensor.end;
        before = &tensor;
    }
    if (at > num_bytes) return concat("is cut short: ", at - num_bytes, " bytes of its tensors are missing");
    if (at < num_bytes) return concat("has ", num_bytes - at, " bytes after its last tensor that belong to no tensor");
    return "";
}

std::string read_metadata(JsonValue metadata, SafetensorsHeader& header) {
    if (!metadata.is(JsonKind::object)) return "has \"__metadata__\" that is not an object of texts";
    for (const JsonValue member : metadata) {
        if (!member.is(JsonKind::text))
            return concat("has \"__metadata__\" in which ", attn::quoted(member.name()), " is not a text");
        header.metadata.emplace_back(member.name(), member.text());
    }
    return "";
}

}  // namespace

std::int64_t StoredTensor::num_numbers() const {
    std::int64_t product = 1;
    for (const std::int64_t size : shape) product *= size;
    return product;
}

std::string tensor_shape_text(std::span<const std::int64_t> shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) text += concat(i == 0 ? "" : ", ", shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

Result<std::uint64_t> safetensors_header_length(std::span<const std::uint8_t> first_bytes, std::uint64_t file_size,
                                                std::string_view file) {
    const auto refuse = [&](const std::string& what) {
        return Result<std::uint64_t>::failure(concat("The file ", attn::quoted(file), " ", what, "."));
    };
    if (file_size < kSafetensorsLengthBytes || first_bytes.size() < kSafetensorsLengthBytes) {
        return refuse(concat("has ", file_size, " bytes; a safetensors file begins with ", kSafetensorsLengthBytes,
                             " that say how long its header is"));
    }
    std::uint64_t length = 0;
    for (std::size_t i = kSafetensorsLengthBytes; i-- > 0;) length = length << 8U | first_bytes[i];
    if (length > kMaxSafetensorsHeader) {
        return refuse(concat("is no safetensors file: its first 8 bytes announce a header of ", length,
                             " bytes, and at most ", kMaxSafetensorsHeader, " are allowed"));
    }
    if (length > file_size - kSafetensorsLengthBytes) {
        return refuse(concat("is cut short: its header should have ", length, " bytes, but only ",
                             file_size - kSafetensorsLengthBytes, " are there"));
    }
    if (length < 2) return refuse(concat("has a header of ", length, " bytes, too few for any"));
    return length;
}

Header read_safetensors_header(std::string_view json, std::uint64_t file_size, std::string_view file) {
    const auto refuse = [&](const std::string& what) {
        return Header::failure(concat("The file ", attn::quoted(file), " ", what, "."));
    };
    ATTN_CHECK(file_size >= kSafetensorsLengthBytes + json.size(), "a header longer than its file");
    if (!json.starts_with('{')) return refuse("is no safetensors file: its header does not begin with {");
    const std::size_t last = json.find_last_not_of(' ');
    if (json[last] != '}') return refuse("has a header that does not end with }, or is padded with other than blanks");
    const Result<JsonTree> tree = JsonTree::read(json, concat("The header of ", attn::quoted(file)));
    if (!tree) return Header::failure(tree.error());

    SafetensorsHeader header;
    for (const JsonValue entry : tree->root()) {
        std::string problem;
        if (entry.name() == "__metadata__") {
            problem = read_metadata(entry, header);
        } else {
            StoredTensor tensor;
            tensor.name = entry.name();
            problem = read_entry(entry, tensor);
            if (!problem.empty())
                problem = concat("cannot be read: its tensor ", attn::quoted(tensor.name), " ", problem);
            header.tensors.push_back(std::move(tensor));
        }
        if (!problem.empty()) return refuse(problem);
    }
    std::sort(header.tensors.begin(), header.tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
        if (a.begin != b.begin) return a.begin < b.begin;
        return a.end != b.end ? a.end < b.end : a.name < b.name;
    });
    const std::uint64_t first_number = kSafetensorsLengthBytes + json.size();
    const std::string hole = find_hole(header.tensors, file_size - first_number);
    if (!hole.empty()) return refuse(hole);
    for (StoredTensor& tensor : header.tensors) {
        tensor.begin += first_number;
        tensor.end += first_number;
    }
    return header;
}

Header read_safetensors_header(ByteSource& file) {
    std::vector<std::uint8_t> first(static_cast<std::size_t>(std::min(file.size(), kSafetensorsLengthBytes)));
    std::string problem = file.read(0, first);
    if (!problem.empty()) return Header::failure(problem);
    const Result<std::uint64_t> length = safetensors_header_length(first, file.size(), file.name());
    if (!length) return Header::failure(length.error());
    std::vector<std::uint8_t> json(static_cast<std::size_t>(*length));
    problem = file.read(kSafetensorsLengthBytes, json);
    if (!problem.empty()) return Header::failure(problem);
    return read_safetensors_header({reinterpret_cast<const char*>(json.data()), json.size()}, file.size(), file.name());
}

}  // namespace attn
