// The twin of zeros_of_a_tensor.fail.cpp.
#include <stg/stg.hpp>

auto made() { return stg::tensor<float>({34, 16}); }
