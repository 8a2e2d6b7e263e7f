// The Python face of the learner: a few rows and the codes of their classes.

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "learner.hpp"
#include "modules.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace naively::arguments;

namespace {

class Learner {
public:
    Learner(const Vector& shift, const Vector& count, const Matrix& n, const Matrix& mean,
            const Matrix& m2)
        : learner_(span_of(shift), span_of(count), span_of(n), span_of(mean), span_of(m2)) {
        for (const Matrix* lines : {&n, &mean, &m2})
            shaped("moments", *lines, count.size(), shift.size());
    }

    bool learn(const Matrix& rows, const std::vector<std::int64_t>& group) {
        if (rows.shape(0) != group.size() || rows.shape(1) != learner_.n_columns()) return false;
        return is_aligned<double>(rows.data()) && learner_.learn(rows.data(), group);
    }

    std::tuple<std::int64_t, Answer, Result, Result, Result> state() const {
        return {learner_.rows(), vector(learner_.count()), matrix(learner_.n()),
                matrix(learner_.mean()), matrix(learner_.m2())};
    }

private:
    Result matrix(const std::vector<double>& values) const {
        return copied(values, learner_.n_groups(), learner_.n_columns()).give();
    }

    static Answer vector(const std::vector<double>& values) {
        return copied(values, values.size(), 1).give_vector();
    }

    static Zeros copied(const std::vector<double>& values, std::size_t rows, std::size_t columns) {
        Zeros copy(rows, columns);
        std::copy(values.begin(), values.end(), copy.out().begin());
        return copy;
    }

    naively::Learner learner_;
};

}  // namespace

void bind_learner(nb::module_& m) {
    nb::class_<Learner>(m, "Learner")
        .def(nb::init<const Vector&, const Vector&, const Matrix&, const Matrix&, const Matrix&>(),
             "shift"_a, "count"_a, "n"_a, "mean"_a, "m2"_a)
        .def("learn", &Learner::learn, "rows"_a.noconvert(), "group"_a)
        .def("state", &Learner::state);
}
