// A transposed tensor.
// build error: stg: a tensor is not turned round; transpose<0, 1>\(v\(W\)\) does so in a program
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) {
  return X.t();  // <- here
}
