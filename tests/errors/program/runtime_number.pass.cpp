// The twin of runtime_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto factor = stg::scalar<"factor">;
constexpr auto model = [](auto v) {
  return v(x) * v(factor);
};
auto compiled = stg::compile<model>();
