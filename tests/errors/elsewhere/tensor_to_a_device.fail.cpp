// A tensor brought to a device as in PyTorch.
// build error: stg: a tensor goes to a device by X\.to\(stg::cuda\(\)\)
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) {
  return X.cuda();  // <- here
}
