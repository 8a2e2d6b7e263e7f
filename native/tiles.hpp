// Rows of a block, a few at a time and a band of columns wide, whatever their memory order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "turn.hpp"
#include "views.hpp"

namespace naively {

// Some rows as they are read by a loop: row after row, columns side by side.
template <class T>
struct Rows {
    const T* data;
    std::ptrdiff_t stride;
    std::size_t size, width;

    const T* operator[](std::size_t i) const {
        return data + static_cast<std::ptrdiff_t>(i) * stride;
    }

    // Whether any cell is missing: one pass over a tile that the nearest cache holds.
    NAIVELY_INLINE bool missing() const {
        if (stride == static_cast<std::ptrdiff_t>(width)) return any_missing(data, size * width);
        bool found = false;
        for (std::size_t i = 0; i < size; ++i) found |= any_missing((*this)[i], width);
        return found;
    }

    NAIVELY_INLINE static bool any_missing(const T* x, std::size_t n) {
        std::size_t missing = 0;
        for (std::size_t k = 0; k < n; ++k) missing += x[k] != x[k];
        return missing != 0;
    }
};

// Gives out tiles of a grid: views where its rows are contiguous, copies elsewhere.
template <class T>
class Tiles {
public:
    Tiles(const Grid<T>& grid, std::size_t first_column, std::size_t width)
        : grid_(grid), first_(first_column), width_(width) {}

    static constexpr std::size_t rows = 128;

    Rows<T> operator()(std::size_t start, std::size_t size) {
        const T* origin =
            grid_.row(start) + static_cast<std::ptrdiff_t>(first_) * grid_.column_stride;
        if (grid_.column_stride == 1) return {origin, grid_.row_stride, size, width_};
        copy_.resize(rows * width_);
        if (grid_.row_stride == 1)
            turn_columns(origin, size);
        else
            for (std::size_t d = 0; d < width_; ++d, origin += grid_.column_stride)
                for (std::size_t i = 0; i < size; ++i)
                    copy_[i * width_ + d] =
                        origin[static_cast<std::ptrdiff_t>(i) * grid_.row_stride];
        return {copy_.data(), static_cast<std::ptrdiff_t>(width_), size, width_};
    }

private:
    // Many columns are many streams, more than a processor follows by itself: the part of
    // each that the tile after next needs is asked for in advance.
    void turn_columns(const T* origin, std::size_t size) {
        turn(origin, grid_.column_stride, width_, size, copy_.data(), width_);
        for (std::size_t d = 0; d < width_; ++d, origin += grid_.column_stride)
            prefetch(origin + 2 * rows, rows);
    }

    Grid<T> grid_;
    std::size_t first_, width_;
    std::vector<T> copy_;
};

// Rows in segments and columns in bands. Both follow from the shape alone, so that what
// is added up, and in which order, never depends on the number of threads.
struct Cut {
    std::size_t rows, columns, block, segment, band;

    Cut(std::size_t n_rows, std::size_t n_columns, std::size_t n_groups)
        : rows(n_rows),
          columns(n_columns),
          block(std::max<std::size_t>(4096, 1024 * n_groups)),
          segment(16 * block),
          band(std::clamp<std::size_t>(1024 / std::max<std::size_t>(n_groups, 1), 16, 256)) {}

    std::size_t segments() const { return std::max<std::size_t>(1, (rows + segment - 1) / segment); }
    std::size_t bands() const { return (columns + band - 1) / band; }
    std::size_t tasks() const { return segments() * bands(); }
};

}  // namespace naively
