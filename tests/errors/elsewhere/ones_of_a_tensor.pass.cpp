// The twin of ones_of_a_tensor.fail.cpp.
#include <stg/stg.hpp>

auto made() { return stg::tensor<float>::full({34, 16}, 1); }
