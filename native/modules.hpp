// The parts of the module; each stands in a file of its name.
#pragma once

#include <nanobind/nanobind.h>

void bind_deciding(nanobind::module_& m);
void bind_learner(nanobind::module_& m);
void bind_learning(nanobind::module_& m);
void bind_reading(nanobind::module_& m);
void bind_row(nanobind::module_& m);
void bind_scoring(nanobind::module_& m);
