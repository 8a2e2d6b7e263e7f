// The Python face of the kernels that score.

#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "modules.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace naively::arguments;

namespace {

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

void prior_scores(const Vector& log_prior, const Scores& out) {
    same("classes", log_prior.size(), out.shape(1));
    nb::gil_scoped_release released;
    naively::prior_scores(span_of(log_prior), out_of(out));
}

Rows table_scores(const std::vector<AnyVector>& columns, const Matrix& table,
                  const AnyVector& offsets, const Scores& out) {
    const naively::Out scores = out_of(out);
    const auto codes = codes_of(columns, out.shape(0));
    const auto starts = offsets_of(offsets, columns.size(), table.shape(0));
    same("classes", table.shape(1), out.shape(1));
    std::vector<std::int64_t> ranges;
    {
        nb::gil_scoped_release released;
        ranges = naively::table_scores(codes, span_of(table), starts, out.shape(1), scores);
    }
    return given(std::move(ranges));
}

Rows gaussian_scores(const AnyMatrix& values, const Matrix& mu, const Matrix& inv_scale,
                     const Matrix& log_norm, double lowest, const Scores& out) {
    const naively::Out scores = out_of(out);
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
                                            span_of(log_norm), lowest, classes, scores);
    }
    return given(std::move(left_out));
}

void linear_scores(const AnyMatrix& values, const Matrix& eta, const Matrix& a,
                   const Scores& out) {
    const naively::Out scores = out_of(out);
    const auto real = real_of(values);
    same("rows", out.shape(0), values.shape(0));
    shaped("eta", eta, out.shape(1), values.shape(1));
    shaped("a", a, out.shape(1), values.shape(1));
    nb::gil_scoped_release released;
    naively::linear_scores(real, span_of(eta), span_of(a), out.shape(1), scores);
}

void sparse_scores(const AnyVector& indptr, const AnyVector& indices, const Vector& data,
                   const Matrix& eta, const Scores& out) {
    const naively::Out scores = out_of(out);
    const SparseOf block(indptr, indices, data);
    shaped("out", out, indptr.size() - 1, eta.shape(0));
    nb::gil_scoped_release released;
    naively::sparse_scores(block, span_of(eta), eta.shape(1), eta.shape(0), scores);
}

}  // namespace

void bind_scoring(nb::module_& m) {
    m.def("prior_scores", &prior_scores, "log_prior"_a, "out"_a.noconvert());
    m.def("table_scores", &table_scores, "columns"_a, "table"_a, "offsets"_a,
          "out"_a.noconvert());
    m.def("gaussian_scores", &gaussian_scores, "values"_a, "mu"_a, "inv_scale"_a, "log_norm"_a,
          "lowest"_a, "out"_a.noconvert());
    m.def("linear_scores", &linear_scores, "values"_a, "eta"_a, "a"_a, "out"_a.noconvert());
    m.def("sparse_scores", &sparse_scores, "indptr"_a, "indices"_a, "data"_a, "eta"_a,
          "out"_a.noconvert());
}
