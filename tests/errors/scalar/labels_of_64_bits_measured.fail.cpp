// Labels of 64 bits where accuracy is measured.
// build error: stg: accuracy takes logits, then labels of type tensor<std::int32_t>
#include <stg/stg.hpp>

double measured(const stg::tensor<float>& logits) {
  const stg::tensor<std::int64_t> labels({4});
  return stg::accuracy(logits, labels);  // <- here
}
