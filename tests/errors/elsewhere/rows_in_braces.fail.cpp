// Rows of a tensor in braces.
// build error: stg: values are one list, row after row: from\(\{2, 2\}, \{1, 2, 3, 4\}\)
#include <stg/stg.hpp>

auto made() {
  return stg::tensor<float>::from({2, 2}, {{1, 2}, {3, 4}});  // <- here
}
