// Where the scores of every row begin.

#include <algorithm>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

// Longer than a huge page: two threads that begin the same one would both clear it.
constexpr std::size_t segment_cells = 1 << 20;
constexpr std::size_t block_cells = 2048;  // copied at once, from the nearest cache

// The line, and below it what is written already: twice as long each time, up to a block.
void repeat(In line, Out out) {
    std::copy(line.begin(), line.end(), out.begin());
    const std::size_t block = std::max<std::size_t>(1, block_cells / line.size()) * line.size();
    for (std::size_t filled = line.size(); filled < out.size();) {
        const std::size_t some = std::min({filled, block, out.size() - filled});
        std::copy_n(out.begin(), some, out.begin() + static_cast<std::ptrdiff_t>(filled));
        filled += some;
    }
}

}  // namespace

// New memory is given by the system where it is first written: here, by each thread its own.
void prior_scores(In log_prior, Out out) {
    const std::size_t width = log_prior.size();
    if (out.empty()) return;
    const std::size_t segment = std::max<std::size_t>(1, segment_cells / width) * width;
    parallel((out.size() + segment - 1) / segment, out.size() / 4, [&](std::size_t k) {
        const std::size_t start = k * segment;
        repeat(log_prior, out.subspan(start, std::min(segment, out.size() - start)));
    });
}

}  // namespace naively
