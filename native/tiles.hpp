// Rows of a block, a few at a time and a band of columns wide, whatever their memory order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

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
    bool missing() const {
        std::size_t n = 0;
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t d = 0; d < width; ++d) n += (*this)[i][d] != (*this)[i][d];
        return n != 0;
    }
};

// Gives out tiles of a grid: views where its rows are contiguous, copies elsewhere.
template <class T>
class Tiles {
public:
    Tiles(const Grid<T>& grid, std::size_t first_column, std::size_t width)
        : grid_(grid), first_(first_column), width_(width) {}

    static constexpr std::size_t rows = 64;

    Rows<T> operator()(std::size_t start, std::size_t size) {
        const T* origin =
            grid_.row(start) + static_cast<std::ptrdiff_t>(first_) * grid_.column_stride;
        if (grid_.column_stride == 1) return {origin, grid_.row_stride, size, width_};
        copy_.resize(rows * width_);
        for (std::size_t d = 0; d < width_; ++d) {
            const T* column = origin + static_cast<std::ptrdiff_t>(d) * grid_.column_stride;
            for (std::size_t i = 0; i < size; ++i)
                copy_[i * width_ + d] = column[static_cast<std::ptrdiff_t>(i) * grid_.row_stride];
        }
        return {copy_.data(), static_cast<std::ptrdiff_t>(width_), size, width_};
    }

private:
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
