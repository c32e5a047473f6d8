// The twin of tensor_to_the_host.fail.cpp.
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) { return X.to(stg::host); }
