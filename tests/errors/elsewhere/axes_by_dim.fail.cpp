// The number of axes by dim.
// build error: stg: the axes of a tensor are counted by X\.rank\(\)
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) {
  return X.dim();  // <- here
}
