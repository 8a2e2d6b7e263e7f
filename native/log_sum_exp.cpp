// The logarithm of a sum of exponentials, row by row.

#include <algorithm>
#include <cmath>
#include <limits>

#include "exponential.hpp"
#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t tile_cells = 2048;
constexpr double infinity = std::numeric_limits<double>::infinity();

NAIVELY_WIDE_CLONES void exponentials(double* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) x[i] = exp_below_0(x[i]);
}

double largest(const double* row, std::size_t n) {
    double top = -infinity;
    for (std::size_t c = 0; c < n; ++c) top = row[c] > top ? row[c] : top;
    return top;
}

// The row's largest term where that, or NaN, is the answer already.
double without_sum(const double* row, std::size_t n, double top) {
    for (std::size_t c = 0; c < n; ++c)
        if (row[c] != row[c]) return row[c];
    return top;
}

void rows_of(const double* x, std::size_t rows, std::size_t n_classes, double* result) {
    std::vector<double> terms(rows * n_classes), tops(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        const double* row = x + i * n_classes;
        tops[i] = largest(row, n_classes);
        const double top = std::isfinite(tops[i]) ? tops[i] : 0.0;
        for (std::size_t c = 0; c < n_classes; ++c) terms[i * n_classes + c] = row[c] - top;
    }
    exponentials(terms.data(), terms.size());
    for (std::size_t i = 0; i < rows; ++i) {
        double sum = 0;
        for (std::size_t c = 0; c < n_classes; ++c) sum += terms[i * n_classes + c];
        result[i] = std::isfinite(tops[i]) ? tops[i] + std::log(sum)
                                           : without_sum(x + i * n_classes, n_classes, tops[i]);
    }
}

}  // namespace

void log_sum_exp(In log_joint, std::size_t n_classes, Out result) {
    const std::size_t tile = std::max<std::size_t>(1, tile_cells / n_classes);
    const std::size_t segment = 16 * tile, rows = result.size();
    parallel((rows + segment - 1) / segment, 4 * log_joint.size(), [&](std::size_t k) {
        const std::size_t stop = std::min((k + 1) * segment, rows);
        for (std::size_t i = k * segment; i < stop; i += tile)
            rows_of(&log_joint[i * n_classes], std::min(tile, stop - i), n_classes, &result[i]);
    });
}

}  // namespace naively
