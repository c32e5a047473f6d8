// test: programs, proof
// Scans as CUDA kernels, against the naive interpreter and central differences on every graph family: of vertices,
// edges and the graph, one in another, dropout anew at each step; with STG_PROOF all that there are.
#include "support/backend_check.hpp"  // check_sample
#include "support/scans.hpp"          // for_each_scan

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

TEST(emulated_scans, run_as_the_oracle_says) {
  const auto check = [&]<const auto & Program>(const char* name) {
    for (const test::family& f : test::families()) test::check_sample<Program>(name, f.graph, f.name);
  };
#if defined(STG_PROOF)
  scans::for_each_scan(check);
#else
  check.template operator()<scans::edges_and_graph>("edges_and_graph");
  check.template operator()<scans::nested>("nested");
  check.template operator()<scans::dropped>("dropped");
#endif
}

}  // namespace
}  // namespace stg
