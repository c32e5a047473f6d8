// Reading, mapping and writing NumPy's .npy files, version 1.0.
#pragma once

#include <stg/base/instead.hpp>    // STG_INSTEAD_FREE
#include <stg/runtime/tensor.hpp>  // tensor

#include <string>  // string

namespace stg {

// All readers refuse, naming the file, the field or byte offset, and what was expected and found: what is no file, a
// wrong magic string or version, a header that is malformed or longer than the file, an unknown type, more than five
// axes, a negative extent, a shape whose product overflows, data that is truncated or followed by more bytes. An array
// in Fortran order, as NumPy saves a transposed one, is put in C order. Little-endian hosts only. T is float, double,
// std::int32_t, std::int64_t, bool or float16.

/// The array in a file whose type is T's: '<f4', '<f8', '<i4', '<i8', '|b1' or '<f2'. Error for any other type.
///
///   auto labels = stg::read_npy<std::int32_t>("cora/labels.npy");      // (vertices)
template <class T> tensor<T> read_npy(const std::string& path);

/// The array in a file of any of the types <f2 <f4 <f8 |i1 <i2 <i4 <i8 |u1 <u2 <u4 <u8 |b1, converted to T. Error, with
/// the element's index in C order, for a value that T does not hold: out of range, with a fraction when T is an
/// integer, or an integer that T would round; and for a |b1 that is neither 0 nor 1. Rounding of reals is not one.
///
///   auto counts = stg::read_npy_as<float>("coauthor_cs/feat_values.npy");
template <class T> tensor<T> read_npy_as(const std::string& path);

/// The array in a file as it lies there, of T's type: read from the disk where and when it is looked at, and held by
/// the system's page cache as long as memory lasts, so it may be larger than memory. Views share the mapping, which
/// goes with the last of them. T is float, double, std::int32_t or std::int64_t. Errors also for data that do not begin
/// at a multiple of T's size, or lie in Fortran order. A file that is cut short while it is mapped ends the program
/// (SIGBUS).
///
///   const auto X = stg::map_npy<float>("features.npy");                // (vertices, features)
///   const auto rows = stg::gather(X, batch.vertices);
template <class T> const_tensor<T> map_npy(const std::string& path);

/// Writes a tensor so that `read_npy<T>` and NumPy read it. Error when the file cannot be written.
template <class T> void write_npy(const std::string& path, const const_tensor<T>& t);

// Without the type of the elements, and with the tensor before the path: what to write.
STG_INSTEAD_FREE("stg: read_npy takes the type of the elements: stg::read_npy<float>(\"x.npy\")",
                 inline tensor<float> read_npy(const std::string&))
STG_INSTEAD_FREE("stg: read_npy_as takes the type of the elements: stg::read_npy_as<float>(\"x.npy\")",
                 inline tensor<float> read_npy_as(const std::string&))
STG_INSTEAD_FREE("stg: map_npy takes the type of the elements: stg::map_npy<float>(\"x.npy\")",
                 inline const_tensor<float> map_npy(const std::string&))
STG_INSTEAD_FOR((class T), sizeof(T) == 0, "stg: write_npy takes the path, then the tensor: write_npy(\"x.npy\", X)",
                bool write_npy(const const_tensor<T>&, const std::string&))

}  // namespace stg
