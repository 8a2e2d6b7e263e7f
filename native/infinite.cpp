// Whether a block holds an infinite number: one pass at the pace of the memory.

#include <algorithm>
#include <atomic>
#include <cmath>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t segment_cells = 1 << 16;

// An infinite number equals itself, as NaN does not, and is no 0 less itself, as all others are.
template <class T>
NAIVELY_INLINE bool found_in(const T* x, std::size_t n) {
    std::size_t infinite = 0;
    for (std::size_t i = 0; i < n; ++i) infinite += (x[i] == x[i]) & !(x[i] - x[i] == 0);
    return infinite != 0;
}

NAIVELY_CLONES bool found(const float* x, std::size_t n) { return found_in(x, n); }
NAIVELY_CLONES bool found(const double* x, std::size_t n) { return found_in(x, n); }

template <class T>
bool found(const T* x, std::size_t n, std::ptrdiff_t stride) {
    if (stride == 1) return found(x, n);
    for (std::size_t i = 0; i < n; ++i, x += stride)
        if (std::isinf(*x)) return true;
    return false;
}

// Some rows of a grid, by the lines in which they lie.
template <class T>
bool found_in_rows(const Grid<T>& grid, std::size_t start, std::size_t stop) {
    const std::size_t rows = stop - start;
    const T* origin = grid.row(start);
    bool any = false;
    if (grid.column_stride != 1)
        for (std::size_t d = 0; d < grid.columns; ++d, origin += grid.column_stride)
            any |= found(origin, rows, grid.row_stride);
    else if (grid.row_stride == static_cast<std::ptrdiff_t>(grid.columns))
        any = found(origin, rows * grid.columns);
    else
        for (std::size_t i = start; i < stop; ++i) any |= found(grid.row(i), grid.columns);
    return any;
}

}  // namespace

bool any_infinite(const Real& values) {
    std::atomic<bool> any{false};
    std::visit(
        [&](const auto& grid) {
            const std::size_t cells = grid.rows * grid.columns;
            if (cells == 0) return;
            const std::size_t segment =
                std::max<std::size_t>(1, segment_cells / std::max<std::size_t>(grid.columns, 1));
            parallel((grid.rows + segment - 1) / segment, cells / 4, [&](std::size_t k) {
                const std::size_t start = k * segment;
                if (!any && found_in_rows(grid, start, std::min(start + segment, grid.rows)))
                    any = true;
            });
        },
        values);
    return any;
}

}  // namespace naively
