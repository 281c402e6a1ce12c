// The wording of single notes is where the values are moved: clamp_fields.cpp, state_edits.cpp, the link readers.
#include "playground/text/notes.h"

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::int64_t kMostNames = 3;  // in one note

}  // namespace

void append_notes(Notes& notes, const Notes& more) {
    notes.insert(notes.end(), more.begin(), more.end());
}

std::string with_thousands(std::int64_t number) {
    std::string digits = concat(number);
    const std::size_t first_digit = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first_digit + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string bytes_in_words(std::int64_t num_bytes) {
    constexpr std::int64_t kKibi = 1024;
    if (num_bytes < 10 * kKibi) return counted(num_bytes, "byte");
    if (num_bytes < 10 * kKibi * kKibi) return concat(with_thousands((num_bytes + kKibi / 2) / kKibi), " KiB");
    return concat(with_thousands((num_bytes + kKibi * kKibi / 2) / (kKibi * kKibi)), " MiB");
}

std::string counted(std::int64_t number, std::string_view thing) {
    return concat(with_thousands(number), " ", thing, number == 1 ? "" : "s");
}

void NameList::add(std::string_view name) {
    if (num_names_ < kMostNames) first_names_ += concat(empty() ? "" : ", ", name);
    ++num_names_;
}

std::string NameList::text() const {
    if (num_names_ <= kMostNames) return first_names_;
    return concat(first_names_, " and ", with_thousands(num_names_ - kMostNames), " more");
}

}  // namespace attn
