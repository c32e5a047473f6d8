// The twin of copied_tensor.fail.cpp.
#include <stg/stg.hpp>

auto copied(const stg::tensor<float>& X) {
  stg::tensor<float> Y = X.clone();
  return Y;
}
