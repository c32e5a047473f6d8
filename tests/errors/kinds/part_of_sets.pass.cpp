#include <stg/distributed/distributed_graph.hpp>
#include <stg/stg.hpp>

constexpr auto plain = stg::vertex_feature<"plain", 4>;
constexpr auto layer = [](auto v) {
  return sum(v.in_edges().src(plain));
};
auto model = stg::compile<layer>();

auto called(const stg::distributed_graph& g, const stg::tensor<float>& X) { return model(g, plain = X); }
