// Sums, means and squared deviations by group.
//
// Within a segment of rows, each group and column has a shift: a number near its values.
// A block of rows adds up x - shift and its square; at the end of the block these become
// a mean and an m2 and join those of the blocks before (Chan, Golub, LeVeque). The mean
// is kept as shift + offset, never added up, so that no digit is lost far from 0. The
// first shift is the first value seen (a constant column has m2 = 0 exactly); where it
// turns out to be far from the mean, the block is read again around a better one.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels.hpp"
#include "lanes.hpp"
#include "threads.hpp"
#include "tiles.hpp"

namespace naively {

namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

// A block whose squared mean is this many times its variance has lost 6 of 53 bits.
constexpr double too_far = 64;

// More groups than these share longer tiles, so that each has some rows there.
constexpr std::size_t few = 32;

constexpr std::size_t at_once = 4;
using Four = Lane<at_once>;

// What a loop over rows adds to: a line for each group, a little longer than the rows are
// wide, so that it is made of whole lanes; what is beyond the width is never looked at.
struct Sums {
    std::size_t width, line;
    std::vector<double> shift, s1, s2, n;

    Sums(std::size_t n_groups, std::size_t width)
        : width(width),
          line((width + at_once - 1) / at_once * at_once),
          shift(n_groups * line, unset),
          s1(n_groups * line),
          s2(n_groups * line),
          n(n_groups * line) {
        for (std::size_t k = 0; k < shift.size(); ++k)
            if (k % line >= width) shift[k] = 0;
    }

    void clear() {
        for (auto* sums : {&s1, &s2, &n}) std::fill(sums->begin(), sums->end(), 0.0);
    }
};

// The sums of one group, as a loop over its cells sees them.
struct Line {
    double *shift, *s1, *s2, *n;

    Line(Sums& sums, std::size_t g)
        : shift(&sums.shift[g * sums.line]),
          s1(&sums.s1[g * sums.line]),
          s2(&sums.s2[g * sums.line]),
          n(&sums.n[g * sums.line]) {}
};

// The rows of a tile that are in one group and weigh something.
struct Members {
    std::size_t group;
    const std::uint8_t* rows;
    std::size_t size;
    double weight;
};

NAIVELY_INLINE bool any_missing(const Four& sums) {
    double all[at_once];
    put<at_once>(sums, all);
    return all[0] + all[1] + all[2] + all[3] != all[0] + all[1] + all[2] + all[3];
}

// Some lanes of columns: their sums stay in registers while the rows of a group pass. Were
// they fetched and stored again for every row, each row would wait for the one before.
// Without `gaps` a missing cell spoils a sum: then nothing is added, and false returned.
template <class T, bool gaps, bool weighted, std::size_t lanes>
NAIVELY_INLINE bool add_lanes(const Rows<T>& x, const double* weight, const Members& members,
                              std::size_t d, const Line& to, const T*& ahead) {
    Four shift[lanes], s1[lanes], s2[lanes], n[lanes];
    for (std::size_t k = 0; k < lanes; ++k) {
        shift[k] = lane_of<at_once>(to.shift + d + k * at_once);
        s1[k] = lane_of<at_once>(to.s1 + d + k * at_once);
        s2[k] = lane_of<at_once>(to.s2 + d + k * at_once);
        if (gaps) n[k] = Four{};
    }
    for (std::size_t r = 0; r < members.size; ++r) {
        const T* row = x[members.rows[r]] + d;
        prefetch(ahead, lanes * at_once);
        ahead = x.seamless ? ahead + lanes * at_once : row + x.next;
        const Four w = lane_full_of<at_once>(weighted ? weight[members.rows[r]] : 1.0);
        for (std::size_t k = 0; k < lanes; ++k) {
            const Four value = lane_of<at_once>(row + k * at_once);
            Four away = value - shift[k];
            if (gaps) away = where_there<at_once>(value, away);
            if (gaps) n[k] += where_there<at_once>(value, w);
            const Four share = weighted ? w * away : away;
            s1[k] += share;
            s2[k] += share * away;
        }
    }
    Four total{};
    for (std::size_t k = 0; k < lanes; ++k) total += s1[k];
    if (!gaps && any_missing(total)) return false;
    const Four all = lane_full_of<at_once>(members.weight);
    for (std::size_t k = 0; k < lanes; ++k) {
        put<at_once>(s1[k], to.s1 + d + k * at_once);
        put<at_once>(s2[k], to.s2 + d + k * at_once);
        // Of these rows first in either case: a neighbour's gap changes no digit of a weight.
        const Four more = gaps ? n[k] : all;
        put<at_once>(lane_of<at_once>(to.n + d + k * at_once) + more, to.n + d + k * at_once);
    }
    return true;
}

template <class T, bool weighted>
NAIVELY_INLINE void add_members(const Rows<T>& x, const double* weight, const Members& members,
                                const Line& to, std::size_t line, const T*& ahead) {
    constexpr std::size_t wide = 4;  // lanes whose sums the registers hold
    std::size_t d = 0;
    if (members.size < 3) {  // too few to look whether a sum was spoilt
        for (; d + 2 * at_once <= line; d += 2 * at_once)
            add_lanes<T, true, weighted, 2>(x, weight, members, d, to, ahead);
    }
    for (; d + wide * at_once <= line; d += wide * at_once) {
        if (add_lanes<T, false, weighted, wide>(x, weight, members, d, to, ahead)) continue;
        add_lanes<T, true, weighted, 2>(x, weight, members, d, to, ahead);
        add_lanes<T, true, weighted, 2>(x, weight, members, d + 2 * at_once, to, ahead);
    }
    for (; d < line; d += at_once)
        if (!add_lanes<T, false, weighted, 1>(x, weight, members, d, to, ahead))
            add_lanes<T, true, weighted, 1>(x, weight, members, d, to, ahead);
}

// Every place in a tile, by itself.
constexpr auto each_row = [] {
    std::array<std::uint8_t, Tiles<double>::longest> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i);
    return all;
}();

// A tile's rows by group: those of few groups are sorted by counting, else each is alone.
class Grouped {
public:
    Grouped(const std::int32_t* group, const double* weight, std::size_t rows,
            std::size_t n_groups)
        : group_(group), weight_(weight), n_rows_(rows), n_groups_(n_groups) {
        if (n_groups > most) return;
        std::size_t n[most] = {};
        for (std::size_t i = 0; i < rows; ++i) n[group[i]] += counts(i);
        for (std::size_t g = 0; g < n_groups; ++g) ends_[g + 1] = ends_[g] + n[g];
        std::size_t next[most];
        std::copy(ends_, ends_ + n_groups, next);
        for (std::size_t i = 0; i < rows; ++i)
            if (counts(i)) rows_[next[group[i]]++] = static_cast<std::uint8_t>(i);
    }

    // How many parts there are: groups, or single rows.
    std::size_t size() const { return n_groups_ <= most ? n_groups_ : n_rows_; }

    NAIVELY_INLINE Members operator[](std::size_t k) const {
        if (n_groups_ <= most) return members(k, rows_ + ends_[k], ends_[k + 1] - ends_[k]);
        const std::size_t n = counts(k) ? 1 : 0;
        return members(static_cast<std::size_t>(group_[k]), &each_row[k], n);
    }

private:
    static constexpr std::size_t most = 256;

    bool counts(std::size_t i) const { return !weight_ || weight_[i] != 0; }

    NAIVELY_INLINE Members members(std::size_t group, const std::uint8_t* rows,
                                   std::size_t size) const {
        double all = weight_ ? 0.0 : static_cast<double>(size);
        for (std::size_t r = 0; weight_ && r < size; ++r) all += weight_[rows[r]];
        return {group, rows, size, all};
    }

    const std::int32_t* group_;
    const double* weight_;
    std::size_t n_rows_, n_groups_;
    std::size_t ends_[most + 1] = {};
    std::uint8_t rows_[Tiles<double>::longest];
};

// While the rows of a tile pass, group by group and so in no order, the tile after it is
// asked for: `ahead` is where, in order if it can be.
template <class T>
NAIVELY_INLINE void add_rows(const Rows<T>& x, const std::int32_t* group, const double* weight,
                             Sums& to) {
    const Grouped grouped(group, weight, x.size, to.s1.size() / to.line);
    const T* ahead = x[0] + x.next;
    for (std::size_t k = 0; k < grouped.size(); ++k) {
        const Members members = grouped[k];
        if (members.size == 0) continue;
        if (weight)
            add_members<T, true>(x, weight, members, Line(to, members.group), to.line, ahead);
        else
            add_members<T, false>(x, weight, members, Line(to, members.group), to.line, ahead);
    }
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
    const double n = sums.n[k];
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
        : tiles_(grid, first_column, width, n_groups > few ? Tiles<T>::longest : Tiles<T>::usual),
          group_(group),
          weight_(weight),
          sums_(n_groups, width),
          unset_(n_groups, width),
          state_(n_groups * sums_.line) {}

    // By group and column, without what is beyond the width.
    std::vector<Moment> moments() const {
        std::vector<Moment> all;
        for (std::size_t k = 0; k < state_.size(); ++k)
            if (k % sums_.line < sums_.width) all.push_back(state_[k]);
        return all;
    }

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
        for (std::size_t i = start; i < stop; i += tiles_.rows())
            visit(i, tiles_(i, std::min(tiles_.rows(), stop - i)));
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
            double& shift = sums_.shift[g * sums_.line + d];
            if (x[d] == x[d] && shift != shift) {
                shift = state_[g * sums_.line + d].shift = static_cast<double>(x[d]);
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
