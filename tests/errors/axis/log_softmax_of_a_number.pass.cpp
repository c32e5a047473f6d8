// The twin of log_softmax_of_a_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return log_softmax(v(x));
};
auto compiled = stg::compile<model>();
