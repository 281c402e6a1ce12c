// The tests may run as root, to whom nothing is forbidden.
#pragma once

#include <unistd.h>

#include <catch_amalgamated.hpp>
#include <filesystem>

namespace attn {

// While it lives, this process is somebody who owns `folder` and the one above it, and is not root.
class Somebody {
public:
    explicit Somebody(const std::filesystem::path& folder) {
        if (geteuid() != 0) return;
        REQUIRE(chown(folder.parent_path().c_str(), kNobody, kNobody) == 0);
        REQUIRE(chown(folder.c_str(), kNobody, kNobody) == 0);
        REQUIRE(seteuid(kNobody) == 0);
        was_root_ = true;
    }
    ~Somebody() {
        if (was_root_) static_cast<void>(seteuid(0));
    }
    Somebody(const Somebody&) = delete;
    Somebody& operator=(const Somebody&) = delete;
    bool was_root() const { return was_root_; }

private:
    static constexpr uid_t kNobody = 65534;
    bool was_root_ = false;
};

}  // namespace attn
