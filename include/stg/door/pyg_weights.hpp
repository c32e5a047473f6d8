// Opt-in: weights of PyTorch Geometric's layers for those of nn/, from a file of safetensors, and back.
//
// A state_dict of PyTorch, saved by safetensors.torch.save_file, names its tensors by the layers of a model:
// conv1.bias, conv1.lin.weight. A function of from_pyg takes the file and the name of one layer, "conv1", and gives
// what the layer of nn/ of the same name takes: matrices (in, out), heads apart, gates joined in the order of nn/.
// Members are named after the layer's arguments. A bias that the file lacks is zeros; a part that a layer has only with
// certain options, such as matrices of edge features, is an empty tensor, (0,). Numbers of any type become float.
//
// A function of to_pyg writes the same members under PyG's names, each as PyG holds it; empty tensors are left out.
// What from_pyg had to add up, such as the two biases of an LSTM, goes into the first of them, and zeros into the
// others.
//
//   const stg::safetensors_file file("gat.safetensors");
//   auto conv1 = stg::nn::from_pyg::gat_conv(file, "conv1");
//   params[W].assign(conv1.W);                               // or bound in a call: model(graph, W = conv1.W, …)
//
// Errors of from_pyg: a tensor that is missing, with its name, and a shape that the layer cannot have.
#pragma once

#include <map>          // map
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/data/safetensors.hpp>  // safetensors_file, safetensors_writer
#include <stg/runtime/tensor.hpp>    // tensor

namespace stg::nn {

/// The parameters of layers, as those of nn/ take them.
namespace weights {

using values = tensor<float>;

/// x W + bias: PyTorch's and PyG's Linear.
struct linear {
  values W, bias;
};
/// The linear layers of a Sequential, in order, with their places: 0 and 2 where an activation stands between.
struct mlp {
  std::vector<linear> layers;
  std::vector<int> places;
};

/// gcn_conv(v, x, W) + bias: GCNConv; with `sgc` SGConv.
struct gcn_conv {
  values W, bias;
};
struct sgc {
  values W, bias;
};
/// cheb_conv(v, x, W[0], W[1], …) + bias: ChebConv; with `tag_conv` TAGConv.
struct cheb_conv {
  std::vector<values> W;
  values bias;
};
struct tag_conv {
  std::vector<values> W;
  values bias;
};
/// One stack of arma_conv: W and V of each step, and the bias that a function adds in the place of V. With
/// shared_weights the file has one V, and W of the first step and of all others.
struct arma_stack {
  std::vector<values> W, V, bias;
};
/// ARMAConv: the mean of its stacks.
struct arma_conv {
  std::vector<arma_stack> stacks;
};
/// gat_conv(v, x, W, a_src, a_dst), or with edges, then + bias on the joined heads: GATConv. W_residual is that of
/// residual = True.
struct gat_conv {
  values W, a_src, a_dst, bias, W_edge, a_edge, W_residual;
};
/// gatv2_conv: GATv2Conv. b_src and b_dst are added by functions in the places of W_src and W_dst.
struct gatv2_conv {
  values W_src, b_src, W_dst, b_dst, a, bias, W_edge, W_residual;
};
/// transformer_conv: TransformerConv. Biases are added by functions in the places of the matrices.
struct transformer_conv {
  values W_query, b_query, W_key, b_key, W_value, b_value, W_self, b_self, W_edge, W_beta;
};
/// sage_conv(v, x, W_self, W_neighbours) + bias: SAGEConv. project is that of project = True: x is its relu first.
struct sage_conv {
  values W_self, W_neighbours, bias;
  linear project;
};
/// graph_conv(v, x, W_self, W_neighbours) + bias: GraphConv.
struct graph_conv {
  values W_self, W_neighbours, bias;
};
/// gin_conv(v, x, mlp, eps): GINConv. eps () is a scalar.
struct gin_conv {
  weights::mlp mlp;
  values eps;
};
/// gine_conv(v, x, u, mlp, eps): GINEConv. edge, where the file has it, makes u of a feature of edges.
struct gine_conv {
  weights::mlp mlp;
  values eps;
  linear edge;
};
/// edge_conv(v, x, mlp): EdgeConv.
struct edge_conv {
  weights::mlp mlp;
};
/// A tower of pna_conv; bias is that of messages, added by a function in the place of W_dst, and b_u that in the place
/// of U.
struct pna_tower {
  values W_dst, W_src, W_edge, bias, U, b_u;
};
/// PNAConv with linear pre_nns and post_nns, the aggregators mean, std, max, min and the scalers identity,
/// amplification, attenuation, in this order. edge makes the u that W_edge multiplies; last is its linear layer at the
/// end; delta () a scalar. mean_degree is of scalers that nn/ does not have, and kept for the way back.
struct pna_conv {
  std::vector<pna_tower> towers;
  linear edge, last;
  values delta, mean_degree;
};
/// res_gated_conv(v, x, W_self, W_value, G_dst, G_src) + bias: ResGatedGraphConv. The other biases are added by
/// functions in the places of the matrices.
struct res_gated_conv {
  values W_self, bias, W_value, b_value, G_dst, b_dst, G_src, b_src, W_edge, G_edge;
};
/// A modulation of film_conv; biases by functions in the places of the matrices.
struct film {
  values W, gamma, b_gamma, beta, b_beta;
};
/// FiLMConv: of the vertex itself, and of each relation.
struct film_conv {
  film self;
  std::vector<film> relations;
};
/// rgcn_conv(v, x, relation, W_self, bases, coefficients) + bias: RGCNConv. Without num_bases a basis for each
/// relation, whose coefficients are 1 and 0.
struct rgcn_conv {
  values W_self, bases, coefficients, bias;
};
/// One relation of han_conv: a_src and a_dst (heads, dim).
struct han_relation {
  values a_src, a_dst;
};
/// HANConv: projections of vertex sets and relations by their names, "author" and "author__writes__paper"; told and
/// asks as han_conv takes them.
struct han_conv {
  std::map<std::string, linear> project;
  std::map<std::string, han_relation> relations;
  linear told;
  values asks;
};
/// A vertex set of hgt_conv: keys, queries and messages of its values, and what is made of the sum. skip () is a
/// scalar.
struct hgt_set {
  linear key, query, message, out;
  values skip;
};
/// A relation of it: W and V (heads, dim, dim), prior (heads).
struct hgt_edges {
  values W, V, prior;
};
/// HGTConv, by the names of vertex sets and relations.
struct hgt_conv {
  std::map<std::string, hgt_set> sets;
  std::map<std::string, hgt_edges> relations;
};

/// lstm{I, S, bias}: LSTM with one layer, and LSTMCell. Two biases are one here.
struct lstm {
  values I, S, bias;
};
/// gru{I, [](auto h) { return linear(h, S, b_state); }, bias}: GRU with one layer, and GRUCell.
struct gru {
  values I, S, bias, b_state;
};
/// gated_graph{gru{…}, W[0], W[1], …}: GatedGraphConv.
struct gated_graph {
  std::vector<values> W;
  gru cell;
};
/// tgcn{W, F, S, N, bias}: PyG-T's TGCN, whose three convolutions stand side by side in W; F keeps them apart: it is 0
/// but for a block of each gate.
struct tgcn {
  values W, F, S, N, bias;
};
/// gconv_gru{chebyshev{I…}, chebyshev{S…}, chebyshev{N…}, bias}: PyG-T's GConvGRU.
struct gconv_gru {
  std::vector<values> I, S, N;
  values bias;
};
/// gconv_lstm{chebyshev{I…}, chebyshev{S…}, p, bias}: PyG-T's GConvLSTM.
struct gconv_lstm {
  std::vector<values> I, S;
  values p, bias;
};
/// gc_lstm{I, chebyshev{S…}, [](auto, auto c) { return c; }, bias}: PyG-T's GCLSTM.
struct gc_lstm {
  values I;
  std::vector<values> S;
  values bias;
};
/// lrgcn{relational{…, input}, relational{…, state}, bias}: PyG-T's LRGCN, whose gates have bases of their own: these
/// stand one after another, each 0 in the columns of the other gates.
struct lrgcn {
  rgcn_conv input, state;
  values bias;
};
/// dygr_encoder{gated_graph{…}, lstm{…}}: PyG-T's DyGrEncoder.
struct dygr_encoder {
  weights::gated_graph gated_graph;
  weights::lstm lstm;
};

/// gain * layer_norm(x) + bias: LayerNorm.
struct layer_norm {
  values gain, bias;
};
/// gain * graph_norm(x, alpha) + bias: GraphNorm.
struct graph_norm {
  values gain, bias, alpha;
};
/// gain * y + bias of batch_norm(x, mean, variance): PyG's BatchNorm, and PyTorch's.
struct batch_norm {
  values gain, bias, mean, variance;
};
/// mpnn_lstm: PyG-T's MPNNLSTM. Biases and norms are added by functions in the places of the two weights.
struct mpnn_lstm {
  gcn_conv conv1, conv2;
  batch_norm norm1, norm2;
  lstm lstm1, lstm2;
};
/// global_attention_pool(x, gate, W): AttentionalAggregation of linear layers; biases by functions in their places.
struct global_attention_pool {
  linear gate, nn;
};
/// set2set(e, x, lstm{…}): Set2Set.
struct set2set {
  weights::lstm lstm;
};
/// jumping_knowledge_lstm(lstm{…}, lstm{…}, score, …): JumpingKnowledge with mode lstm. The bias of its score changes
/// no share.
struct jumping_knowledge_lstm {
  lstm forward, backward;
  values score;
};

}  // namespace weights

// The layers, each a function from_pyg::NAME(file, layer) and to_pyg::NAME(file, layer, weights); linear and mlp are
// PyTorch's Linear and Sequential.
// clang-format off
#define STG_EACH_LAYER_OF_PYG(X) \
  X(linear) X(mlp) X(gcn_conv) X(sgc) X(cheb_conv) X(tag_conv) X(arma_conv) X(gat_conv) \
  X(gatv2_conv) X(transformer_conv) X(sage_conv) X(graph_conv) X(gin_conv) X(gine_conv) \
  X(edge_conv) X(pna_conv) X(res_gated_conv) X(film_conv) X(rgcn_conv) X(han_conv) X(lstm) X(gru) \
  X(gated_graph) X(tgcn) X(gconv_gru) X(gconv_lstm) X(gc_lstm) X(lrgcn) X(dygr_encoder) \
  X(layer_norm) X(graph_norm) X(batch_norm) X(mpnn_lstm) X(global_attention_pool) X(set2set) \
  X(jumping_knowledge_lstm)
// clang-format on

#define STG_READS_LAYER(layer) weights::layer layer(const safetensors_file& file, const std::string& name);
#define STG_WRITES_LAYER(layer) void layer(safetensors_writer& file, const std::string& name, const weights::layer& of);

namespace from_pyg {
STG_EACH_LAYER_OF_PYG(STG_READS_LAYER)
/// relations: PyG's names in the order of the model's metadata, {"author__writes__paper", …}, which a file does not
/// have.
weights::hgt_conv hgt_conv(const safetensors_file& file, const std::string& name,
                           const std::vector<std::string>& relations);
}  // namespace from_pyg

namespace to_pyg {
STG_EACH_LAYER_OF_PYG(STG_WRITES_LAYER)
void hgt_conv(safetensors_writer& file, const std::string& name, const weights::hgt_conv& of,
              const std::vector<std::string>& relations);
}  // namespace to_pyg

#undef STG_READS_LAYER
#undef STG_WRITES_LAYER

}  // namespace stg::nn
