// Rows of a block, a few at a time and a band of columns wide, whatever their memory order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "turn.hpp"
#include "views.hpp"

namespace naively {

// Some rows as they are read by a loop: row after row, columns side by side. A few cells
// beyond the end of a row may be read as well (they are of the next row, or of no meaning).
template <class T>
struct Rows {
    const T* data;
    std::ptrdiff_t stride;
    std::size_t size, width;
    std::ptrdiff_t next;  // from a row to the one of the next tile that will take its turn
    bool seamless;        // whether the next tile follows without a gap

    const T* operator[](std::size_t i) const {
        return data + static_cast<std::ptrdiff_t>(i) * stride;
    }
};

// Gives out tiles of a grid: views where its rows are contiguous and others follow them,
// copies elsewhere.
template <class T>
class Tiles {
public:
    static constexpr std::size_t usual = 128, longest = 256;  // rows of a tile
    static constexpr std::size_t beyond = 3;  // cells that may be read after a row

    Tiles(const Grid<T>& grid, std::size_t first_column, std::size_t width,
          std::size_t rows = usual)
        : grid_(grid), first_(first_column), width_(width), rows_(rows) {}

    std::size_t rows() const { return rows_; }

    Rows<T> operator()(std::size_t start, std::size_t size) {
        const T* origin =
            grid_.row(start) + static_cast<std::ptrdiff_t>(first_) * grid_.column_stride;
        if (grid_.column_stride == 1 && may_be_read_beyond(start + size)) {
            const auto next = static_cast<std::ptrdiff_t>(size) * grid_.row_stride;
            return {origin, grid_.row_stride, size, width_, next, seamless()};
        }
        copy_.resize(rows_ * width_ + beyond);
        if (grid_.row_stride == 1)
            turn_columns(origin, size);
        else
            for (std::size_t d = 0; d < width_; ++d, origin += grid_.column_stride)
                for (std::size_t i = 0; i < size; ++i)
                    copy_[i * width_ + d] =
                        origin[static_cast<std::ptrdiff_t>(i) * grid_.row_stride];
        return {copy_.data(), static_cast<std::ptrdiff_t>(width_), size, width_, 0, false};
    }

private:
    // Whether the cells beyond the end of the row before this one exist.
    bool may_be_read_beyond(std::size_t stop) const {
        if (grid_.row_stride <= 0) return false;
        return (grid_.rows - stop) * static_cast<std::size_t>(grid_.row_stride) >= beyond;
    }

    bool seamless() const { return grid_.row_stride == static_cast<std::ptrdiff_t>(width_); }

    // Many columns are many streams, more than a processor follows by itself: the part of
    // each that the tile after next needs is asked for in advance.
    void turn_columns(const T* origin, std::size_t size) {
        turn(origin, grid_.column_stride, width_, size, copy_.data(), width_);
        for (std::size_t d = 0; d < width_; ++d, origin += grid_.column_stride)
            prefetch(origin + 2 * rows_, rows_);
    }

    Grid<T> grid_;
    std::size_t first_, width_, rows_;
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
          segment(4 * block),
          band(std::clamp<std::size_t>(8192 / std::max<std::size_t>(n_groups, 1), 16, 256)) {}

    std::size_t segments() const { return std::max<std::size_t>(1, (rows + segment - 1) / segment); }
    std::size_t bands() const { return (columns + band - 1) / band; }
    std::size_t tasks() const { return segments() * bands(); }
};

}  // namespace naively
