// Cells with weights of PyTorch and of PyG-T that CI compares.
#pragma once

#include "compared.hpp"  // peer

namespace stg::test::cells {

inline constexpr auto I = parameter<"I", 4, 24>;
inline constexpr auto J = parameter<"J", 4, 24>;
inline constexpr auto S = parameter<"S", 6, 24>;
inline constexpr auto R = parameter<"R", 6, 24>;
inline constexpr auto peep = parameter<"peep", 3, 6>;
inline constexpr auto d = parameter<"d", 24>;

inline constexpr auto gconv_lstm = [](auto v) {
  const auto s = nn::gconv_lstm{nn::chebyshev{I, J}, nn::chebyshev{S, R}, peep, d}(v, v(x), v(h), v(c));
  return outputs(s.h, s.c);
};
inline void compare_gconv_lstm(peer& p) {
  const auto of = pyg::gconv_lstm(p.file, "gconv_lstm");
  const auto [next_h, next_c] =
      compile<gconv_lstm>()(p.both_ways, x = p.x, h = p.h, c = p.c, I = of.I.at(0), J = of.I.at(1), S = of.S.at(0),
                            R = of.S.at(1), peep = of.p, d = of.bias);
  p.difference("gconv_lstm", next_h, next_c);
}

}  // namespace stg::test::cells
