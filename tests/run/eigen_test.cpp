// Tensors seen as Eigen matrices.
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

}  // namespace
}  // namespace stg
