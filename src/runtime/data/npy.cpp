// Reading and writing .npy files.
#include "npy_open.hpp"  // open, read_elements

#include <stg/base/error.hpp>             // error
#include <stg/data/npy.hpp>               // read_npy, write_npy
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <bit>           // endian
#include <cerrno>        // errno
#include <fstream>       // ofstream
#include <system_error>  // generic_category

namespace stg {

static_assert(std::endian::native == std::endian::little,
              "stg internal: .npy files are read on little-endian hosts only");

template <class T> tensor<T> read_npy(const std::string& path) try {
  npy::opened file = npy::open(path);
  return npy::read_elements<T>(file, path);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> tensor<T> read_npy_as(const std::string& path) try {
  npy::opened file = npy::open(path);
  return npy::read_elements_as<T>(file, path);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> void write_npy(const std::string& path, const const_tensor<T>& t) try {
  const T* const values = t.begin();  // before the file is touched: a tensor on a device is an error
  if (path.empty()) throw error("npy has an empty path; give that of a file");
  errno = 0;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  const auto fail = [&](const std::string& what, const std::string& instead) {
    const std::string why = errno == 0 ? "" : ": " + std::error_code(errno, std::generic_category()).message();
    throw error("npy " + path + " cannot be " + what + why + "; " + instead);
  };
  if (!stream) fail("written", "make its folder writable");
  const std::string head = npy::format_header(npy::type_of<T>(), t.shape());
  stream.write(head.data(), static_cast<std::streamsize>(head.size()));
  stream.write(reinterpret_cast<const char*>(values), t.bytes());
  stream.close();
  if (!stream) fail("written to its end", "what is there is no whole file");
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template tensor<float> read_npy<float>(const std::string&);
template tensor<double> read_npy<double>(const std::string&);
template tensor<std::int32_t> read_npy<std::int32_t>(const std::string&);
template tensor<std::int64_t> read_npy<std::int64_t>(const std::string&);
template tensor<bool> read_npy<bool>(const std::string&);
template tensor<float16> read_npy<float16>(const std::string&);
template tensor<float> read_npy_as<float>(const std::string&);
template tensor<double> read_npy_as<double>(const std::string&);
template tensor<std::int32_t> read_npy_as<std::int32_t>(const std::string&);
template tensor<std::int64_t> read_npy_as<std::int64_t>(const std::string&);
template tensor<bool> read_npy_as<bool>(const std::string&);
template tensor<float16> read_npy_as<float16>(const std::string&);
template void write_npy(const std::string&, const const_tensor<float>&);
template void write_npy(const std::string&, const const_tensor<double>&);
template void write_npy(const std::string&, const const_tensor<std::int32_t>&);
template void write_npy(const std::string&, const const_tensor<std::int64_t>&);
template void write_npy(const std::string&, const const_tensor<bool>&);
template void write_npy(const std::string&, const const_tensor<float16>&);

}  // namespace stg
