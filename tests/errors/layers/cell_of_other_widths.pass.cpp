// The twin of cell_of_other_widths.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto h = stg::vertex_feature<"h", 16>;
inline constexpr auto W = stg::parameter<"W", 8, 64>;
inline constexpr auto U = stg::parameter<"U", 16, 64>;
inline constexpr auto b = stg::parameter<"b", 64>;
constexpr auto model = [](auto v) {
  return stg::nn::lstm{W, U, b}(v, v(x), v(h), v(h)).h;
};
auto compiled = stg::compile<model>();
