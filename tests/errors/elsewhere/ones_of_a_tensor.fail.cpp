// A tensor of ones by a function.
// build error: stg: a tensor of ones is stg::tensor<float>::full\(\{34, 16\}, 1\)
#include <stg/stg.hpp>

auto made() {
  return stg::tensor<float>::ones({34, 16});  // <- here
}
