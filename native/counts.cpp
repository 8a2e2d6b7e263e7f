// Counting codes by group, a chunk of rows and a few columns at a time.
//
// Columns of few values are counted together: one increment a row in their joint table,
// which stays in the nearest cache, and whose margins are the counts. How many values there
// are is found on the way, so a table grows with the largest code seen, and columns that
// have become too many for one table part. A slot of each column is for its missing codes,
// so that the loops have no branch.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <type_traits>

#include "kernels.hpp"
#include "threads.hpp"
#include "turn.hpp"

namespace naively {

namespace {

constexpr std::size_t chunk_rows = 2048;
constexpr std::size_t small_table = 8192;  // counts; they fit in the nearest cache

// A code's place among its column's counts: all missing ones share the first.
template <class T>
NAIVELY_INLINE std::uint32_t place(T code) {
    if constexpr (std::is_signed_v<T>) code = std::max<T>(code, -1);
    return static_cast<std::uint32_t>(code) + 1;
}

// The largest of some codes, and cells[i] = lines[i] * width + the place of the i-th.
#define NAIVELY_PLACES(T)                                                                     \
    NAIVELY_CLONES std::int64_t largest(const T* codes, std::size_t rows) {                   \
        T top = std::numeric_limits<T>::lowest();                                             \
        for (std::size_t i = 0; i < rows; ++i) top = std::max(top, codes[i]);                 \
        return static_cast<std::int64_t>(top);                                                \
    }                                                                                         \
    NAIVELY_CLONES void locate(const T* codes, std::size_t rows, const std::uint32_t* lines,  \
                               std::uint32_t width, std::uint32_t* cells) {                   \
        for (std::size_t i = 0; i < rows; ++i) cells[i] = lines[i] * width + place(codes[i]); \
    }
NAIVELY_PLACES(std::int8_t)
NAIVELY_PLACES(std::int16_t)
NAIVELY_PLACES(std::int32_t)
NAIVELY_PLACES(std::int64_t)
NAIVELY_PLACES(std::uint8_t)
NAIVELY_PLACES(std::uint16_t)
NAIVELY_PLACES(std::uint32_t)
#undef NAIVELY_PLACES

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

// One chunk of rows: where it begins in the columns, its groups and its weights.
struct Chunk {
    std::size_t start, rows;
    const std::uint32_t* group;
    const double* weight;
};

// Where the counts go: lines `stride` long, one for each group. Tasks take turns.
struct Total {
    Out n;
    std::size_t stride, n_groups;
    std::mutex lock;
};

struct Column {
    Codes codes;
    std::size_t size;      // how many codes there may be
    std::size_t position;  // of its first count in a line of the total
    std::size_t width;     // how many places its table has: for missing codes and those seen
    bool copied = false;   // whether `codes` are those of a chunk alone

    template <class Visit>
    void in(const Chunk& chunk, Visit visit) const {
        std::visit([&](const auto& strip) { visit(strip.data + (copied ? 0 : chunk.start)); },
                   codes);
    }

    // The places that the chunk's codes need. Many columns are many streams, more than a
    // processor follows by itself: the next chunk of this one is asked for.
    std::size_t needed(const Chunk& chunk) const {
        std::int64_t top = -1;
        in(chunk, [&](const auto* codes_here) {
            if (!copied) prefetch(codes_here + chunk_rows, chunk_rows);
            top = std::max(top, largest(codes_here, chunk.rows));
        });
        if (top >= static_cast<std::int64_t>(size)) refuse_above("code", top, size);
        return static_cast<std::size_t>(top + 2);
    }
};

// Columns that are counted together.
class Bundle {
public:
    Bundle(std::vector<Column> columns, Total& total)
        : columns_(std::move(columns)), total_(&total) {}

    // Whether the chunk's codes, proven to be in range, had to be given more places: by half
    // at least, since the table begins anew.
    bool grow(const Chunk& chunk) {
        bool grown = false;
        for (Column& column : columns_) {
            const std::size_t needed = column.needed(chunk);
            if (needed <= column.width) continue;
            if (!grown) give();
            grown = true;
            column.width = std::min(std::max(needed, column.width * 3 / 2), column.size + 1);
        }
        return grown;
    }

    // Bundles of the same columns, as many as it takes for small tables.
    std::vector<Bundle> parted() const {
        std::vector<Bundle> parts;
        for (const Column& column : columns_) {
            if (parts.empty() || parts.back().cells() > small_table / column.width)
                parts.push_back(Bundle({}, *total_));
            parts.back().columns_.push_back(column);
        }
        return parts;
    }

    void add(const Chunk& chunk) {
        std::uint32_t cell[chunk_rows];
        const std::uint32_t* line = chunk.group;
        for (const Column& column : columns_) {
            column.in(chunk, [&](const auto* codes) {
                locate(codes, chunk.rows, line, static_cast<std::uint32_t>(column.width), cell);
            });
            line = cell;
        }
        const std::size_t n = cells();
        if (chunk.weight) {
            sums_.resize(n);
            increment(cell, chunk.rows, chunk.weight, sums_.data());
            return;
        }
        counts_.resize(2 * n <= small_table ? 2 * n : n);  // twice where there is room
        increment(cell, chunk.rows, counts_.data(), counts_.data() + (counts_.size() - n));
        seen_ += chunk.rows;
        if (seen_ > std::numeric_limits<std::uint32_t>::max() - chunk_rows) give();
    }

    // Adds what was counted to the total, and begins anew.
    void give() {
        std::vector<double> table = std::move(sums_);
        if (!counts_.empty()) {
            const auto end = counts_.begin() + static_cast<std::ptrdiff_t>(cells());
            table.assign(counts_.begin(), end);
            std::transform(end, counts_.end(), table.begin(), table.begin(), std::plus());
        }
        if (!table.empty()) give(std::move(table));
        sums_.clear();
        counts_.clear();
        seen_ = 0;
    }

private:
    std::size_t cells() const {
        std::size_t all = total_->n_groups;
        for (const Column& column : columns_) all *= column.width;
        return all;
    }

    // The margins of a table: the last column's counts, then those of the table without it.
    void give(std::vector<double> table) {
        std::lock_guard turn(total_->lock);
        for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {
            std::vector<double> rest(table.size() / column->width);
            const double* n = table.data();
            for (std::size_t line = 0; line < rest.size(); ++line, n += column->width) {
                const std::size_t group = line / (rest.size() / total_->n_groups);
                double* to = total_->n.data() + group * total_->stride + column->position;
                for (std::size_t v = 1; v < column->width; ++v) to[v - 1] += n[v];
                rest[line] = std::accumulate(n, n + column->width, 0.0);
            }
            table = std::move(rest);
        }
    }

    std::vector<Column> columns_;
    Total* total_;
    std::vector<std::uint32_t> counts_;
    std::vector<double> sums_;
    std::size_t seen_ = 0;
};

// Codes that stand apart are copied side by side, a chunk at a time: bytes that are
// neighbours in their rows all at once.
class Copies {
public:
    // Takes the columns that stand apart, and lets them look at their copies.
    explicit Copies(std::vector<Column>& columns) {
        for (const Column& column : columns)
            if (stands_apart(column.codes)) apart_.push_back(column.codes);
        room_.resize(apart_.size() * line);
        std::size_t k = 0;
        for (Column& column : columns) {
            if (!stands_apart(column.codes)) continue;
            column.copied = true;
            std::visit(
                [&]<class T>(Strip<T>& strip) {
                    strip = {reinterpret_cast<const T*>(place_of(k++)), chunk_rows, 1};
                },
                column.codes);
        }
    }

    void take(const Chunk& chunk) {
        for (std::size_t k = 0; k < apart_.size();) {
            std::size_t stop = k + 1;
            while (stop < apart_.size() && are_neighbours(apart_[stop - 1], apart_[stop])) ++stop;
            std::visit([&](const auto& strip) { copy(strip, chunk, k, stop); }, apart_[k]);
            k = stop;
        }
    }

private:
    // A little more than a power of 2: else all lines would compete for the same cache lines.
    static constexpr std::size_t line = chunk_rows + 8;

    static bool stands_apart(const Codes& codes) {
        return std::visit([](const auto& strip) { return strip.stride != 1; }, codes);
    }

    static bool are_neighbours(const Codes& a, const Codes& b) {
        return std::visit(
            []<class A, class B>(const Strip<A>& x, const Strip<B>& y) {
                if constexpr (sizeof(A) == 1 && std::is_same_v<A, B>)
                    return x.stride == y.stride && x.data + 1 == y.data;
                return false;
            },
            a, b);
    }

    template <class T>
    void copy(const Strip<T>& strip, const Chunk& chunk, std::size_t k, std::size_t stop) {
        const T* from = strip.data + static_cast<std::ptrdiff_t>(chunk.start) * strip.stride;
        T* to = reinterpret_cast<T*>(place_of(k));
        if constexpr (sizeof(T) == 1)
            turn(reinterpret_cast<const std::uint8_t*>(from), strip.stride, chunk.rows, stop - k,
                 reinterpret_cast<std::uint8_t*>(to), line * sizeof room_[0]);
        else
            for (std::size_t i = 0; i < chunk.rows; ++i, from += strip.stride) to[i] = *from;
    }

    std::uint64_t* place_of(std::size_t k) { return &room_[k * line]; }

    std::vector<Codes> apart_;
    std::vector<std::uint64_t> room_;  // wide enough for codes of any width
};

// Some columns over some rows.
void count_rows(std::vector<Column> columns, std::size_t start, std::size_t stop, Groups group,
                Weights weight, Total& total) {
    Copies copies(columns);
    std::vector<Bundle> bundles;
    if (weight.empty())
        bundles.emplace_back(columns, total);
    else
        for (Column& column : columns) {  // its weights add up in the order of the rows
            column.width = column.size + 1;
            bundles.emplace_back(std::vector{column}, total);
        }
    for (std::size_t i = start; i < stop; i += chunk_rows) {
        const Chunk chunk{i, std::min(chunk_rows, stop - i),
                          reinterpret_cast<const std::uint32_t*>(&group[i]),  // none is negative
                          weight.empty() ? nullptr : &weight[i]};
        copies.take(chunk);
        for (std::size_t b = 0; b < bundles.size(); ++b) {
            if (bundles[b].grow(chunk)) {
                const std::vector<Bundle> parts = bundles[b].parted();
                const auto place = bundles.erase(bundles.begin() + static_cast<std::ptrdiff_t>(b));
                bundles.insert(place, parts.begin(), parts.end());
            }
            bundles[b].add(chunk);
        }
    }
    for (Bundle& bundle : bundles) bundle.give();
}

}  // namespace

void count_codes(const std::vector<Codes>& columns, const std::vector<std::size_t>& sizes,
                 Groups group, Weights weight, std::size_t n_groups, Out n) {
    check_groups(group, n_groups);
    if (columns.empty()) return;
    std::vector<Column> all;
    std::size_t stride = 0;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (n_groups * (sizes[j] + 1) > std::numeric_limits<std::uint32_t>::max())
            refuse("a table of more than 4,294,967,295 counts");
        all.push_back({columns[j], sizes[j], stride, 1});
        stride += sizes[j];
    }
    Total total{n, stride, n_groups, {}};
    // Rows are cut where tables are small beside them, else columns. Counts are whole
    // numbers, and the weights of a column are never cut: so any cut adds up to the same.
    const std::size_t tasks = threads() == 1 ? 1 : 2 * threads();
    const bool by_rows = weight.empty() && tasks * n.size() <= group.size();
    const std::size_t whole = by_rows ? group.size() : all.size();
    const std::size_t part = std::max<std::size_t>(1, (whole + tasks - 1) / tasks);
    parallel((whole + part - 1) / part, columns.size() * group.size(), [&](std::size_t k) {
        const std::size_t start = k * part, stop = std::min(start + part, whole);
        if (by_rows) return count_rows(all, start, stop, group, weight, total);
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(start);
        const auto last = all.begin() + static_cast<std::ptrdiff_t>(stop);
        count_rows({first, last}, 0, group.size(), group, weight, total);
    });
}

}  // namespace naively
