// Datasets of HDF5 as tensors.
#include <stg/data/hdf5.hpp>

#include <algorithm>    // max, min
#include <type_traits>  // is_same_v

#include <stg/base/error.hpp>  // error

#include "../runtime/tensor/held_values.hpp"    // holds
#include "../runtime/tensor/shortest_text.hpp"  // shortest_text
#include "hdf5_file.hpp"                        // file

namespace stg {

namespace {

using hdf5::dataset;
using hdf5::file;
using hdf5::handle;
using hdf5::number_type;

/// The type of T in memory, for HDF5's library to convert to.
template <class T> hid_t in_memory() {
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  else if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  else if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  else if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  else if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
  else return H5T_NATIVE_INT8;
}

template <class T> number_type type_of() {
  constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, float16>;
  return {.is_integer = !is_real,
          .is_signed = !is_real && !std::is_same_v<T, bool>,
          .is_boolean = std::is_same_v<T, bool>,
          .bytes = sizeof(T)};
}

/// Rows along the first axis that are read at once: of a mebibyte, and whole chunks, which are unpacked once.
std::int64_t rows_at_once(const dataset& d) {
  const std::int64_t rows = d.shape[0], of_row = d.shape.size() / rows;
  std::int64_t most = std::max<std::int64_t>(1, (std::int64_t{1} << 17) / of_row);
  const handle made(H5Dget_create_plist(d.id), H5Pclose);
  hsize_t chunk[max_rank + 1] = {};
  if (H5Pget_layout(made) == H5D_CHUNKED && H5Pget_chunk(made, max_rank, chunk) == d.shape.rank()) {
    const auto of_chunk = static_cast<std::int64_t>(std::min<hsize_t>(chunk[0], static_cast<hsize_t>(rows)));
    most = std::max<std::int64_t>(1, (most + of_chunk - 1) / of_chunk) * of_chunk;
  }
  return std::min(most, rows);
}

/// Elements of some rows, or of all of a scalar.
void read_rows(const file& from, const std::string& path, const dataset& d, hid_t as, std::int64_t first,
               std::int64_t count, void* to) {
  H5Eclear2(H5E_DEFAULT);
  herr_t ended = 0;
  if (d.shape.rank() == 0) {
    ended = H5Dread(d.id, as, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
    if (ended < 0) from.fail_by_library(path, "cannot be read");
  } else {
    hsize_t start[max_rank] = {}, counts[max_rank] = {};
    for (int a = 0; a < d.shape.rank(); ++a) counts[a] = static_cast<hsize_t>(d.shape[a]);
    start[0] = static_cast<hsize_t>(first);
    counts[0] = static_cast<hsize_t>(count);
    const handle in_file(H5Scopy(d.space), H5Sclose),
        in_memory(H5Screate_simple(d.shape.rank(), counts, nullptr), H5Sclose);
    ended = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, nullptr, counts, nullptr);
    if (ended >= 0) ended = H5Dread(d.id, as, in_memory, in_file, H5P_DEFAULT, to);
    if (ended < 0) from.fail_by_library(path, "cannot be read");  // before a handle is closed, which forgets the reason
  }
}

template <class T, class From> tensor<T> converted(const file& from, const std::string& path, const dataset& d) {
  auto t = tensor<T>::for_overwrite(d.shape);
  if (t.size() == 0) return t;
  const std::int64_t rows = d.shape.rank() == 0 ? 1 : d.shape[0], of_row = d.shape.size() / rows;
  const std::int64_t at_once = d.shape.rank() == 0 ? 1 : rows_at_once(d);
  std::vector<From> block(static_cast<std::size_t>(at_once * of_row));
  for (std::int64_t first = 0; first < rows; first += at_once) {
    const std::int64_t count = std::min(at_once, rows - first);
    read_rows(from, path, d, in_memory<From>(), first, count, block.data());
    for (std::int64_t i = 0; i < count * of_row; ++i) {
      const From value = block[static_cast<std::size_t>(i)];
      if (!detail::holds<T>(value))
        from.fail(path, "element " + std::to_string(first * of_row + i) + " is " + detail::shortest_text(value) +
                            "; expected a value that fits " + type_of<T>().said());
      t.data()[first * of_row + i] = static_cast<T>(value);
    }
  }
  return t;
}

template <class T> tensor<T> read_any(const file& from, const std::string& path, bool is_exact) {
  const dataset d = from.open(path);
  const number_type n = from.numbers_of(path, d);
  if (is_exact && n != type_of<T>())
    from.fail(path, "is of " + n.said() + "; expected " + type_of<T>().said() + ", or read_hdf5_as");
  from.require_bytes(path, d, std::max(n.bytes, sizeof(T)));
  if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, float16>) {
    if (n == type_of<T>()) {
      auto t = tensor<T>::for_overwrite(d.shape);
      const std::int64_t rows = d.shape.rank() == 0 ? 1 : d.shape[0];
      if (t.size() > 0) read_rows(from, path, d, in_memory<T>(), 0, rows, t.data());
      return t;
    }
  }
  if (n.is_boolean) return converted<T, std::int8_t>(from, path, d);
  if (!n.is_integer) return n.bytes == 8 ? converted<T, double>(from, path, d) : converted<T, float>(from, path, d);
  if (!n.is_signed && n.bytes == 8) return converted<T, std::uint64_t>(from, path, d);
  return converted<T, std::int64_t>(from, path, d);
}

}  // namespace

template <class T> tensor<T> read_hdf5(const std::string& file, const std::string& dataset) {
  const hdf5::library_use use;
  return read_any<T>(hdf5::file(file), dataset, true);
}
template <class T> tensor<T> read_hdf5_as(const std::string& file, const std::string& dataset) {
  const hdf5::library_use use;
  return read_any<T>(hdf5::file(file), dataset, false);
}

std::vector<hdf5_dataset> hdf5_datasets(const std::string& file) {
  const hdf5::library_use use;
  const hdf5::file from(file);
  std::vector<hdf5_dataset> all;
  for (std::string& path : from.datasets()) {
    hdf5_dataset& one = all.emplace_back();
    one.path = std::move(path);
    try {
      const dataset d = from.open(one.path);
      one.shape = d.shape;
      one.type = from.numbers_of(one.path, d).said();
    } catch (const error& problem) {
      one.why = problem.what();
    }
  }
  return all;
}

template tensor<float> read_hdf5(const std::string&, const std::string&);
template tensor<double> read_hdf5(const std::string&, const std::string&);
template tensor<std::int32_t> read_hdf5(const std::string&, const std::string&);
template tensor<std::int64_t> read_hdf5(const std::string&, const std::string&);
template tensor<bool> read_hdf5(const std::string&, const std::string&);
template tensor<float16> read_hdf5(const std::string&, const std::string&);
template tensor<float> read_hdf5_as(const std::string&, const std::string&);
template tensor<double> read_hdf5_as(const std::string&, const std::string&);
template tensor<std::int32_t> read_hdf5_as(const std::string&, const std::string&);
template tensor<std::int64_t> read_hdf5_as(const std::string&, const std::string&);
template tensor<bool> read_hdf5_as(const std::string&, const std::string&);
template tensor<float16> read_hdf5_as(const std::string&, const std::string&);

}  // namespace stg
