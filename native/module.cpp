// The Python face of the kernels: checks types and shapes, releases the interpreter's lock.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "kernels.hpp"
#include "row_module.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using AnyVector = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
using Answer = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;
using Rows = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>, nb::c_contig>;
using OptionalWeight = std::optional<Vector>;

template <class Array>
std::span<const double> span_of(const Array& array) {
    return {array.data(), array.size()};
}

void same(const char* what, std::size_t found, std::size_t expected) {
    if (found != expected)
        naively::refuse(std::string(what) + ": " + std::to_string(found) + " beside " +
                        std::to_string(expected));
}

template <class Array>
void shaped(const char* what, const Array& array, std::size_t rows, std::size_t columns) {
    same(what, array.shape(0), rows);
    same(what, array.shape(1), columns);
}

template <class T>
naively::Grid<T> grid_of(const AnyMatrix& m) {
    return {static_cast<const T*>(m.data()), m.shape(0), m.shape(1), m.stride(0), m.stride(1)};
}

naively::Real real_of(const AnyMatrix& values) {
    if (values.dtype() == nb::dtype<double>()) return grid_of<double>(values);
    if (values.dtype() == nb::dtype<float>()) return grid_of<float>(values);
    throw nb::type_error("values that are neither float32 nor float64");
}

template <class T>
naively::Strip<T> strip_of(const AnyVector& v) {
    return {static_cast<const T*>(v.data()), v.shape(0), v.stride(0)};
}

naively::Codes codes_of(const AnyVector& codes) {
    if (codes.dtype() == nb::dtype<std::int8_t>()) return strip_of<std::int8_t>(codes);
    if (codes.dtype() == nb::dtype<std::int16_t>()) return strip_of<std::int16_t>(codes);
    if (codes.dtype() == nb::dtype<std::int32_t>()) return strip_of<std::int32_t>(codes);
    if (codes.dtype() == nb::dtype<std::int64_t>()) return strip_of<std::int64_t>(codes);
    throw nb::type_error("codes or groups that are not signed integers");
}

std::vector<naively::Codes> codes_of(const std::vector<AnyVector>& columns, std::size_t rows) {
    std::vector<naively::Codes> all;
    for (const AnyVector& column : columns) {
        same("rows", column.shape(0), rows);
        all.push_back(codes_of(column));
    }
    return all;
}

// Groups as contiguous int32: a view where they are that, a checked copy elsewhere.
class GroupsOf {
public:
    GroupsOf(const AnyVector& group, std::size_t rows, std::size_t n_groups) {
        same("groups", group.shape(0), rows);
        const naively::Codes codes = codes_of(group);
        const auto* strip = std::get_if<naively::Strip<std::int32_t>>(&codes);
        if (strip && strip->stride == 1)
            view_ = {strip->data, strip->size};
        else
            std::visit([&](const auto& any) { copy(any, n_groups); }, codes);
    }

    operator naively::Groups() const { return view_; }

private:
    template <class T>
    void copy(const naively::Strip<T>& codes, std::size_t n_groups) {
        copy_.resize(codes.size);
        for (std::size_t i = 0; i < codes.size; ++i) {
            if (codes[i] < 0) naively::refuse_below("group", codes[i], 0);
            if (static_cast<std::uint64_t>(codes[i]) >= n_groups)
                naively::refuse_above("group", codes[i], n_groups);
            copy_[i] = static_cast<std::int32_t>(codes[i]);
        }
        view_ = copy_;
    }

    std::vector<std::int32_t> copy_;
    naively::Groups view_;
};

naively::Weights weights_of(const OptionalWeight& weight, std::size_t rows) {
    if (!weight) return {};
    same("weights", weight->shape(0), rows);
    return span_of(*weight);
}

// A matrix of zeros that Python will own.
struct Zeros {
    std::size_t rows, columns;
    std::unique_ptr<double[]> data;

    Zeros(std::size_t rows, std::size_t columns)
        : rows(rows), columns(columns), data(new double[rows * columns]()) {}

    naively::Out out() { return {data.get(), rows * columns}; }

    Result give() {
        nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
        return Result(data.release(), {rows, columns}, owner);
    }
};

// Positions that Python will own.
Rows given(const std::vector<std::int64_t>& rows) {
    std::unique_ptr<std::int64_t[]> data(new std::int64_t[rows.size()]);
    std::copy(rows.begin(), rows.end(), data.get());
    nb::capsule owner(data.get(),
                      [](void* p) noexcept { delete[] static_cast<std::int64_t*>(p); });
    return Rows(data.release(), {rows.size()}, owner);
}

template <class I>
naively::Csr<I> csr_of(const AnyVector& indptr, const AnyVector& indices, const Vector& data) {
    return {{static_cast<const I*>(indptr.data()), indptr.size()},
            {static_cast<const I*>(indices.data()), indices.size()},
            span_of(data)};
}

// Both index arrays in one width, contiguous; copies where they are not.
class SparseOf {
public:
    SparseOf(const AnyVector& indptr, const AnyVector& indices, const Vector& data) {
        if (indptr.size() == 0) naively::refuse("an empty indptr");
        same("stored cells", data.size(), indices.size());
        if (plain<std::int32_t>(indptr) && plain<std::int32_t>(indices))
            block_ = csr_of<std::int32_t>(indptr, indices, data);
        else if (plain<std::int64_t>(indptr) && plain<std::int64_t>(indices))
            block_ = csr_of<std::int64_t>(indptr, indices, data);
        else
            block_ = naively::Csr<std::int64_t>{wide(indptr, indptr_), wide(indices, indices_),
                                                span_of(data)};
    }

    operator const naively::Sparse&() const { return block_; }

private:
    template <class I>
    static bool plain(const AnyVector& v) {
        return v.dtype() == nb::dtype<I>() && (v.stride(0) == 1 || v.size() < 2);
    }

    static std::span<const std::int64_t> wide(const AnyVector& from, std::vector<std::int64_t>& to) {
        std::visit(
            [&](const auto& strip) {
                for (std::size_t i = 0; i < strip.size; ++i) to.push_back(strip[i]);
            },
            codes_of(from));
        return to;
    }

    std::vector<std::int64_t> indptr_, indices_;
    naively::Sparse block_;
};

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

bool any_infinite(const AnyMatrix& values) {
    const auto real = real_of(values);
    nb::gil_scoped_release released;
    return naively::any_infinite(real);
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

std::vector<std::size_t> offsets_of(const AnyVector& offsets, std::size_t n_columns,
                                    std::size_t n_lines) {
    same("offsets", offsets.size(), n_columns + 1);
    std::vector<std::size_t> all;
    std::visit(
        [&](const auto& strip) {
            for (std::size_t j = 0; j < strip.size; ++j) {
                const auto at = static_cast<std::uint64_t>(strip[j]);  // a negative one is huge
                if (at > n_lines || (j && at < all.back()))
                    naively::refuse("offsets that do not rise within the " +
                                    std::to_string(n_lines) + " lines of the table");
                all.push_back(at);
            }
        },
        codes_of(offsets));
    return all;
}

void table_scores(const std::vector<AnyVector>& columns, const Matrix& table,
                  const AnyVector& offsets, const Scores& out) {
    const auto codes = codes_of(columns, out.shape(0));
    const auto starts = offsets_of(offsets, columns.size(), table.shape(0));
    same("classes", table.shape(1), out.shape(1));
    nb::gil_scoped_release released;
    naively::table_scores(codes, span_of(table), starts, out.shape(1), {out.data(), out.size()});
}

Rows gaussian_scores(const AnyMatrix& values, const Matrix& mu, const Matrix& inv_scale,
                     const Matrix& log_norm, double lowest, const Scores& out) {
    const auto real = real_of(values);
    const std::size_t classes = out.shape(1), columns = values.shape(1);
    same("rows", out.shape(0), values.shape(0));
    shaped("mu", mu, classes, columns);
    shaped("inv_scale", inv_scale, classes, columns);
    shaped("log_norm", log_norm, classes, columns);
    std::vector<std::int64_t> left_out;
    {
        nb::gil_scoped_release released;
        left_out = naively::gaussian_scores(real, span_of(mu), span_of(inv_scale),
                                            span_of(log_norm), lowest, classes,
                                            {out.data(), out.size()});
    }
    return given(left_out);
}

void linear_scores(const AnyMatrix& values, const Matrix& eta, const Matrix& a,
                   const Scores& out) {
    const auto real = real_of(values);
    same("rows", out.shape(0), values.shape(0));
    shaped("eta", eta, out.shape(1), values.shape(1));
    shaped("a", a, out.shape(1), values.shape(1));
    nb::gil_scoped_release released;
    naively::linear_scores(real, span_of(eta), span_of(a), out.shape(1), {out.data(), out.size()});
}

void sparse_scores(const AnyVector& indptr, const AnyVector& indices, const Vector& data,
                   const Matrix& eta, const Scores& out) {
    const SparseOf block(indptr, indices, data);
    shaped("out", out, indptr.size() - 1, eta.shape(0));
    nb::gil_scoped_release released;
    naively::sparse_scores(block, span_of(eta), eta.shape(1), eta.shape(0),
                           {out.data(), out.size()});
}

Rows impossible_rows(const Matrix& scores) {
    if (scores.shape(1) == 0) naively::refuse("rows without classes");
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release released;
        rows = naively::impossible_rows(span_of(scores), scores.shape(1));
    }
    return given(rows);
}

Rows best_classes(const Matrix& scores) {
    if (scores.shape(1) == 0) naively::refuse("rows without classes");
    std::vector<std::int64_t> best(scores.shape(0));
    {
        nb::gil_scoped_release released;
        naively::best_classes(span_of(scores), scores.shape(1), best);
    }
    return given(best);
}

void posterior(const Scores& scores) {
    if (scores.shape(1) == 0) naively::refuse("a posterior over no classes");
    nb::gil_scoped_release released;
    naively::posterior(scores.shape(1), {scores.data(), scores.size()});
}

Answer log_sum_exp(const Matrix& log_joint) {
    if (log_joint.shape(1) == 0) naively::refuse("a sum over no classes");
    Zeros sums(log_joint.shape(0), 1);
    {
        nb::gil_scoped_release released;
        naively::log_sum_exp(span_of(log_joint), log_joint.shape(1), sums.out());
    }
    nb::capsule owner(sums.data.get(),
                      [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return Answer(sums.data.release(), {sums.rows}, owner);
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The kernels of naively.kernels, compiled.";
    m.def("threads", &naively::threads);
    m.def("set_threads", &naively::set_threads, "n"_a);
    m.def("any_infinite", &any_infinite, "values"_a);
    m.def("count_codes", &count_codes, "columns"_a, "sizes"_a, "group"_a, "weight"_a.none(),
          "n_groups"_a);
    m.def("group_sums", &group_sums, "values"_a, "group"_a, "weight"_a.none(), "n_groups"_a);
    m.def("group_moments", &group_moments, "values"_a, "group"_a, "weight"_a.none(), "shift"_a,
          "n_groups"_a);
    m.def("sparse_sums", &sparse_sums, "indptr"_a, "indices"_a, "data"_a, "group"_a,
          "weight"_a.none(), "n_groups"_a, "n_columns"_a);
    m.def("table_scores", &table_scores, "columns"_a, "table"_a, "offsets"_a,
          "out"_a.noconvert());
    m.def("gaussian_scores", &gaussian_scores, "values"_a, "mu"_a, "inv_scale"_a, "log_norm"_a,
          "lowest"_a, "out"_a.noconvert());
    m.def("linear_scores", &linear_scores, "values"_a, "eta"_a, "a"_a, "out"_a.noconvert());
    m.def("sparse_scores", &sparse_scores, "indptr"_a, "indices"_a, "data"_a, "eta"_a,
          "out"_a.noconvert());
    m.def("impossible_rows", &impossible_rows, "scores"_a);
    m.def("best_classes", &best_classes, "scores"_a);
    m.def("posterior", &posterior, "scores"_a.noconvert());
    m.def("log_sum_exp", &log_sum_exp, "log_joint"_a);
    bind_row(m);
}
