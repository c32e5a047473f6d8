// The twin of random_numbers_without_a_seed.fail.cpp.
#include <stg/stg.hpp>

#include <stg/runtime/initialize.hpp>

void begin(stg::tensor<float>& weights) { stg::NAME(weights, -1, 1, 7); }
