// Reading dense arrays: the read-only side of a tensor.
#pragma once

#include <stg/base/instead.hpp>        // STG_INSTEAD, nothing
#include <stg/base/float16.hpp>        // bfloat16, float16
#include <stg/base/room.hpp>           // room_for
#include <stg/runtime/dimensions.hpp>  // dimensions
#include <stg/runtime/location.hpp>    // location, host

#include <cassert>   // assert
#include <concepts>  // same_as, integral
#include <cstddef>   // byte
#include <cstdint>   // int32_t, int64_t
#include <iosfwd>    // ostream
#include <memory>    // unique_ptr
#include <utility>   // move, swap

namespace stg {

namespace detail {
/// Frees memory outside of the host's, and itself with it.
struct memory_keeper {
  virtual void free(std::byte* memory) noexcept = 0;
  /// For shareable memory: adds a holder, who calls free as well. False: there is only one holder.
  virtual bool share() noexcept { return false; }

 protected:
  ~memory_keeper() = default;
};
struct free_memory {
  memory_keeper* keeper = nullptr;  // of the host's memory: none
  void operator()(std::byte* memory) const noexcept;
};
using memory = std::unique_ptr<std::byte, free_memory>;
/// A share of memory with several holders, nothing for memory with one keeper. It is no place to read.
inline memory share_of(memory_keeper* keeper) {
  if (keeper == nullptr || !keeper->share()) return {};
  return memory(reinterpret_cast<std::byte*>(keeper), free_memory{keeper});
}

memory allocate(std::int64_t count, std::int64_t element_bytes, bool zero);  // as arena's blocks, never null
/// Memory of a place, null for 0 bytes on a device. The error for no memory names `what`.
memory allocate_at(location where, std::int64_t bytes, bool zero, const char* what);
/// Copies between places; complete on return.
void copy_memory(location to_place, void* to, location from_place, const void* from, std::int64_t bytes);
[[noreturn]] void not_on_host(const dimensions&, location);
/// Error when a tensor of a shape lies on a device, before its elements are read or written here.
inline void require_host(const dimensions& shape, location lies) {
  if (!lies.is_host()) [[unlikely]]
    not_on_host(shape, lies);
}
[[noreturn]] void wrong_assignment(const dimensions& to, const dimensions& from);
[[noreturn]] void wrong_count(const dimensions&, std::int64_t values);
[[noreturn]] void wrong_reshape(const dimensions& from, const dimensions& to);
[[noreturn]] void wrong_item(const dimensions&);
[[noreturn]] void wrong_axis(const dimensions&, int axis);
/// The shape of rows [first, last) along the first axis; of one row, without that axis, where `one`. Errors: no first
/// axis, and rows that it does not have.
dimensions shape_of_rows(const dimensions&, std::int64_t first, std::int64_t last, bool one);
[[noreturn]] void wrong_index(const dimensions&, const std::int64_t* index, int count);
}  // namespace detail

/// Bytes that tensors have allocated since the program began; tests read it before and after a step.
std::uint64_t tensor_bytes_allocated();

/// Element types of tensors. A bool takes one byte; bfloat16 and float16 two. Programs take and give no std::int64_t:
/// labels and ids often come in it, and `labels.to<std::int32_t>()` makes them fit for programs.
template <class T>
concept TensorElement = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, bool> || std::same_as<T, bfloat16> || std::same_as<T, float16>;

template <TensorElement T> class tensor;

namespace detail {
/// PyTorch's and NumPy's calls on a tensor: what to write.
struct without_array_methods {
  STG_INSTEAD("stg: the extent of an axis is X.extent(0); X.size() counts all elements", int size(int) const)
  STG_INSTEAD("stg: the axes of a tensor are counted by X.rank()", int dim() const)
  STG_INSTEAD("stg: the elements of a tensor are counted by X.size()", int numel() const)
  STG_INSTEAD("stg: a tensor comes to the host by X.to(stg::host)", nothing cpu() const)
  STG_INSTEAD("stg: a tensor goes to a device by X.to(stg::cuda())", nothing cuda() const)
  STG_INSTEAD("stg: a tensor only holds numbers; classes that were found are counted by accuracy",
              nothing argmax(...) const)
  STG_INSTEAD("stg: a tensor only holds numbers; sum and mean stand in a program: mean(v(x), ...)",
              nothing sum(...) const)
  STG_INSTEAD("stg: a tensor only holds numbers; sum and mean stand in a program: mean(v(x), ...)",
              nothing mean(...) const)
  STG_INSTEAD("stg: a tensor only holds numbers; max and min are std::ranges::max(X) on the host",
              nothing max(...) const)
  STG_INSTEAD("stg: a tensor only holds numbers; max and min are std::ranges::max(X) on the host",
              nothing min(...) const)
  STG_INSTEAD("stg: a tensor is not turned round; transpose<0, 1>(v(W)) does so in a program", nothing t() const)
  STG_INSTEAD("stg: results have no history to be cut from; leave detach() out", nothing detach() const)
  STG_INSTEAD("stg: a tensor has no history; gradients are stg::value_and_grad<loss>()(graph, ...)",
              nothing backward() const)
};
}  // namespace detail

/// A read-only tensor: a view of const memory, or of a const tensor. Every `tensor` is one, so functions that only read
/// take a `const const_tensor<T>&`, and calls take both. Move-only. A default-made or moved-from one has shape (0,).
/// The words on places and indices at `tensor` hold here.
///
///   const float* given = …;                                           // (3, 2), of somebody who only lends it
///   auto x = stg::tensor<float>::view_of(given, {3, 2});              // const_tensor<float>
///   auto y = layer(graph, h = x);                                     // x(0, 1) = 5 does not compile
///   std::cout << x.row(2) << '\n';                                    // [0.5 1. ]
template <TensorElement T>
class STG_NODISCARD(STG_TENSOR_IS_NOT_USED) const_tensor : public detail::without_array_methods {
 public:
  using value_type = T;

  const_tensor() : shape_{0} {}
  const_tensor(const_tensor&& other) noexcept { swap(other); }
  const_tensor& operator=(const_tensor&& other) noexcept {
    const_tensor taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// A view of `shape.size()` elements at `data`, which must outlive it and lie in the given place.
  static const_tensor view_of(const T* data, const dimensions& shape, location where = host) {
    const_tensor t;
    t.data_ = const_cast<T*>(data);  // read-only: writing is in `tensor`
    t.shape_ = shape;
    t.place_ = where;
    return t;
  }
  /// The same with a share of the memory: it lives as long as this view, and as views of it.
  static const_tensor view_of(const T* data, const dimensions& shape, location where, detail::memory share) {
    const_tensor t = view_of(data, shape, where);
    t.memory_ = std::move(share);
    return t;
  }

  /// The first element, in the tensor's place; the only access to elements on a device.
  const T* data() const { return data_; }
  const T* begin() const { return on_host(), data_; }
  const T* end() const { return data_ + shape_.size(); }

  /// The place of the elements: stg::host, or stg::cuda(device).
  location place() const { return place_; }
  /// A copy that owns its memory and lies in the given place, complete on return. Error when there is no such device.
  tensor<T> to(location where) const;
  /// A copy of another type, on the host. Error, with the element's index, for a value that U does not hold: out of
  /// range, with a fraction if U is an integer, or an integer that U, of either kind, would round. Rounding of reals is
  /// not one: to<double>().to<float>() of integers rounds them. Error on a device.
  ///
  ///   auto labels = stg::read_npy<std::int64_t>("y.npy").to<std::int32_t>();
  template <TensorElement U> tensor<U> to() const;
  /// A deep copy that owns its memory, in this tensor's place.
  tensor<T> clone() const;

  const dimensions& shape() const& { return shape_; }
  dimensions shape() && { return shape_; }
  int rank() const { return shape_.rank(); }
#ifndef __CUDACC__
  using detail::without_array_methods::size;
#endif
  std::int64_t size() const { return shape_.size(); }
  std::int64_t bytes() const { return shape_.size() * static_cast<std::int64_t>(sizeof(T)); }
  /// Whether the memory lives as long as this tensor: its own, or a tape's, shared with views of it.
  bool owns_memory() const { return memory_ != nullptr; }
  /// For later use of the elements: a share of the memory if it can be shared, else nothing; of a temporary the memory
  /// itself.
  detail::memory share() const& { return memory_ ? detail::share_of(memory_.get_deleter().keeper) : detail::memory(); }
  detail::memory share() && { return std::move(memory_); }

  /// Extent of one axis, counted from the back when negative. Error when there is no such axis.
  std::int64_t extent(int axis) const {
    const int a = axis < 0 ? axis + rank() : axis;
    if (a < 0 || a >= rank()) detail::wrong_axis(shape_, axis);
    return shape_[a];
  }

  /// One element, as many indices as axes; checked by assert only.
  template <std::integral... I> const T& operator()(I... index) const {
    return data_[this->template position<false>(index...)];
  }
  /// One element; error when the number of indices or one of them is wrong.
  template <std::integral... I> const T& at(I... index) const { return data_[this->template position<true>(index...)]; }
  /// The element of a one-element tensor of any rank, such as a loss. Error for any other size.
  T item() const {
    if (size() != 1) detail::wrong_item(shape_);
    on_host();
    return *data_;
  }

  // Views of the same memory, valid while this tensor's memory lives; views of a temporary own its memory.

  const_tensor view() const& { return view_of(data_, shape_, place_, share()); }
  const_tensor view() && { return std::move(*this); }
  /// Under another shape. Error when the number of elements differs.
  const_tensor reshape(const dimensions& shape) const& { return view().reshape(shape); }
  const_tensor reshape(const dimensions& shape) && {
    if (shape.size() != size()) detail::wrong_reshape(shape_, shape);
    return std::move(*this).part(0, shape);
  }
  /// One row, the first axis gone, or rows [first, last). Error when there is no such row.
  ///
  ///   auto of_third = model(graph, x = X, params).row(3);              // holds the memory of all rows
  const_tensor row(std::int64_t i) const& { return view().row(i); }
  const_tensor row(std::int64_t i) && { return std::move(*this).rows_at(i, i + 1, true); }
  const_tensor rows(std::int64_t first, std::int64_t last) const& { return view().rows(first, last); }
  const_tensor rows(std::int64_t first, std::int64_t last) && { return std::move(*this).rows_at(first, last, false); }

 protected:
  const_tensor(const dimensions& shape, bool zero)
      : memory_(detail::allocate(shape.size(), sizeof(T), zero)),
        data_(reinterpret_cast<T*>(memory_.get())),
        shape_(shape) {}
  const_tensor(const dimensions& shape, bool zero, location where)
      : memory_(where.is_host()
                    ? detail::allocate(shape.size(), sizeof(T), zero)
                    : detail::allocate_at(where, shape.size() * static_cast<std::int64_t>(sizeof(T)), zero, "tensor")),
        data_(reinterpret_cast<T*>(memory_.get())),
        shape_(shape),
        place_(where) {}

  void on_host() const { detail::require_host(shape_, place_); }

  template <bool Checked, class... I> std::int64_t position(I... index) const {
    constexpr int count = sizeof...(I);
    const std::int64_t at[room_for(count)] = {static_cast<std::int64_t>(index)..., 0};
    bool inside = count == rank();
    std::int64_t p = 0;
    for (int a = 0; a < count; ++a) {
      inside = inside && at[a] >= 0 && at[a] < shape_[a];
      p = p * shape_[a] + at[a];
    }
    if constexpr (Checked) {
      if (!inside) detail::wrong_index(shape_, at, count);
      on_host();
    } else {
      assert(inside && "stg: tensor index out of range");
      assert(place_.is_host() && "stg: tensor on a device; write x.to(stg::host)");
    }
    return p;
  }

  detail::memory memory_;
  T* data_ = nullptr;
  dimensions shape_{0};
  location place_{};

 private:
  const_tensor rows_at(std::int64_t first, std::int64_t last, bool one) && {
    const dimensions shape = detail::shape_of_rows(shape_, first, last, one);
    return std::move(*this).part(shape.size() == 0 ? 0 : first * (size() / shape_[0]), shape);
  }
  /// The elements from one on, as a shape.
  const_tensor part(std::int64_t first, dimensions shape) && {
    const_tensor t(std::move(*this));
    t.data_ += first;
    t.shape_ = shape;
    return t;
  }
  void swap(const_tensor& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(shape_, other.shape_);
    std::swap(place_, other.place_);
  }
};

/// Writes the elements as NumPy prints an array: brackets around rows, numbers below one another, the middle of more
/// than 1000 elements left out. Floats have the digits that tell them from their neighbours, at most eight after the
/// point, and a point in every locale. Of a tensor on a device, its shape and its place.
///
///   std::cout << stg::tensor<float>::from({2, 2}, {1, 2.5, 3, 4});   // [[1.  2.5]
///                                                                    //  [3.  4. ]]
template <TensorElement T> std::ostream& operator<<(std::ostream& out, const const_tensor<T>& t);

}  // namespace stg
