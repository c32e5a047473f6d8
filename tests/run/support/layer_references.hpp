// What each layer computes, written once more from its paper: dense matrices, no line of the library.
#pragma once

#include "dense_matrix.hpp"     // matrix
#include "given.hpp"            // given, numbers
#include "loss_references.hpp"  // of_labels, of_targets

#include <algorithm>   // max, min
#include <cmath>       // exp, log
#include <functional>  // function
#include <map>         // map
#include <string>      // string
#include <vector>      // vector

namespace stg::references {

// ---- polynomials of the normalised adjacency ----

/// Σ_k T_k(L) x W_k with the polynomials as matrices.
inline matrix chebyshev(const given& g, bool weights, double largest_eigenvalue, const std::vector<std::string>& W) {
  const matrix I = matrix::identity(g.n);
  const matrix L = 2 / largest_eigenvalue * (I - g.normalised(weights)) - I;
  std::vector<matrix> T = {I, L};
  matrix y(g.n, 4);
  for (std::size_t k = 0; k < W.size(); ++k) {
    if (k >= 2) T.push_back(2 * L * T[k - 1] - T[k - 2]);
    y = y + T[k] * g.x() * g(W[k]);
  }
  return y;
}
/// The iteration's closed form: (1 - α)^K P^K H + α Σ_{k < K} (1 - α)^k P^k H.
inline matrix personalised_pagerank(const given& g, int hops, double alpha) {
  const matrix P = g.normalised(true), H = g.x() * g("W");
  matrix y = std::pow(1 - alpha, hops) * power(P, hops) * H;
  for (int k = 0; k < hops; ++k) y = y + alpha * std::pow(1 - alpha, k) * power(P, k) * H;
  return y;
}
inline matrix arma(const given& g) {
  const matrix P = g.normalised(), X = g.x();
  const matrix first = relu(P * X * g("W") + X * g("U"));
  return relu(P * first * g.get("H", 4, 4) + with_row(X * g("V"), g.row("b", 4)));
}

// ---- attention ----

inline double leaky(double x) { return x > 0 ? x : 0.2 * x; }
/// Σ_k a(i, first + k) b(j, first + k) over two features.
inline double dot(const matrix& a, int i, const matrix& b, int j, int a_first, int b_first) {
  return a(i, a_first) * b(j, b_first) + a(i, a_first + 1) * b(j, b_first + 1);
}
/// Σ_j α_ij value_j for two heads of two features: α is A ⊙ exp(score) with rows divided by their sums, 0 where a row
/// has no edges; score(head, i, j).
inline matrix attend(const given& g, const matrix& value, const std::function<double(int, int, int)>& score) {
  const matrix A = g.adjacency();
  matrix y(g.n, 0);
  for (int head = 0; head < 2; ++head) {
    matrix alpha(g.n, g.n);
    for (int i = 0; i < g.n; ++i)
      for (int j = 0; j < g.n; ++j) alpha(i, j) = A(i, j) * std::exp(score(head, i, j));
    const matrix scale = each(alpha.sum_of_columns(), [](double s) { return s == 0 ? 0 : 1 / s; });
    y = beside(y, scale.diagonal() * alpha * value.middle(2 * head, 2));
  }
  return y;
}
inline matrix gat(const given& g) {
  const matrix h = g.x() * g("W"), source = g.get("a", 2, 2), destination = g.get("c", 2, 2);
  return attend(g, h, [&](int head, int i, int j) {
    return leaky(dot(destination, head, h, i, 0, 2 * head) + dot(source, head, h, j, 0, 2 * head));
  });
}
inline matrix gatv2(const given& g) {
  const matrix source = g.x() * g("W"), destination = g.x() * g("U"), a = g.get("a", 2, 2);
  return attend(g, source, [&](int head, int i, int j) {
    double score = 0;
    for (int d = 2 * head; d < 2 * head + 2; ++d)
      score += a(head, d - 2 * head) * leaky(destination(i, d) + source(j, d));
    return score;
  });
}
inline matrix attend_by_dot(const given& g) {
  const matrix query = g.x() * g("Q"), key = g.x() * g("R");
  return attend(g, g.x() * g("V"),
                [&](int head, int i, int j) { return dot(query, i, key, j, 2 * head, 2 * head) / std::sqrt(2.0); });
}
inline matrix transformer(const given& g) { return g.x() * g("S") + attend_by_dot(g); }
/// Row by row: one number decides between what the vertex had and what it heard.
inline matrix gated(const given& g, const matrix& heard) {
  const matrix had = g.x() * g("S"), weight = g.get("beta", 12, 1);
  matrix y(g.n, 4);
  for (int i = 0; i < g.n; ++i) {
    double z = 0;
    for (int d = 0; d < 4; ++d)
      z += weight(d, 0) * heard(i, d) + weight(4 + d, 0) * had(i, d) + weight(8 + d, 0) * (heard(i, d) - had(i, d));
    const double share = 1 / (1 + std::exp(-z));
    for (int d = 0; d < 4; ++d) y(i, d) = share * had(i, d) + (1 - share) * heard(i, d);
  }
  return y;
}
inline matrix transformer_gated(const given& g) { return gated(g, attend_by_dot(g)); }
/// Parallel edges differ in their features, so these go edge by edge. y_i = Σ_e α_e value(e), two heads of two
/// features.
inline matrix attend_edges(const given& g, const matrix& value,
                           const std::function<double(int, int, int, int)>& score) {
  matrix y(g.n, 4), total(g.n, 2);
  for (std::size_t e = 0; e < g.edges.size(); ++e) {
    const int j = static_cast<int>(g.edges[e].first), i = static_cast<int>(g.edges[e].second);
    for (int head = 0; head < 2; ++head) {
      const double w = std::exp(score(head, i, j, static_cast<int>(e)));
      total(i, head) += w;
      for (int d = 2 * head; d < 2 * head + 2; ++d) y(i, d) += w * value(static_cast<int>(e), d);
    }
  }
  for (int i = 0; i < g.n; ++i)
    for (int d = 0; d < 4; ++d) y(i, d) = total(i, d / 2) == 0 ? 0 : y(i, d) / total(i, d / 2);
  return y;
}
inline matrix gat_of_edges(const given& g) {
  const matrix h = g.x() * g("W"), source = g.get("a", 2, 2), destination = g.get("c", 2, 2), edge = g.get("k", 2, 2);
  const matrix along = g.u() * g("E");
  return attend_edges(g, g.at_sources(h), [&](int head, int i, int j, int e) {
    return leaky(dot(destination, head, h, i, 0, 2 * head) + dot(source, head, h, j, 0, 2 * head) +
                 dot(edge, head, along, e, 0, 2 * head));
  });
}
inline matrix gatv2_of_edges(const given& g) {
  const matrix source = g.x() * g("W"), destination = g.x() * g("U"), along = g.u() * g("E"), a = g.get("a", 2, 2);
  return attend_edges(g, g.at_sources(source), [&](int head, int i, int j, int e) {
    double score = 0;
    for (int d = 2 * head; d < 2 * head + 2; ++d)
      score += a(head, d - 2 * head) * leaky(destination(i, d) + source(j, d) + along(e, d));
    return score;
  });
}
inline matrix attend_edges_by_dot(const given& g) {
  const matrix query = g.x() * g("Q"), along = g.u() * g("E"), key = g.at_sources(g.x() * g("R")) + along;
  return attend_edges(g, g.at_sources(g.x() * g("V")) + along, [&](int head, int i, int, int e) {
    return dot(query, i, key, e, 2 * head, 2 * head) / std::sqrt(2.0);
  });
}
inline matrix transformer_of_edges(const given& g) { return g.x() * g("S") + attend_edges_by_dot(g); }
inline matrix transformer_gated_of_edges(const given& g) { return gated(g, attend_edges_by_dot(g)); }

// ---- aggregates of neighbours ----

using message = std::function<matrix(int, int)>;  // a row, for the vertex i and its neighbour j

/// Σ_j A(i, j) m(i, j).
inline matrix total(const given& g, int width, const message& m) {
  const matrix A = g.adjacency();
  matrix y(g.n, width);
  for (int i = 0; i < g.n; ++i)
    for (int j = 0; j < g.n; ++j)
      for (int k = 0; k < width; ++k) y(i, k) += A(i, j) == 0 ? 0 : A(i, j) * m(i, j)(0, k);
  return y;
}
/// The largest m(i, j) per feature, 0 over no edges.
inline matrix maximum(const given& g, int width, const message& m) {
  const matrix A = g.adjacency();
  matrix y(g.n, width);
  for (int i = 0; i < g.n; ++i) {
    bool first = true;
    for (int j = 0; j < g.n; ++j) {
      if (A(i, j) == 0) continue;
      for (int k = 0; k < width; ++k) y(i, k) = first ? m(i, j)(0, k) : std::max(y(i, k), m(i, j)(0, k));
      first = false;
    }
  }
  return y;
}

inline matrix sage(const given& g, const std::string& how) {
  const matrix X = g.x(), own = X * g("U");
  if (how == "max") return own + maximum(g, 3, [&](int, int j) { return X.row(j); }) * g("W");
  if (how == "sum") return own + g.affine(g.adjacency() * X);
  return own + g.share() * g.adjacency() * X * g("W");
}
inline matrix gin(const given& g, double eps) { return g.perceptron((1 + eps) * g.x() + g.adjacency() * g.x()); }
inline matrix gine(const given& g, double eps) {
  const matrix X = g.x(), u = g.u();
  matrix y = (1 + eps) * X;
  for (std::size_t e = 0; e < g.edges.size(); ++e)
    for (int k = 0; k < 3; ++k)
      y(static_cast<int>(g.edges[e].second), k) +=
          std::max(X(static_cast<int>(g.edges[e].first), k) + u(static_cast<int>(e), k), 0.0);
  return g.perceptron(y);
}
inline matrix edge(const given& g, const std::function<matrix(const matrix&)>& mlp) {
  const matrix X = g.x();
  return maximum(g, 4, [&](int i, int j) { return mlp(beside(X.row(i), X.row(j) - X.row(i))); });
}
inline matrix edge_of_two(const given& g) {
  return edge(g, [&](const matrix& m) {
    return each(m * g.get("both", 6, 4) + g.row("b", 4), [](double x) { return std::tanh(x); }) * g.get("H", 4, 4);
  });
}
/// One adjacency for each relation, its rows divided by their sums.
inline matrix rgcn(const given& g) {
  const matrix a = g.get("mixture", 5, 2), V = g.get("bases", 6, 4);
  matrix y = g.x() * g("W");
  for (int r = 0; r < 5; ++r) {
    given of_relation = g;
    of_relation.edges.clear();
    for (std::size_t e = 0; e < g.edges.size(); ++e)
      if (g.inputs.at("relation")[e] == r) of_relation.edges.push_back(g.edges[e]);
    const matrix W = a(r, 0) * V.rows(0, 3) + a(r, 1) * V.rows(3, 3);
    y = y + of_relation.share() * of_relation.adjacency() * g.x() * W;
  }
  return y;
}
inline double mean_log_degree(const given& g) {
  return each(g.degree(), [](double d) { return std::log(d + 1); }).sum() / g.n;
}
/// Of messages, a row for each edge.
inline matrix pna_of(const given& g, double delta, const matrix& messages) {
  const matrix to_rows = g.incidence().transposed(), mean = g.share() * to_rows * messages;
  const matrix variance = g.share() * to_rows * square(messages) - square(mean);
  const matrix deviation = each(variance, [](double s) { return s > 1e-5 ? std::sqrt(s) : 0; });
  matrix most(g.n, 2), least(g.n, 2), seen(g.n, 1);
  for (std::size_t e = 0; e < g.edges.size(); ++e) {
    const int i = static_cast<int>(g.edges[e].second);
    for (int k = 0; k < 2; ++k) {
      const double m = messages(static_cast<int>(e), k);
      most(i, k) = seen(i, 0) == 0 ? m : std::max(most(i, k), m);
      least(i, k) = seen(i, 0) == 0 ? m : std::min(least(i, k), m);
    }
    seen(i, 0) = 1;
  }
  const matrix all = beside(beside(mean, deviation), beside(most, least));
  const matrix more = each(g.degree(), [&](double d) { return std::log(d + 1) / delta; });
  const matrix less = each(g.degree(), [&](double d) { return delta / std::log(std::max(d, 1.0) + 1); });
  const matrix scaled = beside(more.diagonal() * all, less.diagonal() * all);
  return beside(g.x(), beside(all, scaled)) * g.get("joined", 27, 4);
}
inline matrix of_both_ends(const given& g, const std::string& destination, const std::string& source) {
  return g.incidence() * g.x() * g.get(destination, 3, 2) + g.at_sources(g.x() * g.get(source, 3, 2));
}
inline matrix pna(const given& g, double delta) { return pna_of(g, delta, of_both_ends(g, "near", "far")); }
inline matrix res_gated(const given& g) {
  const matrix X = g.x(), value = X * g("V"), to = X * g("Q"), from = X * g("R");
  return X * g("U") + total(g, 4, [&](int i, int j) {
           const matrix eta = each(to.row(i) + from.row(j), [](double s) { return 1 / (1 + std::exp(-s)); });
           return hadamard(eta, value.row(j));
         });
}
inline matrix res_gated_of_edges(const given& g) {
  const matrix X = g.x(), from = g.at_sources(X * g("R")), to = g.incidence() * X * g("Q");
  const matrix eta = each(from + to + g.u() * g("F"), [](double s) { return 1 / (1 + std::exp(-s)); });
  const matrix value = g.at_sources(X * g("V")) + g.u() * g("E");
  return X * g("U") + g.incidence().transposed() * hadamard(eta, value);
}
inline matrix film(const given& g) {
  const matrix X = g.x(), gamma = X * g("S"), beta = g.affine(X), value = X * g("R");
  const matrix own = relu(hadamard(X * g("V"), X * g("U")) + X * g("Q"));
  return own + g.share() *
                   total(g, 4, [&](int i, int j) { return relu(hadamard(gamma.row(i), value.row(j)) + beta.row(i)); });
}

// ---- normalisations ----

/// c / √(variance + eps), one variance per column.
inline matrix scaled(const matrix& c, const matrix& variance, double eps) {
  return c * each(variance, [&](double s) { return 1 / std::sqrt(s + eps); }).transposed().diagonal();
}
inline matrix centred(const matrix& X) { return with_row(X, -1.0 * X.mean_of_rows()); }
inline matrix layer_norm(const matrix& X) {
  const matrix c = centred(X.transposed());  // what is a row there is a column here
  return scaled(c, square(c).mean_of_rows(), 1e-5).transposed();
}
inline matrix layer_norm_of_graph(const matrix& X) {
  const double count = X.rows() * X.columns(), mean = X.sum() / count;
  const matrix c = each(X, [&](double x) { return x - mean; });
  return 1 / std::sqrt(square(c).sum() / count + 1e-3) * c;
}
/// The value and both running statistics; momentum 0.3.
inline std::vector<numbers> batch_norm(const given& g, bool trains) {
  const matrix X = g.x(), mean = X.mean_of_rows(), biased = square(centred(X)).mean_of_rows();
  const matrix old_mean = g.row("mean_so_far", 3), old_variance = g.row("positive_variance", 3);
  if (!trains)
    return {scaled(with_row(X, -1.0 * old_mean), old_variance, 1e-5).numbers(), old_mean.numbers(),
            old_variance.numbers()};
  const double n = g.n;
  return {scaled(centred(X), biased, 1e-5).numbers(), (0.3 * mean + 0.7 * old_mean).numbers(),
          (0.3 * n / (n - 1) * biased + 0.7 * old_variance).numbers()};
}
inline matrix pair_norm(const matrix& X, bool alone) {
  const matrix c = centred(X);
  const double together = square(c).sum() / c.rows();
  const matrix scale =
      each(square(c).sum_of_columns(), [&](double s) { return 1.5 / std::sqrt((alone ? s : together) + 1e-5); });
  return scale.diagonal() * c;
}
inline matrix graph_norm(const given& g) {
  const matrix c = with_row(g.x(), -1.0 * hadamard(g.row("shift", 3), g.x().mean_of_rows()));
  return scaled(c, square(c).mean_of_rows(), 1e-5);
}

// ---- readouts ----

/// Σ_i softmax_i(score) ⊙ value, where score has one column or one for each of value's.
inline matrix attention_pool(const matrix& score, const matrix& value) {
  const matrix weight = each(score, [](double s) { return std::exp(s); });
  matrix y(1, value.columns());
  for (int k = 0; k < value.columns(); ++k) {
    const matrix w = weight.middle(score.columns() == 1 ? 0 : k, 1);
    y(0, k) = hadamard(w, value.middle(k, 1)).sum() / w.sum();
  }
  return y;
}
/// Hidden states of one direction, two features, in the order in which the layers are given.
inline std::vector<matrix> lstm(const given& g, const std::vector<matrix>& layers, const std::string& direction) {
  std::vector<matrix> states;
  matrix state(g.n, 2), cell(g.n, 2);
  const auto logistic = [](double s) { return 1 / (1 + std::exp(-s)); };
  const auto hyperbolic = [](double s) { return std::tanh(s); };
  for (const matrix& x : layers) {
    const matrix a =
        with_row(x * g.get("W" + direction, 4, 8) + state * g.get("U" + direction, 2, 8), g.row("b" + direction, 8));
    cell = hadamard(each(a.middle(2, 2), logistic), cell) +
           hadamard(each(a.middle(0, 2), logistic), each(a.middle(4, 2), hyperbolic));
    state = hadamard(each(a.middle(6, 2), logistic), each(cell, hyperbolic));
    states.push_back(state);
  }
  return states;
}
inline matrix jump_lstm(const given& g) {
  const std::vector<matrix> layers = {g.get("h", g.n, 4), g.x() * g("W"), g.x() * g("U")};
  const std::vector<matrix> there = lstm(g, layers, "f"), back = lstm(g, {layers[2], layers[1], layers[0]}, "b");
  matrix y(g.n, 4), total(g.n, 1);
  for (std::size_t t = 0; t < 3; ++t) {
    const matrix score = beside(there[t], back[2 - t]) * g.get("weight_of_layer", 4, 1);
    const matrix weight = each(score, [](double s) { return std::exp(s); });
    y = y + weight.diagonal() * layers[t];
    total = total + weight;
  }
  return each(total, [](double s) { return 1 / s; }).diagonal() * y;
}

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
  of["of_labels"] = of_labels;
  of["of_targets"] = [](const given& g) { return of_targets(g, false); };
  of["of_masked_targets"] = [](const given& g) { return of_targets(g, true); };
  return of;
}

}  // namespace stg::references
