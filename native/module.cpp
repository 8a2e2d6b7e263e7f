// The module: the kernels of src/naively/kernels/, and the objects that answer or learn a row.

#include <nanobind/nanobind.h>

#include "modules.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(_native, m) {
    m.doc() = "The kernels of naively.kernels, compiled.";
    m.def("threads", &naively::threads);
    m.def("set_threads", &naively::set_threads, "n"_a);
    bind_deciding(m);
    bind_learner(m);
    bind_learning(m);
    bind_reading(m);
    bind_row(m);
    bind_scoring(m);
}
