// Keeps the last visit on the disk while the program runs. Writes on a thread of its own: a disk may take seconds to
// say that it has a file, and no frame should wait for it.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "platform/last_visit_desktop.h"

namespace attn {

class VisitKeeper {
public:
    // `on_failure` is called by the thread with a sentence when the file can no longer be written.
    VisitKeeper(std::filesystem::path file, std::function<void(const std::string&)> on_failure);

    // Waits until what is to be kept is written.
    ~VisitKeeper();
    VisitKeeper(const VisitKeeper&) = delete;
    VisitKeeper& operator=(const VisitKeeper&) = delete;

    // Writes `visit` soon, with what became of recent files since the last call (see merge_visit). Of several visits in
    // a row it writes the last.
    void keep(const Visit& visit, const std::vector<RecentChange>& changes);

    // The recent files as they were written, once, when nothing waits to be written.
    std::optional<RecentFiles> take_recent();

private:
    void write_until_the_end();

    const std::filesystem::path file_;
    const std::function<void(const std::string&)> on_failure_;
    std::mutex mutex_;  // of all that follows
    std::condition_variable has_work_;
    std::optional<Visit> waiting_;
    std::vector<RecentChange> changes_;  // that are not in the file yet
    std::optional<RecentFiles> written_;
    bool is_end_ = false;
    std::thread thread_{[this] { write_until_the_end(); }};
};

}  // namespace attn
