// The classes of a result.
// build error: stg: a tensor only holds numbers; classes that were found are counted by accuracy
#include <stg/stg.hpp>

auto result(const stg::tensor<float>& X, [[maybe_unused]] const stg::tensor<std::int32_t>& labels) {
  return X.argmax(1);  // <- here
}
