// Layers as PyTorch Geometric calls them: what each is called here.
#pragma once

#include <stg/base/instead.hpp>  // STG_INSTEAD_FREE
#include <stg/dsl/expr.hpp>      // mistake

namespace stg::nn {

STG_INSTEAD_FREE("stg: GCNConv is the function gcn_conv(v, v(x), W)",
                 constexpr mistake GCNConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: GATConv is the function gat_conv(v, v(x), W, a_src, a_dst)",
                 constexpr mistake GATConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: GATv2Conv is the function gatv2_conv(v, v(x), W_src, W_dst, a)",
                 constexpr mistake GATv2Conv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: SAGEConv is the function sage_conv(v, v(x), U, W)",
                 constexpr mistake SAGEConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: GINConv is the function gin_conv(v, v(x), mlp)",
                 constexpr mistake GINConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: GINEConv is the function gine_conv(v, v(x), u, mlp)",
                 constexpr mistake GINEConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: GraphConv is the function graph_conv(v, v(x), U, W)",
                 constexpr mistake GraphConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: TransformerConv is the function transformer_conv<8, 16>(v, v(x), Q, K, V, S)",
                 constexpr mistake TransformerConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: ChebConv is the function cheb_conv(v, v(x), W0, W1)",
                 constexpr mistake ChebConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: SGConv is the function sgc(v, v(x), W, 2)",
                 constexpr mistake SGConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: APPNP is the function appnp(v, h, 10, 0.1)",
                 constexpr mistake APPNP(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: TAGConv is the function tag_conv(v, v(x), W0, W1)",
                 constexpr mistake TAGConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: ARMAConv is the function arma_conv(v, v(x), W, V)",
                 constexpr mistake ARMAConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: EdgeConv is the function edge_conv(v, v(x), mlp)",
                 constexpr mistake EdgeConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: PNAConv is the function pna_conv(v, v(x), A, B, U, 1.5)",
                 constexpr mistake PNAConv(any, any = {}, any = {}, any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: Linear is the function matmul(h, W), or with a bias linear(h, W, b)",
                 constexpr mistake Linear(any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: ReLU is the function relu(h)", constexpr mistake ReLU(any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: Dropout is the function dropout(h, 0.5)",
                 constexpr mistake Dropout(any = {}, any = {}, any = {}))
STG_INSTEAD_FREE("stg: CrossEntropyLoss is the function cross_entropy(logits, v(label), v(mask))",
                 constexpr mistake CrossEntropyLoss(any = {}, any = {}, any = {}))

}  // namespace stg::nn
