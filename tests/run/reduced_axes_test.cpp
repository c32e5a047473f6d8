// test: draft runtime
// Which element of a reduction's result each element of a row belongs to, for every set of axes.
#include <gtest/gtest.h>
#include <stg/codegen/reduced_axes.hpp>  // for_each_reduced

#include <cstdint>  // int64_t

namespace {

/// The place in the result of element k, by its index along each axis.
std::int64_t place_of(std::int64_t k, const std::int64_t* extents, int rank, std::int64_t reduced) {
  std::int64_t place = 0, stride = 1;
  for (int a = rank - 1; a >= 0; k /= extents[a], --a) {
    if (reduced >> a & 1) continue;
    place += k % extents[a] * stride;
    stride *= extents[a];
  }
  return place;
}

TEST(reduced_axes, elements_go_where_their_indices_say_and_in_order) {
  const std::int64_t shapes[][4] = {{2, 3, 4, 5}, {1, 3, 1, 2}, {4, 1, 1, 1}, {2, 0, 3, 1}, {5, 2, 2, 3}};
  for (const auto& extents : shapes)
    for (int rank = 0; rank <= 4; ++rank)
      for (std::int64_t reduced = 0; reduced < std::int64_t{1} << rank; ++reduced) {
        std::int64_t elements = 1, next = 0;
        for (int a = 0; a < rank; ++a) elements *= extents[a];
        stg::codegen::for_each_reduced(extents, rank, reduced, [&](std::int64_t at, std::int64_t k) {
          EXPECT_EQ(k, next++);
          EXPECT_EQ(at, place_of(k, extents, rank, reduced)) << "axes " << reduced << " of " << rank;
        });
        EXPECT_EQ(next, elements);
      }
}

}  // namespace
