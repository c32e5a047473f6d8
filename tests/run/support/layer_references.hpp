// What each layer computes, by its name, written once more from its paper: dense matrices, no line of the library.
#pragma once

#include "references/attention.hpp"    // gat, …
#include "references/given.hpp"        // given, numbers
#include "references/links.hpp"        // link_scores
#include "references/losses.hpp"       // of_labels, of_targets
#include "references/neighbours.hpp"   // sage, …
#include "references/norms.hpp"        // layer_norm, …
#include "references/polynomials.hpp"  // chebyshev, …
#include "references/readouts.hpp"     // attention_pool, …

#include <functional>  // function
#include <map>         // map
#include <string>      // string
#include <vector>      // vector

namespace stg::references {

/// By the name of the layer: its outputs in a training step.
inline std::map<std::string, std::function<std::vector<numbers>(const given&)>> all() {
  std::map<std::string, std::function<std::vector<numbers>(const given&)>> of;
  const auto add = [&](const std::string& name, matrix (*f)(const given&)) {
    of[name] = [f](const given& g) { return std::vector<numbers>{f(g).numbers()}; };
  };
  add("gcn", [](const given& g) { return g.normalised() * g.x() * g("W"); });
  add("gcn_weighted", [](const given& g) { return g.normalised(true) * g.x() * g("W"); });
  add("cheb", [](const given& g) { return chebyshev(g, false, 2, {"W", "U", "V", "Q"}); });
  add("cheb_scaled", [](const given& g) { return chebyshev(g, true, 1.5, {"W", "U", "V"}); });
  add("tag", [](const given& g) {
    const matrix P = g.normalised();
    return g.affine(g.x()) + P * g.x() * g("U") + P * P * g.x() * g("V");
  });
  add("sgc", [](const given& g) { return power(g.normalised(), 3) * g.x() * g("W"); });
  add("appnp", [](const given& g) { return personalised_pagerank(g, 3, 0.2); });
  add("arma", arma);
  add("gat", gat);
  add("gatv2", gatv2);
  add("transformer", transformer);
  add("gat_of_edges", gat_of_edges);
  add("gatv2_of_edges", gatv2_of_edges);
  add("transformer_of_edges", transformer_of_edges);
  add("transformer_gated", transformer_gated);
  add("transformer_gated_of_edges", transformer_gated_of_edges);
  add("sage_mean", [](const given& g) { return sage(g, "mean"); });
  add("sage_max", [](const given& g) { return sage(g, "max"); });
  add("sage_sum", [](const given& g) { return sage(g, "sum"); });
  add("graph", [](const given& g) { return g.x() * g("U") + g.adjacency() * g.x() * g("W"); });
  add("graph_weighted", [](const given& g) { return g.x() * g("U") + g.affine(g.adjacency(true) * g.x()); });
  add("gin", [](const given& g) { return gin(g, 0); });
  add("gin_trained", [](const given& g) { return gin(g, g.number("eps")); });
  add("gine", [](const given& g) { return gine(g, 0.25); });
  add("edge", [](const given& g) { return edge(g, [&](const matrix& m) { return m * g.get("both", 6, 4); }); });
  add("edge_of_two", edge_of_two);
  add("rgcn", rgcn);
  add("pna", [](const given& g) { return pna(g, g.number("positive_delta")); });
  add("pna_of_graph", [](const given& g) { return pna(g, mean_log_degree(g)); });
  add("pna_of_edges", [](const given& g) {
    return pna_of(g, g.number("positive_delta"), of_both_ends(g, "near", "far") + g.u() * g.get("along", 3, 2));
  });
  add("pna_of_two_towers", [](const given& g) {
    const double delta = g.number("positive_delta");
    return beside(pna(g, delta), pna_of(g, delta, of_both_ends(g, "far", "along")));
  });
  add("res_gated", res_gated);
  add("res_gated_of_edges", res_gated_of_edges);
  add("film", film);
  add("layer_norm", [](const given& g) { return layer_norm(g.x()); });
  add("layer_norm_of_graph", [](const given& g) { return layer_norm_of_graph(g.x()); });
  of["batch_norm"] = [](const given& g) { return batch_norm(g, true); };
  add("pair_norm", [](const given& g) { return pair_norm(g.x(), false); });
  add("pair_norm_alone", [](const given& g) { return pair_norm(g.x(), true); });
  add("graph_norm", graph_norm);
  of["pools"] = [](const given& g) {
    matrix top = g.x().row(0);
    for (int i = 1; i < g.n; ++i) top = largest(top, g.x().row(i));
    return std::vector<numbers>{g.x().sum_of_rows().numbers(), g.x().mean_of_rows().numbers(), top.numbers()};
  };
  add("attention_pool", [](const given& g) { return attention_pool(g.x() * g.get("gate", 3, 1), g.x() * g("W")); });
  add("attention_pool_per_feature",
      [](const given& g) { return attention_pool(g.x() * g.get("shift", 3, 1).diagonal(), g.x()); });
  add("jump_concat", [](const given& g) { return beside(beside(g.x(), g.get("h", g.n, 4)), g.x() * g("W")); });
  add("jump_max", [](const given& g) { return largest(g.get("h", g.n, 4), largest(g.x() * g("W"), g.x() * g("U"))); });
  add("jump_lstm", jump_lstm);
  of["link_scores"] = link_scores;
  of["of_labels"] = of_labels;
  of["of_targets"] = [](const given& g) { return of_targets(g, false); };
  of["of_masked_targets"] = [](const given& g) { return of_targets(g, true); };
  return of;
}

}  // namespace stg::references
