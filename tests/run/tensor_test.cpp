// Tensors: shapes, ownership, views, element access and the sentences of misuse.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/tensor.hpp>  // tensor

#include <gtest/gtest.h>  // TEST

#include <array>        // array
#include <type_traits>  // is_copy_constructible_v
#include <utility>      // move

namespace stg {
namespace {

using test::expect_error;

static_assert(!std::is_copy_constructible_v<tensor<float>> && std::is_nothrow_move_constructible_v<tensor<float>>);
static_assert(sizeof(bool) == 1);

template <class T> class tensor_of : public testing::Test {};
using elements = testing::Types<float, double, std::int32_t, bool>;
TYPED_TEST_SUITE(tensor_of, elements);

TYPED_TEST(tensor_of, is_zero_aligned_and_row_major) {
  tensor<TypeParam> t({3, 5});
  EXPECT_EQ(t.rank(), 2);
  EXPECT_EQ(t.size(), 15);
  EXPECT_EQ(t.extent(0), 3);
  EXPECT_EQ(t.extent(-1), 5);
  EXPECT_EQ(t.bytes(), 15 * static_cast<std::int64_t>(sizeof(TypeParam)));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.data()) % 64, 0u);
  for (const TypeParam x : t) EXPECT_EQ(x, TypeParam{});
  t(1, 2) = TypeParam{1};
  EXPECT_EQ(t.data()[7], TypeParam{1});
  EXPECT_EQ(&t.at(2, 4), t.data() + 14);
}

TYPED_TEST(tensor_of, clone_copies_and_view_shares) {
  auto t = tensor<TypeParam>::full({4}, TypeParam{1});
  auto copy = t.clone();
  auto view = t.view();
  t(0) = TypeParam{0};
  EXPECT_EQ(copy(0), TypeParam{1});
  EXPECT_EQ(view(0), TypeParam{0});
  EXPECT_TRUE(copy.owns_memory());
  EXPECT_FALSE(view.owns_memory());
  EXPECT_TRUE(view.clone().owns_memory());
}

TEST(tensor, rank_zero_has_one_element) {
  tensor<float> t(dimensions{});
  EXPECT_EQ(t.rank(), 0);
  EXPECT_EQ(t.size(), 1);
  t() = 3;
  EXPECT_EQ(t.item(), 3);
  EXPECT_EQ(to_string(t.shape()), "()");
}

TEST(tensor, default_made_is_empty) {
  tensor<float> t;
  EXPECT_EQ(t.size(), 0);
  EXPECT_EQ(t.shape(), dimensions{0});
  EXPECT_EQ(t.begin(), t.end());
  EXPECT_EQ(t.clone().size(), 0);
}

TEST(tensor, moving_leaves_an_empty_tensor) {
  auto a = tensor<float>::from({2, 2}, {1, 2, 3, 4});
  const float* const memory = a.data();
  tensor<float> b = std::move(a);
  EXPECT_EQ(b.data(), memory);
  EXPECT_EQ(a.size(), 0);  // NOLINT: a moved-from tensor has shape (0,)
  tensor<float> c({7});
  c = std::move(b);
  EXPECT_EQ(c.data(), memory);
  EXPECT_EQ(c(1, 1), 4);
}

TEST(tensor, views_somebody_elses_memory) {
  std::array<double, 6> memory{1, 2, 3, 4, 5, 6};
  auto t = tensor<double>::view_of(memory.data(), {2, 3});
  EXPECT_EQ(t(1, 0), 4);
  t(1, 0) = 9;
  EXPECT_EQ(memory[3], 9);
}

TEST(tensor, reshape_shares_and_checks) {
  auto t = tensor<std::int32_t>::from({2, 3}, {0, 1, 2, 3, 4, 5});
  auto r = t.reshape({3, 2});
  EXPECT_EQ(r(2, 1), 5);
  EXPECT_EQ(r.data(), t.data());
  expect_error([&] { (void)t.reshape({4}); }, {"reshape of (2, 3) to (4,)", "from 6 to 4"});
}

TEST(tensor, extents_may_be_zero) {
  tensor<float> t({0, 16});
  EXPECT_EQ(t.size(), 0);
  EXPECT_EQ(t.extent(1), 16);
  EXPECT_EQ(dimensions({std::int64_t{1} << 40, std::int64_t{1} << 40, 0}).size(), 0);
}

TEST(tensor, shapes_are_checked) {
  expect_error([] { tensor<float>({2, -1}); }, {"(2, -1)", "negative extent -1", "axis 1"});
  expect_error([] { dimensions({std::int64_t{1} << 31, std::int64_t{1} << 31}); }, {"2^59"});
  expect_error([] { dimensions({INT64_MAX, INT64_MAX}); }, {"2^59"});
  expect_error([] { tensor<float>({1, 1, 1, 1, 1, 1}); }, {"6 axes", "at most 5"});
}

TEST(tensor, values_are_counted) {
  expect_error([] { tensor<float>::from({2, 2}, {1, 2, 3}); }, {"(2, 2)", "3 values", "takes 4"});
}

TEST(tensor, indices_are_checked_by_at) {
  tensor<float> t({2, 3});
  expect_error([&] { t.at(2, 0); }, {"(2, 3)", "(2, 0)", "index 0", "[0, 2)"});
  expect_error([&] { t.at(0, -1); }, {"index 1", "[0, 3)"});
  expect_error([&] { t.at(0); }, {"indexed by 1", "use 2"});
  expect_error([&] { t.extent(2); }, {"axis 2", "2 axes"});
  expect_error([&] { t.extent(-3); }, {"axis -3"});
  expect_error([&] { t.item(); }, {"(2, 3)"});
}

TEST(tensor, allocations_are_counted) {
  const auto before = tensor_bytes_allocated();
  tensor<float> t({10, 10});
  auto v = t.view();
  EXPECT_EQ(tensor_bytes_allocated() - before, 400u);
}

}  // namespace
}  // namespace stg
