// The twin of receive_type.fail.cpp.
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto model = [](auto v) {
  return stg::receive<"h", stg::f32, 4>(v, stg::at_rank(0));
};
auto compiled = stg::compile<model>();
