// Opt-in: tensors from DLPack's arrays and arrays from tensors, without a copy, for C++ programs beside PyTorch, JAX,
// CuPy.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int64_t
#include <memory>       // unique_ptr
#include <new>          // bad_alloc
#include <string>       // to_string
#include <type_traits>  // conditional_t, is_const_v, is_same_v, remove_const_t
#include <utility>      // move

#include <stg/base/error.hpp>             // error
#include <stg/runtime/dlpack.hpp>         // array, managed, managed_versioned, see
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/runtime/shared_keeper.hpp>  // shared_keeper
#include <stg/runtime/tensor.hpp>         // const_tensor, tensor

namespace stg {

namespace dlpack {

/// One of DLPack's two managed structs: these, or those of a dlpack.h that the program has.
template <class M>
concept Managed = requires(M& m) {
  m.dl_tensor.byte_offset;
  m.manager_ctx;
  m.deleter(&m);
};
template <class M>
concept Versioned = Managed<M> && requires(M& m) {
  m.version.major;
  m.flags;
};

namespace detail {

template <class T> constexpr type element_type() {
  if constexpr (std::is_same_v<T, std::int64_t>) return int64;
  else return type_of(scalar_of<T>);
}
template <Managed M> void delete_managed(M* m) noexcept {
  if (m->deleter != nullptr) m->deleter(m);
}
/// Calls the deleter once, when the last holder of the memory goes.
template <Managed M> class held final : public stg::detail::shared_keeper {
 public:
  explicit held(M* m) : managed_(m) {}

 private:
  ~held() override { delete_managed(managed_); }
  M* managed_;
};

/// The fields of an array, in whichever header its struct is declared.
template <class Array> array plain(const Array& a) {
  const device where{static_cast<device_type>(a.device.device_type), a.device.device_id};
  const type of{static_cast<std::uint8_t>(a.dtype.code), a.dtype.bits, a.dtype.lanes};
  return {a.data, where, a.ndim, of, a.shape, a.strides, a.byte_offset};
}
template <class Array> void fill(Array& to, const array& from) {
  to.data = from.data;
  to.device.device_type = static_cast<decltype(to.device.device_type)>(from.device.device_type);
  to.device.device_id = from.device.device_id;
  to.ndim = from.ndim;
  to.dtype.code = static_cast<decltype(to.dtype.code)>(from.dtype.code);
  to.dtype.bits = from.dtype.bits;
  to.dtype.lanes = from.dtype.lanes;
  to.shape = from.shape;
  to.strides = from.strides;
  to.byte_offset = from.byte_offset;
}

/// A tensor that is given away, and its struct.
template <Managed M, class Tensor> struct given_away {
  M managed{};
  Tensor kept;
  std::int64_t axes[2 * max_rank]{};

  explicit given_away(Tensor t) : kept(std::move(t)) {
    using T = typename Tensor::value_type;
    managed.manager_ctx = this;
    managed.deleter = [](M* m) { delete static_cast<given_away*>(m->manager_ctx); };
    fill(managed.dl_tensor,
         described(const_cast<T*>(kept.data()), kept.shape(), kept.place(), element_type<T>(), axes));
    if constexpr (Versioned<M>) {
      managed.version.major = 1;
      managed.flags = std::is_same_v<Tensor, const_tensor<T>> ? is_read_only : 0;
    }
  }
};
template <Managed M, class Tensor> M* give(Tensor t) {
  try {
    return &(new given_away<M, Tensor>(std::move(t)))->managed;
  } catch (const std::bad_alloc&) {
    stg::detail::no_memory();
  }
}

}  // namespace detail

}  // namespace dlpack

/// A tensor of an array's memory, which takes the array over: its deleter is called once, when the last view of the
/// memory is gone, or at once where this throws. Of read-only arrays const_tensors, by a const element. The array is
/// ready to be read: DLPack leaves it to its producer to wait for a device. Errors: no array, a version that is not
/// 1.x, elements of another type, more than five axes, rows that do not lie one behind the other (strides), a
/// read-only array as a tensor that is written, a device that the program cannot use.
///
///   stg::tensor<float> x = stg::from_dlpack<float>(managed);           // DLManagedTensor*, or
///   DLManagedTensorVersioned* stg::const_tensor<float> y = stg::from_dlpack<const float>(other);
template <class T, dlpack::Managed M>
std::conditional_t<std::is_const_v<T>, const_tensor<std::remove_const_t<T>>, tensor<std::remove_const_t<T>>>
from_dlpack(M* managed) {
  using element = std::remove_const_t<T>;
  if (managed == nullptr) throw error("dlpack: there is no array: its pointer is null");
  std::unique_ptr<M, void (*)(M*)> given(managed, [](M* m) { dlpack::detail::delete_managed(m); });
  if constexpr (dlpack::Versioned<M>) {
    if (managed->version.major != 1)
      throw error("dlpack: the array is of version " + std::to_string(managed->version.major) + "; 1 is read");
    if (!std::is_const_v<T> && (managed->flags & dlpack::is_read_only) != 0)
      throw error("dlpack: the array is read-only; take it as a const_tensor, from_dlpack<const T>");
  }
  const dlpack::seen now =
      dlpack::see(dlpack::detail::plain(managed->dl_tensor), dlpack::detail::element_type<element>());
  try {
    auto* const keeper = new dlpack::detail::held<M>(managed);
    given.release();  // NOLINT(bugprone-unused-return-value): the keeper has it
    detail::memory share(reinterpret_cast<std::byte*>(keeper), detail::free_memory{keeper});
    T* const data = static_cast<T*>(now.data);
    if constexpr (std::is_const_v<T>)
      return const_tensor<element>::view_of(data, now.shape, now.place, std::move(share));
    else return tensor<element>::view_of(data, now.shape, now.place, std::move(share));
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }
}

/// An array of a tensor's memory, which its consumer deletes: `m->deleter(m)`. Of 1.x unless a struct is named; a
/// const_tensor is read-only, which the struct before 1.0 cannot say. The memory of a view is the caller's to keep.
///
///   stg::dlpack::managed_versioned* m = stg::to_dlpack(std::move(x));
///   auto* before_1_0 = stg::to_dlpack<DLManagedTensor>(std::move(y));
template <dlpack::Managed M = dlpack::managed_versioned, class T> M* to_dlpack(tensor<T>&& x) {
  return dlpack::detail::give<M, tensor<T>>(std::move(x));
}
template <dlpack::Managed M = dlpack::managed_versioned, class T> M* to_dlpack(const_tensor<T>&& x) {
  static_assert(dlpack::Versioned<M>, "stg: DLPack before 1.0 cannot say read-only; give a tensor, x.clone()");
  return dlpack::detail::give<M, const_tensor<T>>(std::move(x));
}

}  // namespace stg
