// Values of a tensor without its shape.
// build error: stg: values come behind their shape: from\(\{2, 2\}, \{1, 2, 3, 4\}\)
#include <stg/stg.hpp>

auto made() {
  return stg::tensor<float>::from({1, 2, 3, 4});  // <- here
}
