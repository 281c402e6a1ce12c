// Each worker takes the next piece of work that nobody has.
#include "cli/thread_runner.h"

#include <atomic>
#include <thread>
#include <vector>

namespace attn {

WorkRunner runner_on_threads(int num_threads) {
    if (num_threads <= 1) return {};
    return {.num_workers = num_threads,
            .run = [num_threads](int count, const std::function<void(int number, int worker)>& work) {
                std::atomic<int> next = 0;
                const auto take_all = [&](int worker) {
                    for (int number = next++; number < count; number = next++) work(number, worker);
                };
                std::vector<std::thread> others;
                for (int worker = 1; worker < num_threads && worker < count; ++worker)
                    others.emplace_back(take_all, worker);
                take_all(0);
                for (std::thread& one : others) one.join();
            }};
}

}  // namespace attn
