// Convolutions of graphs whose edges are of several kinds: rgcn.
#pragma once

#include <stg/nn/propagate.hpp>   // unweighted_view
#include <stg/nn/transform.hpp>   // transform
#include <stg/op/for_layers.hpp>  // for_layers
#include <stg/op/list.hpp>        // sum, pick, one_hot, matmul

namespace stg::nn {

/// x_i W_self + Σ_r mean_{j in N_r(i)} x_j W_r with W_r = Σ_b a_rb V_b: N_r(i) are the sources of edges of relation r.
/// x (in), relation an edge feature i32 in [0, relations), W_self (in, out), the bases V (bases, in, out), their
/// coefficients a (relations, bases) → (out). A row takes bases · in numbers before it is multiplied. Schlichtkrull et
/// al., ESWC 2018, equations 2 and 3; PyG's RGCNConv with num_bases.
///
///   auto y = stg::nn::rgcn_conv(v, v(x), relation, W, V, a);
template <class X, class Relation, class Self, class Bases, class Coefficients>
constexpr auto rgcn_conv(unweighted_view v, X x, Relation relation, Self w_self, Bases bases, Coefficients a) {
  using dims = typename for_layers::operand_traits<Bases>::dims;
  constexpr auto count = axis_extent<dims, 0>, in = axis_extent<dims, 1>, out = axis_extent<dims, 2>;
  constexpr auto relations = axis_extent<typename for_layers::operand_traits<Coefficients>::dims, 0>;
  auto e = v.in_edges();
  auto r = e(relation);
  auto of_each = sum(one_hot<relations, for_layers::operand_traits<X>::type>(r));  // (relations) edges per vertex
  auto weight = pick(a, r) * pick(reciprocal(max(of_each, 1.0)), r);               // (bases) per edge
  auto mixed = sum(reshape<count, 1>(weight) * reshape<1, in>(e.src(x)));          // (bases, in)
  return transform(x, w_self) + matmul(reshape<count * in>(mixed), reshape<count * in, out>(v(bases)));
}

}  // namespace stg::nn
