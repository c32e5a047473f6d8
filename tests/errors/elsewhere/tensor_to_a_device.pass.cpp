// The twin of tensor_to_a_device.fail.cpp.
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) { return X.to(stg::cuda()); }
