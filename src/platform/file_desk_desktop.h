// Opens and saves files of the desktop program: asks the visitor which and where, reads and writes, all in a
// thread of its own, so that the window keeps drawing. The desktop's own dialogs ask the questions (the
// portal org.freedesktop.portal.FileChooser); where there are none, files go to a folder that is named in a note.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/platform.h"

namespace attn {

// What has happened since somebody looked.
struct FileNews {
    std::vector<FileData> files;                // read
    std::vector<std::filesystem::path> paths;   // of files that were read or written, oldest first
    std::vector<std::filesystem::path> missed;  // of files that could not be read
    std::vector<std::string> notes;             // sentences for the visitor, on what went wrong
    std::vector<std::string> successes;         // likewise, on what went well

    bool is_empty() const {
        return files.empty() && paths.empty() && missed.empty() && notes.empty() && successes.empty();
    }
};

class FileDesk {
public:
    // `on_news` is called in the thread.
    explicit FileDesk(std::function<void()> on_news);

    // Finishes what it is writing. Dialogs that are still open are closed without an answer.
    ~FileDesk();

    // Reads these.
    void open(std::vector<std::filesystem::path> files);

    // Lets the visitor choose files, and reads them.
    void choose();

    // Lets the visitor choose a place, and writes `file` there.
    void save(FileData file);

    FileNews take_news();

private:
    struct Thread;
    Thread& thread();

    std::function<void()> on_news_;
    std::unique_ptr<Thread> thread_;  // from the first use on
};

}  // namespace attn
