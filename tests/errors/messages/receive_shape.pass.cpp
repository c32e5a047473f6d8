// The twin of receive_shape.fail.cpp.
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto model = [](auto v) {
  return stg::receive<"h", 1, 4>(v, stg::at_rank(0));
};
auto compiled = stg::compile<model>();
