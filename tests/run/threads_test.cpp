// test: kernels widest
// Outputs and gradients are bitwise equal for any number of threads and from run to run; networks_test holds it of
// training.
#include "support/crossing.hpp"   // everything
#include "support/hubs.hpp"       // hubs, keep_threads
#include "support/same_bits.hpp"  // expect_same_bits

#include <stg/codegen/cpu/swept_rows.hpp>  // swept_rows

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max_element

#if defined(__linux__) && !defined(__clang__)
#include <dlfcn.h>  // dlsym

#include <numeric>  // iota
#include <span>     // span
#include <vector>   // vector

namespace {
int regions = 0;  // of OpenMP, opened so far
}
extern "C" void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  static const auto open = reinterpret_cast<decltype(&GOMP_parallel)>(dlsym(RTLD_NEXT, "GOMP_parallel"));
  ++regions;
  open(body, data, threads, flags);
}
#endif

namespace stg {
namespace {

using test::hubs;
using test::keep_threads;

TEST(threads, the_graph_is_large_enough_for_several_parts) {
  cpu::launch l;
  l.graph.vertices = hubs().vertices();
  l.graph.in = hubs().in_edges();
  const pass::planned_unit sweep;
  codegen::plan_data plan;
  plan.units = &sweep;
  EXPECT_EQ(cpu::swept_rows(plan, 0, l.graph).parts(), 34);
  EXPECT_GT(*std::max_element(hubs().in_degrees().begin(), hubs().in_degrees().end()), 4000);
}

#if defined(__linux__) && !defined(__clang__)
// OpenMP's threads would look for more work for milliseconds, on processors that a sweep's helpers want, and what is
// thrown within a region ends the process.
TEST(threads, nothing_opens_a_region_of_openmp) {
  const keep_threads keep;
  set_threads(2);
  static constexpr auto x = trainable(vertex_feature<"x", 16>);
  static constexpr auto near = [](auto v) { return sum(v.in_edges().src(x)); };
  std::vector<std::int64_t> ring(100'000);
  std::iota(ring.begin(), ring.end(), 0);
  const graph large = graph::from_edges(100'000, ring, ring);
  tensor<float> X({large.vertices(), 16}), ones({large.vertices(), 16});
  auto layer = compile_for_training<near>();
  for (int i = 0; i < 2; ++i) {
    auto tape = layer.record(large, x = X);
    tape.backward(ones);
  }
  EXPECT_EQ(large.to_undirected().coalesce().edges(), 100'000);
  EXPECT_EQ(regions, 0);
  GOMP_parallel([](void*) {}, nullptr, 1, 0);
  EXPECT_EQ(regions, 1) << "regions would not be seen";
}
#endif

TEST(threads, maxima_edge_outputs_and_reductions_have_the_same_bits) {
  test::expect_same_bits(
      [](auto use) { test::record_everything(compile_for_training<test::crossing::everything>(), use); });
}

}  // namespace
}  // namespace stg
