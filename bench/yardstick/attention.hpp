// What the attention kernels are given, for one part of the rows.
#pragma once

#include <cstdint>  // int32_t

#include "../yardstick.hpp"  // rows

namespace yardstick {

inline constexpr float slope = 0.2f;  // of leaky_relu

struct forward_arguments {
  const rows* on;
  const float *el, *er, *h;  // (vertices, heads), (vertices, heads), (vertices, heads, dim)
  float *out, *saved;        // (vertices, heads, dim), (vertices, heads)
};

/// Of one sweep: along in-edges it yields d_er, along out-edges d_el and d_h.
struct backward_arguments {
  const rows* on;
  const float *el, *h, *dout;  // as above
  const float* records;        // (vertices, 3, heads): er, log Σ exp, ⟨dout, out⟩
  float *d_el, *d_h;
  float* d_er;  // (vertices, heads); in a sweep that scatters, this thread's partial sums
};

/// Records of the rows [first, last).
struct record_arguments {
  const float *er, *saved, *out, *dout;
  float* records;
};

}  // namespace yardstick
