// The twin of position_of_an_output.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 7>;
inline constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};

auto result(stg::tape_of<model>& tape) { return tape.output<0>(); }
