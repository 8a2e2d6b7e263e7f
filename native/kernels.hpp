// The kernels. What each computes is written in src/naively/kernels/, in NumPy.
// Shapes are checked by the caller, values (codes, groups, positions) here.
#pragma once

#include <span>
#include <vector>

#include "views.hpp"

namespace naively {

// Matrices by group or class are contiguous, row after row.
using In = std::span<const double>;
using Out = std::span<double>;

bool any_infinite(const Real& values);

// The numbers whose bits are set, the first of which is bit `start`; NaN and -1 elsewhere.
template <class T, class U>
void filled(std::span<const T> values, std::span<const std::uint8_t> bits, std::size_t start,
            std::span<U> out);

// Six numbers a column: cells, least, largest, mean, squared deviations, fractions.
void outlines(const Real& values, Out lines);

void check_groups(Groups group, std::size_t n_groups);

// How much each group weighs.
void group_weights(Groups group, Weights weight, Out n);

// Numbers as codes of themselves; returns 1 + the largest, 0 where one is not below `size`.
std::size_t small_codes(const Codes& numbers, std::size_t size, std::int32_t* codes);

void count_codes(const std::vector<Codes>& columns, const std::vector<std::size_t>& sizes,
                 Groups group, Weights weight, std::size_t n_groups, Out n);

void group_sums(const Real& values, Groups group, Weights weight, std::size_t n_groups, Out n,
                Out t);

void group_moments(const Real& values, Groups group, Weights weight, In shift,
                   std::size_t n_groups, Out n, Out mean, Out m2);

void sparse_sums(const Sparse& block, Groups group, Weights weight, std::size_t n_groups,
                 std::size_t n_columns, Out t);

// Every row's scores begin with the prior.
void prior_scores(In log_prior, Out out);

// Returns each column's least and largest code, two by two (0 and -1 where there is none).
std::vector<std::int64_t> table_scores(const std::vector<Codes>& columns, In table,
                                       const std::vector<std::size_t>& offsets,
                                       std::size_t n_classes, Out out);

// Returns the rows that are left out: no class scores them above `lowest`.
std::vector<std::int64_t> gaussian_scores(const Real& values, In mu, In inv_scale, In log_norm,
                                          double lowest, std::size_t n_classes, Out out);

void linear_scores(const Real& values, In eta, In a, std::size_t n_classes, Out out);

void sparse_scores(const Sparse& block, In eta, std::size_t n_columns, std::size_t n_classes,
                   Out out);

// The rows that are -inf under every class.
std::vector<std::int64_t> impossible_rows(In scores, std::size_t n_classes);

void best_classes(In scores, std::size_t n_classes, std::span<std::int64_t> best);

// Returns the rows that are impossible under every class.
std::vector<std::int64_t> posterior(std::size_t n_classes, Out scores);

void log_sum_exp(In log_joint, std::size_t n_classes, Out result);

}  // namespace naively
