// The twin of conditions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return (count(in.src(mask)) > 0.0) NAME(count(out.dst(mask)) > 0.0);
};
auto compiled = stg::compile<model>();
