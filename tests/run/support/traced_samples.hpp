// The samples as programs, for what goes through them at run time: their lambdas are traced in one file for all tests.
#pragma once

#include <stg/ir/program.hpp>  // program

#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::test {

struct traced_sample {
  std::string_view name;
  ir::program program;
  bool compiled_always;  // rather than by the proof alone
};

/// All of samples.hpp, in its order.
const std::vector<traced_sample>& traced_samples();

/// Calls f(traced_sample) for each.
template <class F> void for_each_traced(F&& f) {
  for (const traced_sample& s : traced_samples()) f(s);
}

}  // namespace stg::test
