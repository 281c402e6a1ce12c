// What the files of AttentionWork share: how its steps name roles and matrices, and runs of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace attn {

// What AttentionWork::matrix_ holds beside the matrix of role 0, 1 or 2.
inline constexpr int kOutProjection = 3;
inline constexpr int kDownProjection = 4;  // and 5
inline constexpr int kOwnProjection = -2;  // and -3: of what is turned alone

#ifdef ATTN_NOBODY_WAITS  // the engine module, which gives all at once
inline constexpr bool kCanWait = false;
#else
inline constexpr bool kCanWait = true;
#endif

// A step of Kind::role is of all columns, or of one head's alone.
inline constexpr int kRoles = 3;
inline int which_role(int role, int head) {
    return role + kRoles * (head + 1);
}
inline int role_of(int which) {
    return which % kRoles;
}
inline std::optional<int> head_of_role(int which) {
    return !kCanWait || which < kRoles ? std::nullopt : std::optional<int>(which / kRoles - 1);
}

inline std::size_t as_size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

// Calls work(first, end) for each run of rows with flag 1 in first to end, at most `most` rows at once.
template <class Work>
void for_each_run(std::span<const std::uint8_t> flags, std::size_t first, std::size_t end, std::size_t most,
                  const Work& work) {
    for (std::size_t i = first; i < end;) {
        if (flags[i] == 0) {
            ++i;
            continue;
        }
        std::size_t run_end = i + 1;
        while (run_end < end && run_end - i < most && flags[run_end] != 0) ++run_end;
        work(i, run_end);
        i = run_end;
    }
}

}  // namespace attn
