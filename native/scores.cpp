// Scores of numbers by class: Gaussian and linear.
//
// A tile of 32 rows is turned so that each column's values stand side by side; a class's
// parameters for the column then meet 32 rows at once, without any sum across a vector.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels.hpp"
#include "threads.hpp"
#include "turn.hpp"

namespace naively {

namespace {

constexpr std::size_t tile_rows = 32;
constexpr std::size_t tile_columns = 128;
constexpr std::size_t segment_rows = 64 * tile_rows;

using Lowest = std::optional<double>;  // the score that a row's best class must pass

NAIVELY_INLINE double masked(double x, std::int64_t mask) {
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(x) & mask);
}

struct Gaussian {
    const double *mu, *inv_scale, *log_norm;

    NAIVELY_INLINE double term(double x, double m, double s) const {
        const double z = (x - m) * s;
        return -0.5 * z * z;
    }
    const double* first() const { return mu; }
    const double* second() const { return inv_scale; }
    const double* normalizer() const { return log_norm; }
};

struct Linear {
    const double *eta, *a;

    NAIVELY_INLINE double term(double x, double e, double) const { return x * e; }
    const double* first() const { return eta; }
    const double* second() const { return a; }  // not read: term ignores it
    const double* normalizer() const { return a; }
};

// Columns of `tile_rows` values each. Where some are missing (`gaps`), they are 0 in x and
// in `there`, whose bits are otherwise 1.
struct Tile {
    double x[tile_columns * tile_rows];
    std::int64_t there[tile_columns * tile_rows];
    bool gaps;

    NAIVELY_INLINE void find_gaps(std::size_t columns) {
        const std::size_t cells = columns * tile_rows;
        std::size_t missing = 0;
        for (std::size_t k = 0; k < cells; ++k) missing += x[k] != x[k];
        gaps = missing != 0;
        for (std::size_t k = 0; gaps && k < cells; ++k) there[k] = x[k] == x[k] ? -1 : 0;
        for (std::size_t k = 0; gaps && k < cells; ++k) x[k] = masked(x[k], there[k]);
    }
};

template <bool gaps, class Family>
NAIVELY_INLINE void add_class(const Tile& tile, std::size_t columns, const Family& family,
                              std::size_t at, double* sum) {
    const double *p = family.first() + at, *q = family.second() + at,
                 *normalizer = family.normalizer() + at;
    double acc[tile_rows] = {};
    for (std::size_t d = 0; d < columns; ++d)
        for (std::size_t r = 0; r < tile_rows; ++r) {
            const std::size_t cell = d * tile_rows + r;
            const double term = family.term(tile.x[cell], p[d], q[d]);
            acc[r] += gaps ? masked(term - normalizer[d], tile.there[cell]) : term;
        }
    double all = 0;
    for (std::size_t d = 0; !gaps && d < columns; ++d) all += normalizer[d];
    for (std::size_t r = 0; r < tile_rows; ++r) sum[r] += acc[r] - all;
}

template <class Family>
NAIVELY_INLINE void add_classes(const Tile& tile, std::size_t first, std::size_t columns,
                                std::size_t n_columns, std::size_t n_classes,
                                const Family& family, double* sums) {
    for (std::size_t c = 0; c < n_classes; ++c)
        if (tile.gaps)
            add_class<true>(tile, columns, family, c * n_columns + first, sums + c * tile_rows);
        else
            add_class<false>(tile, columns, family, c * n_columns + first, sums + c * tile_rows);
}

NAIVELY_WIDE_CLONES void add(const Tile& tile, std::size_t first, std::size_t columns,
                        std::size_t n_columns, std::size_t n_classes, const Gaussian& family,
                        double* sums) {
    add_classes(tile, first, columns, n_columns, n_classes, family, sums);
}

NAIVELY_WIDE_CLONES void add(const Tile& tile, std::size_t first, std::size_t columns,
                        std::size_t n_columns, std::size_t n_classes, const Linear& family,
                        double* sums) {
    add_classes(tile, first, columns, n_columns, n_classes, family, sums);
}

// A part of a column; where it is contiguous, the one after the next is asked for.
template <class T>
NAIVELY_INLINE void copy(const T* x, std::ptrdiff_t stride, std::size_t rows, double* to) {
    if (stride != 1) {
        for (std::size_t r = 0; r < rows; ++r) to[r] = x[static_cast<std::ptrdiff_t>(r) * stride];
        return;
    }
    for (std::size_t r = 0; r < rows; ++r) to[r] = x[r];
    prefetch(x + 2 * tile_rows, tile_rows);
}

// Turn rows x columns of the grid; rows past its end are 0 and are not written back.
template <class T>
NAIVELY_INLINE void fill_from(Tile& tile, const Grid<T>& grid, std::size_t row, std::size_t rows,
                              std::size_t column, std::size_t columns) {
    const T* origin = grid.row(row) + static_cast<std::ptrdiff_t>(column) * grid.column_stride;
    if (rows < tile_rows) std::fill(tile.x, tile.x + columns * tile_rows, 0.0);
    if (grid.column_stride == 1)
        turn(origin, grid.row_stride, rows, columns, tile.x, tile_rows);
    else
        for (std::size_t d = 0; d < columns; ++d, origin += grid.column_stride)
            copy(origin, grid.row_stride, rows, &tile.x[d * tile_rows]);
    tile.find_gaps(columns);
}

NAIVELY_CLONES void fill(Tile& tile, const Grid<float>& grid, std::size_t row, std::size_t rows,
                         std::size_t column, std::size_t columns) {
    fill_from(tile, grid, row, rows, column, columns);
}

NAIVELY_CLONES void fill(Tile& tile, const Grid<double>& grid, std::size_t row, std::size_t rows,
                         std::size_t column, std::size_t columns) {
    fill_from(tile, grid, row, rows, column, columns);
}

// The best class's score of each row of a tile; NaN wherever there is one.
NAIVELY_INLINE void best_of(const double* sums, std::size_t n_classes, double* best) {
    std::copy(sums, sums + tile_rows, best);
    for (std::size_t c = 1; c < n_classes; ++c)
        for (std::size_t r = 0; r < tile_rows; ++r) {
            const double score = sums[c * tile_rows + r];
            best[r] = best[r] >= score || best[r] != best[r] ? best[r] : score;
        }
}

// Adds the sums of a tile to `out`, but for rows of which no class scores above `lowest`.
NAIVELY_CLONES void write(const double* sums, std::size_t rows, std::size_t n_classes,
                          Lowest lowest, std::size_t first, double* out,
                          std::vector<std::int64_t>& left_out) {
    double best[tile_rows];
    if (lowest) best_of(sums, n_classes, best);
    for (std::size_t r = 0; r < rows; ++r, out += n_classes)
        if (!lowest || best[r] > *lowest)
            for (std::size_t c = 0; c < n_classes; ++c) out[c] += sums[c * tile_rows + r];
        else
            left_out.push_back(static_cast<std::int64_t>(first + r));
}

template <class T, class Family>
std::vector<std::int64_t> score_segment(const Grid<T>& grid, const Family& family,
                                        std::size_t start, std::size_t stop,
                                        std::size_t n_classes, Lowest lowest, Out out) {
    Tile tile;
    std::vector<double> sums(n_classes * tile_rows);
    std::vector<std::int64_t> left_out;
    for (std::size_t i = start; i < stop; i += tile_rows) {
        const std::size_t rows = std::min(tile_rows, stop - i);
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t d = 0; d < grid.columns; d += tile_columns) {
            const std::size_t columns = std::min(tile_columns, grid.columns - d);
            fill(tile, grid, i, rows, d, columns);
            add(tile, d, columns, grid.columns, n_classes, family, sums.data());
        }
        write(sums.data(), rows, n_classes, lowest, i, &out[i * n_classes], left_out);
    }
    return left_out;
}

template <class Family>
std::vector<std::int64_t> score(const Real& values, const Family& family, std::size_t n_classes,
                                Lowest lowest, Out out) {
    std::vector<std::int64_t> all;
    if (out.empty()) return all;
    std::visit(
        [&](const auto& grid) {
            std::vector<std::vector<std::int64_t>> parts((grid.rows + segment_rows - 1) /
                                                         segment_rows);
            parallel(parts.size(), grid.rows * grid.columns * n_classes, [&](std::size_t k) {
                const std::size_t start = k * segment_rows;
                parts[k] = score_segment(grid, family, start,
                                         std::min(start + segment_rows, grid.rows), n_classes,
                                         lowest, out);
            });
            for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
        },
        values);
    return all;
}

}  // namespace

std::vector<std::int64_t> gaussian_scores(const Real& values, In mu, In inv_scale, In log_norm,
                                          double lowest, std::size_t n_classes, Out out) {
    const Gaussian family{mu.data(), inv_scale.data(), log_norm.data()};
    return score(values, family, n_classes, lowest, out);
}

void linear_scores(const Real& values, In eta, In a, std::size_t n_classes, Out out) {
    score(values, Linear{eta.data(), a.data()}, n_classes, std::nullopt, out);
}

}  // namespace naively
