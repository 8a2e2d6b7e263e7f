// The logarithm of a sum of exponentials, row by row.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t tile_cells = 2048;
constexpr double infinity = std::numeric_limits<double>::infinity();

// exp(x) for x <= 0, to an ulp or two, as a loop that turns into vectors: x = k log 2 + r,
// a polynomial for exp(r), k into the exponent. Below -700 the answer is 0: beside the
// row's largest term, which is 1, it would not be seen.
NAIVELY_INLINE double exp_below_0(double x) {
    constexpr double log2e = 1.4426950408889634074, ln2_high = 6.93147180369123816490e-01,
                     ln2_low = 1.90821492927058770002e-10, round = 6755399441055744.0;
    const double clamped = x < -700.0 ? -700.0 : x;
    const double shifted = clamped * log2e + round;  // its last bits are the integer k
    const double k = shifted - round;
    const double r = (clamped - k * ln2_high) - k * ln2_low;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r * r + r + 1.0;
    const auto bits = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    return x < -700.0 ? 0.0 : p * std::bit_cast<double>(bits);
}

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
