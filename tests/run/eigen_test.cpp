// test: draft runtime
// Tensors seen as Eigen matrices.
#include "expect_error.hpp"  // expect_error

#include <stg/eigen.hpp>  // eigen_map

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

TEST(eigen, maps_tensors) {
  auto t = tensor<float>::from({2, 3}, {1, 2, 3, 4, 5, 6});
  auto m = eigen_map(t);
  EXPECT_EQ(m.rows(), 2);
  EXPECT_EQ(m.cols(), 3);
  EXPECT_EQ(m(1, 2), 6);
  m(0, 0) = 8;
  EXPECT_EQ(t(0, 0), 8);
  const tensor<float> cube({2, 3, 4});
  EXPECT_EQ(eigen_map(cube).cols(), 12);
  const tensor<float> line({5});
  EXPECT_EQ(eigen_map(line).rows(), 5);
  EXPECT_EQ(eigen_map(line).cols(), 1);
}

TEST(eigen, tensors_on_a_device_are_not_mapped) {
  float there = 0;
  auto t = tensor<float>::view_of(&there, {1}, location::on_device(1));
  const char* const sentence = "tensor of shape (1,) lies on CUDA device 1; write x.to(stg::host) to read it here";
  test::expect_error([&] { eigen_map(t); }, {sentence});
  test::expect_error([&] { eigen_map(std::as_const(t)); }, {sentence});
}

}  // namespace
}  // namespace stg
