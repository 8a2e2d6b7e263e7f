// Counting codes by group, a chunk of rows and a column at a time.
//
// A column's table stands as [group][code + 1]: the first slot of each group takes the
// missing codes, so that the loop has no branch. The slots of a chunk are computed at once
// (a vector loop, which also finds the largest code, before anything is touched); what
// remains is one increment a cell. Where two columns have few values, one increment counts
// both: their joint table stays in the nearest cache, and its margins are the counts.

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

// The slots of one chunk of a column; returns its largest code.
#define NAIVELY_SLOTS(T)                                                                      \
    NAIVELY_CLONES std::int64_t slots(const T* codes, std::size_t rows, std::uint32_t* slot) { \
        for (std::size_t i = 0; i < rows; ++i) slot[i] = place(codes[i]);                     \
        return largest(codes, rows);                                                          \
    }
NAIVELY_SLOTS(std::int8_t)
NAIVELY_SLOTS(std::int16_t)
NAIVELY_SLOTS(std::int32_t)
NAIVELY_SLOTS(std::int64_t)
NAIVELY_SLOTS(std::uint8_t)
NAIVELY_SLOTS(std::uint16_t)
NAIVELY_SLOTS(std::uint32_t)
#undef NAIVELY_SLOTS

template <class T>
std::int64_t slots(const Strip<T>& codes, std::size_t start, std::size_t rows,
                   std::uint32_t* slot) {
    if (codes.stride == 1) return slots(codes.data + start, rows, slot);
    T copy[chunk_rows];
    for (std::size_t i = 0; i < rows; ++i) copy[i] = codes[start + i];
    return slots(copy, rows, slot);
}

// The cell of each row: its line, `width` long, and its slot there.
NAIVELY_CLONES void cells(const std::uint32_t* line, const std::uint32_t* slot, std::size_t rows,
                          std::uint32_t width, std::uint32_t* cell) {
    for (std::size_t i = 0; i < rows; ++i) cell[i] = line[i] * width + slot[i];
}

// Neighbouring rows often share a cell: two tables keep their increments apart.
template <class Count>
void increment(const std::uint32_t* cell, std::size_t rows, Count* even, Count* odd) {
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

// One chunk of rows: their groups and weights, and room for what is computed of them.
struct Chunk {
    std::size_t start, rows;
    const std::uint32_t* group;
    const double* weight;
    mutable std::uint32_t first[chunk_rows], second[chunk_rows], cell[chunk_rows];
};

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

    // The slots of a chunk, proven to be within the table; returns how many there may be.
    std::size_t locate(const Chunk& chunk, std::uint32_t* slot) const {
        const std::int64_t top = std::visit(
            [&](const auto& codes) { return slots(codes, chunk.start, chunk.rows, slot); }, codes_);
        if (top >= static_cast<std::int64_t>(size_)) refuse_above("code", top, size_);
        return static_cast<std::size_t>(std::max<std::int64_t>(top, -1) + 2);
    }

    void add(const Chunk& chunk, const std::uint32_t* slot) {
        cells(chunk.group, slot, chunk.rows, static_cast<std::uint32_t>(size_ + 1), chunk.cell);
        if (chunk.weight)
            increment(chunk.cell, chunk.rows, chunk.weight, sums_.data());
        else
            increment(chunk.cell, chunk.rows, even_.data(), (odd_.empty() ? even_ : odd_).data());
    }

    void add(std::size_t group, std::size_t slot, std::uint64_t n) {
        even_[group * (size_ + 1) + slot] += n;
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

// Two columns that are counted together while they have few values.
class Pair {
public:
    Pair(Column& first, Column& second, std::size_t n_groups)
        : first_(first), second_(second), n_groups_(n_groups) {}

    void add(const Chunk& chunk) {
        const std::size_t a = first_.locate(chunk, chunk.first),
                          b = second_.locate(chunk, chunk.second);
        if (together_ && (a > a_ || b > b_)) make_room(std::max(a, a_), std::max(b, b_));
        if (!together_) {
            first_.add(chunk, chunk.first);
            second_.add(chunk, chunk.second);
            return;
        }
        cells(chunk.group, chunk.first, chunk.rows, static_cast<std::uint32_t>(a_), chunk.cell);
        cells(chunk.cell, chunk.second, chunk.rows, static_cast<std::uint32_t>(b_), chunk.cell);
        increment(chunk.cell, chunk.rows, joint_.data(), joint_.data() + n_groups_ * a_ * b_);
        seen_ += chunk.rows;
        if (seen_ > std::numeric_limits<std::uint32_t>::max() - chunk_rows) give();
    }

    // Hands the joint counts over to the columns.
    void give() {
        for (std::size_t k = 0; k < joint_.size(); ++k) {
            if (joint_[k] == 0) continue;
            const std::size_t at = k % (n_groups_ * a_ * b_), line = at / b_;
            first_.add(line / a_, line % a_, joint_[k]);
            second_.add(line / a_, at % b_, joint_[k]);
        }
        std::fill(joint_.begin(), joint_.end(), 0);
        seen_ = 0;
    }

private:
    void make_room(std::size_t a, std::size_t b) {
        give();
        a_ = a;
        b_ = b;
        together_ = n_groups_ * a * b <= small_table;
        joint_.assign(together_ ? 2 * n_groups_ * a * b : 0, 0);
    }

    Column &first_, &second_;
    std::size_t n_groups_, a_ = 0, b_ = 0, seen_ = 0;
    bool together_ = true;
    std::vector<std::uint32_t> joint_;  // twice: for rows at even and at odd places
};

// Some columns over all rows: a chunk of groups is read once for all of them.
void count_band(std::vector<Column>& columns, Groups group, Weights weight, std::size_t n_groups) {
    std::vector<Pair> pairs;
    for (std::size_t j = 0; weight.empty() && j + 1 < columns.size(); j += 2)
        pairs.emplace_back(columns[j], columns[j + 1], n_groups);
    Chunk chunk{};
    for (std::size_t i = 0; i < group.size(); i += chunk_rows) {
        chunk.start = i;
        chunk.rows = std::min(chunk_rows, group.size() - i);
        chunk.group = reinterpret_cast<const std::uint32_t*>(&group[i]);  // none is negative
        chunk.weight = weight.empty() ? nullptr : &weight[i];
        for (Pair& pair : pairs) pair.add(chunk);
        for (std::size_t j = 2 * pairs.size(); j < columns.size(); ++j) {
            columns[j].locate(chunk, chunk.first);
            columns[j].add(chunk, chunk.first);
        }
    }
    for (Pair& pair : pairs) pair.give();
}

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

void group_weights(Groups group, Weights weight, Out n) {
    check_groups(group, n.size());
    std::vector<std::uint64_t> even(n.size()), odd(n.size());
    const auto* cell = reinterpret_cast<const std::uint32_t*>(group.data());  // none is negative
    if (weight.empty())
        increment(cell, group.size(), even.data(), odd.data());
    else
        increment(cell, group.size(), weight.data(), n.data());
    for (std::size_t g = 0; g < n.size(); ++g) n[g] += static_cast<double>(even[g] + odd[g]);
}

void count_codes(const std::vector<Codes>& columns, const std::vector<std::size_t>& sizes,
                 Groups group, Weights weight, std::size_t n_groups, Out n) {
    check_groups(group, n_groups);
    std::vector<std::size_t> start{0};
    for (const std::size_t size : sizes) start.push_back(start.back() + size);
    // Columns in bands of an even number: the counts of each are its own.
    const std::size_t band = std::max<std::size_t>(2, columns.size() / (2 * threads()) / 2 * 2);
    const std::size_t n_bands = (columns.size() + band - 1) / band;
    parallel(n_bands, columns.size() * group.size(), [&](std::size_t b) {
        const std::size_t first = b * band, last = std::min(first + band, columns.size());
        std::vector<Column> tables;
        for (std::size_t j = first; j < last; ++j)
            tables.emplace_back(columns[j], sizes[j], n_groups, !weight.empty());
        count_band(tables, group, weight, n_groups);
        for (std::size_t j = first; j < last; ++j)
            tables[j - first].write(n.data() + start[j], start.back());
    });
}

}  // namespace naively
