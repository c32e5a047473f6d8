// A share of the samples as CUDA kernels on the emulator; which one is said by the build. Rows of more than five edges
// are cut into parts.
#include "support/backend_check.hpp"  // check_samples

TEST(samples, of_this_share) {
  stg::test::emulated::long_row_edges = 5;
  stg::test::check_samples<STG_SHARE, STG_SHARES>();
}
