// The twin of rows_in_braces.fail.cpp.
#include <stg/stg.hpp>

auto made() { return stg::tensor<float>::from({2, 2}, {1, 2, 3, 4}); }
