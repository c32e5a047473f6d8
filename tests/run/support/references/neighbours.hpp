// What layers compute that aggregate their neighbours, written once more from their papers.
#pragma once

#include "dense_matrix.hpp"  // matrix
#include "given.hpp"         // given

#include <algorithm>   // max, min
#include <cmath>       // exp, log, sqrt, tanh
#include <functional>  // function
#include <string>      // string

namespace stg::references {

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

}  // namespace stg::references
