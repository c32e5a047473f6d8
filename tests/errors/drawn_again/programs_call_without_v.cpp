// Programs: call without v.
// names: call
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
inline constexpr auto V = stg::parameter<"V", 8, 8>;
inline constexpr auto layer = [](auto v, auto h, auto V) {
  return tanh(matmul(mean(v.in_edges().src(h)), V)) + h;
};
inline constexpr auto deep = [](auto v) {
  return call(layer, model(v), V);  // <- here
};
int main() { std::cout << stg::explain<deep>(); }
