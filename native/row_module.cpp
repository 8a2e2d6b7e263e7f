// The Python face of the row scorer: cells come from a dict or from one row of an array.


#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "kernels.hpp"
#include "modules.hpp"
#include "row.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Answer = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;

std::span<const double> span_of(const Vector& v, std::size_t expected) {
    if (v.shape(0) != expected) naively::refuse("parameters for another number of classes");
    return {v.data(), v.shape(0)};
}

class RowScorer {
   public:
    RowScorer(const Vector& log_prior, double lowest)
        : row_({log_prior.data(), log_prior.shape(0)}, lowest) {
        if (log_prior.shape(0) == 0) naively::refuse("no classes");
    }

    // `position` is the column's place in an array, `name` its key in a dict.
    void add_gaussian(nb::str name, std::size_t position, const Vector& mu, const Vector& inv_scale,
                      const Vector& log_norm) {
        const std::size_t n = row_.n_classes();
        row_.add_gaussian(span_of(mu, n), span_of(inv_scale, n), span_of(log_norm, n));
        columns_.push_back({name, position, std::nullopt, false});
    }

    void add_linear(nb::str name, std::size_t position, const Vector& eta, const Vector& a,
                    double low, double high, bool whole, bool truth) {
        const std::size_t n = row_.n_classes();
        row_.add_linear(span_of(eta, n), span_of(a, n), low, high, whole);
        columns_.push_back({name, position, std::nullopt, truth});
    }

    void add_table(nb::str name, std::size_t position, nb::dict codes, const Matrix& table) {
        if (table.shape(1) != row_.n_classes() || table.shape(0) != codes.size())
            naively::refuse("a table of another shape");
        row_.add_table({table.data(), table.shape(0) * table.shape(1)});
        columns_.push_back({name, position, codes, false});
        numeric_ = false;
    }

    // The best class of a row, or -1 where the general path must answer.
    int best(const nb::dict& cells) { return best_of(read(cells)); }
    int best_at(const Matrix& x) { return best_of(read(x)); }

    std::optional<Answer> posterior(const nb::dict& cells) { return posterior_of(read(cells)); }
    std::optional<Answer> posterior_at(const Matrix& x) { return posterior_of(read(x)); }

   private:
    struct Column {
        nb::str name;
        std::size_t position;
        std::optional<nb::dict> codes;  // of a column of labels
        bool truth;      // whether its cells are truth values
    };
    struct Room {
        std::vector<naively::Cell> cells;
        std::vector<double> scores;
    };

    Room& room() {
        thread_local Room kept;  // no allocation a row, and threads may ask at once
        kept.cells.resize(columns_.size());
        kept.scores.resize(row_.n_classes());
        return kept;
    }

    bool read(const nb::dict& given) {
        Room& here = room();
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            PyObject* cell = PyDict_GetItemWithError(given.ptr(), columns_[j].name.ptr());
            if (cell == nullptr || !read_cell(cell, columns_[j], here.cells[j])) {
                PyErr_Clear();
                return false;
            }
        }
        return row_.score(here.cells.data(), here.scores.data());
    }

    static bool read_cell(PyObject* cell, const Column& column, naively::Cell& out) {
        out = {std::numeric_limits<double>::quiet_NaN(), -1};
        if (cell == Py_None) return true;
        if (column.codes) {
            if (!PyUnicode_CheckExact(cell) && !PyLong_CheckExact(cell)) return false;
            PyObject* code = PyDict_GetItemWithError(column.codes->ptr(), cell);
            if (code == nullptr) return false;  // unseen: to be counted and said
            out.code = PyLong_AsLongLong(code);
            return true;
        }
        if (PyFloat_Check(cell)) out.number = PyFloat_AsDouble(cell);
        else if (PyLong_CheckExact(cell)) out.number = PyLong_AsDouble(cell);
        else if (column.truth && PyBool_Check(cell)) out.number = cell == Py_True;
        else return false;
        return !std::isinf(out.number) && PyErr_Occurred() == nullptr;
    }

    bool read(const Matrix& x) {
        if (!numeric_ || x.shape(0) != 1) return false;
        Room& here = room();
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            if (columns_[j].position >= x.shape(1)) return false;
            here.cells[j] = {x.data()[columns_[j].position], -1};
            if (std::isinf(here.cells[j].number)) return false;
        }
        return row_.score(here.cells.data(), here.scores.data());
    }

    int best_of(bool scored) {
        if (!scored) return -1;
        const std::vector<double>& s = room().scores;
        return static_cast<int>(std::max_element(s.begin(), s.end()) - s.begin());
    }

    std::optional<Answer> posterior_of(bool scored) {
        if (!scored) return std::nullopt;
        const std::vector<double>& s = room().scores;
        double* out = new double[s.size()];
        nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<double*>(p); });
        std::copy(s.begin(), s.end(), out);
        naively::posterior(s.size(), {out, s.size()});
        return Answer(out, {1, s.size()}, owner);
    }

    naively::Row row_;
    std::vector<Column> columns_;
    bool numeric_ = true;  // whether every column is a number, so that an array row will do
};

}  // namespace

void bind_row(nb::module_& m) {
    nb::class_<RowScorer>(m, "RowScorer")
        .def(nb::init<const Vector&, double>(), "log_prior"_a, "lowest"_a)
        .def("add_gaussian", &RowScorer::add_gaussian, "name"_a, "position"_a, "mu"_a,
             "inv_scale"_a, "log_norm"_a)
        .def("add_linear", &RowScorer::add_linear, "name"_a, "position"_a, "eta"_a, "a"_a, "low"_a,
             "high"_a, "whole"_a, "truth"_a)
        .def("add_table", &RowScorer::add_table, "name"_a, "position"_a, "codes"_a, "table"_a)
        .def("best", &RowScorer::best, "row"_a)
        .def("best", &RowScorer::best_at, "row"_a)
        .def("posterior", &RowScorer::posterior, "row"_a)
        .def("posterior", &RowScorer::posterior_at, "row"_a);
}
