// Dense arrays of numbers: what features, parameters, labels and masks are held in.
#pragma once

#include <stg/base/half.hpp>           // bfloat16, float16
#include <stg/base/room.hpp>           // room_for
#include <stg/runtime/dimensions.hpp>  // dimensions
#include <stg/runtime/location.hpp>    // location, host

#include <algorithm>         // copy, fill
#include <cassert>           // assert
#include <concepts>          // same_as, integral
#include <cstddef>           // byte
#include <cstdint>           // int32_t, int64_t
#include <initializer_list>  // initializer_list
#include <memory>            // unique_ptr
#include <span>              // span
#include <utility>           // move, swap

namespace stg {

namespace detail {
/// Who takes memory back that is not the host's, and itself with it.
struct memory_owner {
  virtual void free(std::byte* memory) noexcept = 0;
  /// Where several may hold the memory: one holder more, who calls free as well. False: there is one.
  virtual bool share() noexcept { return false; }

 protected:
  ~memory_owner() = default;
};
struct free_memory {
  memory_owner* owner = nullptr;  // of the host's memory: none
  void operator()(std::byte* memory) const noexcept;
};
using memory = std::unique_ptr<std::byte, free_memory>;
/// A share of memory that several hold, nothing where it has one owner. It is no place to read.
inline memory share_of(memory_owner* owner) {
  if (owner == nullptr || !owner->share()) return {};
  return memory(reinterpret_cast<std::byte*>(owner), free_memory{owner});
}

memory allocate(std::int64_t count, std::int64_t element_bytes, bool zero);  // as arena's blocks, never null
/// Memory of a place, null where that is a device and no bytes are asked for. `what` is named when there is none.
memory allocate_at(location where, std::int64_t bytes, bool zero, const char* what);
/// Copies between places; complete on return.
void copy_memory(location to_place, void* to, location from_place, const void* from, std::int64_t bytes);
[[noreturn]] void not_on_host(const dimensions&, location);
/// Error when a tensor of a shape, whose elements are about to be read or written here, lies on a device.
inline void require_host(const dimensions& shape, location lies) {
  if (!lies.is_host()) [[unlikely]]
    not_on_host(shape, lies);
}
[[noreturn]] void wrong_assignment(const dimensions& to, const dimensions& from);
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
/// moved-from tensor has shape (0,). It lies in the host's memory, or on a device to which `to` brought it: then its
/// elements are for programs that run there, and reading them here is an error (by `data()` and `()`: unchecked).
///
///   stg::tensor<float> x({3, 2});                        // zeros, (3, 2)
///   x(0, 1) = 5;                                         // unchecked outside debug builds; x.at(0, 1) is checked
///   auto flat = x.reshape({6});                          // the same memory
///   auto y = stg::tensor<float>::from({2, 2}, {1, 2, 3, 4});
///   auto z = y.to(stg::cuda());                          // a copy on device 0; z.to(stg::host) brings it back
template <TensorElement T> class tensor {
 public:
  using value_type = T;

  tensor() : shape_{0} {}
  /// Zeros of a shape. Errors of `dimensions`, and when the memory is not to be had.
  explicit tensor(const dimensions& shape) : tensor(shape, true) {}
  tensor(std::initializer_list<std::int64_t> shape) : tensor(dimensions(shape), true) {}
  /// Zeros of a shape in the memory of a place. Error when there is no such device.
  tensor(const dimensions& shape, location where) : tensor(shape, true, where) {}

  tensor(tensor&& other) noexcept { swap(other); }
  tensor& operator=(tensor&& other) noexcept {
    tensor taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// Memory of a shape with indeterminate contents, for what is overwritten before it is read.
  static tensor for_overwrite(const dimensions& shape) { return tensor(shape, false); }
  static tensor for_overwrite(const dimensions& shape, location where) { return tensor(shape, false, where); }
  /// A view of `shape.size()` elements at `data`, which must outlive it and lies where it is said to.
  static tensor view_of(T* data, const dimensions& shape, location where = host) {
    tensor t;
    t.data_ = data;
    t.shape_ = shape;
    t.place_ = where;
    return t;
  }
  /// The same with a share of the memory: it lives as long as this view, and as views of it.
  static tensor view_of(T* data, const dimensions& shape, location where, detail::memory share) {
    tensor t = view_of(data, shape, where);
    t.memory_ = std::move(share);
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

  /// The first element, where the tensor lies; the only access to elements on a device.
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return on_host(), data_; }
  const T* begin() const { return on_host(), data_; }
  T* end() { return data_ + shape_.size(); }
  const T* end() const { return data_ + shape_.size(); }

  /// Where the elements lie: stg::host, or stg::cuda(device).
  location place() const { return place_; }
  /// A copy that owns its memory and lies where it is wanted, complete on return. Error when there is no such device.
  tensor to(location where) const {
    tensor t(shape_, false, where);
    t.assign(*this);
    return t;
  }
  /// Copies all elements of a tensor of this shape, wherever the two lie. Error when the shape differs.
  void assign(const tensor& from) {
    if (!(from.shape_ == shape_)) detail::wrong_assignment(shape_, from.shape_);
    if (place_.is_host() && from.place_.is_host()) std::copy(from.begin(), from.end(), data_);
    else detail::copy_memory(place_, data_, from.place_, from.data_, bytes());
  }

  const dimensions& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  std::int64_t size() const { return shape_.size(); }
  std::int64_t bytes() const { return shape_.size() * static_cast<std::int64_t>(sizeof(T)); }
  /// Whether the memory lives as long as this tensor: its own, or a tape's, which views of it share.
  bool owns_memory() const { return memory_ != nullptr; }
  /// For whoever refers to the elements later: a share of the memory where several may hold it, else nothing; of a
  /// temporary the memory itself.
  detail::memory share() const& { return memory_ ? detail::share_of(memory_.get_deleter().owner) : detail::memory(); }
  detail::memory share() && { return std::move(memory_); }

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
    on_host();
    return *data_;
  }

  /// Sets every element.
  void fill(T value) { std::fill(begin(), end(), value); }
  /// A deep copy that owns its memory, where this tensor lies.
  tensor clone() const { return to(place_); }
  /// A view of the same memory, valid while this tensor's memory lives.
  tensor view() { return view_of(data_, shape_, place_, share()); }
  const tensor view() const { return view_of(const_cast<T*>(data_), shape_, place_, share()); }
  /// A view of the same memory under another shape. Error when the number of elements differs.
  tensor reshape(const dimensions& shape) {
    if (shape.size() != size()) detail::wrong_reshape(shape_, shape);
    return view_of(data_, shape, place_, share());
  }
  const tensor reshape(const dimensions& shape) const { return const_cast<tensor*>(this)->reshape(shape); }

 private:
  tensor(const dimensions& shape, bool zero)
      : memory_(detail::allocate(shape.size(), sizeof(T), zero)),
        data_(reinterpret_cast<T*>(memory_.get())),
        shape_(shape) {}
  tensor(const dimensions& shape, bool zero, location where)
      : memory_(where.is_host()
                    ? detail::allocate(shape.size(), sizeof(T), zero)
                    : detail::allocate_at(where, shape.size() * static_cast<std::int64_t>(sizeof(T)), zero, "tensor")),
        data_(reinterpret_cast<T*>(memory_.get())),
        shape_(shape),
        place_(where) {}

  void on_host() const { detail::require_host(shape_, place_); }
  void swap(tensor& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(shape_, other.shape_);
    std::swap(place_, other.place_);
  }

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
};

}  // namespace stg
