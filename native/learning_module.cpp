// The Python face of the kernels that learn.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "modules.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace naively::arguments;

namespace {

Answer group_weights(const AnyVector& group, const OptionalWeight& weight, std::size_t n_groups) {
    const GroupsOf groups(group, group.shape(0), n_groups);
    const auto weights = weights_of(weight, group.shape(0));
    Zeros n(n_groups, 1);
    {
        nb::gil_scoped_release released;
        naively::group_weights(groups, weights, n.out());
    }
    return n.give_vector();
}

Result count_codes(const std::vector<AnyVector>& columns, const std::vector<std::size_t>& sizes,
                   const AnyVector& group, const OptionalWeight& weight, std::size_t n_groups) {
    const std::size_t rows = group.shape(0);
    same("sizes", sizes.size(), columns.size());
    const auto codes = codes_of(columns, rows);
    const GroupsOf groups(group, rows, n_groups);
    const auto weights = weights_of(weight, rows);
    std::size_t cells = 0;
    for (const std::size_t size : sizes) cells += size;
    Zeros n(n_groups, cells);
    {
        nb::gil_scoped_release released;
        naively::count_codes(codes, sizes, groups, weights, n_groups, n.out());
    }
    return n.give();
}

std::pair<Result, Result> group_sums(const AnyMatrix& values, const AnyVector& group,
                                     const OptionalWeight& weight, std::size_t n_groups) {
    const auto real = real_of(values);
    const GroupsOf groups(group, values.shape(0), n_groups);
    const auto weights = weights_of(weight, values.shape(0));
    Zeros n(n_groups, values.shape(1)), t(n_groups, values.shape(1));
    {
        nb::gil_scoped_release released;
        naively::group_sums(real, groups, weights, n_groups, n.out(), t.out());
    }
    return {n.give(), t.give()};
}

std::tuple<Result, Result, Result> group_moments(const AnyMatrix& values, const AnyVector& group,
                                                 const OptionalWeight& weight, const Vector& shift,
                                                 std::size_t n_groups) {
    const auto real = real_of(values);
    const GroupsOf groups(group, values.shape(0), n_groups);
    const auto weights = weights_of(weight, values.shape(0));
    same("shift", shift.shape(0), values.shape(1));
    Zeros n(n_groups, values.shape(1)), mean(n_groups, values.shape(1)),
        m2(n_groups, values.shape(1));
    {
        nb::gil_scoped_release released;
        naively::group_moments(real, groups, weights, span_of(shift), n_groups, n.out(),
                               mean.out(), m2.out());
    }
    return {n.give(), mean.give(), m2.give()};
}

Result sparse_sums(const AnyVector& indptr, const AnyVector& indices, const Vector& data,
                   const AnyVector& group, const OptionalWeight& weight, std::size_t n_groups,
                   std::size_t n_columns) {
    const SparseOf block(indptr, indices, data);
    const std::size_t rows = indptr.size() - 1;
    const GroupsOf groups(group, rows, n_groups);
    const auto weights = weights_of(weight, rows);
    Zeros t(n_groups, n_columns);
    {
        nb::gil_scoped_release released;
        naively::sparse_sums(block, groups, weights, n_groups, n_columns, t.out());
    }
    return t.give();
}

}  // namespace

void bind_learning(nb::module_& m) {
    m.def("group_weights", &group_weights, "group"_a, "weight"_a.none(), "n_groups"_a);
    m.def("count_codes", &count_codes, "columns"_a, "sizes"_a, "group"_a, "weight"_a.none(),
          "n_groups"_a);
    m.def("group_sums", &group_sums, "values"_a, "group"_a, "weight"_a.none(), "n_groups"_a);
    m.def("group_moments", &group_moments, "values"_a, "group"_a, "weight"_a.none(), "shift"_a,
          "n_groups"_a);
    m.def("sparse_sums", &sparse_sums, "indptr"_a, "indices"_a, "data"_a, "group"_a,
          "weight"_a.none(), "n_groups"_a, "n_columns"_a);
}
