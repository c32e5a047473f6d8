// The twin of entries_of_a_sparse_tensor.fail.cpp.
#include <stg/stg.hpp>

inline float first(const stg::tensor<float>& x) {
  const auto few = stg::sparse(x);
  const auto rows = few.view().by_row;
  return rows.value[0];
}
