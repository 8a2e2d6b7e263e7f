// Sums by group: of numbers, and of sparse counts.

#include "kernels.hpp"
#include "threads.hpp"
#include "tiles.hpp"

namespace naively {

namespace {

struct Part {
    std::vector<double> n, t;
};

template <class T>
NAIVELY_INLINE void add_rows(const Rows<T>& x, const std::int32_t* group, const double* weight,
                             Part& to) {
    for (std::size_t i = 0; i < x.size; ++i) {
        const auto g = static_cast<std::size_t>(group[i]);
        const double w = weight ? weight[i] : 1.0;
        if (w == 0) continue;
        const T* __restrict__ v = x[i];
        double* __restrict__ n = &to.n[g * x.width];
        double* __restrict__ t = &to.t[g * x.width];
        for (std::size_t d = 0; d < x.width; ++d) {
            const double value = static_cast<double>(v[d]);
            const bool there = value == value;
            n[d] += there ? w : 0.0;
            t[d] += there ? w * value : 0.0;
        }
    }
}

NAIVELY_CLONES void add(const Rows<float>& x, const std::int32_t* group, const double* weight,
                        Part& to) {
    add_rows(x, group, weight, to);
}

NAIVELY_CLONES void add(const Rows<double>& x, const std::int32_t* group, const double* weight,
                        Part& to) {
    add_rows(x, group, weight, to);
}

template <class T>
Part sums_of(const Grid<T>& grid, const Cut& cut, std::size_t segment, std::size_t band,
             Groups group, Weights weight, std::size_t n_groups) {
    const std::size_t column = band * cut.band;
    const std::size_t width = std::min(cut.band, cut.columns - column);
    const std::size_t stop = std::min((segment + 1) * cut.segment, cut.rows);
    Tiles<T> tiles(grid, column, width);
    Part part{std::vector<double>(n_groups * width), std::vector<double>(n_groups * width)};
    for (std::size_t i = segment * cut.segment; i < stop; i += tiles.rows())
        add(tiles(i, std::min(tiles.rows(), stop - i)), &group[i],
            weight.empty() ? nullptr : &weight[i], part);
    return part;
}

template <class T>
void all_sums(const Grid<T>& grid, Groups group, Weights weight, std::size_t n_groups, Out n,
              Out t) {
    const Cut cut(grid.rows, grid.columns, n_groups);
    std::vector<Part> parts(cut.tasks());
    parallel(cut.tasks(), grid.rows * grid.columns, [&](std::size_t k) {
        parts[k] = sums_of(grid, cut, k / cut.bands(), k % cut.bands(), group, weight, n_groups);
    });
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::size_t column = (k % cut.bands()) * cut.band;
        const std::size_t width = std::min(cut.band, cut.columns - column);
        for (std::size_t c = 0; c < parts[k].n.size(); ++c) {
            const std::size_t to = (c / width) * grid.columns + column + c % width;
            n[to] += parts[k].n[c];
            t[to] += parts[k].t[c];
        }
    }
}

}  // namespace

void group_sums(const Real& values, Groups group, Weights weight, std::size_t n_groups, Out n,
                Out t) {
    check_groups(group, n_groups);
    std::visit([&](const auto& grid) { all_sums(grid, group, weight, n_groups, n, t); }, values);
}

}  // namespace naively
