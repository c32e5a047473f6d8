// Kernels written by hand for one operation each, the way an expert writes them: what stg's own are measured against.
//
// Explicit registers of 16 floats (8 where the machine has AVX2 only), the output row in registers over all edges,
// 32-bit ids, rows cut into parts of about 4,000 edges, threads over parts, nothing allocated in a call. Results differ
// from the exact ones by rounding only; they are tested against plain loops in double.
#pragma once

#include <stg/runtime/graph.hpp>  // graph

#include <cstdint>  // int32_t
#include <vector>   // vector

#include "floats.hpp"  // floats

namespace yardstick {

/// Rows of edges in 32 bits: row v holds the positions [begin[v], begin[v + 1]).
struct rows {
  std::vector<std::int32_t> begin;      // (vertices + 1)
  std::vector<std::int32_t> neighbour;  // (edges), and some more valid ids, so that prefetching needs no test
  std::vector<std::int32_t> edge_id;    // (edges); empty when the id is the position
  std::vector<std::int32_t> part;       // first row of each part, and the number of rows
  std::int32_t scratch_row = 0;         // edges of the largest part, and some more
};

/// A graph as the kernels read it, made once.
struct graph {
  std::int32_t vertices = 0;
  rows in, out;
};

/// Error for a graph with more than 2^31 - 1 edges.
graph prepare(const stg::graph& g);

// Arrays are row-major floats: x, y, g (vertices, width), c (vertices), w (edges) by edge id. Any width from 1 on.

/// y[v] = Σ c[u] x[u] over in-edges u → v.
void weighted_sum(const graph& g, const float* c, const float* x, float* y, std::int64_t width);
/// dx[u] = c[u] Σ dy[v] over out-edges u → v.
void weighted_sum_backward(const graph& g, const float* c, const float* dy, float* dx, std::int64_t width);
/// y[v] = Σ w[e] x[u] over in-edges e: u → v.
void edge_weighted_sum(const graph& g, const float* w, const float* x, float* y, std::int64_t width);
/// dx[u] = Σ w[e] dy[v] over out-edges e: u → v.
void edge_weighted_sum_backward(const graph& g, const float* w, const float* dy, float* dx, std::int64_t width);

/// Attention of one shape: score = leaky_relu(el[u] + er[v], 0.2), its softmax over the in-edges of v, and the sum of
/// neighbours weighted by it (Veličković et al., ICLR 2018). Shapes: 8 heads of 8, 1 of 64, 4 of 64. Holds what forward
/// in training leaves for backward, and the scratch of each thread.
///
///   yardstick::attention a(g, 8, 8);
///   a.forward_in_training(el, er, h, out);
///   a.backward(el, h, out, dout, d_el, d_er, d_h);
///
/// Results have equal bits for any number of threads, which is what stg promises too.
class attention {
 public:
  /// Error for another shape.
  attention(const graph& g, int heads, int dim);

  /// el, er: (vertices, heads); h, out: (vertices, heads, dim). Leaves nothing.
  void forward(const float* el, const float* er, const float* h, float* out);
  /// The same, and keeps log Σ exp score, neighbours weighted by softmax times slope, and the sum of these weights.
  void forward_in_training(const float* el, const float* er, const float* h, float* out);
  /// Cotangent dout in, gradients d_el, d_er and d_h out; `out` as forward_in_training left it. One sweep along
  /// out-edges, which computes softmax again; d_er needs none, since its sums were kept.
  void backward(const float* el, const float* h, const float* out, const float* dout, float* d_el, float* d_er,
                float* d_h);
  /// Bytes beyond inputs and outputs.
  std::int64_t bytes() const;

 private:
  void forward(bool training, const float* el, const float* er, const float* h, float* out);

  const graph& on_;
  int heads_, dim_;
  int threads_;
  floats records_;  // (vertices, 4, heads): er, log Σ exp, ⟨dout, out⟩, Σ softmax · slope
  floats sloped_;   // (vertices, heads, dim): Σ softmax · slope · h
  floats scratch_;  // (threads, 3, heads, edges of the largest part)
};

}  // namespace yardstick
