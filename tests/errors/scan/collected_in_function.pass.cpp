// The twin of collected_in_function.fail.cpp.
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
constexpr auto body = [](auto v) {
  return mean(square(v(y)), stg::all_vertices);
};
constexpr auto model = [](auto v) {
  auto errors = stg::scan<"T">(v, body);
  return NAME(stg::stacked(errors), stg::axis<0>);
};
auto compiled = stg::compile<model>();
