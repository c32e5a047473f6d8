// Arrays of DLPack: what a tensor can be a view of, and what is wrong with the others.
#include <stg/runtime/dlpack.hpp>

#include <cstddef>  // byte
#include <cstdint>  // int64_t, uintptr_t
#include <span>     // span
#include <string>   // string, to_string

#include <stg/base/error.hpp>           // error
#include <stg/runtime/cuda/device.hpp>  // problem

namespace stg::dlpack {

namespace {

location place_of(const device& d) {
  switch (d.device_type) {
    case device_type::cpu:
    case device_type::cuda_host:  // pinned, and read as any other memory of the host
      return host;
    case device_type::cuda:
    case device_type::cuda_managed: {
      const std::string wrong = gpu::problem(d.device_id);
      if (!wrong.empty())
        throw error("dlpack: the array lies on CUDA device " + std::to_string(d.device_id) + ", and " + wrong);
      return location::on_device(d.device_id);
    }
  }
  throw error("dlpack: the array lies on a device of type " + std::to_string(static_cast<int>(d.device_type)) +
              "; the host's memory and CUDA's are read");
}

bool is_row_after_row(const array& a, const dimensions& shape) {
  if (a.strides == nullptr || shape.size() == 0) return true;
  std::int64_t expected = 1;
  for (int i = shape.rank(); i-- > 0;) {
    if (shape[i] != 1 && a.strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

}  // namespace

std::string spelled(type t) {
  const std::string bits = std::to_string(int(t.bits)) + (t.lanes == 1 ? "" : " x " + std::to_string(t.lanes));
  switch (static_cast<type_code>(t.code)) {
    case type_code::integer:
      return "int" + bits;
    case type_code::unsigned_integer:
      return "uint" + bits;
    case type_code::real:
      return "float" + bits;
    case type_code::bfloat:
      return "bfloat" + bits;
    case type_code::complex:
      return "complex" + bits;
    case type_code::boolean:
      return "bool";
  }
  return "another type";
}

seen see(const array& given, type wanted) {
  if (!(given.dtype == wanted))
    throw error("dlpack: the array is of " + spelled(given.dtype) + ", and the tensor of " + spelled(wanted) +
                "; take it as it is, then x.to<T>()");
  if (given.ndim < 0 || given.ndim > max_rank)
    throw error("dlpack: the array has " + std::to_string(given.ndim) + " axes; a tensor has 0 to " +
                std::to_string(max_rank));
  if (given.ndim > 0 && given.shape == nullptr) throw error("dlpack: the array has axes and no sizes");
  seen found;
  found.shape = dimensions(std::span<const std::int64_t>(given.shape, static_cast<std::size_t>(given.ndim)));
  if (!is_row_after_row(given, found.shape))
    throw error("dlpack: the array does not lie row after row in memory; give a copy that does, contiguous()");
  found.place = place_of(given.device);
  if (given.data == nullptr) {
    if (found.shape.size() > 0) throw error("dlpack: the array has no memory: its pointer is null");
    return found;
  }
  found.data = static_cast<std::byte*>(given.data) + given.byte_offset;
  if (reinterpret_cast<std::uintptr_t>(found.data) % (wanted.bits / 8u) != 0)
    throw error("dlpack: the array lies at an address that no " + spelled(wanted) + " lies at; give a copy");
  return found;
}

array described(void* data, const dimensions& shape, location place, type of, std::int64_t* axes) {
  std::int64_t* const strides = axes + shape.rank();
  std::int64_t stride = 1;
  for (int i = shape.rank(); i-- > 0;) {
    axes[i] = shape[i];
    strides[i] = stride;
    stride *= shape[i];
  }
  const device where = place.is_host() ? device{device_type::cpu, 0} : device{device_type::cuda, place.device()};
  return {data, where, shape.rank(), of, axes, strides, 0};
}

}  // namespace stg::dlpack
