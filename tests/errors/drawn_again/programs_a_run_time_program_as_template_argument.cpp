// Programs: a run-time program as template argument.
// names: compile
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
int main() {
  const auto club = stg::karate_club();
  const ir::program p = stg::as_program<model>();
  auto run = stg::compile<p>();  // <- here
}
