// The bodies that test the CPU and the emulator, on a GPU: a share of the samples and of the layers; which one is said
// by the build.
#include "support/backend_check.hpp"  // check_samples
#include "support/layer_check.hpp"    // check_layers

#include <stg/runtime/cuda.hpp>  // cuda

namespace {

struct bodies : testing::Test {
  void SetUp() override {
    if (!stg::cuda::available()) GTEST_SKIP() << "not run: " << stg::cuda::problem();
    stg::test::backend::long_row_edges = 5;
  }
};

TEST_F(bodies, of_samples) { stg::test::check_samples<STG_SHARE, STG_SHARES>(); }
TEST_F(bodies, of_layers) { stg::test::check_layers<STG_SHARE, STG_SHARES>(); }

}  // namespace
