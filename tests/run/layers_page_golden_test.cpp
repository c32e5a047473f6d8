// test: draft texts, proof kernels 0
// The equations of docs/layers.md: the index form of the layers that are shipped, in the blocks ```text NAME of the
// page.
#include <stg/dsl/symbol.hpp>          // vertex_feature, parameter
#include <stg/dsl/trace.hpp>           // trace
#include <stg/examine/index_text.hpp>  // index_form_to_inputs, to_text
#include <stg/nn/conv.hpp>             // gcn_conv
#include <stg/nn/norm.hpp>             // layer_norm
#include <stg/nn/pool.hpp>             // global_attention_pool
#include <stg/pipeline.hpp>            // canonical_passes
#include <stg/pass/cse.hpp>            // cse
#include <stg/pass/order.hpp>          // order

#include "golden.hpp"  // equals_golden

#include <gtest/gtest.h>  // TEST

#include <fstream>   // ifstream
#include <iterator>  // istreambuf_iterator
#include <set>       // set
#include <string>    // string
#include <vector>    // vector

namespace {

using namespace stg;

// As the page has them.
inline constexpr auto x = vertex_feature<"x", 32>;
inline constexpr auto h = vertex_feature<"h", 16>;
inline constexpr auto w = edge_feature<"w">;
inline constexpr auto u = edge_feature<"u", 32>;
inline constexpr auto relation = edge_feature<"relation", i32>;
inline constexpr auto W = parameter<"W", 32, 16>;
template <fixed_string Name> inline constexpr auto matrix = parameter<Name, 32, 16>;
inline constexpr auto second = matrix<"U">;
inline constexpr auto third = matrix<"V">;
inline constexpr auto a_src = parameter<"a_src", 4, 4>;
inline constexpr auto a_dst = parameter<"a_dst", 4, 4>;
inline constexpr auto query = matrix<"Q">;
inline constexpr auto key = matrix<"K">;
inline constexpr auto own = matrix<"S">;
inline constexpr auto square = parameter<"W2", 16, 16>;
inline constexpr auto eps = trainable(scalar<"eps">);
inline constexpr auto mlp = [](auto y) { return matmul(relu(matmul(y, W)), square); };
inline constexpr auto both = parameter<"both", 64, 16>;
inline constexpr auto to = parameter<"A", 32, 8>;
inline constexpr auto from = parameter<"B", 32, 8>;
inline constexpr auto joins = parameter<"C", 32 + 12 * 8, 16>;
inline constexpr auto bases = parameter<"bases", 4, 32, 16>;
inline constexpr auto mixture = parameter<"mixture", 46, 4>;
inline constexpr auto scores = parameter<"G", 32, 1>;

/// A layer, and what the page calls it.
struct layer {
  std::string name;
  ir::program program;
};
layer named_layer(const char* name, auto lambda) { return {name, pass::cse(pass::order(trace(lambda)))}; }

std::vector<layer> layers() {
  return {
      named_layer("propagate", [](auto v) { return nn::propagate(v, v(x)); }),
      named_layer("gcn_conv", [](auto v) { return nn::gcn_conv(v, v(x), W); }),
      named_layer("gcn_conv of weights", [](auto v) { return nn::gcn_conv(nn::weighted(v, w), v(x), W); }),
      named_layer("cheb_conv", [](auto v) { return nn::cheb_conv(v, v(x), W, second, third); }),
      named_layer("tag_conv", [](auto v) { return nn::tag_conv(v, v(x), W, second, third); }),
      named_layer("sgc", [](auto v) { return nn::sgc(v, v(x), W, 2); }),
      named_layer("appnp", [](auto v) { return nn::appnp(v, v(h), 2, 0.1); }),
      named_layer("arma_conv", [](auto v) { return nn::arma_conv(v, v(x), W, second, square, third); }),
      named_layer("gat_conv", [](auto v) { return nn::gat_conv(v, v(x), W, a_src, a_dst); }),
      named_layer("gatv2_conv", [](auto v) { return nn::gatv2_conv(v, v(x), W, second, a_src); }),
      named_layer("transformer_conv",
                  [](auto v) { return nn::transformer_conv<4, 4>(v, v(x), query, key, third, own); }),
      named_layer("sage_conv", [](auto v) { return nn::sage_conv(v, v(x), second, W); }),
      named_layer("sage_conv of maxima", [](auto v) { return nn::sage_conv<nn::aggregate::max>(v, v(x), second, W); }),
      named_layer("graph_conv", [](auto v) { return nn::graph_conv(nn::weighted(v, w), v(x), second, W); }),
      named_layer("gin_conv", [](auto v) { return nn::gin_conv(v, v(x), mlp, eps); }),
      named_layer("gine_conv", [](auto v) { return nn::gine_conv(v, v(x), u, mlp); }),
      named_layer("edge_conv", [](auto v) { return nn::edge_conv(v, v(x), both); }),
      named_layer("pna_conv", [](auto v) { return nn::pna_conv(v, v(x), to, from, joins, 2.5); }),
      named_layer("res_gated_conv", [](auto v) { return nn::res_gated_conv(v, v(x), second, third, query, key); }),
      named_layer("film_conv",
                  [](auto v) {
                    return nn::film_conv(v, v(x), nn::modulation{second, third, own}, nn::modulation{W, query, key});
                  }),
      named_layer("rgcn_conv", [](auto v) { return nn::rgcn_conv(v, v(x), relation, W, bases, mixture); }),
      named_layer("layer_norm", [](auto v) { return nn::layer_norm(v(x)); }),
      named_layer("pair_norm", [](auto v) { return nn::pair_norm(v(x)); }),
      named_layer("global_attention_pool", [](auto v) { return nn::global_attention_pool(v(x), scores, W); }),
  };
}

std::string equations_of(const ir::program& p) {
  return std::string(examine::to_text(p, examine::index_form_to_inputs(p, p.outputs[0].at)).view()) + '\n';
}

TEST(layers_page, shows_the_equations_of_the_layers) {
  std::ifstream file(std::string(STG_GOLDEN_DIR) + "/../../docs/layers.md", std::ios::binary);
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(page.empty());
  std::string written = page;
  std::set<std::string> known;
  for (const layer& one : layers()) {
    known.insert(one.name);
    const std::string opens = "\n```text " + one.name + '\n';
    const std::size_t block = written.find(opens);
    ASSERT_NE(block, std::string::npos) << one.name << " has no equation on the page";
    ASSERT_EQ(written.find(opens, block + 1), std::string::npos) << one.name << " has two";
    const std::size_t first = block + opens.size(), last = written.find("```\n", first);
    ASSERT_NE(last, std::string::npos);
    written.replace(first, last - first, equations_of(one.program));
  }
  const std::string opens = "\n```text ";
  for (std::size_t at = page.find(opens); at != std::string::npos; at = page.find(opens, at + 1)) {
    const std::size_t name = at + opens.size();
    const std::string shown = page.substr(name, page.find('\n', name) - name);
    EXPECT_EQ(known.count(shown), 1u) << shown << " is no layer of this test";
  }
  EXPECT_TRUE(stg_test::equals_golden("../../docs/layers.md", written));
}

}  // namespace
