// test: kernels 0
// Memory of a call: buffers share what their lifetimes allow, and what has a row per edge takes its own bytes.
#include "support/families.hpp"  // power_law

#include <stg/runtime/memory.hpp>    // place
#include <stg/runtime/parallel.hpp>  // set_threads
#include <stg/stg.hpp>               // compile_for_training, explain, peak_bytes

#include <gtest/gtest.h>  // TEST

#include <cmath>   // abs
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

// The second is written over the first, the third over both; the fourth is larger, the fifth begins too late.
TEST(place, a_buffer_may_be_written_over_one_that_ends) {
  std::vector<buffer> b = {{128, 0, 1}, {128, 1, 2}, {128, 2, 4}, {192, 2, 3}, {128, 3, 3}};
  b[1].over = 0;
  b[2].over = 1;
  b[3].over = 1;
  b[4].over = 0;
  EXPECT_EQ(place(b), 128 + 192 + 128);
  EXPECT_EQ(b[1].offset, b[0].offset);
  EXPECT_EQ(b[2].offset, b[0].offset);
  for (const int apart : {3, 4}) EXPECT_FALSE(overlap(b[2], b[apart])) << apart;
  EXPECT_FALSE(overlap(b[3], b[4]));
  EXPECT_EQ(b[0].last, 1) << "times stay as they were";
  EXPECT_EQ(b[1].last, 2);
  EXPECT_TRUE(b[2].is_over && b[1].is_over && b[1].is_under && !b[3].is_over && !b[4].is_over);
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

// Per vertex the training of attention holds its output, the gradient of its rows, and per head four numbers that
// neighbours read, the gradients of both scores, of which one is written over one of the two numbers that were saved
// for it, and the other of these.
constexpr auto rows = trainable(vertex_feature<"rows", 8, 8>);
constexpr auto left = trainable(vertex_feature<"left", 8, 1>);
constexpr auto right = trainable(vertex_feature<"right", 8, 1>);
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(left) + v(right), 0.2)) * e.src(rows));
};

TEST(memory, a_gradient_is_written_over_what_it_alone_reads) {
  const auto bytes = [](std::int64_t vertices) {
    return peak_bytes<attention>(sizes{vertices, 10 * vertices, {}}).training;
  };
  set_threads(1);
  EXPECT_EQ(bytes(20000) - bytes(10000), 10000 * (2 * 64 + 4 * 8 + 8 + 8 + 8) * 4);
  set_threads(2);
  const std::string text = explain<attention>(in_full);
  EXPECT_NE(text.find("written over what it alone reads"), std::string::npos);
}

// The gradient reads what was saved of both, which is the same memory: neighbours' rows of one shape while it writes
// its own from the other.
constexpr auto narrow = vertex_feature<"narrow", 5>;
constexpr auto W = parameter<"W", 5, 8>;
constexpr auto of_two_shapes = [](auto v) {
  auto e = v.in_edges();
  auto x = matmul(v(narrow), W);
  auto r = reshape<2, 4>(x);
  return outputs(sum(exp(e.src(r) * e.dst(r))), sum(leaky_relu(x, 0.2), axis<0>));
};
constexpr auto of_one_shape = [](auto v) {
  auto e = v.in_edges();
  auto x = matmul(v(narrow), W);
  return outputs(sum(exp(e.src(x) * e.dst(x))), sum(leaky_relu(x, 0.2), axis<0>));
};

TEST(memory, a_value_saved_in_two_shapes_is_not_written_over) {
  const graph g = test::power_law(200, 1200, 5);
  tensor<float> features({200, 5}), weights({5, 8});
  uniform(features, -1, 1, 1);
  uniform(weights, -1, 1, 2);
  auto two = compile_for_training<of_two_shapes>();
  auto one = compile_for_training<of_one_shape>();
  auto in_two = two.record(g, narrow = features, W = weights);
  auto in_one = one.record(g, narrow = features, W = weights);
  const auto ones = tensor<float>::full({200}, 1);
  const auto found = in_two.backward(tensor<float>::full({200, 2, 4}, 1), ones);
  const auto expected = in_one.backward(tensor<float>::full({200, 8}, 1), ones);
  for (std::int64_t k = 0; k < 40; ++k)
    EXPECT_NEAR(found[W].data()[k], expected[W].data()[k], 1e-4 * std::abs(expected[W].data()[k]) + 1e-3) << k;
}

}  // namespace
}  // namespace stg
