// A cell with its vertex alone.
// build error: stg: NAME has too few or too many arguments; write .*
// each NAME: gru{W,W,b} lstm{W,W,b} gconv_gru{W,W,W,b} dcrnn{W,W,W,b} gconv_lstm{W,W,p,b} gc_lstm{W,W,W,b} lrgcn{W,W,b} tgcn{W,W,W,W,b} dygr_encoder{W,W} evolve_gcn_o{W,W} evolve_gcn_h{b,W,W,W,W} chebyshev{W,W} diffusion{W,W,W} gated_graph{W,W} mpnn_lstm{W,W,W,W} st_conv{W,W,W}
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto b = stg::parameter<"b", 16>;
inline constexpr auto p = stg::parameter<"p", 3, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v);  // <- here
};
auto compiled = stg::compile<model>();
