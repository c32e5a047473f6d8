// A layer under its name in PyTorch Geometric.
// build error: stg: the layer NAME is .*
// each NAME: GCNConv GATConv GATv2Conv SAGEConv GINConv GINEConv GraphConv TransformerConv ChebConv SGConv APPNP TAGConv ARMAConv EdgeConv PNAConv Linear ReLU Dropout CrossEntropyLoss
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v, v(x), W);  // <- here
};
auto compiled = stg::compile<model>();
