// The twin of full_without_braces.fail.cpp.
#include <stg/stg.hpp>

auto made() { return stg::tensor<float>::full({34}, 1.0f); }
