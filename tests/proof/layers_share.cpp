// A share of the layers as kernels; which one is said by the build.
#include "support/layer_check.hpp"  // check_layers

TEST(layers, of_this_share) { stg::test::check_layers<STG_SHARE, 10>(); }
