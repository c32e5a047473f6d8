// The twin of graph_of_two_lists.fail.cpp.
#include <stg/stg.hpp>

#include <vector>

auto graph_of(const std::vector<std::int64_t>& src, const std::vector<std::int64_t>& dst) {
  return stg::graph::from_edges(3, src, dst);
}
