// Labels of 64 bits where accuracy is measured.
// build error: stg: accuracy takes logits, then labels of type tensor<std::int32_t>
#include <stg/stg.hpp>

double measured(const stg::tensor<float>& logits) {
  return stg::accuracy(logits, stg::tensor<std::int64_t>({4}));
}  // <- here
