// The numbers of a model that memory has no room for: parts of its tensors come from the files when somebody needs
// them. The first ones that come stay as long as the model; those behind them make room for each other, the longest
// there first. So each pass through all layers finds as many as can stay, and reads the others once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/files/tensor_files.h"
#include "model/layers/model_tensor.h"
#include "model/layers/tensor_reading.h"

namespace attn {

// What memory a model's numbers may take, and who reads its files.
struct ModelRoom {
    std::uint64_t most_bytes = UINT64_MAX;  // all of them, if they are no more; else those that are there at a time
    std::size_t part_bytes = 1U << 22U;     // of a tensor that comes in parts, about
    // Null: the files can be read at once. Else somebody brings the bytes, as on a page, and is told that some are
    // wanted.
    void (*tell_wanted)() = nullptr;
};

class ModelStore {
public:
    // `least`: bytes that have to be there together. There is room for them.
    ModelStore(TensorFiles files, const ModelRoom& room, std::uint64_t least);
    ModelStore(const ModelStore&) = delete;
    ModelStore& operator=(const ModelStore&) = delete;

    // This one comes in parts from now on. It stays where it is.
    void add(ModelTensor& tensor);

    bool reads_at_once() const { return room_.tell_wanted == nullptr; }
    // Reads a part now. Where that is not possible it is our mistake: it was to be asked for. Where the file cannot be
    // read its numbers are NaN, and problem() says why.
    void fetch(int place, int part);
    // The part is needed, and those behind it up to `end` may be next. Reads them now, or wants them to be brought.
    void ask(int place, int part, int end);

    // For those who bring bytes: whether some are wanted; where the next ones go, at most about `most`.
    bool wants_bytes() const { return reading_.has_value() || !wanted_.empty(); }
    TensorSlice next(std::size_t most);
    const std::string& file_name(const FiledTensor& tensor) const { return files_.file_name(tensor); }
    void slice_is_there(const TensorSlice& slice);
    // Whether work stands still because of bytes that are not there: since the last part came, somebody asked in vain.
    bool is_waiting() const { return is_waiting_; }

    // Reads a slice of a tensor that does not come in parts, at opening.
    std::string read(const TensorSlice& slice) const {
        return files_.read(*slice.tensor, slice.first_byte, slice.into);
    }

    const std::string& problem() const { return problem_; }  // why a file could not be read; empty while it can
    std::uint64_t bytes_held() const { return kept_ + passing_bytes_; }
    std::uint64_t bytes_read() const { return bytes_read_; }
    std::uint64_t most_bytes() const { return room_.most_bytes; }

    // A note on each tensor that has numbers that are none, of those that were read so far.
    std::vector<std::string> not_finite() const;

private:
    using Part = std::pair<int, int>;  // place, part
    void make_room(const Part& part);
    void read_now(const Part& part);
    void count_not_finite(const Part& part);
    void is_read(const Part& part);

    TensorFiles files_;
    ModelRoom room_;
    std::uint64_t window_;  // bytes that pass
    std::vector<ModelTensor*> tensors_;
    std::uint64_t kept_ = 0, passing_bytes_ = 0, bytes_read_ = 0;
    std::deque<Part> passing_;
    std::deque<Part> wanted_;  // none of which is there
    std::optional<std::pair<Part, TensorReading>> reading_;
    std::vector<std::uint8_t> slice_;
    std::map<Part, ModelTensor::NotFinite> counted_;  // of each part that ever was there
    bool is_waiting_ = false;
    std::string problem_;
};

}  // namespace attn
