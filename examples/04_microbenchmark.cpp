// How fast is your layer? One line registers its forward, backward and step with Google Benchmark.
#include <stg/bench.hpp>               // bench::program
#include <stg/runtime/initialize.hpp>  // normal
#include <stg/stg.hpp>                 // the language

#include <cstdint>  // int32_t
#include <vector>   // vector

inline constexpr auto h = stg::trainable(stg::vertex_feature<"h", 8, 8>);  // heads × dim
inline constexpr auto el = stg::trainable(stg::vertex_feature<"el", 8, 1>);
inline constexpr auto er = stg::trainable(stg::vertex_feature<"er", 8, 1>);

inline constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el) + v(er), 0.2)) * e.src(h));
};

/// Every vertex has `degree` in-edges from vertices all over the graph.
static stg::graph scattered(std::int32_t vertices, std::int32_t degree) {
  std::vector<std::int32_t> src, dst;
  for (std::int32_t v = 0; v < vertices; ++v)
    for (std::int32_t k = 0; k < degree; ++k) {
      src.push_back(static_cast<std::int32_t>((std::int64_t{v} * 7919 + std::int64_t{k} * 104729) % vertices));
      dst.push_back(v);
    }
  return stg::graph::from_edges(vertices, std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst));
}

int main(int argc, char** argv) {
  const auto graph = scattered(100'000, 16);
  stg::tensor<float> H({graph.vertices(), 8, 8}), EL({graph.vertices(), 8, 1}), ER({graph.vertices(), 8, 1});
  stg::normal(H, 0, 1, 1);
  stg::normal(EL, 0, 1, 2);
  stg::normal(ER, 0, 1, 3);

  stg::bench::program<attention>(graph, h = H, el = EL, er = ER);

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
