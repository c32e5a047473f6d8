// What the benchmark's programs are held against: plain loops on the host, a vertex at a time, sums in double.
#pragma once

#include <stg/runtime/graph.hpp>  // graph, tensor

#include <span>  // span

namespace device_bench {

/// y[v] = Σ w[e] x[u] over in-edges e: u → v; w by edge id, x and y (vertices, width).
stg::tensor<float> weighted_sum(const stg::graph& g, const stg::tensor<float>& w, const stg::tensor<float>& x);
/// relu(y + b) for every row.
void bias_and_relu(stg::tensor<float>& y, const stg::tensor<float>& b);

/// A graph attention layer (Veličković et al., ICLR 2018, equations 1 to 4, slope 0.2) and its gradients.
struct gat_inputs {
  stg::tensor<float> x, W, a_src, a_dst, cotangent;  // (n, in), (in, H·D), (H, D), (H, D), (n, H, D)
};
struct gat_results {
  stg::tensor<float> out;                 // (n, H, D)
  stg::tensor<float> x, W, a_src, a_dst;  // gradients
  /// How far each gradient may lie off for scores within rounding of 0, whose slope is 1 or 0.2 by the last bit of a
  /// sum: ‖…‖ over ‖gradient‖, three times what they move it by when each takes the other side and signs are by chance.
  struct {
    double x = 0, W = 0, a_src = 0, a_dst = 0;
  } undecided;
};
gat_results gat_layer(const stg::graph& g, const gat_inputs& in);

/// max |a - b| / max |b|; infinite for another size or a number that is not finite.
double largest_difference(const stg::tensor<float>& a, const stg::tensor<float>& b);
/// ‖a - b‖ / ‖b‖, infinite as above. For gradients, of which one row may move by more than rounding moves all.
double overall_difference(const stg::tensor<float>& a, const stg::tensor<float>& b);

}  // namespace device_bench
