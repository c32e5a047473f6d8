// test: draft layers, proof kernels 0
// A layer as kernels against the interpreter: the one with most kinds of loops. Attention and weighted sums are among
// the samples; layers_test.cpp interprets all layers.
#include "support/backend_check.hpp"  // check_sample
#include "support/layers.hpp"         // pna

namespace stg {
namespace {

TEST(layers, of_four_aggregates_in_one_sweep) {
  for (const test::family& f : test::families()) test::check_sample<layers::pna>("pna", f.graph, f.name);
}

}  // namespace
}  // namespace stg
