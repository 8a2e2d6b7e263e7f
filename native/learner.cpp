#include "learner.hpp"

#include <cmath>

#include "views.hpp"

namespace naively {

namespace {

// One row joins a group's moments (Welford): a missing cell weighs 0.
NAIVELY_CLONES void join(const double* row, const double* shift, std::size_t columns, double* n,
                         double* mean, double* m2) {
    for (std::size_t d = 0; d < columns; ++d) {
        const double x = row[d];
        const bool there = x == x;
        const double more = n[d] + 1.0;
        const double away = there ? (x - shift[d]) - mean[d] : 0.0;
        m2[d] += away * (away * (n[d] / more));
        mean[d] += away / more;
        n[d] = there ? more : n[d];
    }
}

bool any_infinite(const double* x, std::size_t cells) {
    std::size_t odd = 0;
    for (std::size_t k = 0; k < cells; ++k) odd += std::isinf(x[k]) ? 1 : 0;
    return odd != 0;
}

}  // namespace

Learner::Learner(std::span<const double> shift, std::span<const double> count,
                 std::span<const double> n, std::span<const double> mean,
                 std::span<const double> m2)
    : shift_(shift.begin(), shift.end()),
      count_(count.begin(), count.end()),
      n_(n.begin(), n.end()),
      mean_(mean.begin(), mean.end()),
      m2_(m2.begin(), m2.end()) {}

bool Learner::learn(const double* rows, std::span<const std::int64_t> group) {
    if (group.empty()) return false;
    for (const std::int64_t g : group)
        if (g < 0 || static_cast<std::size_t>(g) >= n_groups()) return false;
    if (any_infinite(rows, group.size() * n_columns())) return false;
    for (std::size_t i = 0; i < group.size(); ++i)
        add(rows + i * n_columns(), static_cast<std::size_t>(group[i]));
    rows_ += static_cast<std::int64_t>(group.size());
    return true;
}

void Learner::add(const double* row, std::size_t group) {
    const std::size_t at = group * n_columns();
    count_[group] += 1;
    join(row, shift_.data(), n_columns(), n_.data() + at, mean_.data() + at,
         m2_.data() + at);
}

}  // namespace naively
