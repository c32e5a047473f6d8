// Arrays of Python as tensors, without a copy, and tensors as arrays.
#pragma once

#include <stg/call/program_input.hpp>  // any_tensor

#include <nanobind/nanobind.h>  // handle, object
#include <nanobind/ndarray.h>   // ndarray

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

namespace stg::python {

namespace nb = nanobind;

/// Who an array belongs to, so that results are of the same library.
enum class library { numpy, torch, jax, other };
library library_of(nb::handle array);

/// An array, which keeps its memory, and a tensor that is a view of it.
struct seen_array {
  nb::ndarray<nb::ro> array{};
  any_tensor tensor{};
};
/// An array, or a number for a value without axes, as a tensor of this type. `name` begins errors: no array, one of
/// another type, on a device, or whose rows do not lie one behind the other. Nothing is converted and nothing copied.
seen_array seen(nb::handle array, scalar_type type, const std::string& name);
/// The same of memory that is written: errors also for one that is read-only.
any_tensor written(nb::handle array, scalar_type type, const std::string& name);
/// Integers of 32 or 64 bits along one axis, copied as 64 bits.
std::vector<std::int64_t> integers(nb::handle array, const std::string& name);
/// A tensor as an array of a library; it keeps the tensor.
nb::object as_array(any_tensor t, library of);

}  // namespace stg::python
