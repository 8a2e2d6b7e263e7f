// Scores of codes by class: each code points to a line of a table.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

#include "kernels.hpp"
#include "lanes.hpp"
#include "threads.hpp"
#include "turn.hpp"

namespace naively {

namespace {

constexpr std::size_t tile_rows = 64;
constexpr std::size_t ahead = 4 * tile_rows;  // many columns are more streams than a processor follows
constexpr std::size_t at_once = 32;  // columns added in one pass over the scores
constexpr std::size_t segment_rows = 128 * tile_rows;

// The lines of a table that one column owns.
struct Lines {
    const double* first;
    std::size_t size;
};

struct Range {
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -1;

    void join(std::int64_t least, std::int64_t most) {
        low = std::min(low, least);
        high = std::max(high, most);
    }
};

void check(const Range& range, std::size_t size) {
    if (range.low < -2) refuse_below("code", range.low, -2);
    if (range.high >= 0 && static_cast<std::uint64_t>(range.high) >= size)
        refuse_above("code", range.high, size);
    if (range.low == -2 && size == 0) refuse("code -2 in a column without lines");
}

// Addresses of lines, as integers: computed without a branch, and many at a time.
using Address = std::uintptr_t;

// Where the line of each row's code stands; a missing code points to a line of zeros. The
// range of the codes is found on the way: it is proven before any address is followed.
template <class T>
NAIVELY_INLINE Range addresses(const T* codes, std::size_t rows, const Lines& lines,
                               std::size_t width_of_line, const double* zeros, Address* line) {
    const auto first = reinterpret_cast<Address>(lines.first),
               missing = reinterpret_cast<Address>(zeros);
    const Address width = width_of_line * sizeof(double);
    const Address unseen = first + (lines.size - 1) * width;  // not read where size is 0
    T least = codes[0], most = codes[0];
    for (std::size_t i = 0; i < rows; ++i) {
        const T code = codes[i];
        least = std::min(least, code);
        most = std::max(most, code);
        const Address seen = first + static_cast<Address>(code) * width;
        if constexpr (std::is_signed_v<T>) {
            const Address odd = code == -1 ? missing : unseen;
            line[i] = code >= 0 ? seen : odd;
        } else {
            line[i] = seen;
        }
    }
    return {static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)};
}

#define NAIVELY_LOCATE(T)                                                                      \
    NAIVELY_WIDE_CLONES Range locate(const T* codes, std::ptrdiff_t stride, std::size_t rows,  \
                                     const Lines& lines, std::size_t width,                    \
                                     const double* zeros, Address* line) {                     \
        if (stride == 1) return addresses(codes, rows, lines, width, zeros, line);             \
        T copy[tile_rows];                                                                     \
        for (std::size_t i = 0; i < rows; ++i)                                                 \
            copy[i] = codes[static_cast<std::ptrdiff_t>(i) * stride];                          \
        return addresses(copy, rows, lines, width, zeros, line);                               \
    }
NAIVELY_LOCATE(std::int8_t)
NAIVELY_LOCATE(std::int16_t)
NAIVELY_LOCATE(std::int32_t)
NAIVELY_LOCATE(std::int64_t)
NAIVELY_LOCATE(std::uint8_t)
NAIVELY_LOCATE(std::uint16_t)
NAIVELY_LOCATE(std::uint32_t)
#undef NAIVELY_LOCATE

// Rows of codes of one byte, as an array of them has them.
using Byte = Strip<std::uint8_t>;

// The columns from j on, where they are such codes that stand side by side: then a tile of
// them is turned at once.
const Byte* side_by_side(const std::vector<Codes>& columns, std::size_t j, std::size_t n) {
    const auto* first = std::get_if<Byte>(&columns[j]);
    for (std::size_t k = 0; first && k < n; ++k) {
        const auto* next = std::get_if<Byte>(&columns[j + k]);
        if (!next || next->data != first->data + k || next->stride != first->stride) return nullptr;
    }
    return first && first->stride != 1 ? first : nullptr;
}

// The addresses of a tile, column by column.
struct Located {
    std::size_t columns = 0;
    Address line[at_once][tile_rows];
};

// Part of a line, from one of its classes on.
template <std::size_t width>
NAIVELY_INLINE Lane<width> lane(Address line, std::size_t first) {
    return lane_of<width>(reinterpret_cast<const double*>(line) + first);
}

// A row's sums stay in registers while its lines pass: one set for every other column.
// Lines are `width` long, or longer and taken in parts; the scores have n_classes.
template <std::size_t width>
NAIVELY_INLINE void add_lines(const Located& at, std::size_t rows, std::size_t n_classes,
                              std::size_t first, double* out) {
    const std::size_t some = std::min(width, n_classes - first);
    const std::size_t pairs = at.columns / 2;
    for (std::size_t i = 0; i < rows; ++i) {
        Lane<width> even{}, odd{};
        for (std::size_t k = 0; k < pairs; ++k) {
            even += lane<width>(at.line[2 * k][i], first);
            odd += lane<width>(at.line[2 * k + 1][i], first);
        }
        if (2 * pairs < at.columns) even += lane<width>(at.line[2 * pairs][i], first);
        even += odd;
        double sums[width];
        put<width>(even, sums);
        double* row = out + i * n_classes + first;
        for (std::size_t c = 0; c < some; ++c) row[c] += sums[c];
    }
}

constexpr std::size_t widest = 8;

// How long a line is made, so that it is a vector or some of them.
std::size_t padded(std::size_t n_classes) {
    if (n_classes <= widest) return std::bit_ceil(n_classes);
    return (n_classes + widest - 1) / widest * widest;
}

NAIVELY_WIDE_CLONES void add(const Located& at, std::size_t rows, std::size_t n_classes,
                             double* out) {
    switch (padded(n_classes)) {
        case 1: return add_lines<1>(at, rows, n_classes, 0, out);
        case 2: return add_lines<2>(at, rows, n_classes, 0, out);
        case 4: return add_lines<4>(at, rows, n_classes, 0, out);
        default:
            for (std::size_t c = 0; c < n_classes; c += widest)
                add_lines<widest>(at, rows, n_classes, c, out);
    }
}

class Scorer {
public:
    Scorer(const std::vector<Codes>& columns, In table, const std::vector<std::size_t>& offsets,
           std::size_t n_classes)
        : columns_(columns), n_classes_(n_classes), width_(padded(n_classes)), zeros_(width_) {
        const double* first = pad(table);
        for (std::size_t j = 0; j < columns.size(); j += at_once)
            rows_.push_back(side_by_side(columns, j, std::min(at_once, columns.size() - j)));
        for (std::size_t j = 0; j < columns.size(); ++j)
            lines_.push_back({first + offsets[j] * width_, offsets[j + 1] - offsets[j]});
    }

    // Scores some rows; the ranges of their codes join those that are known.
    void segment(std::size_t start, std::size_t stop, double* out,
                 std::vector<Range>& ranges) const {
        for (std::size_t i = start; i < stop; i += tile_rows)
            tile(i, std::min(tile_rows, stop - i), out + i * n_classes_, ranges);
    }

private:
    // A copy of the table with lines of the width that is added at once, none of which
    // lies across two lines of the cache.
    const double* pad(In table) {
        const std::size_t n_lines = n_classes_ ? table.size() / n_classes_ : 0;
        padded_.resize(n_lines * width_ + widest);
        void* at = padded_.data();
        std::size_t room = padded_.size() * sizeof(double);
        auto* first = static_cast<double*>(
            std::align(widest * sizeof(double), n_lines * width_ * sizeof(double), at, room));
        for (std::size_t i = 0; i < n_lines; ++i)
            std::copy_n(&table[i * n_classes_], n_classes_, first + i * width_);
        return first;
    }

    void tile(std::size_t start, std::size_t rows, double* out,
              std::vector<Range>& ranges) const {
        Located at;
        for (std::size_t j = 0; j < columns_.size(); j += at_once) {
            at.columns = std::min(at_once, columns_.size() - j);
            locate_columns(j, start, rows, at, ranges);
            add(at, rows, n_classes_, out);
        }
    }

    void locate_columns(std::size_t j, std::size_t start, std::size_t rows, Located& at,
                        std::vector<Range>& ranges) const {
        std::uint8_t turned[at_once * tile_rows];
        const Byte* by_row = rows_[j / at_once];
        if (by_row)
            turn(by_row->data + static_cast<std::ptrdiff_t>(start) * by_row->stride,
                 by_row->stride, rows, at.columns, turned, tile_rows);
        for (std::size_t k = 0; k < at.columns; ++k) {
            const Range range = by_row ? locate(turned + k * tile_rows, 1, rows, lines_[j + k],
                                                width_, zeros_.data(), at.line[k])
                                       : locate_column(j + k, start, rows, at.line[k]);
            check(range, lines_[j + k].size);
            ranges[j + k].join(range.low, range.high);
        }
    }

    Range locate_column(std::size_t j, std::size_t start, std::size_t rows, Address* line) const {
        return std::visit(
            [&](const auto& codes) {
                const auto* first = codes.data + static_cast<std::ptrdiff_t>(start) * codes.stride;
                if (codes.stride == 1) prefetch(first + ahead, rows);
                return locate(first, codes.stride, rows, lines_[j], width_, zeros_.data(), line);
            },
            columns_[j]);
    }

    const std::vector<Codes>& columns_;
    std::size_t n_classes_, width_;
    std::vector<double> zeros_, padded_;
    std::vector<Lines> lines_;
    std::vector<const Byte*> rows_;  // for every `at_once` columns
};

}  // namespace

std::vector<std::int64_t> table_scores(const std::vector<Codes>& columns, In table,
                                       const std::vector<std::size_t>& offsets,
                                       std::size_t n_classes, Out out) {
    const Scorer scorer(columns, table, offsets, n_classes);
    const std::size_t rows = n_classes ? out.size() / n_classes : 0;
    std::vector<std::vector<Range>> parts((rows + segment_rows - 1) / segment_rows);
    parallel(parts.size(), out.size() * columns.size(), [&](std::size_t k) {
        const std::size_t start = k * segment_rows, stop = std::min(start + segment_rows, rows);
        parts[k].resize(columns.size());
        scorer.segment(start, stop, out.data(), parts[k]);
    });
    std::vector<std::int64_t> all;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        Range range;
        for (const auto& part : parts) range.join(part[j].low, part[j].high);
        all.push_back(parts.empty() ? 0 : range.low);
        all.push_back(range.high);
    }
    return all;
}

}  // namespace naively
