// The twin of graph_by_its_constructor.fail.cpp.
#include <stg/stg.hpp>

auto path() { return stg::graph::from_edges(3, {0, 1}, {1, 2}); }
