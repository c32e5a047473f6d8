// Convolutions that weigh several relations into a set against each other: han hgt.
//
// What comes along each relation is a term, as in rgcn_conv: its edges as the set sees them, what is at their other
// ends, and parameters. A vertex without edges of a relation gets nothing from it.
#pragma once

#include <cstddef>  // size_t
#include <utility>  // index_sequence

#include <stg/dsl/other_calls.hpp>       // STG_OTHER_CALLS
#include <stg/nn/conv/attention.hpp>     // reshape_as, divided_by_root
#include <stg/nn/conv/between_sets.hpp>  // gat_conv
#include <stg/nn/ends.hpp>               // at_other_end, at_owner
#include <stg/nn/transform.hpp>          // transform
#include <stg/op/for_layers.hpp>         // for_layers
#include <stg/op/list.hpp>               // softmax, max, elu, gelu, sigmoid

namespace stg::nn {

/// elu(Σ_j α_ij h_j) with α = softmax_j leaky_relu(a_dst · own_i + a_src · h_j) over the edges of a metapath: its term
/// in han_conv. h and own (heads · dim), rows that are projected already, of one set the same value; a_src and a_dst
/// (heads, dim) → (heads · dim). Wang et al., WWW 2019 (arXiv:1903.07293), equations 3 to 6.
template <class Side, class H, class Own, class Source, class Destination>
constexpr auto attention_over(edge_view<Side> e, H h, Own own, Source a_src, Destination a_dst,
                              written attention_dropout = 0, double slope = 0.2) {
  using heads = typename for_layers::operand_traits<Source>::dims;
  constexpr auto as_it_is = [](auto y) { return y; };
  const auto z = gat_conv(e, h, own, as_it_is, as_it_is, a_src, a_dst, attention_dropout, slope);
  return elu(reshape<axis_extent<heads, 0> * axis_extent<heads, 1>>(z));
}

namespace detail {
template <std::size_t... R, class Shares, class... Z>
constexpr auto mixed(std::index_sequence<R...>, Shares shares, Z... z) {
  return (... + (shares[static_cast<int>(R)] * z));
}

/// Row k of x (heads, …, in) times matrix k of W (heads, in, out): (heads, out).
template <std::size_t... Head, class X, class W> constexpr auto by_head(std::index_sequence<Head...>, X x, W w) {
  constexpr auto out = axis_extent<typename for_layers::operand_traits<W>::dims, 2>;
  const auto rows = [&](int head) { return reshape<1, out>(matmul(x[head], w[head])); };
  if constexpr (sizeof...(Head) == 1) return rows(0);
  else return concat<axis<0>>(rows(static_cast<int>(Head))...);
}
}  // namespace detail

/// Σ_r β_r z_r with β = softmax_r mean_i(q · tanh(z_ri W)): the term z_r of each metapath, attention_over(edges, h,
/// own, a_src, a_dst), all (features); W (features, hidden), or a function that adds a bias, and q (hidden), which
/// begins drawn, are the same for all → (features). The shares β are those of the whole set. Wang et al., WWW 2019
/// (arXiv:1903.07293), equations 7 to 9; PyG's HANConv, whose terms end in relu.
///
///   auto h = matmul(p(x), M);
///   auto y = stg::nn::han_conv(W, q, stg::nn::attention_over(p.in_edges(coauthors), h, h, s1, d1),
///                              stg::nn::attention_over(p.in_edges(cites), h, h, s2, d2));
template <class W, class Query, class... Terms> constexpr auto han_conv(W w, Query q, Terms... z) {
  const auto asks = for_layers::begun(q, init::glorot_uniform);
  const auto told = [&](auto term) {
    return sum(tanh(transform(term, w)) * asks, axis<0>, keepdim);
  };  // (1) per vertex
  const auto all = [&] {
    if constexpr (sizeof...(Terms) == 1) return told(z...);
    else return concat<axis<0>>(told(z)...);
  }();
  const auto shares = softmax(mean(all, all_vertices), axis<0>);  // (terms) for the graph
  return detail::mixed(std::index_sequence_for<Terms...>(), shares, z...);
}

/// A relation's term in hgt_conv: its edges; x (in) at their other ends; K and M (in, heads · dim), keys and messages
/// of the set they come from; W_att and W_msg (heads, dim, dim) and the prior μ (heads) of the relation. K and M are
/// parameters or functions.
template <class Side, class X, class K, class M, class Attention, class Message, class Prior> struct hgt_relation {
  edge_view<Side> edges;
  X x;
  K keys;
  M messages;
  Attention w_att;
  Message w_msg;
  Prior prior;
};
template <class Side, class X, class K, class M, class Attention, class Message, class Prior>
hgt_relation(edge_view<Side>, X, K, M, Attention, Message, Prior)
    -> hgt_relation<Side, X, K, M, Attention, Message, Prior>;

namespace detail {

/// What attention along one relation gives, y (heads, dim), and how much of it there is, Σ_j exp(score_j) per head, as
/// exp(most) / share, so that it can be put beside that of others: the largest score and its share, each (heads, 1).
/// Without an edge the largest is far below all scores.
template <class Y, class Most, class Share> struct attended {
  Y y;
  Most most;
  Share share;
};
template <class Y, class Most, class Share> attended(Y, Most, Share) -> attended<Y, Most, Share>;

template <class Side, class X, class K, class M, class Attention, class Message, class Prior, class Query>
constexpr auto attend(const hgt_relation<Side, X, K, M, Attention, Message, Prior>& r, Query query) {
  using dims = typename for_layers::operand_traits<Attention>::dims;
  constexpr auto heads = axis_extent<dims, 0>, dim = axis_extent<dims, 1>;
  constexpr auto all = std::make_index_sequence<heads>();
  const auto keys = by_head(all, reshape<heads, dim>(transform(r.x, r.keys)), r.w_att);
  const auto messages = by_head(all, reshape<heads, dim>(transform(r.x, r.messages)), r.w_msg);
  const auto asked = reshape<heads, 1>(for_layers::begun(r.prior, init::ones)) * divided_by_root(query);
  const auto score = sum(at_other_end(r.edges, keys) * at_owner(r.edges, asked), axis<-1>, keepdim);  // (heads, 1)
  const auto edges = for_layers::owned_edges<Side, scalar_type::real>(r.edges.trace);
  return attended{sum(softmax(score) * at_other_end(r.edges, messages)),
                  select(edges > 0.0, for_layers::shift_of(max(score)), -1e30),
                  select(edges > 0.0, for_layers::top_share(score), 1.0)};
}

/// Attention along several relations as attention along all of them, each weighed by its size: one softmax.
template <class... Y, class... Most, class... Share> constexpr auto together(attended<Y, Most, Share>... along) {
  const auto largest = [](auto self, auto first, auto... rest) {
    if constexpr (sizeof...(rest) == 0) return first;
    else return max(first, self(self, rest...));
  };
  const auto most = largest(largest, along.most...);
  const auto size = [&](const auto& one) { return exp(one.most - most) / one.share; };
  return (... + (size(along) * along.y)) / (... + size(along));  // one of them is 1 or more
}

}  // namespace detail

/// σ(skip) y_i A + (1 - σ(skip)) own_i, where y_i is gelu of what attention over the edges of all relations into the
/// set gives, with one softmax over them together: Σ_j α_ij ⊗ (x_j M W_msg) with α = softmax_j(μ (x_j K W_att) · (own_i
/// Q) / √dim), per head. own (out), Q (out, heads · dim), A (heads · dim, out), parameters or functions, skip a scalar
/// of the set, a hgt_relation for each relation → (out). Hu et al., WWW 2020 (arXiv:2003.01332), equations 3 to 5,
/// which add own with no weight; PyG's HGTConv and the authors' code have one. skip and μ begin with 1. A vertex
/// without any edges gets 0 for y.
///
///   auto y = stg::nn::hgt_conv(
///       p(own), Q, A, skip, stg::nn::hgt_relation{p.in_edges(writes), a(x), Ka, Ma, W_writes, V_writes, m_writes},
///       stg::nn::hgt_relation{p.in_edges(cites), p(own), Kp, Mp, W_cites, V_cites, m_cites});
template <class Own, class Query, class Out, class Skip, class First, class... Relations>
constexpr auto hgt_conv(Own own, Query w_query, Out w_out, Skip skip, First first, Relations... more) {
  using dims = typename for_layers::operand_traits<decltype(first.w_att)>::dims;
  constexpr auto heads = axis_extent<dims, 0>, dim = axis_extent<dims, 1>;
  const auto query = reshape<heads, dim>(transform(own, w_query));
  const auto y = detail::together(detail::attend(first, query), detail::attend(more, query)...);  // (heads, dim)
  const auto kept = sigmoid(for_layers::begun(skip, init::ones));
  return kept * transform(gelu(reshape<heads * dim>(y)), w_out) + (1.0 - kept) * own;
}

// Calls that are none of these.
STG_OTHER_CALLS(edges, 5, 7, "attention_over", "attention_over(edges, h, h, a_src, a_dst)", mistake, attention_over)

}  // namespace stg::nn
