// The twin of shape_without_braces.fail.cpp.
#include <stg/stg.hpp>

auto made() { return stg::tensor<float>({34, 16}); }
