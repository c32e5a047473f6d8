// The twin of stored_and_inlined.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return 2.0 * stored(exp(v(x)));
};
auto compiled = stg::compile<model>();
