// Writes and reads the file of the last visit:
//   attention-playground 1
//   size 1280 800
//   position 40 60
//   link v=1&heads=4
//   visited causal=1 causal=2
//   recent /people/ada/lesson.attention      newest first, a line each
#include "platform/last_visit_desktop.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "disk/folders.h"
#include "disk/replace_file.h"

namespace attn {
namespace {

constexpr std::string_view kFirstLine = "attention-playground 1";
constexpr std::filesystem::perms kForUser = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
constexpr std::uintmax_t kMaxBytes = 4 << 20;  // the longest link is 1 MiB

// Two whole numbers with one space between and nothing else.
bool read_pair(std::string_view text, int& first, int& second) {
    const char* end = text.data() + text.size();
    const auto [after_first, first_error] = std::from_chars(text.data(), end, first);
    if (first_error != std::errc{} || after_first == end || *after_first != ' ') return false;
    const auto [after_second, second_error] = std::from_chars(after_first + 1, end, second);
    return second_error == std::errc{} && after_second == end;
}

// Reads one line into `visit`; false when this program does not write such a line.
bool read_line(std::string_view line, Visit& visit) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return false;
    const std::string_view word = line.substr(0, space), rest = line.substr(space + 1);
    if (word == "link") {
        visit.link = rest;
        return true;
    }
    if (word == "visited") {
        visit.visited = rest;
        return true;
    }
    if (word == "recent") {
        if (visit.recent.size() < kMaxRecent) visit.recent.emplace_back(rest);
        return true;
    }
    if (word == "position") {
        WindowPosition& position = visit.position.emplace();
        return read_pair(rest, position.x, position.y);
    }
    if (word != "size" || !read_pair(rest, visit.size.width, visit.size.height)) return false;
    visit.size.width = std::clamp(visit.size.width, kSmallestWindow.width, kLargestWindow.width);
    visit.size.height = std::clamp(visit.size.height, kSmallestWindow.height, kLargestWindow.height);
    return true;
}

// An absolute folder named by the environment.
std::optional<std::filesystem::path> folder_in(const char* variable) {
    const char* value = std::getenv(variable);
    if (!value || !std::filesystem::path(value).is_absolute()) return std::nullopt;
    return std::filesystem::path(value);
}

std::optional<std::filesystem::path> state_folder() {
#if defined(_WIN32)
    return folder_in("APPDATA");
#else
    const std::optional<std::filesystem::path> home = folder_in("HOME");
#if defined(__APPLE__)
    if (home) return *home / "Library" / "Application Support";
    return std::nullopt;
#else
    if (std::optional<std::filesystem::path> state = folder_in("XDG_STATE_HOME")) return state;
    if (home) return *home / ".local" / "state";
    return std::nullopt;
#endif
#endif
}

// The link on one line: a line break in it stands for itself in no other way than as %0A.
std::string on_one_line(std::string_view link) {
    std::string line;
    for (const char c : link) {
        if (c == '\n')
            line += "%0A";
        else
            line += c;
    }
    return line;
}

}  // namespace

std::string write_visit(const Visit& visit) {
    std::ostringstream text;
    text << kFirstLine << "\nsize " << visit.size.width << ' ' << visit.size.height << '\n';
    if (visit.position) text << "position " << visit.position->x << ' ' << visit.position->y << '\n';
    text << "link " << on_one_line(visit.link) << '\n';
    if (!visit.visited.empty()) text << "visited " << on_one_line(visit.visited) << '\n';
    for (const std::filesystem::path& file : visit.recent) text << "recent " << file.string() << '\n';
    return text.str();
}

Result<Visit> read_visit(std::string_view text) {
    Visit visit;
    bool is_first = true;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        // Every line ends in a line break: a last line without one was cut off.
        if (end == std::string_view::npos) return Result<Visit>::failure("its end is missing");
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        const bool is_understood = is_first ? line == kFirstLine : read_line(line, visit);
        if (!is_understood) return Result<Visit>::failure("it holds a line that this program does not write");
        is_first = false;
    }
    if (is_first) return Result<Visit>::failure("it is empty");
    return visit;
}

std::optional<std::filesystem::path> visit_file() {
    const std::optional<std::filesystem::path> folder = state_folder();
    if (!folder) return std::nullopt;
    return *folder / "attention-playground" / "last-visit";
}

Result<std::optional<Visit>> load_visit(const std::filesystem::path& file) {
    const auto failure = [&file](const std::string& reason) {
        return Result<std::optional<Visit>>::failure("The last visit cannot be continued: " + file.string() +
                                                     " cannot be used, because " + reason + ".");
    };
    std::error_code error;
    if (!std::filesystem::exists(file, error) && !error) return std::optional<Visit>();
    const std::uintmax_t num_bytes = std::filesystem::file_size(file, error);
    if (error) return failure(error.message());
    if (num_bytes > kMaxBytes) return failure("it is too long");
    std::filesystem::permissions(file, kForUser, error);  // a file system without rights refuses
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream.is_open() || stream.bad()) return failure("it cannot be read");
    const Result<Visit> visit = read_visit(text);
    if (!visit) return failure(visit.error());
    return std::optional<Visit>(*visit);
}

std::string save_visit(const std::filesystem::path& file, const Visit& visit) {
    std::string reason = make_private_folder(file.parent_path());
    if (reason.empty()) reason = replace_file(file, write_visit(visit), Readers::owner_only);
    return reason.empty() ? reason : "This visit cannot be remembered in " + file.string() + ": " + reason + ".";
}

std::string merge_visit(const std::filesystem::path& file, Visit& visit, const std::vector<RecentChange>& changes) {
    make_private_folder(file.parent_path());  // save_visit says why it cannot be made
    const FolderLock lock(file.parent_path());
    const Result<std::optional<Visit>> written = load_visit(file);
    if (written && *written) visit.recent = (*written)->recent;
    for (const RecentChange& change : changes) apply_change(visit.recent, change);
    return save_visit(file, visit);
}

}  // namespace attn
