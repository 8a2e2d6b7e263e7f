// The Python face of the row scorer: cells come from a dict or from one row of an array.


#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "arguments.hpp"
#include "modules.hpp"
#include "row.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace naively::arguments;

namespace {

std::span<const double> span_of(const Vector& v, std::size_t expected) {
    if (v.shape(0) != expected) naively::refuse("parameters for another number of classes");
    return naively::arguments::span_of(v);
}

class RowScorer {
   public:
    RowScorer(const Vector& log_prior, double lowest)
        : row_(naively::arguments::span_of(log_prior), lowest) {
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
        row_.add_table(naively::arguments::span_of(table));
        columns_.push_back({name, position, codes, false});
        numeric_ = false;
    }

    // The best class of a row, or -1 where the general path must answer.
    template <class Given>
    int best(const Given& row) const {
        Room room(*this);
        if (!read(row, room)) return -1;
        const std::vector<double>& s = room.scores;
        return static_cast<int>(std::max_element(s.begin(), s.end()) - s.begin());
    }

    template <class Given>
    std::optional<Result> posterior(const Given& row) const {
        Room room(*this);
        if (!read(row, room)) return std::nullopt;
        return posterior_of(room.scores);
    }

   private:
    struct Column {
        nb::str name;
        std::size_t position;
        std::optional<nb::dict> codes;  // of a column of labels
        bool truth;      // whether its cells are truth values
    };
    // Room for a row: the thread keeps it, so that no row allocates any. It is taken away while
    // in use, for the cells of a dict may be found by code that asks for another row meanwhile.
    struct Room {
        std::vector<naively::Cell> cells;
        std::vector<double> scores;

        explicit Room(const RowScorer& scorer)
            : cells(std::move(kept_cells())), scores(std::move(kept_scores())) {
            cells.resize(scorer.columns_.size());
            scores.resize(scorer.row_.n_classes());
        }
        ~Room() {
            kept_cells() = std::move(cells);
            kept_scores() = std::move(scores);
        }
        Room(const Room&) = delete;
        Room& operator=(const Room&) = delete;

    private:
        static std::vector<naively::Cell>& kept_cells() {
            thread_local std::vector<naively::Cell> kept;
            return kept;
        }
        static std::vector<double>& kept_scores() {
            thread_local std::vector<double> kept;
            return kept;
        }
    };

    bool read(const nb::dict& given, Room& room) const {
        for (std::size_t j = 0; j < room.cells.size(); ++j)
            if (!read_cell(given, columns_[j], room.cells[j])) {
                PyErr_Clear();
                return false;
            }
        // The comparison of two keys may even have added a column.
        if (columns_.size() != room.cells.size()) return false;
        return row_.score(room.cells.data(), room.scores.data());
    }

    // A search may run any code: the column may lie elsewhere after it (its dict stays), and the
    // cell may have left the row.
    static bool read_cell(const nb::dict& given, const Column& column, naively::Cell& out) {
        out = {std::numeric_limits<double>::quiet_NaN(), -1};
        PyObject* codes = column.codes ? column.codes->ptr() : nullptr;
        const bool truth = column.truth;
        PyObject* cell = PyDict_GetItemWithError(given.ptr(), column.name.ptr());
        if (cell == nullptr) return false;
        if (cell == Py_None) return true;
        return codes ? read_code(nb::borrow(cell), codes, out.code)
                     : read_number(cell, truth, out.number);
    }

    static bool read_code(const nb::object& cell, PyObject* codes, std::int64_t& out) {
        if (!PyUnicode_CheckExact(cell.ptr()) && !PyLong_CheckExact(cell.ptr())) return false;
        PyObject* code = PyDict_GetItemWithError(codes, cell.ptr());
        if (code == nullptr || !PyLong_CheckExact(code)) return false;  // unseen: to be counted and said
        out = PyLong_AsLongLong(code);
        return out != -1 || PyErr_Occurred() == nullptr;
    }

    static bool read_number(PyObject* cell, bool truth, double& out) {
        if (PyFloat_Check(cell)) out = PyFloat_AsDouble(cell);
        else if (PyLong_CheckExact(cell)) out = PyLong_AsDouble(cell);
        else if (truth && PyBool_Check(cell)) out = cell == Py_True;
        else return false;
        return !std::isinf(out) && PyErr_Occurred() == nullptr;
    }

    bool read(const Matrix& x, Room& room) const {
        if (!numeric_ || x.shape(0) != 1) return false;
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            if (columns_[j].position >= x.shape(1)) return false;
            double number;  // may lie anywhere
            std::memcpy(&number, x.data() + columns_[j].position, sizeof number);
            if (std::isinf(number)) return false;
            room.cells[j] = {number, -1};
        }
        return row_.score(room.cells.data(), room.scores.data());
    }

    static Result posterior_of(const std::vector<double>& s) {
        double* out = new double[s.size()];
        nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<double*>(p); });
        std::copy(s.begin(), s.end(), out);
        naively::posterior(s.size(), {out, s.size()});
        return Result(out, {1, s.size()}, owner);
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
        .def("best", &RowScorer::best<nb::dict>, "row"_a)
        .def("best", &RowScorer::best<Matrix>, "row"_a)
        .def("posterior", &RowScorer::posterior<nb::dict>, "row"_a)
        .def("posterior", &RowScorer::posterior<Matrix>, "row"_a);
}
