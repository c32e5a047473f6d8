// Programs: rule without the vertex.
// names: a
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
constexpr auto commute = stg::rewrite_rule(
    [](auto a, auto b) {
      return a * (b + 1.0);  // <- here
    },
    [](auto a, auto b) {
      return a * b + a;
    });
int main() { std::cout << ir::to_text(examine::rewrite(stg::as_program<model>(), commute)); }
