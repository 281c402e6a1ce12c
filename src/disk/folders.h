// Makes folders that only the user may read, and locks those that several programs change.
#pragma once

#include <filesystem>
#include <string>

namespace attn {

// Makes `folder`, and those above it that are missing, for the user alone. A folder that is there already becomes the
// user's alone; those above it stay as they are. Returns an empty string, or the reason why it cannot be made, in words
// that follow a colon.
std::string make_private_folder(const std::filesystem::path& folder);

// While it lives, no other FolderLock on `folder` does, in this or another program. Waits for its turn, but two seconds
// at most: a program that hangs should not stop all others. On a file system without locks it holds nothing.
class FolderLock {
public:
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    // Whether no other has it: false where the folder is missing, or another kept it for too long.
    bool is_held() const { return is_held_; }

private:
    int folder_ = -1;
    bool is_held_ = false;
};

}  // namespace attn
