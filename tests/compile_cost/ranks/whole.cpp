// A training step on a whole graph.
#include "model.hpp"  // x, label, loss

float step_on(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<std::int32_t>& labels) {
  auto weights = stg::parameters<loss>();
  return stg::value_and_grad<loss>()(graph, x = rows, label = labels, weights).loss;
}
