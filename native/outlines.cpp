// What a glance tells of every column of numbers: how many, between what, around where.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t lanes = 8;  // sums side by side, so that the loop turns into vectors
constexpr std::size_t chunk_rows = 512;

using Lanes = std::array<double, lanes>;

struct Sums {
    double shift;
    Lanes n{}, low, high, s1{}, s2{}, fractions{};

    explicit Sums(double shift) : shift(shift) {
        low.fill(std::numeric_limits<double>::infinity());
        high.fill(-std::numeric_limits<double>::infinity());
    }
};

NAIVELY_CLONES void add(const double* x, std::size_t rows, Sums& to) {
    Sums s = to;
    for (std::size_t i = 0; i < rows; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) {
            const double value = x[i + k];
            const bool there = value == value;
            const double away = there ? value - s.shift : 0.0;
            s.n[k] += there ? 1.0 : 0.0;
            s.low[k] = value < s.low[k] ? value : s.low[k];
            s.high[k] = value > s.high[k] ? value : s.high[k];
            s.s1[k] += away;
            s.s2[k] += away * away;
            s.fractions[k] += there && std::floor(value) != value ? 1.0 : 0.0;
        }
    to = s;
}

double sum(const Lanes& all) {
    double total = 0;
    for (const double one : all) total += one;
    return total;
}

// A column in chunks of contiguous doubles, the last one filled up with missing cells.
template <class T, class Visit>
void each_chunk(const Grid<T>& grid, std::size_t column, Visit visit) {
    double copy[chunk_rows];
    for (std::size_t start = 0; start < grid.rows; start += chunk_rows) {
        const std::size_t rows = std::min(chunk_rows, grid.rows - start);
        const T* from = grid.row(start) + static_cast<std::ptrdiff_t>(column) * grid.column_stride;
        for (std::size_t i = 0; i < rows; ++i)
            copy[i] = static_cast<double>(from[static_cast<std::ptrdiff_t>(i) * grid.row_stride]);
        const std::size_t full = (rows + lanes - 1) / lanes * lanes;
        std::fill(copy + rows, copy + full, std::numeric_limits<double>::quiet_NaN());
        visit(copy, full);
    }
}

template <class T>
double first_value(const Grid<T>& grid, std::size_t column) {
    for (std::size_t i = 0; i < grid.rows; ++i) {
        const auto x = static_cast<double>(
            grid.row(i)[static_cast<std::ptrdiff_t>(column) * grid.column_stride]);
        if (std::isfinite(x)) return x;
    }
    return 0;
}

template <class T>
void outline(const Grid<T>& grid, std::size_t column, Out line) {
    Sums sums(first_value(grid, column));
    each_chunk(grid, column, [&](const double* x, std::size_t rows) { add(x, rows, sums); });
    const double n = sum(sums.n), s1 = sum(sums.s1), away = n > 0 ? s1 / n : 0;
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    line[0] = n;
    line[1] = n > 0 ? *std::min_element(sums.low.begin(), sums.low.end()) : nothing;
    line[2] = n > 0 ? *std::max_element(sums.high.begin(), sums.high.end()) : nothing;
    line[3] = n > 0 ? sums.shift + away : 0;
    line[4] = std::max(0.0, sum(sums.s2) - s1 * away);
    line[5] = sum(sums.fractions);
}

}  // namespace

void outlines(const Real& values, Out lines) {
    std::visit(
        [&](const auto& grid) {
            parallel(grid.columns, grid.rows * grid.columns, [&](std::size_t j) {
                outline(grid, j, lines.subspan(6 * j, 6));
            });
        },
        values);
}

}  // namespace naively
