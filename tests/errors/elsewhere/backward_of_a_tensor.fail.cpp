// The gradient of a tensor.
// build error: stg: a tensor has no history; gradients are stg::value_and_grad<loss>\(\)\(graph, \.\.\.\)
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) {
  return X.backward();  // <- here
}
