// Sums, means and maxima over in-edges. Products stay PyTorch's, so a program has rows of one width, known when it is
// called.
#include <stg/stg.hpp>  // the language

#include "programs.hpp"

namespace {

constexpr auto width = stg::extent<"F">;
constexpr auto x = stg::vertex_feature<"x", width>;
constexpr auto u = stg::edge_feature<"u", width>;
constexpr auto w = stg::edge_feature<"w">;

constexpr auto total = [](auto v) { return sum(v.in_edges().src(x)); };
constexpr auto average = [](auto v) { return mean(v.in_edges().src(x)); };
constexpr auto weighted_total = [](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * e.src(x));
};
constexpr auto propagated = [](auto v) { return stg::nn::propagate(v, v(x)); };

/// Edges that reach the extreme share its gradient, edge by edge. An extreme of 0 counts one more, which gets its
/// share: the row of zeros that PyTorch's scatter_reduce begins with, also where it is told to leave it out.
template <class Edges, class Extreme> constexpr auto shared_among_ties(Edges e, Extreme extreme) {
  auto reaches = stg::cast<stg::f32>(e.src(x) == detach(extreme));
  return sum(reaches * e.src(x)) / (sum(reaches) + stg::cast<stg::f32>(detach(extreme) == 0.0));
}
constexpr auto largest = [](auto v) {
  auto e = v.in_edges();
  return shared_among_ties(e, max(e.src(x)));
};
constexpr auto smallest = [](auto v) {
  auto e = v.in_edges();
  return shared_among_ties(e, min(e.src(x)));
};

constexpr auto rectified_total = [](auto v) {
  auto e = v.in_edges();
  return sum(relu(e.src(x) + e(u)));
};

constexpr auto key = stg::vertex_feature<"key", width>;
constexpr auto query = stg::vertex_feature<"query", width>;
constexpr auto value = stg::vertex_feature<"value", width>;
constexpr auto gated_total = [](auto v) {
  auto e = v.in_edges();
  return sum(sigmoid(v(key) + e.src(query)) * e.src(value));
};

constexpr auto words = stg::sparse_feature<"x", width>;
constexpr auto matrix = stg::parameter<"w", width, stg::extent<"O">>;
constexpr auto sparse_product = [](auto v) { return matmul(v(words), matrix); };

}  // namespace

void stg::package::add_aggregates(python_module& m) {
  m.program<total>("total", "Σ_j x_j over in-edges.");
  m.training<total, x>("total");
  m.program<average>("average", "mean_j x_j over in-edges; 0 where there is none.");
  m.training<average, x>("average");
  m.program<largest>("largest", "max_j x_j over in-edges; 0 where there is none. Ties share the gradient.");
  m.training<largest, x>("largest");
  m.program<smallest>("smallest", "min_j x_j over in-edges; 0 where there is none. Ties share the gradient.");
  m.training<smallest, x>("smallest");
  m.program<weighted_total>("weighted_total", "Σ_j w_ji x_j over in-edges, with the gradient for x.");
  m.training<weighted_total, x>("weighted_total");
  m.training<weighted_total, x, w>("weighted_total_both", "Σ_j w_ji x_j over in-edges, with both gradients.");
  m.program<propagated>("propagated", "Σ_j x_j / √(d_i d_j) over in-edges, d the in-degree.");
  m.training<propagated, x>("propagated");
  m.program<rectified_total>("rectified_total", "Σ_j relu(x_j + u_ji) over in-edges.");
  m.training<rectified_total, x, u>("rectified_total");
  m.program<gated_total>("gated_total", "Σ_j sigmoid(key_i + query_j) value_j over in-edges.");
  m.training<gated_total, key, query, value>("gated_total");
  m.program<sparse_product>("sparse_product", "x w, where few numbers of x are not 0.");
  m.training<sparse_product, matrix>("sparse_product");
}
