// The twin of targets_of_other_labels.fail.cpp.
#include <stg/stg.hpp>

#include <stg/runtime/metrics.hpp>

auto measured(const stg::tensor<float>& scores, const stg::tensor<std::int32_t>& labels) {
  return stg::NAME(scores, labels.to<bool>());
}
