// A part of several vertex sets for a plain program.
// build error: stg: the program reads a plain graph, and this is stg::graphs; read a set of it in the lambda: g\(paper\)
#include <stg/distributed/distributed_graphs.hpp>
#include <stg/stg.hpp>

constexpr auto plain = stg::vertex_feature<"plain", 4>;
constexpr auto layer = [](auto v) {
  return sum(v.in_edges().src(plain));
};
auto model = stg::compile<layer>();

auto called(const stg::distributed_graphs& g, const stg::tensor<float>& X) { return model(g, plain = X); }  // <- here
