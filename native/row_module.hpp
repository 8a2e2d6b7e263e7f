#pragma once

#include <nanobind/nanobind.h>

void bind_row(nanobind::module_& m);
