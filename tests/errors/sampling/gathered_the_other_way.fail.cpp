// Rows before the tensor.
// build error: stg: gather takes the tensor first, then its rows: gather\(data\.features, b\.vertices\)
#include <stg/stg.hpp>

#include <stg/sampling/gather.hpp>

auto rows_of(const stg::batch& b, const stg::tensor<float>& features) {
  return stg::gather(b.vertices, features);  // <- here
}
