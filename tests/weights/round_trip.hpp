// All layers of the peer's file through from_pyg and back by to_pyg.
#pragma once

#include <stg/data/safetensors.hpp>  // safetensors_file, safetensors_writer
#include <stg/door/pyg_weights.hpp>  // from_pyg, to_pyg

#include <string>  // string
#include <vector>  // vector

namespace stg::test {

/// The cases of pyg_weights.py whose weights a layer has.
inline const std::vector<std::string> relations_of_hgt{"a__writes__p", "p__cites__p"};
template <class Each> void each_case(const Each& each) {
#define STG_CASE(layer, name)                                           \
  each(name, [](const safetensors_file& from, safetensors_writer& to) { \
    nn::to_pyg::layer(to, name, nn::from_pyg::layer(from, name));       \
  });
#define STG_CASE_OF_NAME(layer) STG_CASE(layer, #layer)
  STG_CASE_OF_NAME(gcn_conv)
  STG_CASE(gcn_conv, "gcn_conv_weighted")
  STG_CASE_OF_NAME(cheb_conv)
  STG_CASE_OF_NAME(tag_conv)
  STG_CASE_OF_NAME(sgc)
  STG_CASE_OF_NAME(arma_conv)
  STG_CASE_OF_NAME(gat_conv)
  STG_CASE(gat_conv, "gat_conv_edges")
  STG_CASE_OF_NAME(gatv2_conv)
  STG_CASE(gatv2_conv, "gatv2_conv_edges")
  STG_CASE_OF_NAME(transformer_conv)
  STG_CASE(transformer_conv, "transformer_conv_edges")
  STG_CASE_OF_NAME(sage_conv)
  STG_CASE(sage_conv, "sage_conv_max")
  STG_CASE_OF_NAME(graph_conv)
  STG_CASE_OF_NAME(gin_conv)
  STG_CASE_OF_NAME(gine_conv)
  STG_CASE_OF_NAME(edge_conv)
  STG_CASE_OF_NAME(pna_conv)
  STG_CASE(pna_conv, "pna_conv_edges")
  STG_CASE_OF_NAME(res_gated_conv)
  STG_CASE(res_gated_conv, "res_gated_conv_edges")
  STG_CASE_OF_NAME(film_conv)
  STG_CASE_OF_NAME(rgcn_conv)
  STG_CASE_OF_NAME(han_conv)
  STG_CASE_OF_NAME(gated_graph)
  STG_CASE_OF_NAME(layer_norm)
  STG_CASE(layer_norm, "layer_norm_graph")
  STG_CASE_OF_NAME(graph_norm)
  STG_CASE_OF_NAME(batch_norm)
  STG_CASE_OF_NAME(global_attention_pool)
  STG_CASE_OF_NAME(set2set)
  STG_CASE_OF_NAME(jumping_knowledge_lstm)
  STG_CASE_OF_NAME(gru)
  STG_CASE_OF_NAME(lstm)
  STG_CASE_OF_NAME(tgcn)
  STG_CASE_OF_NAME(gconv_gru)
  STG_CASE_OF_NAME(gconv_lstm)
  STG_CASE_OF_NAME(gc_lstm)
  STG_CASE_OF_NAME(lrgcn)
  STG_CASE_OF_NAME(dygr_encoder)
  STG_CASE_OF_NAME(mpnn_lstm)
#undef STG_CASE_OF_NAME
#undef STG_CASE
  each("rgcn_conv_whole", [](const safetensors_file& from, safetensors_writer& to) {
    auto of = nn::from_pyg::rgcn_conv(from, "rgcn_conv_whole");
    of.coefficients = {};  // of one basis for each relation, which PyG then does not have
    nn::to_pyg::rgcn_conv(to, "rgcn_conv_whole", of);
  });
  each("hgt_conv", [](const safetensors_file& from, safetensors_writer& to) {
    nn::to_pyg::hgt_conv(to, "hgt_conv", nn::from_pyg::hgt_conv(from, "hgt_conv", relations_of_hgt), relations_of_hgt);
  });
}

}  // namespace stg::test
