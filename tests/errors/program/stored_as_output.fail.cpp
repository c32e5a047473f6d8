// The rows of an output, which the caller reads, in two bytes a number.
// build error: stg: stored_as\(x\) is refused for an input or output, in the caller's memory; leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::stored_as<stg::bf16>(exp(v(x)));
};
auto compiled = stg::compile<model>();  // <- here
