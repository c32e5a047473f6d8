// DLPack's structs, in the layout of its specification 1.x: arrays of other libraries in one process, without a copy.
// Declared here, since dlpack.h of 0.6, which Debian has, knows no versions; beside that file nothing clashes.
#pragma once

#include <cstdint>  // int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
#include <string>   // string

#include <stg/ir/scalar.hpp>           // scalar_type
#include <stg/runtime/dimensions.hpp>  // dimensions
#include <stg/runtime/location.hpp>    // location

namespace stg::dlpack {

/// Where memory lies: kDLCPU and its like.
enum class device_type : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };
struct device {
  dlpack::device_type device_type;
  std::int32_t device_id;
};
/// The type of an element: a number of `bits`, `lanes` of them.
enum class type_code : std::uint8_t {
  integer = 0,
  unsigned_integer = 1,
  real = 2,
  bfloat = 4,
  complex = 5,
  boolean = 6
};
struct type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
  bool operator==(const type&) const = default;
};
/// DLTensor.
struct array {
  void* data;
  dlpack::device device;
  std::int32_t ndim;
  dlpack::type dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: row after row
  std::uint64_t byte_offset;
};
/// DLManagedTensor, and DLManagedTensorVersioned of 1.x.
struct managed {
  array dl_tensor;
  void* manager_ctx;
  void (*deleter)(managed*);
};
struct version {
  std::uint32_t major, minor;
};
inline constexpr std::uint64_t is_read_only = 1, is_copied = 2;
struct managed_versioned {
  dlpack::version version;
  void* manager_ctx;
  void (*deleter)(managed_versioned*);
  std::uint64_t flags;
  array dl_tensor;
};

constexpr type type_of(scalar_type t) {
  const auto made = [](type_code code, int bits) {
    return type{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  };
  if (t == i32) return made(type_code::integer, 32);
  if (t == boolean) return made(type_code::boolean, 8);
  if (t == bf16) return made(type_code::bfloat, 16);
  return made(type_code::real, 8 * bytes_of(t));
}
inline constexpr type int64{static_cast<std::uint8_t>(type_code::integer), 64, 1};  // which no program has
/// The name of a type as NumPy has it.
std::string spelled(type t);

/// Of an array that somebody gives: its shape and place, if it is of `wanted` type. Errors: another type, more than
/// five axes, rows that do not lie one behind the other, a device that the program cannot use.
struct seen {
  dimensions shape{};
  location place{};
  void* data = nullptr;
};
seen see(const array& given, type wanted);
/// The array of a tensor's memory; shape and strides are written to `axes`, twice the rank.
array described(void* data, const dimensions& shape, location place, type of, std::int64_t* axes);

}  // namespace stg::dlpack
