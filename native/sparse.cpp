// Blocks of counts compressed by rows: sums by group, and scores by class.

#include <algorithm>
#include <cmath>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

template <class I>
void check(const Csr<I>& block, std::size_t n_columns) {
    const auto stored = static_cast<I>(block.indices.size());
    I low = 0, high = -1;
    bool rises = block.indptr.front() == 0 && block.indptr.back() == stored;
    for (std::size_t i = 0; i < block.rows(); ++i) rises &= block.indptr[i] <= block.indptr[i + 1];
    if (!rises) refuse("indptr does not run from 0 to the number of stored cells");
    for (const I j : block.indices) {
        low = std::min(low, j);
        high = std::max(high, j);
    }
    if (low < 0) refuse_below("column index", low, 0);
    if (high >= 0 && static_cast<std::size_t>(high) >= n_columns)
        refuse_above("column index", high, n_columns);
}

// Columns by classes, so that one cell reads its weights side by side.
std::vector<double> by_column(In eta, std::size_t n_columns, std::size_t n_classes) {
    std::vector<double> turned(eta.size());
    for (std::size_t c = 0; c < n_classes; ++c)
        for (std::size_t j = 0; j < n_columns; ++j)
            turned[j * n_classes + c] = eta[c * n_columns + j];
    return turned;
}

// The weight of column j under class c stands at j * column_step + c * class_step.
struct Lookup {
    const double* eta;
    std::size_t column_step, class_step;
};

template <class I>
void score_rows(const Csr<I>& block, std::size_t start, std::size_t stop, const Lookup& eta,
                std::size_t n_classes, Out out) {
    std::vector<double> sum(n_classes);
    for (std::size_t i = start; i < stop; ++i) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (auto k = block.indptr[i]; k < block.indptr[i + 1]; ++k) {
            const auto cell = static_cast<std::size_t>(k);
            const double x = block.data[cell];
            if (std::isnan(x)) continue;
            const double* line =
                eta.eta + static_cast<std::size_t>(block.indices[cell]) * eta.column_step;
            for (std::size_t c = 0; c < n_classes; ++c)
                sum[c] += x * line[c * eta.class_step];
        }
        for (std::size_t c = 0; c < n_classes; ++c) out[i * n_classes + c] += sum[c];
    }
}

template <class I>
void score(const Csr<I>& block, In eta, std::size_t n_columns, std::size_t n_classes, Out out) {
    check(block, n_columns);
    // Turning the weights pays as soon as the cells are as many as the columns.
    const bool turn = block.indices.size() >= n_columns;
    const auto turned = turn ? by_column(eta, n_columns, n_classes) : std::vector<double>{};
    const Lookup lookup =
        turn ? Lookup{turned.data(), n_classes, 1} : Lookup{eta.data(), 1, n_columns};
    constexpr std::size_t segment = 1024;
    const std::size_t rows = block.rows();
    parallel((rows + segment - 1) / segment, block.indices.size() * n_classes, [&](std::size_t k) {
        score_rows(block, k * segment, std::min((k + 1) * segment, rows), lookup, n_classes, out);
    });
}

template <class I>
void sum(const Csr<I>& block, Groups group, Weights weight, std::size_t n_columns, Out t) {
    check(block, n_columns);
    for (std::size_t i = 0; i < block.rows(); ++i) {
        const double w = weight.empty() ? 1.0 : weight[i];
        if (w == 0) continue;
        double* line = t.data() + static_cast<std::size_t>(group[i]) * n_columns;
        for (auto k = block.indptr[i]; k < block.indptr[i + 1]; ++k) {
            const auto cell = static_cast<std::size_t>(k);
            const double x = block.data[cell];
            if (!std::isnan(x)) line[block.indices[cell]] += x * w;
        }
    }
}

}  // namespace

void sparse_sums(const Sparse& block, Groups group, Weights weight, std::size_t n_groups,
                 std::size_t n_columns, Out t) {
    check_groups(group, n_groups);
    std::visit([&](const auto& csr) { sum(csr, group, weight, n_columns, t); }, block);
}

void sparse_scores(const Sparse& block, In eta, std::size_t n_columns, std::size_t n_classes,
                   Out out) {
    std::visit([&](const auto& csr) { score(csr, eta, n_columns, n_classes, out); }, block);
}

}  // namespace naively
