// Parts come whole: one that is being brought counts as there once its last byte is.
#include "model/layers/model_store.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

constexpr std::size_t kReadAtOnce = 1U << 20U;  // bytes
// Of what passes: so much may be asked for before it is needed.
constexpr std::uint64_t kAheadShare = 4;

}  // namespace

ModelStore::ModelStore(TensorFiles files, const ModelRoom& room, std::uint64_t least)
    : files_(std::move(files)), room_(room), window_(std::min(room.most_bytes, std::max(room.most_bytes / 3, least))) {}

void ModelStore::add(ModelTensor& tensor) {
    tensor.come_in_parts(*this, static_cast<int>(tensors_.size()), room_.part_bytes);
    tensors_.push_back(&tensor);
}

void ModelStore::make_room(const Part& part) {
    ModelTensor& tensor = *tensors_[static_cast<std::size_t>(part.first)];
    const std::uint64_t size = tensor.memory_of_part(part.second);
    const auto let_go = [&] {
        ModelTensor& oldest = *tensors_[static_cast<std::size_t>(passing_.front().first)];
        oldest.free_part(passing_.front().second);
        passing_bytes_ -= oldest.memory_of_part(passing_.front().second);
        passing_.pop_front();
    };
    const bool stays = kept_ + size + window_ <= room_.most_bytes;
    while (!stays && !passing_.empty() && passing_bytes_ + size > window_) let_go();
    while (!passing_.empty() && !has_room_for(static_cast<std::int64_t>(size))) let_go();
    tensor.allocate_part(part.second);
    if (stays) {
        kept_ += size;
    } else {
        passing_bytes_ += size;
        passing_.push_back(part);
    }
}

void ModelStore::count_not_finite(const Part& part) {
    if (counted_.contains(part)) return;
    counted_[part] = tensors_[static_cast<std::size_t>(part.first)]->count_not_finite(part.second);
}

void ModelStore::is_read(const Part& part) {
    tensors_[static_cast<std::size_t>(part.first)]->part_is_there(part.second);
    count_not_finite(part);
}

void ModelStore::read_now(const Part& part) {
    ModelTensor& tensor = *tensors_[static_cast<std::size_t>(part.first)];
    make_room(part);
    TensorReading reading(tensor, part.second);
    while (!reading.is_done()) {
        const TensorSlice slice = reading.next(kReadAtOnce, slice_);
        std::string problem = problem_.empty() ? files_.read(*slice.tensor, slice.first_byte, slice.into) : "";
        if (!problem.empty()) problem_ = std::move(problem);
        if (!problem_.empty()) std::ranges::fill(slice.into, std::uint8_t{0xFF});  // NaN in each type
        bytes_read_ += slice.into.size();
        reading.slice_is_there(slice);
    }
    is_read(part);
}

void ModelStore::fetch(int place, int part) {
    ATTN_CHECK(reads_at_once(), "part ", part, " of ", tensors_[static_cast<std::size_t>(place)]->name(),
               " was not asked for");
    read_now({place, part});
}

void ModelStore::ask(int place, int part, int end) {
    ModelTensor& tensor = *tensors_[static_cast<std::size_t>(place)];
    is_waiting_ = !reads_at_once();
    std::uint64_t ahead = 0;
    for (; part < end; ++part) {
        if (tensor.has_part(part)) continue;
        ahead += tensor.memory_of_part(part);
        if (reads_at_once()) {
            read_now({place, part});
            if (ahead >= kReadAtOnce) return;
        } else {
            const Part wanted = {place, part};
            const bool is_coming = reading_ && reading_->first == wanted;
            if (!is_coming && std::ranges::find(wanted_, wanted) == wanted_.end()) {
                wanted_.push_back(wanted);
                if (!reading_ && wanted_.size() == 1) room_.tell_wanted();
            }
            if (ahead >= window_ / kAheadShare) return;
        }
    }
}

TensorSlice ModelStore::next(std::size_t most) {
    ATTN_CHECK(wants_bytes(), "nobody wants bytes");
    if (!reading_) {
        const Part part = wanted_.front();
        wanted_.pop_front();
        make_room(part);
        reading_.emplace(part, TensorReading(*tensors_[static_cast<std::size_t>(part.first)], part.second));
    }
    return reading_->second.next(most, slice_);
}

void ModelStore::slice_is_there(const TensorSlice& slice) {
    ATTN_CHECK(reading_.has_value(), "a slice that was not asked for");
    bytes_read_ += slice.into.size();
    reading_->second.slice_is_there(slice);
    if (!reading_->second.is_done()) return;
    is_read(reading_->first);
    reading_.reset();
    is_waiting_ = false;
}

std::vector<std::string> ModelStore::not_finite() const {
    std::map<int, ModelTensor::NotFinite> by_tensor;
    for (const auto& [part, found] : counted_) {
        if (found.num_nan == 0 && found.num_infinite == 0) continue;
        by_tensor[part.first].num_nan += found.num_nan;
        by_tensor[part.first].num_infinite += found.num_infinite;
    }
    std::vector<std::string> sentences;
    for (const auto& [place, found] : by_tensor)
        sentences.push_back(
            concat("the model's tensor ", attn::quoted(tensors_[static_cast<std::size_t>(place)]->name()), " has ",
                   found.num_nan, " NaN and ", found.num_infinite, " infinite numbers in what was read of it"));
    return sentences;
}

}  // namespace attn
