// The twin of axes_by_dim.fail.cpp.
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X) { return X.rank(); }
