// The twin of values_without_a_shape.fail.cpp.
#include <stg/stg.hpp>

auto made() { return stg::tensor<float>::from({4}, {1, 2, 3, 4}); }
