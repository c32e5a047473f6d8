// A graph whose kind no compiler sees, for tests of both kinds and of what a call says when it runs.
#pragma once

#include <stg/runtime/graph.hpp>  // graph

namespace stg::test {

/// A graph, or what graphs of several kinds are to a call.
struct any_graph {
  const graph& of;
  operator const graph&() const { return of; }
};

}  // namespace stg::test
