// A shape without its braces.
// build error: stg: a shape stands in braces: stg::tensor<float> X\(\{34, 16\}\)
#include <stg/stg.hpp>

auto made() {
  return stg::tensor<float>(34, 16);  // <- here
}
