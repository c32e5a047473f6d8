// The twin of weights_without_a_seed.fail.cpp.
#include <stg/stg.hpp>

#include <stg/runtime/initialize.hpp>

void begin(stg::tensor<float>& weights) { stg::NAME(weights, 7); }
