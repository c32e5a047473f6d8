// A batch where its rows belong.
// build error: stg: gather takes the rows of a batch: gather\(data\.features, b\.vertices\)
#include <stg/stg.hpp>

#include <stg/sampling/gather.hpp>

auto rows_of(const stg::batch& b, const stg::tensor<float>& features) {
  return stg::gather(features, b);  // <- here
}
