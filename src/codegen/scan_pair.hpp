// A scan of a forward program, and the one of its gradient.
#pragma once

#include <vector>  // vector

namespace stg::codegen {

/// What a scan of the forward program collects for the steps of its gradient alone: the statement of its result, and
/// the gradient program's input that it is.
struct stacked_value {
  int result = -1, input = -1;
};

struct scan_pair {
  int forward = -1, gradient = -1;    // statements of the two plans
  int first_unit = 0, last_unit = 0;  // in which they run, each of its plan's
  std::vector<stacked_value> stacked{};
};

}  // namespace stg::codegen
