// The twin of conditions_of_widths.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto other = stg::vertex_feature<"other", stg::boolean, 7>;
constexpr auto model = [](auto v) {
  return v(mask) NAME(sum(stg::cast<stg::f32>(v(other)), stg::axis<0>) > 0.0);
};
auto compiled = stg::compile<model>();
