// The twin of position_of_an_output.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};

auto result(stg::tape_of<model>& tape) { return tape.output<0>(); }
