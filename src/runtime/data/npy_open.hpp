// An array of NumPy's whose header and size are known to be right, and its elements.
#pragma once

#include "bytes.hpp"       // byte_source
#include "npy_header.hpp"  // header

#include <stg/runtime/tensor.hpp>  // tensor

#include <memory>  // unique_ptr
#include <string>  // string

namespace stg::npy {

struct opened {
  std::unique_ptr<detail::byte_source> bytes;  // from the first element on
  npy::header header;
};

/// Errors name the path: what cannot be opened or read, those of `parse_header`, and data that are not as many as the
/// shape says.
opened open(const std::string& path);
/// The same of `size` bytes from a file or a part of one, which `path` names.
opened open(std::unique_ptr<detail::byte_source> bytes, std::int64_t size, const std::string& path);

/// The elements, of T's type or converted: as read_npy and read_npy_as have them (stg/data/npy.hpp).
template <class T> tensor<T> read_elements(opened& array, const std::string& path);
template <class T> tensor<T> read_elements_as(opened& array, const std::string& path);

/// The type of a file that holds elements of T.
template <class T> npy::type type_of();

}  // namespace stg::npy
