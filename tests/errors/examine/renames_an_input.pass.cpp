// The twin of renames_an_input.fail.cpp.
#include <stg/stg.hpp>
#include <stg/examine.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return v(x) + v(x);
};
constexpr auto changed = [](stg::ir::program p) {
  p.names.push_back({stg::text("twice"), p.outputs[0].at});
  return p;
};
auto compiled = stg::compile<model, changed>();
