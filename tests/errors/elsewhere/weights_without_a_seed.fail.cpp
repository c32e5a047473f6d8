// Weights made without a seed.
// build error: stg: random numbers take a seed last: NAME\(params\[W\], 7\)
// each NAME: glorot_uniform glorot_normal kaiming_uniform
#include <stg/stg.hpp>

#include <stg/runtime/initialize.hpp>

void begin(stg::tensor<float>& weights) {
  stg::NAME(weights);  // <- here
}
