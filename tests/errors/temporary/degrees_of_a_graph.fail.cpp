// The degrees of a graph that is gone before the loop begins.
// shown: stg: the graph is gone with its degrees; give it a name first
#include <stg/stg.hpp>

inline std::int64_t edges(const stg::graph& g) {
  std::int64_t sum = 0;
  for (const std::int32_t d : g.coalesce().out_degrees()) sum += d;  // <- here
  return sum;
}
