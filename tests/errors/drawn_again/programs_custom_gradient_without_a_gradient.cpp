// Programs: custom_gradient without a gradient.
// names: custom_gradient
#include <stg/data/karate.hpp>
#include <stg/examine.hpp>
#include <stg/rules.hpp>
#include <stg/stg.hpp>
#include <iostream>

namespace examine = stg::examine;
namespace ir = stg::ir;
inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto W = stg::parameter<"W", 34, 8>;
inline constexpr auto model = [](auto v) {
  return relu(matmul(mean(v.in_edges().src(x)), W) / 3.0);
};
inline constexpr auto rounded = stg::custom_gradient([](auto, auto h) {  // <- here
  return round(h);
});
inline constexpr auto deep = [](auto v) {
  return rounded(v, model(v));
};
int main() { std::cout << stg::explain<deep>(); }
