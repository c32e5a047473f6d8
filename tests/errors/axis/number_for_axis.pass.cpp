// The twin of number_for_axis.fail.cpp.
#include <stg/stg.hpp>

constexpr auto q = stg::vertex_feature<"q", 8, 4>;
constexpr auto model = [](auto v) {
  return NAME(v(q), stg::axis<1>);
};
auto compiled = stg::compile<model>();
