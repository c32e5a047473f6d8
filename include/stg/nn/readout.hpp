// Readouts along a relation: from vertices one value for each vertex of another set, such as the graphs of a batch.
//
// Each takes the edges of the relation as the set that is read out for sees them, g(molecule).in_edges(part_of), or
// v.in_edges() at the readout vertices of one graph. Sums, means and maxima are aggregates: mean(e.src(x)). A vertex
// without such edges, an empty graph, gets 0 from them.
#pragma once

#include <tuple>  // get

#include <stg/dsl/next_step.hpp>       // next
#include <stg/dsl/other_calls.hpp>     // STG_OTHER_CALLS
#include <stg/dsl/scan_body.hpp>       // scan_over_values
#include <stg/nn/ends.hpp>             // at_other_end, at_owner
#include <stg/nn/pool.hpp>             // global_attention_pool
#include <stg/nn/recurrent/gates.hpp>  // whole
#include <stg/nn/transform.hpp>        // transform
#include <stg/op/for_layers.hpp>       // for_layers
#include <stg/op/list.hpp>             // sum, softmax, argmax, concat

namespace stg::nn {

/// Σ_i softmax_i(x_i G) ⊙ x_i W over the edges of a relation: x (in), G (in, 1) for one score per vertex or (in, out)
/// for one per feature, W (in, out), each a parameter or a function → (out). Li et al., ICLR 2016 (arXiv:1511.05493),
/// equation 7, with a softmax in place of its sigmoid and nothing around the sum; PyG's AttentionalAggregation.
///
///   auto y = stg::nn::global_attention_pool(g(molecule).in_edges(part_of), h, G, W);
template <class Side, class X, class Gate, class W>
constexpr auto global_attention_pool(edge_view<Side> e, X x, Gate gate, W w) {
  const auto share = softmax(detail::at_other_end(e, transform(x, gate)));
  return sum(share * detail::at_other_end(e, transform(x, w)));
}

/// What an LSTM knows of a set after it asked it `Steps` times: [q, r] with
///
///   q, c ← lstm([q, r], q, c), a_i = softmax_i(x_i · q), r ← Σ_i a_i x_i
///
/// from zeros on, over the edges of a relation: x (width) of real numbers, the LSTM's input (2 width, 4 width), state
/// (width, 4 width) and bias (4 width) → (2 width). The order of the vertices makes no difference. Vinyals et al., ICLR
/// 2016 (arXiv:1511.06391), equations 3 to 7; PyG's Set2Set with one layer, whose LSTM has two biases.
///
///   auto y = stg::nn::set2set<3>(g(molecule).in_edges(part_of), h, stg::nn::lstm{W, U, b});
template <int Steps, class Side, class X, class Cell> constexpr auto set2set(edge_view<Side> e, X x, Cell cell) {
  using from = for_layers::operand_traits<X>;
  using owner = for_layers::owner_of<Side>;
  const vertex_view v(e.trace);
  const auto step = [=](vertex_view at, auto q, auto memory, auto read) {
    const edge_view<Side> inside{at.trace};
    const auto asked = cell(at, concat<axis<0>>(q, read), q, memory);
    const auto rows = detail::at_other_end(inside, at(x));  // (width)
    const auto share = softmax(sum(rows * detail::at_owner(inside, asked.h), axis<0>));
    return next(asked.h, asked.c, sum(share * rows));
  };
  const auto nothing = detail::whole<owner, typename from::dims, from::type>(v, 0);
  const auto last = for_layers::scan_over_values<shape<Steps>>(v, step, nothing, nothing, nothing);
  return concat<axis<0>>(std::get<0>(last), std::get<2>(last));
}

/// The rows of the `Count` vertices whose last feature is largest, the largest first, one below another, over the edges
/// of a relation: x (features) → (Count, features); rows for which no vertex is left are 0. Of vertices that are equal
/// there the one comes first whose edge does. Which they are has no gradient, their rows have. So many sweeps as Count.
/// Zhang et al., AAAI 2018 (DGCNN), section 3.2, which orders equals by the features before the last; PyG's
/// SortAggregation, whose result is flat.
///
///   auto y = reshape<10 * 16>(stg::nn::sort_pool<10>(g(molecule).in_edges(part_of), h));
template <int Count, class Side, class X> constexpr auto sort_pool(edge_view<Side> e, X x) {
  using from = for_layers::operand_traits<X>;
  using owner = for_layers::owner_of<Side>;
  constexpr auto width = axis_extent<typename from::dims, 0>;
  constexpr double taken = -1e30;  // instead of a score: below all of them, and finite
  const vertex_view v(e.trace);
  const auto step = [=](vertex_view at, auto left, auto rows) {
    const edge_view<Side> inside{at.trace};
    const auto number = for_layers::edge_number<Side>(at.trace);
    const auto chosen = (number == detail::at_owner(inside, argmax(left))) & (left > taken);
    const auto row = reshape<1, width>(sum(select(chosen, detail::at_other_end(inside, at(x)), 0.0)));
    const auto all = [&] {
      if constexpr (Count == 1) return row;
      else return concat<axis<0>>(slice<1, Count>(rows, axis<0>), row);
    }();
    return next(select(chosen, taken, left), all);
  };
  const auto score = detail::at_other_end(e, detach(x[-1]));
  return std::get<1>(for_layers::scan_over_values<shape<Count>>(
      v, step, score, detail::whole<owner, shape<Count, width>, from::type>(v, 0)));
}

// Calls that are none of these.
STG_OTHER_CALLS(edges, 3, 3, "set2set", "set2set<3>(edges, h, lstm{W, U, b})", mistake, set2set)
STG_OTHER_CALLS(edges, 2, 2, "sort_pool", "sort_pool<10>(edges, h)", mistake, sort_pool)

}  // namespace stg::nn
