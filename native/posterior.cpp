// What is made of a row's joint scores: its posterior, its best class, whether it can be at all.

#include <algorithm>
#include <cmath>
#include <limits>

#include "exponential.hpp"
#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t segment_rows = 16384;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t tile_cells = 2048;  // of the nearest cache, between its two passes

// Relative to the row's largest score, which is left at 0; a row of -inf stays as it is.
// Returned is whether there may be such a row.
template <std::size_t width>
NAIVELY_INLINE bool lower_rows(double* x, std::size_t rows, std::size_t n_classes) {
    const std::size_t n = width ? width : n_classes;
    double least = 0;
    for (std::size_t i = 0; i < rows; ++i, x += n) {
        double top = x[0];
        for (std::size_t c = 1; c < n; ++c) top = x[c] > top ? x[c] : top;
        least = top < least ? top : least;
        top = top == -infinity ? 0.0 : top;
        for (std::size_t c = 0; c < n; ++c) x[c] -= top;
    }
    return least == -infinity;
}

template <std::size_t width>
NAIVELY_INLINE void divide_rows(double* x, std::size_t rows, std::size_t n_classes) {
    const std::size_t n = width ? width : n_classes;
    for (std::size_t i = 0; i < rows; ++i, x += n) {
        double sum = 0;
        for (std::size_t c = 0; c < n; ++c) sum += x[c];
        const double share = sum > 0 ? 1 / sum : 0.0;
        for (std::size_t c = 0; c < n; ++c) x[c] *= share;
    }
}

template <std::size_t width>
NAIVELY_INLINE bool tile(double* x, std::size_t rows, std::size_t n_classes) {
    const bool impossible = lower_rows<width>(x, rows, n_classes);
    for (std::size_t k = 0; k < rows * n_classes; ++k) x[k] = exp_below_0(x[k]);
    divide_rows<width>(x, rows, n_classes);
    return impossible;
}

// The loops over classes are unrolled where there are few of them.
NAIVELY_WIDE_CLONES bool rows_of(double* x, std::size_t rows, std::size_t n_classes) {
    switch (n_classes) {
        case 2: return tile<2>(x, rows, n_classes);
        case 3: return tile<3>(x, rows, n_classes);
        case 4: return tile<4>(x, rows, n_classes);
        case 5: return tile<5>(x, rows, n_classes);
        case 6: return tile<6>(x, rows, n_classes);
        case 7: return tile<7>(x, rows, n_classes);
        case 8: return tile<8>(x, rows, n_classes);
        default: return tile<0>(x, rows, n_classes);
    }
}

// Work on every row of a matrix, in segments of `segment_rows`.
template <class Segment>
void each_segment(std::size_t rows, std::size_t n_classes, Segment segment) {
    parallel((rows + segment_rows - 1) / segment_rows, rows * n_classes, [&](std::size_t k) {
        segment(k, k * segment_rows, std::min((k + 1) * segment_rows, rows));
    });
}

using Rows = std::vector<std::int64_t>;

// The rows from start to stop that hold nothing but `value`.
void find_rows_of(double value, const double* scores, std::size_t n_classes, std::size_t start,
                  std::size_t stop, Rows& found) {
    for (std::size_t i = start; i < stop; ++i) {
        const double* row = scores + i * n_classes;
        if (std::all_of(row, row + n_classes, [value](double x) { return x == value; }))
            found.push_back(static_cast<std::int64_t>(i));
    }
}

Rows joined(const std::vector<Rows>& parts) {
    Rows all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

std::vector<std::int64_t> impossible_rows(In scores, std::size_t n_classes) {
    const std::size_t rows = scores.size() / n_classes;
    std::vector<Rows> parts((rows + segment_rows - 1) / segment_rows);
    each_segment(rows, n_classes, [&](std::size_t k, std::size_t start, std::size_t stop) {
        find_rows_of(-infinity, scores.data(), n_classes, start, stop, parts[k]);
    });
    return joined(parts);
}

void best_classes(In scores, std::size_t n_classes, std::span<std::int64_t> best) {
    each_segment(best.size(), n_classes, [&](std::size_t, std::size_t start, std::size_t stop) {
        for (std::size_t i = start; i < stop; ++i) {
            const double* row = &scores[i * n_classes];
            std::size_t at = 0;
            for (std::size_t c = 1; c < n_classes; ++c) at = row[c] > row[at] ? c : at;
            best[i] = static_cast<std::int64_t>(at);
        }
    });
}

// An impossible row has become one of zeros, as no other can: its largest is 1 before it is
// divided by the sum.
Rows posterior(std::size_t n_classes, Out scores) {
    const std::size_t rows = scores.size() / n_classes;
    const std::size_t tile = std::max<std::size_t>(1, tile_cells / n_classes), segment = 16 * tile;
    std::vector<Rows> parts((rows + segment - 1) / segment);
    parallel(parts.size(), 4 * scores.size(), [&](std::size_t k) {
        const std::size_t stop = std::min((k + 1) * segment, rows);
        for (std::size_t i = k * segment; i < stop; i += tile) {
            const std::size_t some = std::min(tile, stop - i);
            if (rows_of(&scores[i * n_classes], some, n_classes))
                find_rows_of(0.0, scores.data(), n_classes, i, i + some, parts[k]);
        }
    });
    return joined(parts);
}

}  // namespace naively
