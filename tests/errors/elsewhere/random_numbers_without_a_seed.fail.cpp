// Random numbers without a seed.
// build error: stg: random numbers take a seed last: NAME\(params\[W\], .*
// each NAME: uniform normal
#include <stg/stg.hpp>

#include <stg/runtime/initialize.hpp>

void begin(stg::tensor<float>& weights) {
  stg::NAME(weights, -1, 1);  // <- here
}
