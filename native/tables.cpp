// Scores of codes by class: each code points to a line of a table.

#include <algorithm>
#include <cstdint>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t tile_rows = 256;
constexpr std::size_t at_once = 4;  // columns added in one pass over the scores
constexpr std::size_t segment_rows = 32 * tile_rows;

// The lines of a table that one column owns.
struct Lines {
    const double* first;
    std::size_t size;
};

template <class T>
void check(const Strip<T>& codes, std::size_t size) {
    T low = 0, high = -1;
    for (std::size_t i = 0; i < codes.size; ++i) {
        low = std::min(low, codes[i]);
        high = std::max(high, codes[i]);
    }
    if (low < -2) refuse_below("code", low, -2);
    if (high >= 0 && static_cast<std::uint64_t>(high) >= size) refuse_above("code", high, size);
    if (low == -2 && size == 0) refuse("code -2 in a column without lines");
}

// Where the line of each row's code stands; a missing code points to a line of zeros.
template <class T>
void locate(const Strip<T>& codes, std::size_t start, std::size_t rows, const Lines& lines,
            std::size_t n_classes, const double* zeros, const double** line) {
    const double* last = lines.size ? lines.first + (lines.size - 1) * n_classes : zeros;
    for (std::size_t i = 0; i < rows; ++i) {
        const T code = codes[start + i];
        const double* seen = lines.first + static_cast<std::ptrdiff_t>(code) *
                                               static_cast<std::ptrdiff_t>(n_classes);
        line[i] = code >= 0 ? seen : code == -1 ? zeros : last;
    }
}

using Located = const double* [at_once][tile_rows];

template <std::size_t fixed>
void add_lines(const Located& line, std::size_t rows, std::size_t n_classes, double* out) {
    const std::size_t width = fixed ? fixed : n_classes;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t c = 0; c < width; ++c)
            out[i * width + c] += (line[0][i][c] + line[1][i][c]) + (line[2][i][c] + line[3][i][c]);
}

// The loop over classes is unrolled where there are few of them.
void add(const Located& line, std::size_t rows, std::size_t n_classes, double* out) {
    switch (n_classes) {
        case 2: return add_lines<2>(line, rows, n_classes, out);
        case 3: return add_lines<3>(line, rows, n_classes, out);
        case 4: return add_lines<4>(line, rows, n_classes, out);
        case 5: return add_lines<5>(line, rows, n_classes, out);
        case 6: return add_lines<6>(line, rows, n_classes, out);
        case 7: return add_lines<7>(line, rows, n_classes, out);
        case 8: return add_lines<8>(line, rows, n_classes, out);
        default: return add_lines<0>(line, rows, n_classes, out);
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

    void check_codes() const {
        for (std::size_t j = 0; j < columns_.size(); ++j)
            std::visit([&](const auto& codes) { check(codes, lines_[j].size); }, columns_[j]);
    }

    void segment(std::size_t start, std::size_t stop, double* out) const {
        for (std::size_t i = start; i < stop; i += tile_rows)
            tile(i, std::min(tile_rows, stop - i), out + i * n_classes_);
    }

private:
    void tile(std::size_t start, std::size_t rows, double* out) const {
        Located line;
        for (std::size_t j = 0; j < columns_.size(); j += at_once) {
            for (std::size_t k = 0; k < at_once; ++k)
                if (j + k < columns_.size())
                    locate_column(j + k, start, rows, line[k]);
                else
                    std::fill_n(line[k], rows, zeros_.data());
            add(line, rows, n_classes_, out);
        }
    }

    void locate_column(std::size_t j, std::size_t start, std::size_t rows,
                       const double** line) const {
        std::visit(
            [&](const auto& codes) {
                locate(codes, start, rows, lines_[j], n_classes_, zeros_.data(), line);
            },
            columns_[j]);
    }

    const std::vector<Codes>& columns_;
    std::size_t n_classes_;
    std::vector<double> zeros_;
    std::vector<Lines> lines_;
};

}  // namespace

void table_scores(const std::vector<Codes>& columns, In table,
                  const std::vector<std::size_t>& offsets, std::size_t n_classes, Out out) {
    const Scorer scorer(columns, table, offsets, n_classes);
    scorer.check_codes();
    const std::size_t rows = n_classes ? out.size() / n_classes : 0;
    parallel((rows + segment_rows - 1) / segment_rows, out.size() * columns.size(),
             [&](std::size_t k) {
                 const std::size_t start = k * segment_rows;
                 scorer.segment(start, std::min(start + segment_rows, rows), out.data());
             });
}

}  // namespace naively
