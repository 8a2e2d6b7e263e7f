// Counting codes by group, a column at a time.
//
// A column's table stands as [group][code + 1]: the first cell of each group takes the
// missing codes, so that the loop has no branch. The position of every row's cell is
// computed for a chunk of rows at once (a vector loop, which also finds the largest code,
// before anything is touched); what remains is one increment a row.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t chunk_rows = 4096;
constexpr std::size_t small_table = 4096;  // cells; two of them fit in the nearest cache

template <class T>
NAIVELY_INLINE std::int64_t largest(const T* codes, std::size_t rows) {
    T top = std::numeric_limits<T>::lowest();
    for (std::size_t i = 0; i < rows; ++i) top = std::max(top, codes[i]);
    return rows ? static_cast<std::int64_t>(top) : -1;
}

// A code's place among its group's counts: all missing ones share the first.
template <class T>
NAIVELY_INLINE std::uint32_t place(T code) {
    if constexpr (std::is_signed_v<T>) code = std::max<T>(code, -1);
    return static_cast<std::uint32_t>(code) + 1;
}

template <class T>
NAIVELY_INLINE void positions(const T* codes, const std::int32_t* group, std::size_t rows,
                              std::uint32_t width, std::uint32_t* cell) {
    for (std::size_t i = 0; i < rows; ++i)
        cell[i] = static_cast<std::uint32_t>(group[i]) * width + place(codes[i]);
}

// One chunk of a column; returns its largest code.
#define NAIVELY_LOCATE(T)                                                                     \
    NAIVELY_CLONES std::int64_t locate(const T* codes, const std::int32_t* group,             \
                                       std::size_t rows, std::uint32_t width,                 \
                                       std::uint32_t* cell) {                                 \
        positions(codes, group, rows, width, cell);                                           \
        return largest(codes, rows);                                                          \
    }
NAIVELY_LOCATE(std::int8_t)
NAIVELY_LOCATE(std::int16_t)
NAIVELY_LOCATE(std::int32_t)
NAIVELY_LOCATE(std::int64_t)
NAIVELY_LOCATE(std::uint8_t)
NAIVELY_LOCATE(std::uint16_t)
NAIVELY_LOCATE(std::uint32_t)
#undef NAIVELY_LOCATE

template <class T>
std::int64_t locate(const Strip<T>& codes, std::size_t start, const std::int32_t* group,
                    std::size_t rows, std::uint32_t width, std::uint32_t* cell) {
    if (codes.stride == 1) return locate(codes.data + start, group, rows, width, cell);
    T copy[chunk_rows];
    for (std::size_t i = 0; i < rows; ++i) copy[i] = codes[start + i];
    return locate(copy, group, rows, width, cell);
}

// Neighbouring rows often share a cell: two tables keep their increments apart.
void increment(const std::uint32_t* cell, std::size_t rows, std::uint64_t* even,
               std::uint64_t* odd) {
    std::size_t i = 0;
    for (; i + 1 < rows; i += 2) {
        ++even[cell[i]];
        ++odd[cell[i + 1]];
    }
    if (i < rows) ++even[cell[i]];
}

void increment(const std::uint32_t* cell, std::size_t rows, const double* weight, double* table) {
    for (std::size_t i = 0; i < rows; ++i) table[cell[i]] += weight[i];
}

class Column {
public:
    Column(const Codes& codes, std::size_t size, std::size_t n_groups, bool weighted)
        : codes_(codes), size_(size), n_groups_(n_groups) {
        if (n_groups * (size + 1) > std::numeric_limits<std::uint32_t>::max())
            refuse("a table of more than 4,294,967,295 counts");
        const std::size_t cells = n_groups * (size + 1);
        (weighted ? sums_.resize(cells) : even_.resize(cells));
        if (!weighted && cells <= small_table) odd_.resize(cells);
    }

    void add(std::size_t start, std::size_t rows, const std::int32_t* group,
             const double* weight) {
        std::uint32_t cell[chunk_rows];
        const auto width = static_cast<std::uint32_t>(size_ + 1);
        const std::int64_t top = std::visit(
            [&](const auto& codes) { return locate(codes, start, group, rows, width, cell); },
            codes_);
        if (top >= static_cast<std::int64_t>(size_)) refuse_above("code", top, size_);
        if (weight)
            increment(cell, rows, weight, sums_.data());
        else
            increment(cell, rows, even_.data(), (odd_.empty() ? even_ : odd_).data());
    }

    // Copy the table without its missing cells to n, whose lines are `stride` long.
    void write(double* n, std::size_t stride) const {
        for (std::size_t g = 0; g < n_groups_; ++g)
            for (std::size_t v = 0; v < size_; ++v) n[g * stride + v] = at(g * (size_ + 1) + v + 1);
    }

private:
    double at(std::size_t k) const {
        if (!sums_.empty()) return sums_[k];
        return static_cast<double>(even_[k] + (odd_.empty() ? 0 : odd_[k]));
    }

    const Codes& codes_;
    std::size_t size_, n_groups_;
    std::vector<std::uint64_t> even_, odd_;
    std::vector<double> sums_;
};

}  // namespace

void check_groups(Groups group, std::size_t n_groups) {
    std::int32_t low = 0, high = -1;
    for (const std::int32_t g : group) {
        low = std::min(low, g);
        high = std::max(high, g);
    }
    if (low < 0) refuse_below("group", low, 0);
    if (high >= 0 && static_cast<std::size_t>(high) >= n_groups)
        refuse_above("group", high, n_groups);
}

void count_codes(const std::vector<Codes>& columns, const std::vector<std::size_t>& sizes,
                 Groups group, Weights weight, std::size_t n_groups, Out n) {
    check_groups(group, n_groups);
    std::vector<std::size_t> start{0};
    for (const std::size_t size : sizes) start.push_back(start.back() + size);
    // Columns in bands: a band reads a chunk of groups once for all of its columns.
    const std::size_t band = std::max<std::size_t>(1, columns.size() / (2 * threads()));
    const std::size_t n_bands = (columns.size() + band - 1) / band;
    parallel(n_bands, columns.size() * group.size(), [&](std::size_t b) {
        const std::size_t first = b * band, last = std::min(first + band, columns.size());
        std::vector<Column> tables;
        for (std::size_t j = first; j < last; ++j)
            tables.emplace_back(columns[j], sizes[j], n_groups, !weight.empty());
        for (std::size_t i = 0; i < group.size(); i += chunk_rows) {
            const std::size_t rows = std::min(chunk_rows, group.size() - i);
            for (Column& table : tables)
                table.add(i, rows, &group[i], weight.empty() ? nullptr : &weight[i]);
        }
        for (std::size_t j = first; j < last; ++j)
            tables[j - first].write(n.data() + start[j], start.back());
    });
}

}  // namespace naively
