// Filling a module.
#pragma once

struct _object;  // Python's

namespace stg::python {

/// Adds the classes of graphs and functions, and the functions of the user's STG_PYTHON, to a module.
void fill(_object* module);

}  // namespace stg::python
