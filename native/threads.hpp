// Threads for a call: started for it and joined before it returns, so a fork is harmless.
#pragma once

#include <cstddef>
#include <functional>

namespace naively {

std::size_t threads();
void set_threads(std::size_t n);

// Run task(0) .. task(n_tasks - 1), on several threads where `cells` of work are worth it.
// Tasks are cut from the data alone, never from the number of threads: so are the results.
void parallel(std::size_t n_tasks, std::size_t cells, const std::function<void(std::size_t)>& task);

}  // namespace naively
