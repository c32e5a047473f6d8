// Readouts: one value for the whole graph from the values of its vertices, and one value from those of several layers.
#pragma once

#include <stg/dsl/other_calls.hpp>  // STG_OTHER_CALLS
#include <stg/nn/transform.hpp>     // transform
#include <stg/op/list.hpp>          // sum, mean, max, concat

namespace stg::nn {

// A call has one graph: PyTorch Geometric's batch vector has no counterpart. Shapes stay as x's; an empty graph gives
// 0.

/// Σ_i x_i. PyG's global_add_pool.
template <Read X> constexpr auto global_sum_pool(X x) { return sum(x, all_vertices); }
/// Σ_i x_i / |V|. PyG's global_mean_pool.
template <Read X> constexpr auto global_mean_pool(X x) { return mean(x, all_vertices); }
/// max_i x_i per feature; ties share the gradient. PyG's global_max_pool.
template <Read X> constexpr auto global_max_pool(X x) { return max(x, all_vertices); }

/// Σ_i softmax_i(x_i G) ⊙ x_i W over all vertices: x (in), the gate G (in, 1) for one score per vertex or (in, out) for
/// one per feature, W (in, out), each a parameter or a function → (out) for the graph. Li et al., ICLR 2016, equation
/// 7, with a softmax in place of its sigmoid; PyG's AttentionalAggregation.
template <class X, class Gate, class W> constexpr auto global_attention_pool(X x, Gate gate, W w) {
  auto score = transform(x, gate);
  auto weight = exp(score - detach(max(score, all_vertices)));  // the largest is taken away for its size alone
  return sum(weight * transform(x, w), all_vertices) / max(sum(weight, all_vertices), 1.0);  // never below 1
}
/// The same of x itself.
template <class X, class Gate> constexpr auto global_attention_pool(X x, Gate gate) {
  return global_attention_pool(x, gate, [](auto h) { return h; });
}

/// How jumping_knowledge joins layers.
enum class combined_by : int { concat, max };

/// What several layers computed, one after the other along the last axis or the largest per feature (the first where
/// they are equal): shapes agree in all axes but the last, by max in all. Xu et al., ICML 2018, section 4; PyG's
/// JumpingKnowledge with modes cat and max; its mode lstm is jumping_knowledge_lstm (jumping.hpp).
///
///   auto h = stg::nn::jumping_knowledge<stg::nn::combined_by::max>(h1, h2, h3);
template <combined_by How = combined_by::concat, class X, class... More>
constexpr auto jumping_knowledge(X x, More... more) {
  if constexpr (sizeof...(More) == 0) return x;
  else if constexpr (How == combined_by::concat) return concat<axis<-1>>(x, more...);
  else return max(x, jumping_knowledge<How>(more...));
}

// Calls that are none of these.
STG_OTHER_CALLS(value, 1, 1, "global_sum_pool", "global_sum_pool(h)", mistake, global_sum_pool)
STG_OTHER_CALLS(value, 1, 1, "global_mean_pool", "global_mean_pool(h)", mistake, global_mean_pool)
STG_OTHER_CALLS(value, 1, 1, "global_max_pool", "global_max_pool(h)", mistake, global_max_pool)

}  // namespace stg::nn
