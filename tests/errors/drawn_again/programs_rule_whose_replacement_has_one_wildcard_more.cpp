// Programs: rule whose replacement has one wildcard more.
// names: auto
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
constexpr auto distribute = stg::rewrite_rule(  // <- here
    [](auto, auto a, auto b) {
      return a * (b + b);
    },
    [](auto, auto a, auto b, auto c) {
      return a * b + a * c;
    });
int main() { std::cout << ir::to_text(examine::rewrite(stg::as_program<model>(), distribute)); }
