// test: proof kernels 1, on each, counted
// A backend on its share of the samples: outputs against the oracle, gradients against both.
#include "support/backend_check.hpp"  // check_samples

TEST(cpu_backend, agrees_with_the_oracle_and_with_central_differences) { stg::test::check_samples<1>(); }
