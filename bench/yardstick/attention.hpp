// What the attention kernels are given, for one part of the rows.
//
// With score = leaky_relu(el_u + er_v), slope its derivative there (1 or 0.2), w the softmax of the scores, and δ_v =
// ⟨dout_v, out_v⟩, an edge adds w slope (⟨dout_v, h_u⟩ - δ_v) to the gradients of el_u and er_v. Products of sums take
// the place of sums of products, so that no edge costs a product of rows:
//   d_er_v = ⟨dout_v, S_v⟩ - δ_v a_v   S_v = Σ_u w slope h_u, a_v = Σ_u w slope: forward has both at hand
//   d_el_u = ⟨h_u, T_u⟩ - b_u          T_u = Σ_v w slope dout_v, b_u = Σ_v w slope δ_v, beside d_h_u = Σ_v w dout_v
#pragma once

#include <cstdint>  // int32_t

#include "../yardstick.hpp"  // rows

namespace yardstick {

inline constexpr float slope = 0.2f;  // of leaky_relu

/// A vertex's numbers side by side, since backward reads them of every neighbour: (vertices, numbers, heads).
enum number { er_of, log_sum, delta_of, slope_sum, numbers };

struct forward_arguments {
  const rows* on;
  const float *el, *er, *h;  // (vertices, heads), (vertices, heads), (vertices, heads, dim)
  float* out;                // (vertices, heads, dim)
  float *records, *sloped;   // in training alone: all numbers but δ, and S (vertices, heads, dim)
  bool stream;               // out and S past the caches: aligned, and more than these hold
};

/// The vertices' own share of backward: δ into the records, and d_er.
struct own_arguments {
  const float *out, *sloped, *dout;
  float *records, *d_er;
};

/// The sweep along out-edges.
struct sweep_arguments {
  const rows* on;
  const float *el, *h, *dout, *records;
  float *d_el, *d_h;
  bool stream;  // d_h
};

}  // namespace yardstick
