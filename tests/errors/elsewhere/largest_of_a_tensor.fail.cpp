// The largest and the smallest number of a tensor.
// build error: stg: a tensor only holds numbers; max and min are std::ranges::max\(X\) on the host
// each NAME: max min
#include <stg/stg.hpp>

#include <algorithm>

auto result(const stg::tensor<float>& X) {
  return X.NAME();  // <- here
}
