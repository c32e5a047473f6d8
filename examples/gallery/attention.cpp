// Attention over neighbours, with the weights as a second output.
#include <stg/data/karate.hpp>  // karate_club
#include <stg/stg.hpp>          // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto W = stg::parameter<"W", 34, 16>;
inline constexpr auto s = stg::parameter<"s", 4, 4>;  // heads × dim
inline constexpr auto d = stg::parameter<"d", 4, 4>;
inline constexpr auto weights = stg::edge_feature<"weights", 4>;  // a name for an output
inline constexpr auto attend = [](auto v) {
  auto e = v.in_edges();
  auto z = stg::reshape<4, 4>(matmul(v(x), W));
  auto alpha = softmax(leaky_relu(e.src(sum(z * s, stg::axis<1>)) + sum(z * d, stg::axis<1>), 0.2));  // (4) per edge
  return stg::outputs(sum(stg::reshape<4, 1>(alpha) * e.src(z)), weights = alpha);
};

int main() {
  const auto club = stg::karate_club();
  auto params = stg::parameters<attend>();
  stg::initialize(params, 1);
  const auto out = stg::compile<attend>()(club.graph, x = club.features, params);
  const auto alpha = club.graph.to_input_order(out[weights]);  // (156, 4)
  const auto edges = club.graph.edge_list();
  float into_0 = 0;
  for (std::int64_t e = 0; e < alpha.shape()[0]; ++e)
    if (edges.dst[std::size_t(e)] == 0) into_0 += alpha(e, 2);
  std::printf("weights of head 2 into vertex 0 add up to %.3f\n", into_0);
}

// last line: weights of head 2 into vertex 0 add up to 1.000
