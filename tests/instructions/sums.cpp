// Sums and maxima over neighbours: widths that fill registers, that do not, and that are narrower than one.
#include "layer.hpp"  // add_forward, add_backward

#include <bench/layers.hpp>  // of_width

namespace instructions {
namespace {

template <int Width> struct inputs {
  explicit inputs(const stg::graph& on)
      : on(on), x(numbers({on.vertices(), Width}, 1)), c(numbers({on.vertices()}, 2)) {}
  stg::graph on;
  stg::tensor<float> x, c;
  stg::edge_values<float> w = on.edge_values(numbers({on.edges()}, 3));
};

template <int Width> auto weighted(const stg::graph& on) {
  using layer = layers::of_width<Width>;
  return [in = std::make_shared<inputs<Width>>(on)](auto call) {
    return call(in->on, layer::x = in->x, layer::c = in->c);
  };
}
template <int Width> auto edge_weighted(const stg::graph& on) {
  using layer = layers::of_width<Width>;
  return [in = std::make_shared<inputs<Width>>(on)](auto call) {
    return call(in->on, layer::x = in->x, layer::w = in->w);
  };
}
template <int Width> auto unweighted(const stg::graph& on) {
  using layer = layers::of_width<Width>;
  return [in = std::make_shared<inputs<Width>>(on)](auto call) { return call(in->on, layer::x = in->x); };
}

}  // namespace

void add_sums(std::vector<kernel>& all, const stg::graph& on) {
  using namespace layers;
  const std::int64_t edges = on.edges();
  add_forward<of_width<16>::weighted_sum>(all, "weighted_sum_16_forward", edges, weighted<16>(on));
  add_forward<of_width<64>::weighted_sum>(all, "weighted_sum_64_forward", edges, weighted<64>(on));
  add_backward<of_width<64>::weighted_sum>(all, "weighted_sum_64_backward", edges, weighted<64>(on));
  add_forward<of_width<100>::weighted_sum>(all, "weighted_sum_100_forward", edges, weighted<100>(on));
  add_forward<of_width<128>::weighted_sum>(all, "weighted_sum_128_forward", edges, weighted<128>(on));
  add_backward<of_width<128>::weighted_sum>(all, "weighted_sum_128_backward", edges, weighted<128>(on));
  add_forward<of_width<64>::edge_weighted_sum>(all, "edge_weighted_sum_64_forward", edges, edge_weighted<64>(on));
  add_forward<of_width<7>::mean_of_neighbours>(all, "mean_7_forward", edges, unweighted<7>(on));
  add_forward<of_width<64>::max_of_neighbours>(all, "max_64_forward", edges, unweighted<64>(on));
}

}  // namespace instructions
