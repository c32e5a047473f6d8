// The twin of extent_by_size.fail.cpp.
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) { return X.extent(0); }
