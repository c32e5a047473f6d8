// The explain texts of graph convolution and attention: a change of fusion, of what is saved or of memory is a failing
// test.
#include "../golden/models.hpp"
#include "golden.hpp"

#include <stg/codegen/explain.hpp>  // explain

namespace {

using stg_test::equals_golden;

TEST(explain, of_graph_convolution_is_as_kept) {
  EXPECT_TRUE(equals_golden("gcn.txt", "==== a layer ====\n\n" + stg::explain<golden::gcn_layer>() +
                                           "\n==== a model of two layers ====\n\n" + stg::explain<golden::gcn>()));
}

TEST(explain, of_attention_is_as_kept) {
  EXPECT_TRUE(equals_golden("gat.txt", "==== a layer ====\n\n" + stg::explain<golden::gat_layer>() +
                                           "\n==== a model of two layers ====\n\n" + stg::explain<golden::gat>()));
}

}  // namespace
