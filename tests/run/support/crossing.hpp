// What crosses rows beside weighted sums: maxima, sums along out-edges, edge outputs and values reduced over all
// vertices.
#pragma once

#include "hubs.hpp"      // hubs
#include "networks.hpp"  // copy_of

namespace stg::test {

namespace crossing {
inline constexpr auto h = trainable(vertex_feature<"h", 19>);
inline constexpr auto w = trainable(edge_feature<"w">);
inline constexpr auto everything = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto near = max(e.src(h) * e(w)) + mean(o.dst(h) * o(w));
  return outputs(near, e.src(near) * e(w), sum(near * near, all_vertices), max(near, all_vertices));
};
}  // namespace crossing

/// Records it over hubs() and calls use(outputs, gradients), with the outputs as cotangents.
template <class Recorder, class Use> void record_everything(Recorder layer, const Use& use) {
  tensor<float> H({hubs().vertices(), 19}), weights({hubs().edges()});
  uniform(H, -1, 1, 1);
  uniform(weights, -1, 1, 2);
  auto tape = layer.record(hubs(), crossing::h = H, crossing::w = hubs().edge_values(weights));
  const auto out = copy_of(tape.outputs());
  use(out, tape.backward(out.template get<0>(), out.template get<1>(), out.template get<2>(), out.template get<3>()));
}

}  // namespace stg::test
