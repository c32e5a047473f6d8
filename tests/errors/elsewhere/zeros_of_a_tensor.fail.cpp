// A tensor of zeros by a function.
// build error: stg: a tensor is made of zeros: stg::tensor<float> X\(\{34, 16\}\)
#include <stg/stg.hpp>

auto made() {
  return stg::tensor<float>::zeros({34, 16});  // <- here
}
