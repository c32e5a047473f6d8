// A model is told to train, as with PyTorch.
// build error: stg: a compiled model does inference always; train by stg::value_and_grad<loss>\(\), and leave this out
// each NAME: train eval
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto next = [](auto v) {
  return sum(v.in_edges().src(x));
};
auto model = stg::compile<next>();

auto called(const stg::graph& g, const stg::tensor<float>& X) {
  model.NAME();  // <- here
  return model(g, x = X);
}
