// The number of elements by numel.
// build error: stg: the elements of a tensor are counted by X\.size\(\)
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) {
  return X.numel();  // <- here
}
