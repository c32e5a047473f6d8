// An aggregate of what the vertex has.
// build error: stg: NAME aggregates an edge value; read the vertex value as e\.src\(x\)
// each NAME: argmax argmin log_sum_exp stddev var
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(v(x));  // <- here
};
auto compiled = stg::compile<model>();
