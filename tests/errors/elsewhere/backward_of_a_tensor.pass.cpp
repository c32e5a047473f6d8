// The twin of backward_of_a_tensor.fail.cpp.
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) { return X.item(); }
