// test: kernels 0
// The explain texts of graph convolution and attention: a change of fusion, of what is saved or of memory is a failing
// test.
#include "../golden/models.hpp"
#include "golden.hpp"

#include <stg/call/explain.hpp>  // explain

namespace {

using stg_test::equals_golden;

template <const auto& Layer, const auto& Model> std::string in_full() {
  return "==== a layer ====\n\n" + stg::explain<Layer>(stg::in_full) + "\n==== a model of two layers ====\n\n" +
         stg::explain<Model>(stg::in_full);
}

TEST(explain, of_graph_convolution_is_as_kept) {
  EXPECT_TRUE(equals_golden("gcn.txt", in_full<golden::gcn_layer, golden::gcn>()));
}

TEST(explain, of_attention_is_as_kept) {
  EXPECT_TRUE(equals_golden("gat.txt", in_full<golden::gat_layer, golden::gat>()));
}

TEST(explain, summaries_are_as_kept) {
  stg::set_threads(2);
  const stg::sizes cora{2708, 13264, {stg::sized<"F">(1433), stg::sized<"C">(7)}};
  EXPECT_TRUE(equals_golden("summaries.txt",
                            "==== attention, a model of two layers ====\n\n" + stg::explain<golden::gat>() +
                                "\n==== the same for Cora, on two threads ====\n\n" + stg::explain<golden::gat>(cora) +
                                "\n==== graph convolution, features fixed ====\n\n" +
                                stg::explain<golden::gcn>(stg::fixed<golden::x>())));
}

}  // namespace
