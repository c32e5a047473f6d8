// Memory of a call: buffers share what their lifetimes allow, and what has a row per edge takes its own bytes.
#include "support/families.hpp"  // power_law

#include <stg/runtime/memory.hpp>  // place
#include <stg/stg.hpp>             // compile_for_training

#include <gtest/gtest.h>  // TEST

#include <random>  // mt19937
#include <vector>  // vector

namespace stg {
namespace {

bool overlap(const buffer& a, const buffer& b) {
  const bool together = a.first <= b.last && b.first <= a.last;
  return together && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

TEST(place, buffers_that_live_apart_share_memory) {
  std::vector<buffer> b = {{100, 0, 1}, {64, 1, 2}, {100, 2, 3}};
  EXPECT_EQ(place(b), 192);  // 100 bytes take two lines; the first and the last share them
  EXPECT_EQ(b[0].offset, 0);
  EXPECT_EQ(b[1].offset, 128);
  EXPECT_EQ(b[2].offset, 0);
}

TEST(place, nothing_takes_nothing) {
  EXPECT_EQ(place({}), 0);
  std::vector<buffer> b = {{0, 0, 5}, {64, 0, 5}, {0, 0, 5}};
  EXPECT_EQ(place(b), 64);
}

// As given, the second buffer lies lowest, and the fourth, which outlives the first, finds no room beside the third.
TEST(place, of_two_orders_the_better_one_is_taken) {
  std::vector<buffer> b = {{128, 3, 3}, {128, 0, 1}, {64, 0, 2}, {128, 2, 5}};
  EXPECT_EQ(place(b), 256) << "no more than is alive in unit 3";
}

TEST(place, buffers_that_live_together_never_overlap) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<buffer> b(random() % 30);
    std::int64_t sum = 0;
    for (buffer& x : b) {
      x.bytes = random() % 1000;
      x.first = static_cast<int>(random() % 12);
      x.last = x.first + static_cast<int>(random() % 6);
      x.offset = -1;
      sum += (x.bytes + 63) / 64 * 64;
    }
    const std::int64_t peak = place(b);
    EXPECT_LE(peak, sum);
    for (std::size_t i = 0; i < b.size(); ++i) {
      EXPECT_EQ(b[i].offset % 64, 0);
      EXPECT_GE(b[i].offset, 0);
      EXPECT_LE(b[i].offset + b[i].bytes, peak);
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(b[i], b[j])) << "round " << round;
    }
  }
}

// An edge output is the one thing that takes memory per edge: exactly its own.
constexpr auto h = trainable(vertex_feature<"h", 4>);
constexpr auto edge_output = [](auto v) {
  auto e = v.in_edges();
  return outputs(sum(e.src(h)), e.src(h) * v(h));
};

TEST(memory, an_edge_output_takes_its_own_bytes) {
  const auto bytes = [](std::int64_t edges) {
    const graph g = test::power_law(100, edges, 5);
    const tensor<float> H({100, 4});
    auto layer = compile_for_training<edge_output>();
    return layer.record(g, h = H).bytes();
  };
  EXPECT_EQ(bytes(20000) - bytes(2000), 18000 * 4 * 4);
}

}  // namespace
}  // namespace stg
