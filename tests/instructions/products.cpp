// What stands around the sweeps: products, dense and sparse, a convolution that has one, and an optimiser's step.
#include "layer.hpp"  // add_forward

#include <stg/runtime/dense.hpp>           // product
#include <stg/runtime/sparse_product.hpp>  // sparse_product

namespace instructions {
namespace {

constexpr auto x = stg::vertex_feature<"x", 128>;
constexpr auto W = stg::parameter<"W", 128, 40>;
constexpr auto b = stg::parameter<"b", 40>;
constexpr auto convolution = [](auto v) { return relu(stg::nn::gcn_conv(v, v(x), W) + b); };

void add_convolution(std::vector<kernel>& all, const stg::graph& on) {
  struct inputs {
    stg::graph on;
    stg::tensor<float> x, W, b;
  };
  const auto in =
      std::make_shared<inputs>(inputs{on, numbers({on.vertices(), 128}, 1), numbers({128, 40}, 2), numbers({40}, 3)});
  const auto bind = [in](auto call) { return call(in->on, x = in->x, W = in->W, b = in->b); };
  add_forward<convolution>(all, "gcn_128_40_forward", on.edges(), bind);
}

void add_dense_product(std::vector<kernel>& all, std::int64_t rows) {
  struct operands {
    stg::tensor<float> x, w, y, scratch;
  };
  const auto on = std::make_shared<operands>(operands{numbers({rows, 128}, 1), numbers({128, 64}, 2),
                                                      stg::tensor<float>({rows, 64}),
                                                      stg::tensor<float>({stg::product_scratch<float>(128, 64)})});
  all.push_back({"dense_product_128_64", rows, "row", [] {},
                 [on, rows] {
                   stg::product(on->x.data(), on->w.data(), on->y.data(), on->scratch.data(), rows, 128, 64, false);
                 }});
}

/// 13 of 1000 numbers are not 0, as in Cora's features.
void add_sparse_product(std::vector<kernel>& all, std::int64_t rows) {
  struct operands {
    stg::sparse_tensor<float> x;
    stg::tensor<float> w, y;
  };
  stg::tensor<float> features = numbers({rows, 1000}, 1);
  std::int64_t entries = 0;
  for (std::int64_t i = 0; i < features.size(); ++i) {
    const bool is_there = i * 7919 % 1000 < 13;
    entries += is_there;
    if (!is_there) features.data()[i] = 0;
  }
  const auto on = std::make_shared<operands>(
      operands{stg::sparse(features), numbers({1000, 16}, 2), stg::tensor<float>({rows, 16})});
  all.push_back({"sparse_product_16", entries, "entry", [] {},
                 [on] { stg::sparse_product(on->x.view(), on->w.data(), on->y.data(), 16, {}); }});
}

void add_adam(std::vector<kernel>& all) {
  using set = decltype(stg::parameters<convolution>());
  struct training {
    set parameters = stg::parameters<convolution>(), drawn = stg::parameters<convolution>();
    decltype(drawn.numbers()) gradients = drawn.numbers();
    stg::adam<set> optimizer{parameters};
  };
  const auto state = std::make_shared<training>();
  stg::initialize(state->parameters, 1);
  stg::initialize(state->drawn, 2);
  all.push_back({"adam_step", 128 * 40 + 40, "number", [] {}, [state] { state->optimizer.step(state->gradients); }});
}

}  // namespace

void add_products(std::vector<kernel>& all, const stg::graph& on) {
  add_convolution(all, on);
  add_dense_product(all, 1000);
  add_sparse_product(all, 1000);
  add_adam(all);
}

}  // namespace instructions
