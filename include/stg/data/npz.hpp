// Reading and writing NumPy's .npz files: several arrays in one. Of the library stg::io.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>      // int64_t
#include <memory>       // shared_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg {

/// How much memory a file may ask for.
struct unpacking_limits {
  /// An array of more bytes is refused before it is unpacked. 0: of more than 1 GiB that is 250 times as large as its
  /// packed bytes, as no data are but those that are made to fill a memory.
  std::int64_t most_bytes = 0;
};

/// The arrays of an .npz file, as numpy.savez and numpy.savez_compressed write it: stored or deflated, beyond 4 GiB as
/// well. Arrays are read on request, each for itself. A file is held open and asked by one thread at a time; copies
/// share it.
///
///   const auto file = stg::read_npz("coauthor_cs.npz");
///   const auto labels = file.array_as<std::int32_t>("labels");           // (vertices)
class npz_file {
 public:
  /// Names of the arrays in the order of the file, without ".npy".
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }
  bool has(std::string_view name) const;
  /// Shape and type of an array, as its header has them: (2708, 1433) and "<f4". Errors: those of `array`.
  dimensions shape(std::string_view name) const;
  std::string type(std::string_view name) const;

  /// An array whose type is T's, as `read_npy` reads it, and one that is converted, as `read_npy_as` does. Errors name
  /// the file and the array: no array of the name, the errors of `read_npy`, packed bytes that are damaged or end too
  /// early, another checksum, and sizes beyond `unpacking_limits`.
  template <class T> tensor<T> array(std::string_view name) const;
  template <class T> tensor<T> array_as(std::string_view name) const;

 private:
  friend npz_file read_npz(const std::string&, const unpacking_limits&);
  struct archive;
  struct entry;
  entry open(std::string_view name) const;

  std::shared_ptr<archive> archive_;
  std::vector<std::string> names_;
};

/// Opens an .npz file and reads the names of its arrays. Errors: what is no file, or no ZIP archive; a pickle, with the
/// line of Python that converts it; two arrays of one name; an entry that is encrypted or packed by other methods.
npz_file read_npz(const std::string& path, const unpacking_limits& limits = {});

/// An array of a file that is to be written: its name, and a tensor on the host that outlives the call.
class npz_array {
 public:
  template <class T> npz_array(std::string name, const const_tensor<T>& values);

 private:
  friend void write_npz(const std::string&, const std::vector<npz_array>&, bool);
  std::string name_, head_;
  const char* bytes_;
  std::int64_t size_;
};

/// Writes arrays so that numpy.load and `read_npz` read them, stored or deflated. A file of the name is replaced when
/// the new one is whole. T is one of read_npy's. Errors: an empty name or one with a slash, a name given twice, a
/// tensor on a device, and a file that cannot be written.
///
///   stg::write_npz("cora.npz", {{"x", features}, {"edge_index", pairs}});
///   stg::write_npz("cora.npz", {{"x", features}}, true);                // deflated
void write_npz(const std::string& path, const std::vector<npz_array>& arrays, bool deflated = false);

}  // namespace stg
