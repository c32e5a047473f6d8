// Samples of a graph, batch after batch.
#pragma once

#include <nanobind/nanobind.h>  // module_

namespace stg::python {

/// The classes NeighborLoader and Batch of a module.
void add_loaders(nanobind::module_& m);

}  // namespace stg::python
