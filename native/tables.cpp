// Scores of codes by class: each code points to a line of a table.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t tile_rows = 64;
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

template <class T>
Range range_of(const Strip<T>& codes, std::size_t start, std::size_t stop) {
    T least = codes[start], most = codes[start];
    for (std::size_t i = start; i < stop; ++i) {
        least = std::min(least, codes[i]);
        most = std::max(most, codes[i]);
    }
    return {static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)};
}

void check(const Range& range, std::size_t size) {
    if (range.low < -2) refuse_below("code", range.low, -2);
    if (range.high >= 0 && static_cast<std::uint64_t>(range.high) >= size)
        refuse_above("code", range.high, size);
    if (range.low == -2 && size == 0) refuse("code -2 in a column without lines");
}

// Addresses of lines, as integers: computed without a branch, and many at a time.
using Address = std::uintptr_t;

// Where the line of each row's code stands; a missing code points to a line of zeros.
template <class T>
NAIVELY_INLINE void addresses(const T* codes, std::ptrdiff_t stride, std::size_t rows,
                              const Lines& lines, std::size_t n_classes, const double* zeros,
                              Address* line) {
    const auto first = reinterpret_cast<Address>(lines.first),
               missing = reinterpret_cast<Address>(zeros);
    const Address width = n_classes * sizeof(double);
    const Address unseen = first + (lines.size - 1) * width;  // not read where size is 0
    for (std::size_t i = 0; i < rows; ++i) {
        const auto code = static_cast<std::int64_t>(codes[static_cast<std::ptrdiff_t>(i) * stride]);
        const Address seen = first + static_cast<Address>(code) * width;
        const Address odd = code == -1 ? missing : unseen;
        line[i] = code >= 0 ? seen : odd;
    }
}

#define NAIVELY_LOCATE(T)                                                                      \
    NAIVELY_WIDE_CLONES void locate(const T* codes, std::ptrdiff_t stride, std::size_t rows,   \
                                    const Lines& lines, std::size_t n_classes,                 \
                                    const double* zeros, Address* line) {                      \
        if (stride == 1)                                                                       \
            addresses(codes, 1, rows, lines, n_classes, zeros, line);                          \
        else                                                                                   \
            addresses(codes, stride, rows, lines, n_classes, zeros, line);                     \
    }
NAIVELY_LOCATE(std::int8_t)
NAIVELY_LOCATE(std::int16_t)
NAIVELY_LOCATE(std::int32_t)
NAIVELY_LOCATE(std::int64_t)
NAIVELY_LOCATE(std::uint8_t)
NAIVELY_LOCATE(std::uint16_t)
NAIVELY_LOCATE(std::uint32_t)
#undef NAIVELY_LOCATE

// The addresses of a tile, column by column.
struct Located {
    std::size_t columns = 0;
    Address line[at_once][tile_rows];
};

// A row's sums stay in registers while its lines pass: one set for every other column.
template <std::size_t width>
NAIVELY_INLINE void add_lines(const Located& at, std::size_t rows, double* out) {
    for (std::size_t i = 0; i < rows; ++i, out += width) {
        double even[width] = {}, odd[width] = {};
        std::size_t k = 0;
        for (; k + 1 < at.columns; k += 2) {
            const auto* a = reinterpret_cast<const double*>(at.line[k][i]);
            const auto* b = reinterpret_cast<const double*>(at.line[k + 1][i]);
            for (std::size_t c = 0; c < width; ++c) even[c] += a[c];
            for (std::size_t c = 0; c < width; ++c) odd[c] += b[c];
        }
        if (k < at.columns) {
            const auto* a = reinterpret_cast<const double*>(at.line[k][i]);
            for (std::size_t c = 0; c < width; ++c) even[c] += a[c];
        }
        for (std::size_t c = 0; c < width; ++c) out[c] += even[c] + odd[c];
    }
}

NAIVELY_INLINE void add_wide_lines(const Located& at, std::size_t rows, std::size_t n_classes,
                                   double* out) {
    for (std::size_t i = 0; i < rows; ++i, out += n_classes)
        for (std::size_t k = 0; k < at.columns; ++k) {
            const auto* line = reinterpret_cast<const double*>(at.line[k][i]);
            for (std::size_t c = 0; c < n_classes; ++c) out[c] += line[c];
        }
}

// The loop over classes is unrolled where there are few of them.
NAIVELY_CLONES void add(const Located& at, std::size_t rows, std::size_t n_classes, double* out) {
    switch (n_classes) {
        case 1: return add_lines<1>(at, rows, out);
        case 2: return add_lines<2>(at, rows, out);
        case 3: return add_lines<3>(at, rows, out);
        case 4: return add_lines<4>(at, rows, out);
        case 5: return add_lines<5>(at, rows, out);
        case 6: return add_lines<6>(at, rows, out);
        case 7: return add_lines<7>(at, rows, out);
        case 8: return add_lines<8>(at, rows, out);
        default: return add_wide_lines(at, rows, n_classes, out);
    }
}

class Scorer {
public:
    Scorer(const std::vector<Codes>& columns, In table, const std::vector<std::size_t>& offsets,
           std::size_t n_classes)
        : columns_(columns), n_classes_(n_classes), zeros_(n_classes) {
        for (std::size_t j = 0; j < columns.size(); ++j)
            lines_.push_back({table.data() + offsets[j] * n_classes, offsets[j + 1] - offsets[j]});
    }

    // The ranges of the codes of some rows, proven to be within the table.
    std::vector<Range> ranges(std::size_t start, std::size_t stop) const {
        std::vector<Range> all(columns_.size());
        for (std::size_t j = 0; start < stop && j < columns_.size(); ++j) {
            all[j] = std::visit([&](const auto& c) { return range_of(c, start, stop); }, columns_[j]);
            check(all[j], lines_[j].size);
        }
        return all;
    }

    void segment(std::size_t start, std::size_t stop, double* out) const {
        for (std::size_t i = start; i < stop; i += tile_rows)
            tile(i, std::min(tile_rows, stop - i), out + i * n_classes_);
    }

private:
    void tile(std::size_t start, std::size_t rows, double* out) const {
        Located at;
        for (std::size_t j = 0; j < columns_.size(); j += at_once) {
            at.columns = std::min(at_once, columns_.size() - j);
            for (std::size_t k = 0; k < at.columns; ++k)
                locate_column(j + k, start, rows, at.line[k]);
            add(at, rows, n_classes_, out);
        }
    }

    void locate_column(std::size_t j, std::size_t start, std::size_t rows,
                       Address* line) const {
        std::visit(
            [&](const auto& codes) {
                locate(codes.data + static_cast<std::ptrdiff_t>(start) * codes.stride,
                       codes.stride, rows, lines_[j], n_classes_, zeros_.data(), line);
            },
            columns_[j]);
    }

    const std::vector<Codes>& columns_;
    std::size_t n_classes_;
    std::vector<double> zeros_;
    std::vector<Lines> lines_;
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
        parts[k] = scorer.ranges(start, stop);
        scorer.segment(start, stop, out.data());
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
