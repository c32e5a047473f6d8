// Rows are gathered by ids of 64 bits.
// build error: stg: rows are gathered by ids of 32 bits: std::vector<std::int32_t>
#include <stg/stg.hpp>

#include <stg/sampling/gather.hpp>
#include <vector>

auto rows_of(const stg::tensor<float>& features) {
  return stg::gather(features, std::vector<std::int64_t>{0, 7});  // <- here
}
