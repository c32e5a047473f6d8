// Layers as PyTorch Geometric calls them: what each is called here.
#pragma once

#include <stg/base/instead.hpp>  // STG_INSTEAD_FREE
#include <stg/dsl/expr.hpp>      // mistake

namespace stg::nn {

STG_INSTEAD_FREE("stg: the layer GCNConv is gcn_conv(v, v(x), W)", constexpr mistake GCNConv(...))
STG_INSTEAD_FREE("stg: the layer GATConv is gat_conv(v, v(x), W, a_src, a_dst)", constexpr mistake GATConv(...))
STG_INSTEAD_FREE("stg: the layer GATv2Conv is gatv2_conv(v, v(x), W_src, W_dst, a)", constexpr mistake GATv2Conv(...))
STG_INSTEAD_FREE("stg: the layer SAGEConv is sage_conv(v, v(x), U, W)", constexpr mistake SAGEConv(...))
STG_INSTEAD_FREE("stg: the layer GINConv is gin_conv(v, v(x), mlp)", constexpr mistake GINConv(...))
STG_INSTEAD_FREE("stg: the layer GINEConv is gine_conv(v, v(x), u, mlp)", constexpr mistake GINEConv(...))
STG_INSTEAD_FREE("stg: the layer GraphConv is graph_conv(v, v(x), U, W)", constexpr mistake GraphConv(...))
STG_INSTEAD_FREE("stg: the layer TransformerConv is transformer_conv<8, 16>(v, v(x), Q, K, V, S)",
                 constexpr mistake TransformerConv(...))
STG_INSTEAD_FREE("stg: the layer ChebConv is cheb_conv(v, v(x), W0, W1)", constexpr mistake ChebConv(...))
STG_INSTEAD_FREE("stg: the layer SGConv is sgc(v, v(x), W, 2)", constexpr mistake SGConv(...))
STG_INSTEAD_FREE("stg: the layer APPNP is appnp(v, h, 10, 0.1)", constexpr mistake APPNP(...))
STG_INSTEAD_FREE("stg: the layer TAGConv is tag_conv(v, v(x), W0, W1)", constexpr mistake TAGConv(...))
STG_INSTEAD_FREE("stg: the layer ARMAConv is arma_conv(v, v(x), W, V)", constexpr mistake ARMAConv(...))
STG_INSTEAD_FREE("stg: the layer EdgeConv is edge_conv(v, v(x), mlp)", constexpr mistake EdgeConv(...))
STG_INSTEAD_FREE("stg: the layer PNAConv is pna_conv(v, v(x), A, B, U, 1.5)", constexpr mistake PNAConv(...))
STG_INSTEAD_FREE("stg: the layer Linear is matmul(h, W), or with a bias linear(h, W, b)", constexpr mistake Linear(...))
STG_INSTEAD_FREE("stg: the layer ReLU is relu(h)", constexpr mistake ReLU(...))
STG_INSTEAD_FREE("stg: the layer Dropout is dropout(h, 0.5)", constexpr mistake Dropout(...))
STG_INSTEAD_FREE("stg: the layer CrossEntropyLoss is cross_entropy(logits, v(label), v(mask))",
                 constexpr mistake CrossEntropyLoss(...))

}  // namespace stg::nn
