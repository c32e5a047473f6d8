// test: draft runtime, sanitized memory
// DLPack: memory goes both ways without a copy, deleters are called once on every way, and what no tensor can be a view
// of is a sentence.
#include "expect_error.hpp"  // expect_error

#include <stg/dlpack.hpp>  // from_dlpack, to_dlpack

#include <gtest/gtest.h>  // TEST

#include <cstddef>  // offsetof
#include <cstdint>  // int32_t, int64_t
#include <utility>  // move
#include <vector>   // vector

namespace stg {
namespace {

using test::expect_error;

// The layout that every library compiles: dlpack.h of 1.x on a machine of 64 bits.
static_assert(sizeof(dlpack::array) == 48 && offsetof(dlpack::array, ndim) == 16 &&
              offsetof(dlpack::array, dtype) == 20);
static_assert(offsetof(dlpack::array, shape) == 24 && offsetof(dlpack::array, byte_offset) == 40);
static_assert(sizeof(dlpack::managed) == 64 && offsetof(dlpack::managed, deleter) == 56);
static_assert(sizeof(dlpack::managed_versioned) == 80 && offsetof(dlpack::managed_versioned, flags) == 24 &&
              offsetof(dlpack::managed_versioned, dl_tensor) == 32);

/// An array of six floats that counts the calls of its deleter.
template <class M> struct counted {
  float numbers[7] = {-1, 0, 1, 2, 3, 4, 5};
  std::int64_t shape[6] = {2, 3, 1, 1, 1, 1}, strides[6] = {3, 1, 1, 1, 1, 1};
  int deleted = 0;
  M managed{};
  counted() {
    managed.dl_tensor = {numbers, {dlpack::device_type::cpu, 0}, 2, dlpack::type_of(f32), shape, strides, 4};
    managed.manager_ctx = this;
    managed.deleter = [](M* m) { ++static_cast<counted*>(m->manager_ctx)->deleted; };
    if constexpr (dlpack::Versioned<M>) managed.version = {1, 3};
  }
};
template <class M> class dlpack_struct : public testing::Test {};
using structs = testing::Types<dlpack::managed, dlpack::managed_versioned>;
TYPED_TEST_SUITE(dlpack_struct, structs);

TYPED_TEST(dlpack_struct, is_seen_and_deleted_with_its_last_view) {
  counted<TypeParam> given;
  {
    tensor<float> row;
    {
      tensor<float> x = from_dlpack<float>(&given.managed);
      EXPECT_EQ(x.shape(), dimensions({2, 3}));
      EXPECT_EQ(x.data(), given.numbers + 1);
      EXPECT_TRUE(x.place().is_host());
      x(1, 2) = 7;
      row = x.row(1);
    }
    EXPECT_EQ(given.deleted, 0);
    EXPECT_EQ(row(2), 7);
    EXPECT_EQ(given.numbers[6], 7);
  }
  EXPECT_EQ(given.deleted, 1);
}

TYPED_TEST(dlpack_struct, is_deleted_once_where_it_is_refused) {
  const auto refused = [](auto change, const char* sentence) {
    counted<TypeParam> given;
    change(given);
    expect_error([&] { (void)from_dlpack<float>(&given.managed); }, {"stg: ", sentence});
    EXPECT_EQ(given.deleted, 1) << sentence;
  };
  refused([](auto& g) { g.managed.dl_tensor.dtype = dlpack::type_of(f64); },
          "the array is of float64, and the tensor of float32");
  refused([](auto& g) { g.managed.dl_tensor.dtype.lanes = 4; }, "float32 x 4");
  refused([](auto& g) { g.managed.dl_tensor.ndim = 6; }, "6 axes");
  refused([](auto& g) { g.managed.dl_tensor.ndim = -1; }, "-1 axes");
  refused([](auto& g) { g.shape[0] = -2; }, "negative");
  refused([](auto& g) { g.managed.dl_tensor.shape = nullptr; }, "no sizes");
  refused([](auto& g) { g.strides[0] = 6; }, "does not lie row after row");
  refused([](auto& g) { g.strides[1] = -1; }, "does not lie row after row");
  refused([](auto& g) { g.managed.dl_tensor.data = nullptr; }, "no memory");
  refused([](auto& g) { g.managed.dl_tensor.byte_offset = 2; }, "an address that no float32 lies at");
  refused([](auto& g) { g.managed.dl_tensor.device = {dlpack::device_type::cuda, 9}; }, "lies on CUDA device 9, and ");
  refused([](auto& g) { g.managed.dl_tensor.device.device_type = static_cast<dlpack::device_type>(10); },
          "a device of type 10");
  TypeParam* const none = nullptr;
  expect_error([&] { (void)from_dlpack<float>(none); }, {"its pointer is null"});
}

TYPED_TEST(dlpack_struct, takes_what_has_no_strides_no_elements_and_no_deleter) {
  counted<TypeParam> given;
  given.managed.dl_tensor.strides = nullptr;
  EXPECT_EQ(from_dlpack<float>(&given.managed)(1, 2), 5);
  given.managed.dl_tensor.strides = given.strides;
  given.shape[0] = 1;
  given.strides[0] = 99;  // of one row: nobody's
  EXPECT_EQ(from_dlpack<float>(&given.managed)(0, 2), 2);
  given.shape[0] = 0;
  given.managed.dl_tensor.data = nullptr;
  EXPECT_EQ(from_dlpack<const float>(&given.managed).size(), 0);
  EXPECT_EQ(given.deleted, 3);
  given.managed.deleter = nullptr;
  EXPECT_EQ(from_dlpack<float>(&given.managed).size(), 0);
}

TEST(dlpack, knows_versions_and_what_is_read_only) {
  counted<dlpack::managed_versioned> given;
  given.managed.flags = dlpack::is_read_only;
  expect_error([&] { (void)from_dlpack<float>(&given.managed); }, {"read-only", "from_dlpack<const T>"});
  EXPECT_EQ(given.deleted, 1);
  EXPECT_EQ(from_dlpack<const float>(&given.managed)(0, 1), 1);
  given.managed.version.major = 2;
  expect_error([&] { (void)from_dlpack<const float>(&given.managed); }, {"version 2"});
  EXPECT_EQ(given.deleted, 3);
}

template <class M, class T> void expect_there_and_back(scalar_type type) {
  auto x = tensor<T>::full({3, 2}, T(1));
  const T* const memory = x.data();
  M* const m = to_dlpack<M>(std::move(x));
  EXPECT_EQ(m->dl_tensor.data, memory);
  EXPECT_EQ(m->dl_tensor.dtype, dlpack::type_of(type));
  EXPECT_EQ(m->dl_tensor.strides[0], 2);
  EXPECT_EQ(m->dl_tensor.strides[1], 1);
  const auto back = from_dlpack<T>(m);
  EXPECT_EQ(back.data(), memory);
  EXPECT_EQ(back.shape(), dimensions({3, 2}));
}
TYPED_TEST(dlpack_struct, is_made_of_tensors) {
  expect_there_and_back<TypeParam, float>(f32);
  expect_there_and_back<TypeParam, double>(f64);
  expect_there_and_back<TypeParam, std::int32_t>(i32);
  expect_there_and_back<TypeParam, bool>(boolean);
  expect_there_and_back<TypeParam, bfloat16>(bf16);
  expect_there_and_back<TypeParam, float16>(f16);
  auto* const m = to_dlpack<TypeParam>(tensor<std::int64_t>::full({}, 5));
  EXPECT_EQ(m->dl_tensor.ndim, 0);
  EXPECT_EQ(dlpack::spelled(m->dl_tensor.dtype), "int64");
  EXPECT_EQ(from_dlpack<std::int64_t>(m).item(), 5);
}

TEST(dlpack, says_that_a_const_tensor_is_read_only) {
  const std::vector<float> numbers{1, 2};
  auto* const m = to_dlpack(tensor<float>::view_of(numbers.data(), {2}));
  EXPECT_EQ(m->flags, dlpack::is_read_only);
  EXPECT_EQ(m->version.major, 1u);
  EXPECT_EQ(m->dl_tensor.data, numbers.data());
  m->deleter(m);
}

}  // namespace
}  // namespace stg
