// A thread takes what waits, writes it without holding the lock, and looks again.
#include "platform/visit_keeper_desktop.h"

#include <iterator>
#include <utility>

namespace attn {

VisitKeeper::VisitKeeper(std::filesystem::path file, std::function<void(const std::string&)> on_failure)
    : file_(std::move(file)), on_failure_(std::move(on_failure)) {}

VisitKeeper::~VisitKeeper() {
    {
        const std::lock_guard lock(mutex_);
        is_end_ = true;
    }
    has_work_.notify_one();
    thread_.join();
}

void VisitKeeper::keep(const Visit& visit, const std::vector<RecentChange>& changes) {
    {
        const std::lock_guard lock(mutex_);
        waiting_ = visit;
        changes_.insert(changes_.end(), changes.begin(), changes.end());
        written_.reset();
    }
    has_work_.notify_one();
}

std::optional<RecentFiles> VisitKeeper::take_recent() {
    const std::lock_guard lock(mutex_);
    return std::exchange(written_, std::nullopt);
}

void VisitKeeper::write_until_the_end() {
    bool has_failed = false;
    std::unique_lock lock(mutex_);
    for (;;) {
        has_work_.wait(lock, [this] { return waiting_ || is_end_; });
        if (!waiting_) return;
        Visit visit = std::move(*std::exchange(waiting_, std::nullopt));
        std::vector<RecentChange> changes = std::exchange(changes_, {});
        lock.unlock();
        const std::string failure = merge_visit(file_, visit, changes);
        if (!failure.empty() && !has_failed) on_failure_(failure);
        has_failed = !failure.empty();
        lock.lock();
        if (has_failed) {  // the next visit tries them again
            changes_.insert(changes_.begin(), std::make_move_iterator(changes.begin()),
                            std::make_move_iterator(changes.end()));
        } else if (!waiting_) {
            written_ = std::move(visit.recent);
        }
    }
}

}  // namespace attn
