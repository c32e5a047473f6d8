// An axis without elements.
// build error: stg: an extent is a positive integer, extent<"F">, or a sum or product of them
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 0>;  // <- here
constexpr auto model = [](auto v) {
  return relu(v(h));
};
auto compiled = stg::compile<model>();
