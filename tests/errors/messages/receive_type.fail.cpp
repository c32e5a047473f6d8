// A message of numbers that are only stored.
// build error: stg: receive gives f32, f64, i32 or boolean values
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto model = [](auto v) {
  return stg::receive<"h", stg::bf16, 4>(v, stg::at_rank(0));  // <- here
};
auto compiled = stg::compile<model>();
