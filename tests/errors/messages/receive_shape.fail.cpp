// A message that is received without extents.
// build error: stg: receive takes a name, a type and extents: receive<"h", stg::f64, 16>\(v, stg::at_rank\(0\)\)
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto model = [](auto v) {
  return stg::receive<"h", 0, 4>(v, stg::at_rank(0));  // <- here
};
auto compiled = stg::compile<model>();
