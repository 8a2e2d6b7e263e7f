#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace naively {

namespace {

std::atomic<std::size_t> allowed{1};

// Starting a thread costs about as much as 100,000 cells: from here on it pays.
constexpr std::size_t worth_a_thread = 250'000;

}  // namespace

std::size_t threads() { return allowed; }

void set_threads(std::size_t n) { allowed = std::max<std::size_t>(n, 1); }

void parallel(std::size_t n_tasks, std::size_t cells,
              const std::function<void(std::size_t)>& task) {
    const std::size_t workers = std::min({threads(), n_tasks, 1 + cells / worth_a_thread});
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex lock;
    auto work = [&] {
        try {
            for (std::size_t k; (k = next++) < n_tasks;) task(k);
        } catch (...) {
            std::lock_guard guard(lock);
            failure = std::current_exception();
            next = n_tasks;
        }
    };
    std::vector<std::thread> others;
    others.reserve(workers);  // room first: what fails below finds no thread without its place
    try {
        for (std::size_t t = 1; t < workers; ++t) others.emplace_back(work);
    } catch (const std::exception&) {
        // No more threads to be had: those that started, and this one, do the work.
    }
    work();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace naively
