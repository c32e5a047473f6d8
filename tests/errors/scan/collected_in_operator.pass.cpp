// The twin of collected_in_operator.fail.cpp.
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
constexpr auto body = [](auto v) {
  return mean(square(v(y)), stg::all_vertices);
};
constexpr auto model = [](auto v) {
  auto errors = stg::scan<"T">(v, body);
  return stg::stacked(errors) NAME 2.0;
};
auto compiled = stg::compile<model>();
