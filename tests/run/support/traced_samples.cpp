// Traces the samples.
#include "traced_samples.hpp"

#include "samples.hpp"  // for_each_sample

namespace stg::test {

const std::vector<traced_sample>& traced_samples() {
  static const std::vector<traced_sample> all = [] {
    std::vector<traced_sample> traced;
    samples::for_each_sample([&](auto sample) {
      traced.push_back({sample.name, trace(sample.program), sample.compiled_always});
    });
    return traced;
  }();
  return all;
}

}  // namespace stg::test
