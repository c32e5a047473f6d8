// Prints docs/layers_sheet.md: what each layer of stg::nn takes, and where it runs. A layer takes weights, features of
// edges and two sets where a call with them compiles and its program reads them; it runs on blocks where its program
// has no mistake there, and in a scan and on a GPU where its programs can be planned for these.
#include <stg/codegen/cuda/executable.hpp>  // plan_passes
#include <stg/pass/by_hops.hpp>             // block_mistake_in, written_for_hops
#include <stg/pipeline.hpp>                 // canonical, inferred, differentiated, planned
#include <stg/stg.hpp>                      // the layers

#include <cstdlib>      // EXIT_FAILURE
#include <exception>    // exception
#include <iostream>     // cout
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_same_v

namespace {

using namespace stg;

constexpr auto x = vertex_feature<"x", 16>;
constexpr auto x_of_step = over<"T">(x);
constexpr auto x_of_periods = over<"P">(vertex_feature<"of_periods", 16>);
constexpr auto h = vertex_feature<"h", 16>;
constexpr auto c = vertex_feature<"c", 16>;
constexpr auto w = edge_feature<"w">;
constexpr auto u = edge_feature<"u", 16>;
constexpr auto kind = edge_feature<"kind", i32>;
template <fixed_string Name, int In = 16, int Out = 16> constexpr auto W = parameter<Name, In, Out>;
template <fixed_string Name> constexpr auto heads = parameter<Name, 4, 4>;
template <fixed_string Name, int Of = 16> constexpr auto row = parameter<Name, Of>;

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto xa = author.feature<"xa", 16>;
constexpr auto xp = paper.feature<"xp", 16>;
constexpr auto xa_of_step = over<"T">(xa);
constexpr auto xp_of_step = over<"T">(xp);

// ---- the forms of a layer, as programs ----

/// In the place of a form that a layer has not got. A form takes (v, x), with features of edges (v, x, u), and between
/// two sets (edges of the relation, x, own).
constexpr auto no_form = [] {};
template <const auto& Form> constexpr bool is_there = !std::is_same_v<decltype(Form), decltype((no_form))>;

/// The value, of a layer that gives several.
template <class Y> constexpr auto value_of(Y y) {
  if constexpr (requires { y.value; }) return y.value;
  else if constexpr (requires { y.y; }) return y.y;
  else if constexpr (requires { y.h; }) return y.h;
  else if constexpr (requires { y.h2; }) return y.h2;
  else return y;
}
template <const auto& Layer> constexpr auto plain = [](auto v) { return value_of(Layer(v, v(x))); };
template <const auto& Layer> constexpr auto weighted = [](auto v) { return value_of(Layer(nn::weighted(v, w), v(x))); };
template <const auto& Layer> constexpr auto of_edges = [](auto v) { return value_of(Layer(v, v(x), v.in_edges()(u))); };
template <const auto& Layer>
constexpr auto of_sets = [](auto g) { return value_of(Layer(g(paper).in_edges(writes), g(author)(xa), g(paper)(xp))); };
template <const auto& Layer>
constexpr auto over_time = [](auto v) { return scan<"T">(v, [](auto v) { return value_of(Layer(v, v(x_of_step))); }); };
template <const auto& Layer>
constexpr auto of_sets_over_time = [](auto g) {
  return scan<"T">(g, [](auto g) {
    return value_of(Layer(g(paper).in_edges(writes), g(author)(xa_of_step), g(paper)(xp_of_step)));
  });
};

// ---- what is found out of them ----

std::string mark(bool is) { return is ? "yes" : "–"; }

bool reads(const ir::program& traced, std::string_view name) {
  const ir::program p = pass::dce(pass::order(traced));
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::input && p.inputs[s.entry()].name.view() == name) return true;
  return false;
}

std::string on_blocks(const ir::program& traced) {
  const ir::program p = pipeline::canonical(traced);
  sequence<int> trained;
  for (const ir::value_id i : pass::trainable_inputs(p)) trained.push_back(p[i].entry());
  const auto is_right = [](const ir::program& q, const sequence<int>& required) {
    return pass::block_mistake_in(q, required) == pass::block_mistake::none;
  };
  if (!is_right(pass::written_for_hops(p, false), {})) return mark(false);
  return is_right(pass::written_for_hops(p, true), trained) ? mark(true) : "plain calls";
}

/// That what is called plainly, and both halves of a step, keep the rules of programs and have a plan.
template <class Passes> std::string is_planned(const ir::program& traced) {
  const auto has_plan = [](const ir::program& p) {
    return pass::verify(p).what == op::rule::none && pipeline::planned<Passes>(p).units.size() > 0;
  };
  const ir::program p = pipeline::canonical(traced);
  if (!has_plan(pipeline::inferred(p))) return mark(false);
  const auto trained = pass::trainable_inputs(p);
  if (trained.size() == 0) return mark(true);
  const pass::differentiated d = pipeline::differentiated(p, {0}, trained);
  return mark(has_plan(d.forward) && has_plan(d.gradient));
}
std::string on_gpu(const ir::program& traced) { return is_planned<gpu::plan_passes>(traced); }
std::string in_scan(const ir::program& traced) { return is_planned<pipeline::plan_passes>(traced); }

// ---- rows ----

void print_head(std::string_view title) {
  std::cout << "\n## " << title
            << "\n\n| layer | as | edge weights | edge features | two sets | blocks | time | GPU |\n"
               "|---|---|---|---|---|---|---|---|\n";
}
enum class takes { vertices, weights };
template <const auto& Layer, const auto& OfEdges = no_form, const auto& OfSets = no_form, takes What = takes::vertices>
void print(std::string_view name, std::string_view as, bool is_cell = false) {
  std::string weights = mark(false), features = mark(false), sets = mark(false), blocks, time, gpu;
  if constexpr (is_there<Layer>) {
    const ir::program p = trace(plain<Layer>);
    if constexpr (What == takes::weights) weights = mark(reads(trace(weighted<Layer>), "w"));
    blocks = on_blocks(p), gpu = on_gpu(p);
    time = is_cell ? "a step" : in_scan(trace(over_time<Layer>));
  } else {
    const ir::program p = trace(of_sets<OfSets>);
    blocks = on_blocks(p), gpu = on_gpu(p);
    time = in_scan(trace(of_sets_over_time<OfSets>));
  }
  if constexpr (is_there<OfEdges>) features = mark(reads(trace(of_edges<OfEdges>), "u"));
  if constexpr (is_there<OfSets>) sets = mark(trace(of_sets<OfSets>).kinds.size() > 0);
  std::cout << "| `" << name << "` | " << as << " | " << weights << " | " << features << " | " << sets << " | "
            << blocks << " | " << time << " | " << gpu << " |\n";
}

// ---- every layer ----

#define STG_FORM(...) []([[maybe_unused]] auto v, auto x) { return __VA_ARGS__; }
#define STG_OF_EDGES(...) []([[maybe_unused]] auto v, auto x, auto u) { return __VA_ARGS__; }
#define STG_OF_SETS(...) []([[maybe_unused]] auto e, auto x, [[maybe_unused]] auto own) { return __VA_ARGS__; }

// convolutions

constexpr auto gcn_conv = STG_FORM(nn::gcn_conv(v, x, W<"W">));
constexpr auto cheb_conv = STG_FORM(nn::cheb_conv(v, x, W<"W0">, W<"W1">));
constexpr auto tag_conv = STG_FORM(nn::tag_conv(v, x, W<"W0">, W<"W1">));
constexpr auto sgc = STG_FORM(nn::sgc(v, x, W<"W">, 2));
constexpr auto appnp = STG_FORM(nn::appnp(v, x, 2, 0.1));
constexpr auto arma_conv = STG_FORM(nn::arma_conv(v, x, W<"W">, W<"V">));
constexpr auto sage_conv = STG_FORM(nn::sage_conv(v, x, W<"U">, W<"W">));
constexpr auto sage_conv_of_sets = STG_OF_SETS(nn::sage_conv(e, x, own, W<"U">, W<"W">));
constexpr auto graph_conv = STG_FORM(nn::graph_conv(v, x, W<"U">, W<"W">));
constexpr auto gin_conv = STG_FORM(nn::gin_conv(v, x, W<"W">));
constexpr auto gin_conv_of_sets = STG_OF_SETS(nn::gin_conv(e, x, own, W<"W">));
constexpr auto gine_conv = STG_FORM(nn::gine_conv(v, x, u, W<"W">));
constexpr auto gine_conv_of_edges = STG_OF_EDGES(nn::gine_conv(v, x, u, W<"W">));
constexpr auto edge_conv = STG_FORM(nn::edge_conv(v, x, W<"W", 32>));
constexpr auto pna_conv = STG_FORM(nn::pna_conv(v, x, W<"A">, W<"B">, W<"C", 208>, 1.5));
constexpr auto pna_conv_of_edges = STG_OF_EDGES(nn::pna_conv(v, x, u, W<"A">, W<"B">, W<"E">, W<"C", 208>, 1.5));
constexpr auto pna_towers = STG_FORM(
    nn::pna_towers(v, x, 1.5, nn::tower{W<"A">, W<"B">, W<"C", 208>}, nn::tower{W<"A2">, W<"B2">, W<"C2", 208>}));
constexpr auto res_gated_conv = STG_FORM(nn::res_gated_conv(v, x, W<"U">, W<"V">, W<"Q">, W<"K">));
constexpr auto res_gated_conv_of_edges =
    STG_OF_EDGES(nn::res_gated_conv(v, x, u, W<"U">, W<"V">, W<"E">, W<"Q">, W<"K">, W<"T">));
constexpr auto film_conv =
    STG_FORM(nn::film_conv(v, x, nn::modulation{W<"U">, W<"V">, W<"S">}, nn::modulation{W<"W">, W<"Q">, W<"K">}));
constexpr auto rgcn_conv = STG_FORM(nn::rgcn_conv(v, x, kind, W<"W">, parameter<"V", 2, 16, 16>, parameter<"a", 3, 2>));
constexpr auto rgcn_conv_of_sets = STG_OF_SETS(nn::rgcn_conv(own, W<"W">, nn::mean_over(e, x, W<"A">)));

// attention

constexpr auto gat_conv = STG_FORM(nn::gat_conv(v, x, W<"W">, heads<"s">, heads<"d">));
constexpr auto gat_conv_of_edges =
    STG_OF_EDGES(nn::gat_conv(v, x, u, W<"W">, W<"E">, heads<"s">, heads<"d">, heads<"k">));
constexpr auto gat_conv_of_sets = STG_OF_SETS(nn::gat_conv(e, x, own, W<"W">, W<"U">, heads<"s">, heads<"d">));
constexpr auto gatv2_conv = STG_FORM(nn::gatv2_conv(v, x, W<"W">, W<"U">, heads<"a">));
constexpr auto gatv2_conv_of_edges = STG_OF_EDGES(nn::gatv2_conv(v, x, u, W<"W">, W<"U">, W<"E">, heads<"a">));
constexpr auto gatv2_conv_of_sets = STG_OF_SETS(nn::gatv2_conv(e, x, own, W<"W">, W<"U">, heads<"a">));
constexpr auto transformer_conv = STG_FORM(nn::transformer_conv<4, 4>(v, x, W<"Q">, W<"K">, W<"V">, W<"S">));
constexpr auto transformer_conv_of_edges =
    STG_OF_EDGES(nn::transformer_conv<4, 4>(v, x, u, W<"Q">, W<"K">, W<"V">, W<"E">, W<"S">));
constexpr auto han_conv_of_sets =
    STG_OF_SETS(nn::han_conv(W<"W">, row<"q">, nn::attention_over(e, x, own, heads<"s">, heads<"d">)));
constexpr auto hgt_conv_of_sets = STG_OF_SETS(nn::hgt_conv(
    own, W<"Q">, W<"A">, trainable(scalar<"skip">),
    nn::hgt_relation{e, x, W<"K">, W<"M">, parameter<"att", 4, 4, 4>, parameter<"msg", 4, 4, 4>, parameter<"mu", 4>}));

// normalisations

constexpr auto layer_norm = STG_FORM(nn::layer_norm(x));
constexpr auto layer_norm_of_graph = STG_FORM(nn::layer_norm(x, all_vertices));
constexpr auto layer_norm_of_graph_of_sets = STG_OF_SETS(nn::layer_norm(e, x));
constexpr auto batch_norm = STG_FORM(nn::batch_norm(x, graph_feature<"m", 16>, graph_feature<"s", 16>));
constexpr auto graph_norm = STG_FORM(nn::graph_norm(x, row<"alpha">));
constexpr auto graph_norm_of_sets = STG_OF_SETS(nn::graph_norm(e, x, row<"alpha">));
constexpr auto pair_norm = STG_FORM(nn::pair_norm(x));
constexpr auto pair_norm_of_sets = STG_OF_SETS(nn::pair_norm(e, x));

// readouts

constexpr auto global_pools = STG_FORM(nn::global_mean_pool(x));
constexpr auto global_pools_of_sets = STG_OF_SETS(mean(e.src(x)));
constexpr auto global_attention_pool = STG_FORM(nn::global_attention_pool(x, W<"G", 16, 1>, W<"W">));
constexpr auto global_attention_pool_of_sets = STG_OF_SETS(nn::global_attention_pool(e, x, W<"G", 16, 1>, W<"W">));
constexpr auto set2set_of_sets =
    STG_OF_SETS(nn::set2set<2>(e, x, nn::lstm{W<"I", 32, 64>, W<"S", 16, 64>, row<"b", 64>}));
constexpr auto sort_pool_of_sets = STG_OF_SETS(nn::sort_pool<2>(e, x));
constexpr auto jumping_knowledge = STG_FORM(nn::jumping_knowledge(x, relu(x)));
constexpr auto jumping_knowledge_lstm = STG_FORM(
    nn::jumping_knowledge_lstm(nn::lstm{W<"Wf", 16, 32>, W<"Uf", 8, 32>, row<"bf", 32>},
                               nn::lstm{W<"Wb", 16, 32>, W<"Ub", 8, 32>, row<"bb", 32>}, W<"s", 16, 1>, x, relu(x)));

// scores of links

constexpr auto dot_score = STG_FORM(nn::dot_score(v.in_edges(), x));
constexpr auto dot_score_of_sets = STG_OF_SETS(nn::dot_score(e, x, own));
constexpr auto distance_score = STG_FORM(nn::distance_score(v.in_edges(), x));
constexpr auto distance_score_of_sets = STG_OF_SETS(nn::distance_score(e, x, own));
constexpr auto network_score =
    STG_FORM(nn::network_score(v.in_edges(), x, [](auto y) { return matmul(y, W<"W", 32, 1>); }));
constexpr auto network_score_of_sets =
    STG_OF_SETS(nn::network_score(e, x, own, [](auto y) { return matmul(y, W<"W", 32, 1>); }));

// cells

constexpr auto gru = STG_FORM(nn::gru{W<"I", 16, 48>, W<"S", 16, 48>, row<"b", 48>}(v, x, v(h)));
constexpr auto lstm = STG_FORM(nn::lstm{W<"I", 16, 64>, W<"S", 16, 64>, row<"b", 64>}(v, x, v(h), v(c)));
constexpr auto tgcn = STG_FORM(nn::tgcn{W<"W">, W<"I", 16, 48>, W<"S", 16, 32>, W<"N">, row<"b", 48>}(v, x, v(h)));
constexpr auto a3tgcn = [](auto v, auto) {
  return nn::a3tgcn{nn::tgcn{W<"W">, W<"I", 16, 48>, W<"S", 16, 32>, W<"N">, row<"b", 48>}, W<"s", 16, 1>}(
      v, x_of_periods, v(h));
};
constexpr auto gconv_gru = STG_FORM(nn::gconv_gru{nn::chebyshev{W<"I", 16, 48>, W<"I1", 16, 48>},
                                                  nn::chebyshev{W<"S", 16, 32>, W<"S1", 16, 32>},
                                                  nn::chebyshev{W<"N">, W<"N1">}, row<"b", 48>}(v, x, v(h)));
constexpr auto dcrnn = STG_FORM(nn::dcrnn{nn::diffusion{W<"I", 16, 48>, W<"F", 16, 48>, W<"B", 16, 48>}, W<"S", 16, 32>,
                                          W<"N">, row<"b", 48>}(v, x, v(h)));
constexpr auto gconv_lstm = STG_FORM(nn::gconv_lstm{nn::chebyshev{W<"I", 16, 64>, W<"I1", 16, 64>}, W<"S", 16, 64>,
                                                    parameter<"p", 3, 16>, row<"b", 64>}(v, x, v(h), v(c)));
constexpr auto gc_lstm = STG_FORM(nn::gc_lstm{W<"I", 16, 64>, nn::chebyshev{W<"S", 16, 64>, W<"S1", 16, 64>},
                                              nn::chebyshev{W<"N">, W<"N1">}, row<"b", 64>}(v, x, v(h), v(c)));
constexpr auto lrgcn =
    STG_FORM(nn::lrgcn{nn::relational{kind, W<"I", 16, 64>, parameter<"V", 2, 16, 64>, parameter<"a", 3, 2>},
                       W<"S", 16, 64>, row<"b", 64>}(v, x, v(h), v(c)));
constexpr auto evolve_gcn_o =
    STG_FORM(nn::evolve_gcn_o{W<"U", 64, 16>, parameter<"B", 64, 16>}(v, x, v(W<"W">), v(W<"C">)));
constexpr auto evolve_gcn_h =
    STG_FORM(nn::evolve_gcn_h{row<"q">, W<"U", 48, 16>, W<"V", 32, 16>, W<"N">, W<"B", 48, 16>}(v, x, v(W<"W">)));
constexpr auto dygr_encoder =
    STG_FORM(nn::dygr_encoder{nn::gated_graph{nn::gru{W<"M", 16, 48>, W<"G", 16, 48>, row<"d", 48>}, W<"W1">},
                              nn::lstm{W<"I", 16, 64>, W<"S", 16, 64>, row<"b", 64>}}(v, x, v(h), v(c)));
constexpr auto mpnn_lstm =
    STG_FORM(nn::mpnn_lstm{W<"W1">, W<"W2">, nn::lstm{W<"I", 32, 64>, W<"S", 16, 64>, row<"b", 64>},
                           nn::lstm{W<"J", 16, 64>, W<"R", 16, 64>, row<"d", 64>}}(v, x, v(h), v(c), v(h), v(c)));
constexpr auto st_conv =
    STG_FORM(nn::st_conv{W<"T1", 32, 32>, nn::chebyshev{W<"N">, W<"M">}, W<"T2", 32, 32>}(v, x, v(h), v(c)));

}  // namespace

int main() try {
  std::cout
      << "# The sheet of all layers\n\n<!-- Written by tests/docs/layers_sheet.cpp. Change that and build the target "
         "`layers_sheet_page`. -->\n\n"
         "What each layer of `stg::nn` takes, and where it runs. A test compiles every form and asks its program; "
         "equations "
         "and code are\nin [layers.md](layers.md).\n\n"
         "* **as**: PyTorch Geometric's name, or PyTorch Geometric Temporal's.\n"
         "* **edge weights**: one number for each edge: `stg::nn::weighted(v, w)` in the place of `v`.\n"
         "* **edge features**: one row for each edge: `u` behind `x`, or in its place where a layer is made for them.\n"
         "* **two sets**: along a relation, its edges in the place of `v`: `sage_conv(e, x, own, U, W)` "
         "([kinds.md](kinds.md)).\n"
         "* **blocks**: on sampled neighbours, `b.blocks()` in the place of the graph ([batches.md](batches.md)); "
         "\"plain calls\": not in training.\n"
         "* **time**: inside a `scan`, on values that change from step to step ([time.md](time.md)). A cell is such a "
         "step.\n"
         "* **GPU**: `stg::compile<model>(stg::cuda())` ([cuda.md](cuda.md)).\n\n"
         "Where the sheet says –, write the layer: it is a lambda of some lines, which [layers.md](layers.md) shows, "
         "and "
         "runs as fast.\n";
  print_head("Convolutions");
  print<gcn_conv, no_form, no_form, takes::weights>("gcn_conv", "GCNConv");
  print<cheb_conv, no_form, no_form, takes::weights>("cheb_conv", "ChebConv");
  print<tag_conv, no_form, no_form, takes::weights>("tag_conv", "TAGConv");
  print<sgc, no_form, no_form, takes::weights>("sgc", "SGConv");
  print<appnp, no_form, no_form, takes::weights>("appnp", "APPNP");
  print<arma_conv, no_form, no_form, takes::weights>("arma_conv", "ARMAConv");
  print<sage_conv, no_form, sage_conv_of_sets>("sage_conv", "SAGEConv");
  print<graph_conv, no_form, no_form, takes::weights>("graph_conv", "GraphConv");
  print<gin_conv, no_form, gin_conv_of_sets>("gin_conv", "GINConv");
  print<gine_conv, gine_conv_of_edges>("gine_conv", "GINEConv");
  print<edge_conv>("edge_conv", "EdgeConv");
  print<pna_conv, pna_conv_of_edges>("pna_conv", "PNAConv");
  print<pna_towers>("pna_towers", "PNAConv, towers");
  print<res_gated_conv, res_gated_conv_of_edges>("res_gated_conv", "ResGatedGraphConv");
  print<film_conv>("film_conv", "FiLMConv");
  print<rgcn_conv, no_form, rgcn_conv_of_sets>("rgcn_conv", "RGCNConv");
  print_head("Attention");
  print<gat_conv, gat_conv_of_edges, gat_conv_of_sets>("gat_conv", "GATConv");
  print<gatv2_conv, gatv2_conv_of_edges, gatv2_conv_of_sets>("gatv2_conv", "GATv2Conv");
  print<transformer_conv, transformer_conv_of_edges>("transformer_conv", "TransformerConv");
  print<no_form, no_form, han_conv_of_sets>("han_conv", "HANConv");
  print<no_form, no_form, hgt_conv_of_sets>("hgt_conv", "HGTConv");
  print_head("Normalisations");
  print<layer_norm>("layer_norm", "LayerNorm, node");
  print<layer_norm_of_graph, no_form, layer_norm_of_graph_of_sets>("layer_norm(x, all_vertices)", "LayerNorm, graph");
  print<batch_norm>("batch_norm", "BatchNorm");
  print<graph_norm, no_form, graph_norm_of_sets>("graph_norm", "GraphNorm");
  print<pair_norm, no_form, pair_norm_of_sets>("pair_norm", "PairNorm");
  print_head("Readouts");
  print<global_pools, no_form, global_pools_of_sets>("global_mean_pool", "the same; so are sum and max");
  print<global_attention_pool, no_form, global_attention_pool_of_sets>("global_attention_pool",
                                                                       "AttentionalAggregation");
  print<no_form, no_form, set2set_of_sets>("set2set", "Set2Set");
  print<no_form, no_form, sort_pool_of_sets>("sort_pool", "SortAggregation");
  print<jumping_knowledge>("jumping_knowledge", "JumpingKnowledge");
  print<jumping_knowledge_lstm>("jumping_knowledge_lstm", "JumpingKnowledge, lstm");
  print_head("Scores of links");
  print<dot_score, no_form, dot_score_of_sets>("dot_score", "InnerProductDecoder");
  print<distance_score, no_form, distance_score_of_sets>("distance_score", "TransE, one relation");
  print<network_score, no_form, network_score_of_sets>("network_score", "a network of both ends");
  print_head("Cells");
  print<gru>("gru", "PyTorch's GRU", true);
  print<lstm>("lstm", "PyTorch's LSTM", true);
  print<tgcn, no_form, no_form, takes::weights>("tgcn", "TGCN", true);
  print<a3tgcn, no_form, no_form, takes::weights>("a3tgcn", "A3TGCN");
  print<gconv_gru, no_form, no_form, takes::weights>("gconv_gru", "GConvGRU", true);
  print<dcrnn, no_form, no_form, takes::weights>("dcrnn", "DCRNN", true);
  print<gconv_lstm, no_form, no_form, takes::weights>("gconv_lstm", "GConvLSTM", true);
  print<gc_lstm, no_form, no_form, takes::weights>("gc_lstm", "GCLSTM", true);
  print<lrgcn>("lrgcn", "LRGCN", true);
  print<evolve_gcn_o, no_form, no_form, takes::weights>("evolve_gcn_o", "EvolveGCNO", true);
  print<evolve_gcn_h, no_form, no_form, takes::weights>("evolve_gcn_h", "EvolveGCNH", true);
  print<dygr_encoder, no_form, no_form, takes::weights>("dygr_encoder", "DyGrEncoder", true);
  print<mpnn_lstm, no_form, no_form, takes::weights>("mpnn_lstm", "MPNNLSTM", true);
  print<st_conv, no_form, no_form, takes::weights>("st_conv", "STConv", true);
  std::cout << "\nNext: [batches](batches.md).\n";
} catch (const std::exception& e) {
  std::cerr << "layers_sheet: " << e.what() << '\n';
  return EXIT_FAILURE;
}
