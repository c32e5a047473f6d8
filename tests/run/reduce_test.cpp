// test: draft runtime
// Reductions over vertices: against sums in double precision, with the same bits for any number of threads.
#include "support/networks.hpp"  // same_bits

#include <stg/runtime/parallel.hpp>  // set_threads
#include <stg/runtime/reduce.hpp>    // reduce_vertices

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max
#include <vector>     // vector

namespace stg {
namespace {

/// y and the scratch start as garbage, which no result may contain.
tensor<float> reduced(vertex_reduction how, const tensor<float>& x, int with_threads) {
  const std::int64_t rows = x.extent(0), width = x.extent(1);
  const int before = threads();
  set_threads(with_threads);
  auto y = tensor<float>::full({width}, 1e9f);
  std::vector<float> scratch(static_cast<std::size_t>(reduce_vertices_scratch(rows, width)), 1e9f);
  reduce_vertices(how, x.data(), y.data(), scratch.data(), rows, width);
  set_threads(before);
  return y;
}

TEST(reduce, agrees_with_plain_loops_for_every_number_of_rows) {
  for (const std::int64_t rows : {0, 1, 2, 15, 16, 31, 32, 33, 47, 100, 1023, 1024, 1500, 40000})
    for (const std::int64_t width : {1, 2, 3, 7, 8, 9, 20}) {
      tensor<float> x({rows, width});
      uniform(x, -1, 2, 7);
      const auto sums = reduced(vertex_reduction::sum, x, 1), most = reduced(vertex_reduction::max, x, 1);
      for (std::int64_t f = 0; f < width; ++f) {
        double sum = 0, largest = rows == 0 ? 0 : x(0, f);
        for (std::int64_t r = 0; r < rows; ++r) {
          sum += x(r, f);
          largest = std::max(largest, static_cast<double>(x(r, f)));
        }
        EXPECT_NEAR(sums(f), sum, 1e-5 * (1 + 1.5 * static_cast<double>(rows))) << rows << " rows of " << width;
        EXPECT_EQ(most(f), largest) << rows << " rows of " << width;
      }
      EXPECT_TRUE(test::same_bits(sums, reduced(vertex_reduction::sum, x, 3))) << rows << " rows of " << width;
      EXPECT_TRUE(test::same_bits(most, reduced(vertex_reduction::max, x, 3))) << rows << " rows of " << width;
    }
}

}  // namespace
}  // namespace stg
