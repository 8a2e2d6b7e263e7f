// Sums, means and squared deviations by group.
//
// Within a segment of rows, each group and column has a shift: a number near its values.
// A block of rows adds up x - shift and its square; at the end of the block these become
// a mean and an m2 and join those of the blocks before (Chan, Golub, LeVeque). The mean
// is kept as shift + offset, never added up, so that no digit is lost far from 0. The
// first shift is the first value seen (a constant column has m2 = 0 exactly); where it
// turns out to be far from the mean, the block is read again around a better one.

#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels.hpp"
#include "threads.hpp"
#include "tiles.hpp"

namespace naively {

namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

// A block whose squared mean is this many times its variance has lost 6 of 53 bits.
constexpr double too_far = 64;

// What a loop over rows adds to: lines of `width` cells, one for each group.
struct Sums {
    std::size_t width;
    std::vector<double> shift, s1, s2, cells;  // cells: the weight, where some are missing
    std::vector<double> rows;                  // the weight of rows without missing cells

    Sums(std::size_t n_groups, std::size_t width)
        : width(width),
          shift(n_groups * width, unset),
          s1(n_groups * width),
          s2(n_groups * width),
          cells(n_groups * width),
          rows(n_groups) {}

    double weight(std::size_t k) const { return rows[k / width] + cells[k]; }

    void clear() {
        for (auto* sums : {&s1, &s2, &cells, &rows}) std::fill(sums->begin(), sums->end(), 0.0);
    }
};

template <class T, bool weighted>
NAIVELY_INLINE void add_whole_rows(const Rows<T>& x, const std::int32_t* group,
                                   const double* weight, Sums& to) {
    for (std::size_t i = 0; i < x.size; ++i) {
        const auto g = static_cast<std::size_t>(group[i]);
        const double w = weighted ? weight[i] : 1.0;
        if (weighted && w == 0) continue;
        const T* __restrict__ v = x[i];
        const double* __restrict__ shift = &to.shift[g * x.width];
        double* __restrict__ s1 = &to.s1[g * x.width];
        double* __restrict__ s2 = &to.s2[g * x.width];
        to.rows[g] += w;
        for (std::size_t d = 0; d < x.width; ++d) {
            const double away = static_cast<double>(v[d]) - shift[d];
            s1[d] += weighted ? w * away : away;
            s2[d] += weighted ? w * away * away : away * away;
        }
    }
}

template <class T, bool weighted>
NAIVELY_INLINE void add_rows_with_gaps(const Rows<T>& x, const std::int32_t* group,
                                       const double* weight, Sums& to) {
    for (std::size_t i = 0; i < x.size; ++i) {
        const auto g = static_cast<std::size_t>(group[i]);
        const double w = weighted ? weight[i] : 1.0;
        if (weighted && w == 0) continue;
        const T* __restrict__ v = x[i];
        const double* __restrict__ shift = &to.shift[g * x.width];
        double* __restrict__ s1 = &to.s1[g * x.width];
        double* __restrict__ s2 = &to.s2[g * x.width];
        double* __restrict__ cells = &to.cells[g * x.width];
        for (std::size_t d = 0; d < x.width; ++d) {
            const double value = static_cast<double>(v[d]);
            const bool there = value == value;
            const double away = there ? value - shift[d] : 0.0;
            s1[d] += w * away;
            s2[d] += w * away * away;
            cells[d] += there ? w : 0.0;
        }
    }
}

template <class T>
NAIVELY_INLINE void add_rows(const Rows<T>& x, const std::int32_t* group, const double* weight,
                             Sums& to) {
    const bool gaps = x.missing();
    if (gaps && weight)
        add_rows_with_gaps<T, true>(x, group, weight, to);
    else if (gaps)
        add_rows_with_gaps<T, false>(x, group, weight, to);
    else if (weight)
        add_whole_rows<T, true>(x, group, weight, to);
    else
        add_whole_rows<T, false>(x, group, weight, to);
}

NAIVELY_CLONES void add(const Rows<float>& x, const std::int32_t* group, const double* weight,
                        Sums& to) {
    add_rows(x, group, weight, to);
}

NAIVELY_CLONES void add(const Rows<double>& x, const std::int32_t* group, const double* weight,
                        Sums& to) {
    add_rows(x, group, weight, to);
}

// The moments of one group's cells in one column: mean = shift + offset.
struct Moment {
    double n = 0, shift = unset, offset = 0, m2 = 0;

    void join(const Moment& other) {
        if (!(other.n > 0)) return;
        if (!(n > 0)) {
            *this = other;
            return;
        }
        const double both = n + other.n;
        const double apart = (other.shift - shift) + (other.offset - offset);
        m2 += other.m2 + apart * apart * (n * other.n / both);
        offset += apart * (other.n / both);
        n = both;
    }

    void move(double to) {
        if (n > 0) offset += shift - to;
        shift = to;
    }
};

Moment moment_of(const Sums& sums, std::size_t k) {
    const double n = sums.weight(k);
    if (!(n > 0)) return {0, sums.shift[k], 0, 0};
    const double mean = sums.s1[k] / n;
    return {n, sums.shift[k], mean, std::max(0.0, sums.s2[k] - sums.s1[k] * mean)};
}

// A segment of rows by a band of columns.
template <class T>
class Fold {
public:
    Fold(const Grid<T>& grid, Groups group, Weights weight, std::size_t n_groups,
         std::size_t first_column, std::size_t width)
        : tiles_(grid, first_column, width),
          group_(group),
          weight_(weight),
          sums_(n_groups, width),
          unset_(n_groups, width),
          state_(n_groups * width) {}

    const std::vector<Moment>& moments() const { return state_; }

    void block(std::size_t start, std::size_t stop) {
        choose_shifts(start, stop);
        add_block(start, stop);
        if (move_bad_shifts()) add_block(start, stop);
        for (std::size_t k = 0; k < state_.size(); ++k) state_[k].join(moment_of(sums_, k));
    }

private:
    const double* weights(std::size_t i) const { return weight_.empty() ? nullptr : &weight_[i]; }

    template <class Visit>
    void each_tile(std::size_t start, std::size_t stop, Visit visit) {
        for (std::size_t i = start; i < stop; i += Tiles<T>::rows)
            visit(i, tiles_(i, std::min(Tiles<T>::rows, stop - i)));
    }

    void add_block(std::size_t start, std::size_t stop) {
        sums_.clear();
        each_tile(start, stop, [&](std::size_t i, const Rows<T>& x) {
            add(x, &group_[i], weights(i), sums_);
        });
    }

    // Each group's first value in each column, where there was none before.
    void choose_shifts(std::size_t start, std::size_t stop) {
        if (std::all_of(unset_.begin(), unset_.end(), [](std::size_t n) { return n == 0; })) return;
        each_tile(start, stop, [&](std::size_t i, const Rows<T>& x) {
            for (std::size_t r = 0; r < x.size; ++r)
                if (unset_[static_cast<std::size_t>(group_[i + r])] &&
                    (weight_.empty() || weight_[i + r] != 0))
                    choose_shifts_from(x[r], static_cast<std::size_t>(group_[i + r]));
        });
    }

    void choose_shifts_from(const T* x, std::size_t g) {
        for (std::size_t d = 0; d < sums_.width; ++d) {
            double& shift = sums_.shift[g * sums_.width + d];
            if (x[d] == x[d] && shift != shift) {
                shift = state_[g * sums_.width + d].shift = static_cast<double>(x[d]);
                --unset_[g];
            }
        }
    }

    // Whether the block must be read again: some of its means are too far from their shifts.
    bool move_bad_shifts() {
        bool moved = false;
        for (std::size_t k = 0; k < state_.size(); ++k) {
            const Moment here = moment_of(sums_, k);
            Moment both = state_[k];
            both.join(here);
            if (!(here.n * here.offset * here.offset > too_far * both.m2)) continue;
            const double to = here.shift + here.offset;
            if (to == here.shift || !std::isfinite(to)) continue;
            state_[k].move(to);
            sums_.shift[k] = to;
            moved = true;
        }
        return moved;
    }

    Tiles<T> tiles_;
    Groups group_;
    Weights weight_;
    Sums sums_;
    std::vector<std::size_t> unset_;  // by group, how many columns have no shift yet
    std::vector<Moment> state_;
};

template <class T>
std::vector<Moment> moments_of(const Grid<T>& grid, const Cut& cut, std::size_t segment,
                               std::size_t band, Groups group, Weights weight,
                               std::size_t n_groups) {
    const std::size_t column = band * cut.band;
    const std::size_t stop = std::min((segment + 1) * cut.segment, cut.rows);
    Fold<T> fold(grid, group, weight, n_groups, column, std::min(cut.band, cut.columns - column));
    for (std::size_t i = segment * cut.segment; i < stop; i += cut.block)
        fold.block(i, std::min(i + cut.block, stop));
    return fold.moments();
}

// The moments of every group and column: tasks are merged in the order of their rows.
template <class T>
std::vector<Moment> all_moments(const Grid<T>& grid, Groups group, Weights weight,
                                std::size_t n_groups) {
    const Cut cut(grid.rows, grid.columns, n_groups);
    std::vector<std::vector<Moment>> parts(cut.tasks());
    parallel(cut.tasks(), 2 * grid.rows * grid.columns, [&](std::size_t k) {
        parts[k] = moments_of(grid, cut, k / cut.bands(), k % cut.bands(), group, weight, n_groups);
    });
    std::vector<Moment> all(n_groups * grid.columns);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::size_t column = (k % cut.bands()) * cut.band;
        const std::size_t width = std::min(cut.band, cut.columns - column);
        for (std::size_t c = 0; c < parts[k].size(); ++c)
            all[(c / width) * grid.columns + column + c % width].join(parts[k][c]);
    }
    return all;
}

}  // namespace

void group_moments(const Real& values, Groups group, Weights weight, In shift,
                   std::size_t n_groups, Out n, Out mean, Out m2) {
    check_groups(group, n_groups);
    const auto all = std::visit(
        [&](const auto& grid) { return all_moments(grid, group, weight, n_groups); }, values);
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!(all[k].n > 0)) continue;
        n[k] = all[k].n;
        mean[k] = (all[k].shift - shift[k % shift.size()]) + all[k].offset;
        m2[k] = all[k].m2;
    }
}

}  // namespace naively
