// Dense arrays of numbers: what features, parameters, labels and masks are held in.
#pragma once

#include <stg/base/half.hpp>           // bfloat16, float16
#include <stg/runtime/dimensions.hpp>  // dimensions

#include <algorithm>         // copy, fill
#include <cassert>           // assert
#include <concepts>          // same_as, integral
#include <cstddef>           // byte
#include <cstdint>           // int32_t, int64_t
#include <initializer_list>  // initializer_list
#include <memory>            // unique_ptr
#include <span>              // span
#include <utility>           // exchange, move

namespace stg {

namespace detail {
struct free_memory {
  void operator()(std::byte* memory) const noexcept;
};
using memory = std::unique_ptr<std::byte, free_memory>;

memory allocate(std::int64_t count, std::int64_t element_bytes, bool zero);  // as arena's blocks, never null
[[noreturn]] void wrong_count(const dimensions&, std::int64_t values);
[[noreturn]] void wrong_reshape(const dimensions& from, const dimensions& to);
[[noreturn]] void wrong_item(const dimensions&);
[[noreturn]] void wrong_axis(const dimensions&, int axis);
[[noreturn]] void wrong_index(const dimensions&, const std::int64_t* index, int count);
}  // namespace detail

/// Bytes that tensors have allocated since the program began; tests read it before and after a step.
std::uint64_t tensor_bytes_allocated();

/// Element types of tensors. A bool takes one byte; bfloat16 and float16 two.
template <class T>
concept TensorElement = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int32_t> ||
    std::same_as<T, bool> || std::same_as<T, bfloat16> || std::same_as<T, float16>;

/// A dense row-major array of rank 0 to 5 (rank 0 has one element) that owns 64-byte aligned memory, from 2 MiB on
/// aligned to 2 MiB and advised for huge pages, or views somebody else's. Move-only; `clone` copies. A default-made or
/// moved-from tensor has shape (0,).
///
///   stg::tensor<float> x({3, 2});                        // zeros, (3, 2)
///   x(0, 1) = 5;                                         // unchecked outside debug builds; x.at(0, 1) is checked
///   auto flat = x.reshape({6});                          // the same memory
///   auto y = stg::tensor<float>::from({2, 2}, {1, 2, 3, 4});
template <TensorElement T> class tensor {
 public:
  using value_type = T;

  tensor() : shape_{0} {}
  /// Zeros of a shape. Errors of `dimensions`, and when the memory is not to be had.
  explicit tensor(const dimensions& shape) : tensor(shape, true) {}
  tensor(std::initializer_list<std::int64_t> shape) : tensor(dimensions(shape), true) {}

  tensor(tensor&& other) noexcept { swap(other); }
  tensor& operator=(tensor&& other) noexcept {
    tensor taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// Memory of a shape with indeterminate contents, for what is overwritten before it is read.
  static tensor for_overwrite(const dimensions& shape) { return tensor(shape, false); }
  /// A view of `shape.size()` elements at `data`, which must outlive it.
  static tensor view_of(T* data, const dimensions& shape) {
    tensor t;
    t.data_ = data;
    t.shape_ = shape;
    return t;
  }
  /// A shape filled with one value.
  static tensor full(const dimensions& shape, T value) {
    tensor t(shape, false);
    t.fill(value);
    return t;
  }
  /// A shape filled with values in row-major order. Error when their number is not the shape's.
  static tensor from(const dimensions& shape, std::span<const T> values) {
    if (static_cast<std::int64_t>(values.size()) != shape.size())
      detail::wrong_count(shape, static_cast<std::int64_t>(values.size()));
    tensor t(shape, false);
    std::copy(values.begin(), values.end(), t.data_);
    return t;
  }
  static tensor from(const dimensions& shape, std::initializer_list<T> values) {
    return from(shape, std::span<const T>(values.begin(), values.size()));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  const T* begin() const { return data_; }
  T* end() { return data_ + shape_.size(); }
  const T* end() const { return data_ + shape_.size(); }

  const dimensions& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  std::int64_t size() const { return shape_.size(); }
  std::int64_t bytes() const { return shape_.size() * static_cast<std::int64_t>(sizeof(T)); }
  bool owns_memory() const { return memory_ != nullptr; }

  /// Extent of one axis, counted from the back when negative. Error when there is no such axis.
  std::int64_t extent(int axis) const {
    const int a = axis < 0 ? axis + rank() : axis;
    if (a < 0 || a >= rank()) detail::wrong_axis(shape_, axis);
    return shape_[a];
  }

  /// One element, as many indices as axes; checked by assert only.
  template <std::integral... I> T& operator()(I... index) { return data_[position<false>(index...)]; }
  template <std::integral... I> const T& operator()(I... index) const { return data_[position<false>(index...)]; }
  /// One element; error when the number of indices or one of them is wrong.
  template <std::integral... I> T& at(I... index) { return data_[position<true>(index...)]; }
  template <std::integral... I> const T& at(I... index) const { return data_[position<true>(index...)]; }
  /// The element of a one-element tensor of any rank, such as a loss. Error for any other size.
  T item() const {
    if (size() != 1) detail::wrong_item(shape_);
    return *data_;
  }

  /// Sets every element.
  void fill(T value) { std::fill(begin(), end(), value); }
  /// A deep copy that owns its memory.
  tensor clone() const {
    tensor t(shape_, false);
    std::copy(begin(), end(), t.data_);
    return t;
  }
  /// A view of the same memory, valid while this tensor's memory lives.
  tensor view() { return view_of(data_, shape_); }
  const tensor view() const { return view_of(const_cast<T*>(data_), shape_); }
  /// A view of the same memory under another shape. Error when the number of elements differs.
  tensor reshape(const dimensions& shape) {
    if (shape.size() != size()) detail::wrong_reshape(shape_, shape);
    return view_of(data_, shape);
  }
  const tensor reshape(const dimensions& shape) const { return const_cast<tensor*>(this)->reshape(shape); }

 private:
  tensor(const dimensions& shape, bool zero)
      : memory_(detail::allocate(shape.size(), sizeof(T), zero)),
        data_(reinterpret_cast<T*>(memory_.get())),
        shape_(shape) {}

  void swap(tensor& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(shape_, other.shape_);
  }

  template <bool Checked, class... I> std::int64_t position(I... index) const {
    constexpr int count = sizeof...(I);
    const std::int64_t at[count + 1] = {static_cast<std::int64_t>(index)..., 0};
    bool inside = count == rank();
    std::int64_t p = 0;
    for (int a = 0; a < count; ++a) {
      inside = inside && at[a] >= 0 && at[a] < shape_[a];
      p = p * shape_[a] + at[a];
    }
    if constexpr (Checked) {
      if (!inside) detail::wrong_index(shape_, at, count);
    } else {
      assert(inside && "stg: tensor index out of range");
    }
    return p;
  }

  detail::memory memory_;
  T* data_ = nullptr;
  dimensions shape_{0};
};

}  // namespace stg
