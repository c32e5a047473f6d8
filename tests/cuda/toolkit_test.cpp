// The calls of the CUDA toolkit. Where there is no device, the program starts all the same and says so in one sentence;
// where there is one, what tests/run/ checks against a fake is checked on it.
#include <stg/runtime/cuda.hpp>          // cuda
#include <stg/runtime/cuda/product.hpp>  // products, captured_step
#include <stg/runtime/graph.hpp>         // graph
#include <stg/runtime/tensor.hpp>        // tensor

#include <gmock/gmock.h>  // AnyOf
#include <gtest/gtest.h>  // TEST

#include <numeric>  // iota

namespace stg {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const gpu::purpose why{"toolkit_test"};

TEST(cuda_toolkit, is_linked) { EXPECT_NE(gpu::installed(), nullptr); }

TEST(cuda_toolkit, says_why_there_is_no_device) {
  if (cuda::available()) GTEST_SKIP() << "there is a device";
  EXPECT_EQ(cuda::count(), 0);
  EXPECT_THAT(cuda::problem(), ::testing::AnyOf(StartsWith("stg: no CUDA driver is installed; "),
                                                StartsWith("stg: the CUDA driver is for CUDA "),
                                                StartsWith("stg: there is no CUDA device; ")));
  EXPECT_THAT(cuda::problem(), HasSubstr("programs still run on the CPU: stg::compile<model>()"));
  const auto x = tensor<float>::full({2}, 3);
  EXPECT_THROW(x.to(cuda()), error);
  EXPECT_THAT(x, ElementsAreArray({3, 3}));
  EXPECT_EQ(gpu::installed()->error_name(gpu::status::out_of_memory), "cudaErrorMemoryAllocation");
  const gpu::range unseen("a range without a profiler");
}

class on_device : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "not run: " << cuda::problem();
  }
};

TEST_F(on_device, tensors_of_all_sizes_go_there_and_back) {
  for (const std::int64_t n : {0, 1, 1000, (4 << 20) / 4, (9 << 20) / 4 + 1}) {
    tensor<float> x({n});
    std::iota(x.begin(), x.end(), 1.0f);
    EXPECT_THAT(x.to(cuda()).clone().to(host), ElementsAreArray(x));
  }
  EXPECT_THAT(tensor<float>({100}, cuda()).to(host), ElementsAreArray(tensor<float>({100})));
}

TEST_F(on_device, a_graph_goes_there) {
  const std::int64_t src[] = {0, 1, 2, 0}, dst[] = {1, 2, 0, 0};
  const graph g = graph::from_edges(3, src, dst), d = g.to(cuda());
  EXPECT_EQ(d.place(), cuda());
  EXPECT_TRUE(d.to(host).is_same_as(g));
}

TEST_F(on_device, products_and_captured_steps) {
  const auto x = tensor<float>::from({2, 3}, {1, 2, 3, 4, 5, 6}), w = tensor<float>::from({3, 2}, {1, 0, 2, 1, 0, 3});
  const auto on_x = x.to(cuda()), on_w = w.to(cuda());
  tensor<float> on_y({2, 2}, cuda());
  gpu::stream s(gpu::device::open(0, why));
  gpu::products multiply(s);
  multiply.run(on_x.data(), on_w.data(), on_y.data(), 2, 3, 2, {}, why);
  EXPECT_THAT(on_y.to(host), ElementsAreArray({5, 11, 14, 23}));
  gpu::captured_step again(s, why,
                           [&] { multiply.run(on_x.data(), on_w.data(), on_y.data(), 2, 3, 2, {.add = true}, why); });
  gpu::timer t(s, why);
  t.start();
  again.launch();
  again.launch();
  t.stop();
  EXPECT_GT(t.milliseconds(), 0);
  EXPECT_THAT(on_y.to(host), ElementsAreArray({15, 33, 42, 69}));
}

TEST_F(on_device, more_memory_than_there_is) {
  const auto d = gpu::device::open(0, why);
  gpu::block b(d);
  EXPECT_THROW(b.reserve(2 * d->properties().memory, why), gpu::out_of_memory);
  b.reserve(1 << 20, why);
  EXPECT_NE(b.data(), nullptr);
}

}  // namespace
}  // namespace stg
