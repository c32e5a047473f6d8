// The number of an axis where its type belongs.
// build error: stg: NAME takes an axis as a type; write NAME\(x, axis<1>\)
// each NAME: mean softmax log_softmax
#include <stg/stg.hpp>

constexpr auto q = stg::vertex_feature<"q", 8, 4>;
constexpr auto model = [](auto v) {
  return NAME(v(q), 1);  // <- here
};
auto compiled = stg::compile<model>();
