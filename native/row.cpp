#include "row.hpp"

#include <algorithm>
#include <cmath>

namespace naively {

void Row::add_gaussian(std::span<const double> mu, std::span<const double> inv_scale,
                       std::span<const double> log_norm) {
    steps_.push_back({Kind::gaussian, false, parameters_.size(), 0, 0, 0});
    keep(mu);
    keep(inv_scale);
    keep(log_norm);
}

void Row::add_linear(std::span<const double> eta, std::span<const double> a, double low,
                     double high, bool whole) {
    steps_.push_back({Kind::linear, whole, parameters_.size(), 0, low, high});
    keep(eta);
    keep(a);
}

void Row::add_table(std::span<const double> table) {
    const auto labels = static_cast<std::int64_t>(table.size() / n_classes());
    steps_.push_back({Kind::table, false, parameters_.size(), labels, 0, 0});
    keep(table);
}

bool Row::score(const Cell* cells, double* out) const {
    std::copy(log_prior_.begin(), log_prior_.end(), out);
    for (std::size_t j = 0; j < steps_.size(); ++j)
        if (!add(steps_[j], cells[j], out) || !within_reach(out)) return false;
    return std::none_of(out, out + n_classes(), [](double s) { return std::isnan(s); });
}

bool Row::add(const Step& step, const Cell& cell, double* out) const {
    const std::size_t n = n_classes();
    const double* p = parameters_.data() + step.at;
    const double x = cell.number;
    switch (step.kind) {
        case Kind::gaussian:
            if (std::isnan(x)) break;
            for (std::size_t c = 0; c < n; ++c) {
                const double z = (x - p[c]) * p[n + c];
                out[c] -= 0.5 * z * z + p[2 * n + c];
            }
            break;
        case Kind::linear:
            if (std::isnan(x)) break;
            if (x < step.low || x > step.high || (step.whole && std::floor(x) != x)) return false;
            for (std::size_t c = 0; c < n; ++c) out[c] += x * p[c] - p[n + c];
            break;
        case Kind::table:
            if (cell.code < 0) break;
            if (cell.code >= step.labels) return false;
            for (std::size_t c = 0; c < n; ++c) out[c] += p[cell.code * n + c];
            break;
    }
    return true;
}

// Asked after every column: two enormous scores of opposite sign would hide that they were.
bool Row::within_reach(const double* out) const {
    const double best = *std::max_element(out, out + n_classes());
    return best > lowest_ && best < -lowest_;
}

}  // namespace naively
