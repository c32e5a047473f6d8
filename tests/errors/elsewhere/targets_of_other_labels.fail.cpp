// Labels where truths belong.
// build error: stg: NAME takes scores, then tensor<bool> targets: labels\.to<bool>\(\)
// each NAME: roc_auc average_precision
#include <stg/stg.hpp>

#include <stg/runtime/metrics.hpp>

auto measured(const stg::tensor<float>& scores, const stg::tensor<std::int32_t>& labels) {
  return stg::NAME(scores, labels);  // <- here
}
