// Edge weights for a layer that has no place for them.
// build error: stg: this layer takes no edge weights; pass v in place of weighted\(v, w\), or write it with e\(w\) \* e\.src\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto w = stg::edge_feature<"w">;
constexpr auto U = stg::parameter<"U", 8, 4>;
constexpr auto V = stg::parameter<"V", 8, 4>;
constexpr auto model = [](auto v) {
  return stg::nn::sage_conv(stg::nn::weighted(v, w), v(x), U, V);  // <- here
};
auto compiled = stg::compile<model>();
