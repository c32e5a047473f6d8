// The extent of an axis by size.
// build error: stg: the extent of an axis is X\.extent\(0\); X\.size\(\) counts all elements
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) {
  return X.size(0);  // <- here
}
