// The twin of degrees_of_a_graph.fail.cpp.
#include <stg/stg.hpp>

inline std::int64_t edges(const stg::graph& g) {
  std::int64_t sum = 0;
  const stg::graph once = g.coalesce();
  for (const std::int32_t d : once.out_degrees()) sum += d;
  return sum;
}
