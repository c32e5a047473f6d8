// test: draft runtime, sanitized memory
// Tensors: shapes, ownership, views, element access and the sentences of misuse.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/edge_values.hpp>  // edge_values
#include <stg/runtime/tensor.hpp>       // tensor

#include <gtest/gtest.h>  // TEST

#include <algorithm>    // equal
#include <array>        // array
#include <cmath>        // isnan
#include <limits>       // numeric_limits
#include <locale>       // numpunct
#include <numeric>      // iota
#include <sstream>      // ostringstream
#include <string>       // string
#include <type_traits>  // is_copy_constructible_v
#include <utility>      // move

namespace stg {
namespace {

using test::expect_error;

static_assert(!std::is_copy_constructible_v<tensor<float>> && std::is_nothrow_move_constructible_v<tensor<float>>);
static_assert(sizeof(bool) == 1);

// What is const is not written through, and does not become what is.
template <class T>
concept Written = requires(T t) {
  t(0) = 1;
}
|| requires(T t) { t.fill(1); }
|| requires(T t) { *t.data() = 1; }
|| requires(T t) { t.at(0) = 1; }
|| requires(T t, tensor<float> u) { t.assign(u); };
static_assert(Written<tensor<float>&> && !Written<const tensor<float>&> && !Written<const_tensor<float>&>);
using of_const = decltype(tensor<float>::view_of(std::declval<const float*>(), {1}));
static_assert(std::is_same_v<of_const, const_tensor<float>>);
static_assert(!std::is_constructible_v<tensor<float>, const_tensor<float>> &&
              !std::is_assignable_v<tensor<float>&, const_tensor<float>> &&
              std::is_convertible_v<tensor<float>, const_tensor<float>>);
static_assert(std::is_same_v<decltype(std::declval<const tensor<float>&>().view()), const_tensor<float>> &&
              std::is_same_v<decltype(std::declval<const tensor<float>&>().reshape({1})), const_tensor<float>> &&
              std::is_same_v<decltype(std::declval<const tensor<float>&>().row(0)), const_tensor<float>>);

template <class T> class tensor_of : public testing::Test {};
using elements = testing::Types<float, double, std::int32_t, std::int64_t, bool>;
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

TEST(tensor, views_of_a_temporary_have_its_memory) {
  auto flat = tensor<float>::full({2, 3}, 1).reshape({6});
  flat.fill(2);
  EXPECT_EQ(flat(5), 2);
  EXPECT_TRUE(flat.owns_memory());
  auto row = tensor<float>::from({3, 2}, {1, 2, 3, 4, 5, 6}).row(2);
  const auto other = tensor<float>::full({3, 2}, 9);  // takes what would be free
  EXPECT_EQ(row(0), 5);
  row.fill(7);
  EXPECT_EQ(row.clone()(1), 7);
  EXPECT_EQ(other(2, 0), 9);
  float sum = 0;
  for (const float x : tensor<float>::from({3, 2}, {1, 2, 3, 4, 5, 6}).rows(1, 3).row(1)) sum += x;
  EXPECT_EQ(sum, 11);
  EXPECT_EQ(tensor<float>::full({4}, 3).view()(3), 3);
  const auto read = const_tensor<float>(tensor<float>::full({2, 2}, 4)).reshape({4}).rows(1, 3);
  EXPECT_EQ(read(1), 4);
  for (const std::int64_t extent : tensor<float>({2, 2}).shape()) EXPECT_EQ(extent, 2);
  for (const float x : edge_values<float>::in_id_order(tensor<float>::full({3}, 8)).values()) EXPECT_EQ(x, 8);

  auto whole = tensor<float>({4, 2});
  whole.rows(1, 3).row(1).fill(1);  // as those of a tensor with a name look at its memory
  EXPECT_EQ(whole(2, 1), 1);
  expect_error([&] { tensor<float>({2}).reshape({3}); }, {"reshape of (2,) to (3,)"});
  expect_error([&] { tensor<float>({2}).row(2); }, {"no row 2"});
  expect_error([&] { whole.row(-1); }, {"no row -1"});
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

TEST(tensor, rows_are_views) {
  auto t = tensor<float>::from({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(t.row(1).shape(), dimensions{2});
  t.row(1).fill(7);
  t.rows(1, 3)(1, 0) = 8;
  EXPECT_TRUE(std::ranges::equal(t, std::array{1, 2, 7, 7, 8, 6}));
  const tensor<float>& c = t;
  EXPECT_EQ(c.row(2)(0), 8);
  EXPECT_EQ(c.rows(1, 1).shape(), dimensions({0, 2}));
  EXPECT_EQ(tensor<float>({4, 0}).row(3).shape(), dimensions{0});
  EXPECT_EQ(tensor<float>::from({2}, {1, 2}).row(1).item(), 2);
  auto deep = tensor<float>({2, 3, 4});
  EXPECT_EQ(deep.row(1).row(2).data(), &deep(1, 2, 0));
  expect_error([&] { t.row(3); }, {"tensor of shape (3, 2) has no row 3; rows lie in [0, 3)"});
  expect_error([&] { t.row(-1); }, {"no row -1"});
  expect_error([&] { t.rows(2, 1); }, {"no rows from 2 to 1; give 0 <= first <= last <= 3"});
  expect_error([&] { t.rows(0, 4); }, {"no rows from 0 to 4"});
  expect_error([] { tensor<float>(dimensions{}).row(0); }, {"rows of a tensor of shape (); it has no axis of rows"});
}

TEST(tensor, memory_that_is_const_is_viewed) {
  const std::array<float, 4> lent = {1, 2, 3, 4};
  const auto view = tensor<float>::view_of(lent.data(), {2, 2});
  EXPECT_EQ(view.data(), lent.data());
  EXPECT_EQ(view(1, 0), 3);
  EXPECT_EQ(view.at(1, 1), 4);
  EXPECT_FALSE(view.owns_memory());
  auto copy = view.clone();
  copy(0, 0) = 9;
  EXPECT_EQ(lent[0], 1);
  copy.assign(view.reshape({2, 2}));
  EXPECT_EQ(copy(0, 0), 1);
  const const_tensor<float> taken = std::move(copy);  // owns what the tensor did
  EXPECT_TRUE(taken.owns_memory());
}

TEST(tensor, goes_to_another_type_where_that_holds_its_values) {
  const auto labels = tensor<std::int64_t>::from({3}, {0, -7, 2147483647}).to<std::int32_t>();
  EXPECT_EQ(labels(2), 2147483647);
  EXPECT_EQ(labels.to<std::int64_t>()(1), -7);
  EXPECT_EQ(tensor<double>::from({1}, {0.1}).to<float>()(0), 0.1f);
  EXPECT_EQ(tensor<float>::from({1}, {3}).to<std::int64_t>()(0), 3);
  EXPECT_EQ(tensor<float>::from({1}, {1.0f / 3}).to<bfloat16>()(0), bfloat16(1.0f / 3));
  EXPECT_EQ(tensor<float16>::from({1}, {float16(2)}).to<std::int32_t>()(0), 2);
  EXPECT_TRUE(tensor<std::int32_t>::from({1, 1}, {1}).to<bool>()(0, 0));
  expect_error(
      [] {
        tensor<std::int64_t>::from({2}, {0, 2147483648}).to<std::int32_t>();
      },
      {"tensor element 1 is 2147483648, which is no value of std::int32_t"});
  expect_error([] { tensor<float>::from({1}, {0.5f}).to<std::int64_t>(); }, {"element 0 is 0.5", "std::int64_t"});
  expect_error([] { tensor<double>::from({1}, {0x1p63}).to<std::int64_t>(); }, {"no value of std::int64_t"});
  expect_error([] { tensor<double>::from({1}, {1e300}).to<float>(); }, {"is 1e+300, which is no value of float"});
  expect_error([] { tensor<float>::from({1}, {1e-9f}).to<bool>(); }, {"is 1e-09, which is no value of bool"});
  expect_error([] { tensor<std::int32_t>::from({1}, {2}).to<bool>(); }, {"is 2, which is no value of bool"});
  expect_error([] { tensor<std::int64_t>::from({1}, {(std::int64_t{1} << 53) + 1}).to<double>(); }, {"of double"});
  float x = 0;
  expect_error([&] { tensor<float>::view_of(&x, {1}, location::on_device(0)).to<double>(); },
               {"lies on CUDA device 0"});
}

template <class Real> void expect_range(float largest, float beyond, const char* name) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto near = tensor<float>::from({4}, {largest, -largest, infinity, -infinity}).template to<Real>();
  EXPECT_EQ(near(0), largest) << name;
  EXPECT_EQ(near(3), -infinity) << name << ": what is infinite stays so";
  EXPECT_TRUE(std::isnan(static_cast<float>(tensor<float>::from({1}, {std::nanf("")}).template to<Real>()(0))));
  for (const float x : {beyond, -beyond}) {
    expect_error([&] { tensor<float>::from({1}, {x}).template to<Real>(); }, {"no value of", name});
    expect_error([&] { tensor<double>::from({1}, {x}).template to<Real>(); }, {"no value of", name});
  }
  expect_error([] { tensor<double>::from({2}, {1, 1e300}).template to<Real>(); }, {"element 1", "no value of", name});
}

TEST(tensor, goes_to_a_type_of_two_bytes_within_its_range) {
  expect_range<float16>(65504, 65520, "stg::float16");
  expect_range<bfloat16>(0x1.fep127f, 0x1.ffp127f, "stg::bfloat16");
  EXPECT_EQ(tensor<float>::from({1}, {65519}).to<float16>()(0), 65504) << "rounded, and no further";
}

/// An integer is exact or refused, whatever the type: the largest that all below it have a place in, and the next.
template <class Real> void expect_exact(std::int64_t largest) {
  for (const std::int64_t sign : {-1, 1}) {
    const auto taken = tensor<std::int64_t>::from({2}, {sign * largest, sign * 2 * largest}).to<Real>();
    EXPECT_EQ(static_cast<double>(taken(0)), static_cast<double>(sign * largest));
    EXPECT_EQ(static_cast<double>(taken(1)), static_cast<double>(sign * 2 * largest));
    const std::int64_t next = sign * (largest + 1);
    expect_error([&] { tensor<std::int64_t>::from({1}, {next}).to<Real>(); }, {std::to_string(next), "no value of"});
    if (largest < 0x7fffffff)
      expect_error([&] { tensor<std::int32_t>::from({1}, {static_cast<std::int32_t>(next)}).to<Real>(); },
                   {std::to_string(next), "no value of"});
  }
}

TEST(tensor, takes_integers_exactly_or_not_at_all) {
  expect_exact<double>(std::int64_t{1} << 53);
  expect_exact<float>(1 << 24);
  expect_exact<float16>(1 << 11);
  expect_exact<bfloat16>(1 << 8);
  expect_error([] { tensor<std::int32_t>::from({1}, {65536}).to<float16>(); }, {"65536", "no value of"});
  EXPECT_EQ(tensor<bool>::from({1}, {true}).to<bfloat16>()(0), 1);
}

/// Numbers as much of Europe writes them.
struct decimal_comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

template <class T> std::string text(const const_tensor<T>& t) {
  std::ostringstream out;
  out.imbue(std::locale(std::locale(), new decimal_comma));
  out << t;
  return out.str();
}
template <class T> tensor<T> counted(const dimensions& shape) {
  tensor<T> t(shape);
  std::iota(t.begin(), t.end(), T(0));
  return t;
}

// Every expectation is what NumPy 2 prints, true and false apart.
TEST(tensor, is_printed_as_numpy_prints) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(text(tensor<float>::from({2, 2}, {1, 2.5, 3, 4})), "[[1.  2.5]\n [3.  4. ]]");
  EXPECT_EQ(text(tensor<float>::from({4}, {1.5, -2, inf - inf, inf})), "[ 1.5 -2.   nan  inf]");
  EXPECT_EQ(text(tensor<float>::from({2}, {0.1f, 1 / 3.0f})), "[0.1        0.33333334]");
  EXPECT_EQ(text(tensor<double>::from({3}, {1 / 3.0, 2 / 3.0, 123.456})), "[  0.33333333   0.66666667 123.456     ]");
  EXPECT_EQ(text(tensor<float>::from({2}, {1e-5f, 1})), "[1.e-05 1.e+00]");
  EXPECT_EQ(text(tensor<double>::from({2}, {1e10, 1.5})), "[1.0e+10 1.5e+00]");
  EXPECT_EQ(text(tensor<float>::full({}, 3.25)), "3.25");
  EXPECT_EQ(text(tensor<float>()), "[]");
  EXPECT_EQ(text(tensor<float>({0, 3})), "[]");
  EXPECT_EQ(text(tensor<bool>::from({1, 2}, {true, false})), "[[ true false]]");
  EXPECT_EQ(text(tensor<float16>::from({2}, {float16(0.5f), float16(1)})), "[0.5 1. ]");
  EXPECT_EQ(text(counted<std::int32_t>({2, 2, 2})), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
  EXPECT_EQ(text(counted<std::int64_t>({2, 1000})),
            "[[   0    1    2 ...  997  998  999]\n [1000 1001 1002 ... 1997 1998 1999]]");
  EXPECT_EQ(text(counted<std::int32_t>({30})),
            "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
            " 24 25 26 27 28 29]");
  EXPECT_EQ(text(counted<std::int32_t>({8, 200})),
            "[[   0    1    2 ...  197  198  199]\n"
            " [ 200  201  202 ...  397  398  399]\n"
            " [ 400  401  402 ...  597  598  599]\n"
            " ...\n"
            " [1000 1001 1002 ... 1197 1198 1199]\n"
            " [1200 1201 1202 ... 1397 1398 1399]\n"
            " [1400 1401 1402 ... 1597 1598 1599]]");
  EXPECT_EQ(text(tensor<float>::view_of(static_cast<float*>(nullptr), {3, 2}, location::on_device(0))),
            "tensor (3, 2) on CUDA device 0");
}

}  // namespace
}  // namespace stg
