// One row through a fitted model: log prior plus the factors, compiled to a list of steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace naively {

// A column's cell: a number (NaN is missing), or a code (-1 is missing).
struct Cell {
    double number;
    std::int64_t code;
};

class Row {
   public:
    // A row whose best score is not between `lowest` and its opposite is one for the general path.
    Row(std::span<const double> log_prior, double lowest)
        : log_prior_(log_prior.begin(), log_prior.end()), lowest_(lowest) {}

    // The columns in the order in which their cells come; parameters lie column by column,
    // and within a column parameter by parameter, classes side by side.
    void add_gaussian(std::span<const double> mu, std::span<const double> inv_scale,
                      std::span<const double> log_norm);
    void add_linear(std::span<const double> eta, std::span<const double> a, double low, double high,
                    bool whole);
    void add_table(std::span<const double> table);

    std::size_t n_classes() const { return log_prior_.size(); }
    std::size_t n_columns() const { return steps_.size(); }

    // Fills `out` with the scores; false where the general path must look at the row: a cell
    // outside a support, an infinite one, or one so far out that rounding would show.
    bool score(const Cell* cells, double* out) const;

   private:
    enum class Kind : std::uint8_t { gaussian, linear, table };
    struct Step {
        Kind kind;
        bool whole;
        std::size_t at;
        std::int64_t labels;
        double low, high;
    };
    bool add(const Step& step, const Cell& cell, double* out) const;
    bool within_reach(const double* out) const;
    void keep(std::span<const double> values) {
        parameters_.insert(parameters_.end(), values.begin(), values.end());
    }
    std::vector<double> log_prior_;
    double lowest_;
    std::vector<double> parameters_;
    std::vector<Step> steps_;
};

}  // namespace naively
