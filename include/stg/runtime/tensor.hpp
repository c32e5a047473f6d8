// Dense arrays of numbers: what features, parameters, labels and masks are held in.
#pragma once

#include <stg/runtime/const_tensor.hpp>  // const_tensor

#include <cstddef>           // byte
#include <initializer_list>  // initializer_list
#include <span>              // span
#include <utility>           // move

namespace stg {

/// A dense row-major array of rank 0 to 5 (rank 0 has one element) that owns 64-byte aligned memory, from 2 MiB on
/// aligned to 2 MiB and advised for huge pages, or views somebody else's. Move-only; `clone` copies. A default-made or
/// moved-from tensor has shape (0,). It lies in the host's memory, or on a device to which `to` brought it: then its
/// elements are for programs that run there, and reading them here is an error (by `data()` and `()`: unchecked).
/// What reads it is said at `const_tensor`.
///
///   stg::tensor<float> x({3, 2});                        // zeros, (3, 2)
///   x(0, 1) = 5;                                         // unchecked outside debug builds; x.at(0, 1) is checked
///   x.row(2).fill(1);                                    // x(2, 0) and x(2, 1)
///   auto flat = x.reshape({6});                          // the same memory
///   auto y = stg::tensor<float>::from({2, 2}, {1, 2, 3, 4});
///   auto z = y.to(stg::cuda());                          // a copy on device 0; z.to(stg::host) brings it back
template <TensorElement T> class STG_NODISCARD(STG_TENSOR_IS_NOT_USED) tensor : public const_tensor<T> {
  using base = const_tensor<T>;

 public:
  tensor() = default;
  /// Zeros of a shape. Errors of `dimensions`, and when the memory is not to be had.
  explicit tensor(const dimensions& shape) : base(shape, true) {}
  tensor(std::initializer_list<std::int64_t> shape) : base(dimensions(shape), true) {}
  /// Zeros of a shape in the memory of a place. Error when there is no such device.
  tensor(const dimensions& shape, location where) : base(shape, true, where) {}
  tensor(tensor&&) noexcept = default;
  tensor& operator=(tensor&&) = default;
  tensor(const tensor&) = delete;  // stg: a tensor is not copied by =; write data.features.clone()

  /// Memory of a shape with indeterminate contents, for what is overwritten before it is read.
  static tensor for_overwrite(const dimensions& shape) { return tensor(shape, false); }
  static tensor for_overwrite(const dimensions& shape, location where) { return tensor(shape, false, where); }
  /// A view of `shape.size()` elements at `data`, which must outlive it and lies where it is said to. Of const
  /// elements: a const_tensor.
  static tensor view_of(T* data, const dimensions& shape, location where = host) {
    return tensor(base::view_of(data, shape, where));
  }
  /// The same with a share of the memory: it lives as long as this view, and as views of it.
  static tensor view_of(T* data, const dimensions& shape, location where, detail::memory share) {
    return tensor(base::view_of(data, shape, where, std::move(share)));
  }
  using base::view_of;
  /// A shape filled with one value.
  static tensor full(const dimensions& shape, T value) {
    tensor t = for_overwrite(shape);
    t.fill(value);
    return t;
  }
  /// A shape filled with values in row-major order. Error when their number is not the shape's.
  static tensor from(const dimensions& shape, std::span<const T> values) {
    if (static_cast<std::int64_t>(values.size()) != shape.size())
      detail::wrong_count(shape, static_cast<std::int64_t>(values.size()));
    tensor t = for_overwrite(shape);
    T* to = t.data_;
    for (const T& value : values) *to++ = value;
    return t;
  }
  static tensor from(const dimensions& shape, std::initializer_list<T> values) {
    return from(shape, std::span<const T>(values.begin(), values.size()));
  }

  // Of a shape without its braces, and of rows in braces: what to write.
  template <std::integral... Extent>
    requires(sizeof...(Extent) > 0)
  explicit tensor(Extent...) {
    static_assert(sizeof...(Extent) == 0, "stg: a shape stands in braces: stg::tensor<float> X({34, 16})");
  }
  STG_INSTEAD_FOR((std::integral Extent), sizeof(Extent) == 0, "stg: a shape stands in braces: full({34}, 1.0f)",
                  static tensor full(Extent, detail::any))
  STG_INSTEAD_FOR((class U), sizeof(U) == 0, "stg: values are one list, row after row: from({2, 2}, {1, 2, 3, 4})",
                  static tensor from(const dimensions&, std::initializer_list<std::initializer_list<U>>))
  STG_INSTEAD_FOR((class U), sizeof(U) == 0, "stg: values come behind their shape: from({2, 2}, {1, 2, 3, 4})",
                  static tensor from(std::initializer_list<U>))
  STG_INSTEAD_FOR((class U), sizeof(U) == 0, "stg: values come behind their shape: from({2, 2}, {1, 2, 3, 4})",
                  static tensor from(std::initializer_list<std::initializer_list<U>>))
  STG_INSTEAD_IN(sizeof(T) == 0, "stg: a tensor is made of zeros: stg::tensor<float> X({34, 16})",
                 static tensor zeros(detail::any, detail::any = {}))
  STG_INSTEAD_IN(sizeof(T) == 0, "stg: a tensor of ones is stg::tensor<float>::full({34, 16}, 1)",
                 static tensor ones(detail::any, detail::any = {}))

  using base::data;
  T* data() { return this->data_; }
  using base::begin;
  T* begin() { return this->on_host(), this->data_; }
  using base::end;
  T* end() { return this->data_ + this->size(); }

  using base::operator();
  template <std::integral... I> T& operator()(I... index) {
    return this->data_[this->template position<false>(index...)];
  }
  using base::at;
  template <std::integral... I> T& at(I... index) { return this->data_[this->template position<true>(index...)]; }

  /// Copies all elements of a tensor of this shape, wherever the two lie. Error when the shape differs.
  void assign(const const_tensor<T>& from) {
    if (!(from.shape() == this->shape_)) detail::wrong_assignment(this->shape_, from.shape());
    detail::copy_memory(this->place_, this->data_, from.place(), from.data(), this->bytes());
  }
  /// Sets every element.
  void fill(T value) {
    for (T& x : *this) x = value;
  }

  // The views of const_tensor, which can be written through.

  using base::view;
  tensor view() & { return tensor(base::view()); }
  tensor view() && { return std::move(*this); }
  using base::reshape;
  tensor reshape(const dimensions& shape) & { return view().reshape(shape); }
  tensor reshape(const dimensions& shape) && { return tensor(std::move(*this).base::reshape(shape)); }
  using base::row;
  tensor row(std::int64_t i) & { return view().row(i); }
  tensor row(std::int64_t i) && { return tensor(std::move(*this).base::row(i)); }
  using base::rows;
  tensor rows(std::int64_t first, std::int64_t last) & { return view().rows(first, last); }
  tensor rows(std::int64_t first, std::int64_t last) && { return tensor(std::move(*this).base::rows(first, last)); }

 private:
  tensor(const dimensions& shape, bool zero) : base(shape, zero) {}
  tensor(const dimensions& shape, bool zero, location where) : base(shape, zero, where) {}
  explicit tensor(base&& taken) : base(std::move(taken)) {}
};

template <TensorElement T> tensor<T> const_tensor<T>::to(location where) const {
  auto t = tensor<T>::for_overwrite(shape_, where);
  t.assign(*this);
  return t;
}
template <TensorElement T> tensor<T> const_tensor<T>::clone() const { return to(place_); }

namespace detail {
/// Instantiated in the library, for all pairs.
template <TensorElement U, TensorElement T> void convert_elements(const const_tensor<T>& from, tensor<U>& to);
}  // namespace detail
template <TensorElement T> template <TensorElement U> tensor<U> const_tensor<T>::to() const {
  auto t = tensor<U>::for_overwrite(shape_);
  detail::convert_elements<U, T>(*this, t);
  return t;
}

}  // namespace stg
