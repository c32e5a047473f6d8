// The entries of a sparse tensor that is gone at the end of the line.
// shown: stg: the tensor is gone with its entries; give it a name first
#include <stg/stg.hpp>

inline float first(const stg::tensor<float>& x) {
  const auto rows = stg::sparse(x).view().by_row;  // <- here
  return rows.value[0];
}
