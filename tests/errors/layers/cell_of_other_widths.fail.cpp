// What a cell reads and its state have changed places.
// build error: stg: NAME: x is as wide as its input has rows, the state as its state has: .*
// each NAME: gru{W,U,b} lstm{W,U,b} gconv_gru{W,U,W,b} dcrnn{W,U,W,b} gconv_lstm{W,U,b,b} gc_lstm{W,U,W,b} lrgcn{W,U,b} tgcn{W,W,U,U,b}
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto h = stg::vertex_feature<"h", 16>;
inline constexpr auto W = stg::parameter<"W", 8, 64>;
inline constexpr auto U = stg::parameter<"U", 16, 64>;
inline constexpr auto b = stg::parameter<"b", 64>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v, v(h), v(x), v(h));  // <- here
};
auto compiled = stg::compile<model>();
