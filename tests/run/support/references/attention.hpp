// What layers of attention compute, written once more from their papers.
#pragma once

#include "dense_matrix.hpp"  // matrix
#include "given.hpp"         // given

#include <cmath>       // exp, sqrt
#include <functional>  // function

namespace stg::references {

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

}  // namespace stg::references
