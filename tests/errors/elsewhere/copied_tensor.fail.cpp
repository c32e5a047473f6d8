// A tensor copied by =.
// shown: stg: a tensor is not copied by =; write data\.features\.clone\(\)
#include <stg/stg.hpp>

auto copied(const stg::tensor<float>& X) {
  stg::tensor<float> Y = X;  // <- here
  return Y;
}
