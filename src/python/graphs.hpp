// The classes of graphs of a module.
#pragma once

#include <stg/door/program.hpp>  // called_with

#include <nanobind/nanobind.h>  // module_, handle

#include <memory>  // shared_ptr

namespace stg::python {

/// What Python sees as Blocks; of a sample of several kinds with its graph, whose relations have the values of edges.
struct held_blocks {
  stg::blocks hops;
  std::shared_ptr<const graphs> kinds{};
};

/// Adds Graph, HeteroGraph and GraphSequence to a module.
void add_graphs(nanobind::module_& m);
/// A graph of a call. Errors: an object of another class.
door::called_with graph_of(nanobind::handle given);

}  // namespace stg::python
