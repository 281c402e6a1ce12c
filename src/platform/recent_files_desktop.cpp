// Changes the list of recent files, and finds which of its files are gone.
#include "platform/recent_files_desktop.h"

#include <cstdlib>
#include <system_error>

namespace attn {

void add_recent(RecentFiles& recent, const std::filesystem::path& file) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(file, error).lexically_normal();
    if (error || path.extension() != kRecentExtension || path.string().find('\n') != std::string::npos) return;
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

void apply_change(RecentFiles& recent, const RecentChange& change) {
    if (change.is_gone)
        std::erase(recent, change.file);
    else
        add_recent(recent, change.file);
}

std::vector<RecentChange> missing_files(const RecentFiles& recent) {
    std::vector<RecentChange> changes;
    for (const std::filesystem::path& file : recent) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error)) changes.push_back({.file = file, .is_gone = true});
    }
    return changes;
}

std::vector<std::string> recent_names(const RecentFiles& recent) {
    const char* home = std::getenv("HOME");
    const std::string prefix = home ? std::string(home) : std::string();
    std::vector<std::string> names;
    for (const std::filesystem::path& path : recent) {
        std::string folder = path.parent_path().string();
        const bool is_at_home = !prefix.empty() && folder.starts_with(prefix) &&
                                (folder.size() == prefix.size() || folder[prefix.size()] == '/');
        if (is_at_home) folder.replace(0, prefix.size(), "~");
        names.push_back(path.filename().string() + " (" + folder + ")");
    }
    return names;
}

}  // namespace attn
