// The shape of full without its braces.
// build error: stg: a shape stands in braces: full\(\{34\}, 1\.0f\)
#include <stg/stg.hpp>

auto made() {
  return stg::tensor<float>::full(34, 1.0f);  // <- here
}
