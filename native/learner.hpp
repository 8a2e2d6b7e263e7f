// Moments that grow in place, a few rows at a time: learning without making new statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace naively {

class Learner {
public:
    // Lines of columns, one for each group, as the statistic keeps them: means are relative
    // to a shift by column.
    Learner(std::span<const double> shift, std::span<const double> count,
            std::span<const double> n, std::span<const double> mean, std::span<const double> m2);

    std::size_t n_columns() const { return shift_.size(); }
    std::size_t n_groups() const { return count_.size(); }

    // Adds rows that stand one after another; false, and nothing is added, where a cell is
    // infinite or a group is none of ours.
    bool learn(const double* rows, std::span<const std::int64_t> group);

    const std::vector<double>& count() const { return count_; }
    const std::vector<double>& n() const { return n_; }
    const std::vector<double>& mean() const { return mean_; }
    const std::vector<double>& m2() const { return m2_; }
    std::int64_t rows() const { return rows_; }

private:
    void add(const double* row, std::size_t group);

    std::vector<double> shift_, count_, n_, mean_, m2_;
    std::int64_t rows_ = 0;
};

}  // namespace naively
