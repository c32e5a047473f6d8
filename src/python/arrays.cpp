// Arrays of Python as tensors, and tensors as arrays.
#include "arrays.hpp"

#include <stg/base/error.hpp>      // error
#include <stg/runtime/dlpack.hpp>  // type_of, spelled

#include <nanobind/stl/string.h>  // casters

#include <cstddef>      // size_t
#include <span>         // span
#include <string_view>  // string_view
#include <utility>      // move
#include <variant>      // visit

namespace stg::python {

namespace {

using nb::dlpack::dtype_code;

nb::dlpack::dtype dtype_of(scalar_type type) {
  const dlpack::type t = dlpack::type_of(type);
  return {t.code, t.bits, t.lanes};
}
/// The name of a type as NumPy has it.
std::string spelled(nb::dlpack::dtype t) { return dlpack::spelled({t.code, t.bits, t.lanes}); }

dimensions shape_of(const nb::ndarray<nb::ro>& a, const std::string& name) {
  if (a.ndim() > static_cast<std::size_t>(max_rank))
    throw error(name + " has " + std::to_string(a.ndim()) + " axes; a tensor has at most " + std::to_string(max_rank));
  return std::span<const std::int64_t>(a.shape_ptr(), a.ndim());
}
bool is_row_after_row(const nb::ndarray<nb::ro>& a) {
  std::int64_t expected = 1;
  for (std::size_t i = a.ndim(); i-- > 0;) {
    if (a.shape(i) != 1 && a.stride(i) != expected) return false;
    expected *= static_cast<std::int64_t>(a.shape(i));
  }
  return true;
}
std::string type_of(nb::handle h) { return nb::cast<std::string>(h.type().attr("__name__")); }

nb::ndarray<nb::ro> array_of(nb::handle given, const std::string& name) {
  nb::ndarray<nb::ro> a;
  if (!nb::try_cast(given, a, false))
    throw error(name + " takes an array of NumPy, PyTorch or whoever speaks DLPack, not a " + type_of(given) +
                "; a tensor that requires a gradient is given to a program with training");
  return a;
}
void check(const nb::ndarray<nb::ro>& a, scalar_type type, const std::string& name) {
  if (a.device_type() != nb::device::cpu::value)
    throw error(name +
                (a.device_type() == nb::device::cuda::value
                     ? " lies on a CUDA device, and this module is built without CUDA"
                     : " lies on a device") +
                "; it computes on the host, give a copy there: cpu() or device_get");
  const nb::dlpack::dtype wanted = dtype_of(type);
  if (!(a.dtype() == wanted))
    throw error(name + " takes " + spelled(wanted) + ", not " + spelled(a.dtype()) + "; convert it, astype or to");
  if (a.size() > 0 && !is_row_after_row(a))
    throw error(name + " does not lie row after row in memory; give a copy that does, ascontiguousarray or contiguous");
}

template <class F> decltype(auto) with_element(scalar_type type, const F& f) {
  switch (type) {
    case f32:
      return f(float());
    case f64:
      return f(double());
    case i32:
      return f(std::int32_t());
    case boolean:
      return f(bool());
    case bf16:
      return f(bfloat16());
    default:
      return f(float16());
  }
}
any_tensor view_of(const nb::ndarray<nb::ro>& a, scalar_type type, const std::string& name) {
  return with_element(type, [&](auto element) -> any_tensor {
    using T = decltype(element);
    return tensor<T>::view_of(const_cast<T*>(static_cast<const T*>(a.data())), shape_of(a, name));
  });
}

any_tensor number(nb::handle given, scalar_type type) {
  return with_element(type, [&](auto element) -> any_tensor {
    using T = decltype(element);
    return tensor<T>::full({}, static_cast<T>(nb::cast<double>(given)));
  });
}

}  // namespace

library library_of(nb::handle array) {
  const std::string of = nb::cast<std::string>(array.type().attr("__module__"));
  const std::string_view first = std::string_view(of).substr(0, of.find('.'));
  if (first == "torch") return library::torch;
  if (first == "numpy" || first == "builtins") return library::numpy;
  if (first == "jax" || first == "jaxlib") return library::jax;
  return library::other;
}

seen_array seen(nb::handle given, scalar_type type, const std::string& name) {
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) return {{}, number(given, type)};
  seen_array found{array_of(given, name), {}};
  check(found.array, type, name);
  found.tensor = view_of(found.array, type, name);
  return found;
}

any_tensor written(nb::handle given, scalar_type type, const std::string& name) {
  nb::ndarray<> a;
  if (!nb::try_cast(given, a, false))
    throw error(name + " takes an array that can be written, not a " + type_of(given));
  const nb::ndarray<nb::ro> readable(a);
  check(readable, type, name);
  return view_of(readable, type, name);
}

std::vector<std::int64_t> integers(nb::handle given, const std::string& name) {
  const nb::ndarray<nb::ro> a = array_of(given, name);
  if (a.device_type() != nb::device::cpu::value) throw error(name + " lies on a device; bring it to the host");
  if (a.ndim() != 1) throw error(name + " takes integers along one axis, not " + std::to_string(a.ndim()));
  if (a.dtype().code != static_cast<std::uint8_t>(dtype_code::Int) || (a.dtype().bits != 32 && a.dtype().bits != 64))
    throw error(name + " takes int32 or int64, not " + spelled(a.dtype()));
  std::vector<std::int64_t> all(a.size());
  const auto copy = [&](const auto* from) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = from[static_cast<std::int64_t>(i) * a.stride(0)];
  };
  if (a.dtype().bits == 32) copy(static_cast<const std::int32_t*>(a.data()));
  else copy(static_cast<const std::int64_t*>(a.data()));
  return all;
}

nb::object as_array(any_tensor t, library of) {
  auto* const kept = new any_tensor(std::move(t));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<any_tensor*>(p); });
  return std::visit(
      [&](auto& values) {
        using T = typename std::remove_reference_t<decltype(values)>::value_type;
        std::size_t shape[max_rank + 1];
        const auto rank = static_cast<std::size_t>(values.rank());
        for (std::size_t i = 0; i < rank; ++i) shape[i] = static_cast<std::size_t>(values.extent(static_cast<int>(i)));
        const auto made = [&](auto array) { return nb::cast(array); };
        const nb::dlpack::dtype type = dtype_of(scalar_of<T>);
        if (of == library::torch)
          return made(
              nb::ndarray<nb::pytorch>(values.data(), rank, shape, owner, nullptr, type, nb::device::cpu::value));
        if (of == library::jax)
          return made(nb::ndarray<nb::jax>(values.data(), rank, shape, owner, nullptr, type, nb::device::cpu::value));
        if (of == library::numpy && scalar_of<T> != bf16)  // which NumPy does not have
          return made(nb::ndarray<nb::numpy>(values.data(), rank, shape, owner, nullptr, type, nb::device::cpu::value));
        return made(nb::ndarray<>(values.data(), rank, shape, owner, nullptr, type, nb::device::cpu::value));
      },
      *kept);
}

}  // namespace stg::python
