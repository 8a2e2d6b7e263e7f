// The Python face of the kernels that decide.


#include "arguments.hpp"
#include "modules.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace naively::arguments;

namespace {

Rows impossible_rows(const Matrix& scores) {
    if (scores.shape(1) == 0) naively::refuse("rows without classes");
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release released;
        rows = naively::impossible_rows(span_of(scores), scores.shape(1));
    }
    return given(std::move(rows));
}

Rows best_classes(const Matrix& scores) {
    if (scores.shape(1) == 0) naively::refuse("rows without classes");
    std::vector<std::int64_t> best(scores.shape(0));
    {
        nb::gil_scoped_release released;
        naively::best_classes(span_of(scores), scores.shape(1), best);
    }
    return given(std::move(best));
}

Rows posterior(const Scores& scores) {
    if (scores.shape(1) == 0) naively::refuse("a posterior over no classes");
    std::vector<std::int64_t> impossible;
    {
        nb::gil_scoped_release released;
        impossible = naively::posterior(scores.shape(1), out_of(scores));
    }
    return given(std::move(impossible));
}

Answer log_sum_exp(const Matrix& log_joint) {
    if (log_joint.shape(1) == 0) naively::refuse("a sum over no classes");
    Zeros sums(log_joint.shape(0), 1);
    {
        nb::gil_scoped_release released;
        naively::log_sum_exp(span_of(log_joint), log_joint.shape(1), sums.out());
    }
    return sums.give_vector();
}

}  // namespace

void bind_deciding(nb::module_& m) {
    m.def("impossible_rows", &impossible_rows, "scores"_a);
    m.def("best_classes", &best_classes, "scores"_a);
    m.def("posterior", &posterior, "scores"_a.noconvert());
    m.def("log_sum_exp", &log_sum_exp, "log_joint"_a);
}
