// test: kernels all
// Rows that are written past the caches are those that would have been written into them: a table whose memory is not
// aligned takes the other way.
#include "support/families.hpp"  // power_law

#include <stg/stg.hpp>

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // uintptr_t
#include <cstring>  // memcmp

namespace stg {
namespace {

constexpr std::int64_t vertices = cpu::last_cache / (64 * sizeof(float)) + 1000;

constexpr auto h = vertex_feature<"h", 8, 8>;
constexpr auto el = vertex_feature<"el", 8, 1>;
constexpr auto c = vertex_feature<"c">;

constexpr auto weighted_sum = [](auto v) { return sum(v.in_edges().src(h) * v.in_edges().src(c)); };
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el) + e.dst(el))) * e.src(h));
};
constexpr auto most = [](auto v) { return max(v.in_edges().src(h)); };
// Rows are computed edge by edge: a chunk is a part of a row.
constexpr auto in_chunks = [](auto v) {
  auto e = v.in_edges();
  auto message = e.src(h) * e.dst(h) + e.src(c);
  return sum(message / (1 + sum(abs(message), axis<1>, keepdim)));
};

/// A few hubs of more edges than are added up at a time, and vertices without edges.
const graph& large() {
  static const graph g = test::power_law(vertices, 400'000, 5);
  return g;
}

template <const auto& model, class... Binding> void expect_equal_either_way(const Binding&... bindings) {
  auto layer = compile<model>();
  const std::int64_t n = vertices * 64;
  tensor<float> aligned({vertices, 8, 8}), room({n + 1});
  auto shifted = tensor<float>::view_of(room.data() + 1, {vertices, 8, 8});
  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(aligned.data()) % 64, 0u);
  layer.into(aligned, large(), bindings...);
  layer.into(shifted, large(), bindings...);
  EXPECT_EQ(std::memcmp(aligned.data(), shifted.data(), static_cast<std::size_t>(n) * sizeof(float)), 0);
}

TEST(past_caches, rows_are_the_same) {
  tensor<float> H({vertices, 8, 8}), L({vertices, 8, 1}), C({vertices});
  uniform(H, -1, 1, 1);
  uniform(L, -1, 1, 2);
  uniform(C, -1, 1, 3);
  expect_equal_either_way<weighted_sum>(h = H, c = C);
  expect_equal_either_way<attention>(h = H, el = L);
  expect_equal_either_way<most>(h = H);
  expect_equal_either_way<in_chunks>(h = H, c = C);
}

template <const auto& model> constexpr bool passes() {
  using P = cpu::on_vectors<executable<inferred<ref<model>>>, 64>;
  for (int k = 0; k < P::plan.loop_result_count; ++k)
    if (cpu::detail::may_pass_caches<P>(0, k)) return true;
  return false;
}

// What a later step of the sweep reads, and rows that are not whole registers, are written as ever.
constexpr auto x = vertex_feature<"x", 40>;
constexpr auto read_again = [](auto v) {
  auto near = weighted_sum(v);
  return outputs(near, near - max(near, axis<1>));
};
constexpr auto narrow = [](auto v) { return sum(v.in_edges().src(x)); };

TEST(past_caches, only_rows_that_nothing_reads_again) {
  EXPECT_TRUE(passes<weighted_sum>());
  EXPECT_TRUE(passes<attention>());
  EXPECT_FALSE(passes<read_again>());
  EXPECT_FALSE(passes<narrow>());
}

}  // namespace
}  // namespace stg
