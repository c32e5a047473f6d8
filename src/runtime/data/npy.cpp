// Reading and writing .npy files: sizes checked against the header, values against the type asked for.
#include "npy_open.hpp"                 // open
#include "../tensor/held_values.hpp"    // holds
#include "../tensor/shortest_text.hpp"  // shortest_text

#include <stg/base/error.hpp>             // error
#include <stg/data/npy.hpp>               // read_npy, write_npy
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>     // min
#include <bit>           // endian
#include <cerrno>        // errno
#include <fstream>       // ifstream
#include <system_error>  // generic_category
#include <type_traits>   // conditional_t, is_same_v

namespace stg {

namespace {

static_assert(std::endian::native == std::endian::little,
              "stg internal: .npy files are read on little-endian hosts only");

template <class T>
constexpr npy::type type_of = std::is_same_v<T, float>          ? npy::type::f4
                              : std::is_same_v<T, double>       ? npy::type::f8
                              : std::is_same_v<T, std::int32_t> ? npy::type::i4
                              : std::is_same_v<T, std::int64_t> ? npy::type::i8
                                                                : npy::type::b1;

void read_data(std::ifstream& stream, void* to, std::int64_t bytes, const std::string& path) {
  stream.read(static_cast<char*>(to), bytes);
  if (!stream || stream.gcount() != bytes)
    throw error("npy " + path + " ended after " + std::to_string(stream.gcount()) + " bytes of data; expected " +
                std::to_string(bytes));
}

/// Stored: the file's type where From does not say it: a |b1 is a byte that is 0 or 1, whatever it is read as.
template <class T, class From, class Stored = From>
void convert(std::ifstream& stream, tensor<T>& t, const std::string& path) {
  constexpr std::int64_t at_once = 1 << 14;
  From values[at_once];
  for (std::int64_t i = 0; i < t.size(); i += at_once) {
    const std::int64_t count = std::min(at_once, t.size() - i);
    read_data(stream, values, count * static_cast<std::int64_t>(sizeof(From)), path);
    for (std::int64_t j = 0; j < count; ++j) {
      constexpr bool is_boolean = std::is_same_v<Stored, bool>;
      using Narrowest = std::conditional_t<is_boolean, bool, T>;  // every T holds 0 and 1
      if (!detail::holds<Narrowest>(values[j]))
        throw error("npy " + path + " element " + std::to_string(i + j) + " is " + detail::shortest_text(values[j]) +
                    "; expected a value that fits " + std::string(npy::name_of(type_of<Narrowest>)));
      t.data()[i + j] = static_cast<T>(values[j]);  // NOLINT(bugprone-signed-char-misuse): |i1 holds numbers
    }
  }
}

}  // namespace

template <class T> tensor<T> read_npy(const std::string& path) try {
  npy::opened file = npy::open(path);
  if (file.header.type != type_of<T>)
    throw error("npy " + path + " field descr is " + std::string(npy::name_of(file.header.type)) + "; expected " +
                std::string(npy::name_of(type_of<T>)));
  auto t = tensor<T>::for_overwrite(file.header.shape);
  if constexpr (std::is_same_v<T, bool>)
    convert<bool, std::uint8_t>(file.stream, t, path);  // a byte of the file that is neither 0 nor 1 is no bool
  else read_data(file.stream, t.data(), t.bytes(), path);
  return t;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> tensor<T> read_npy_as(const std::string& path) try {
  npy::opened file = npy::open(path);
  auto t = tensor<T>::for_overwrite(file.header.shape);
  switch (file.header.type) {
    case npy::type::f4:
      convert<T, float>(file.stream, t, path);
      break;
    case npy::type::f8:
      convert<T, double>(file.stream, t, path);
      break;
    case npy::type::i1:
      convert<T, std::int8_t>(file.stream, t, path);
      break;
    case npy::type::i4:
      convert<T, std::int32_t>(file.stream, t, path);
      break;
    case npy::type::i8:
      convert<T, std::int64_t>(file.stream, t, path);
      break;
    case npy::type::u1:
      convert<T, std::uint8_t>(file.stream, t, path);
      break;
    case npy::type::u2:
      convert<T, std::uint16_t>(file.stream, t, path);
      break;
    case npy::type::b1:
      convert<T, std::uint8_t, bool>(file.stream, t, path);
      break;
  }
  return t;
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
  const std::string head = npy::format_header(type_of<T>, t.shape());
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
template tensor<float> read_npy_as<float>(const std::string&);
template tensor<double> read_npy_as<double>(const std::string&);
template tensor<std::int32_t> read_npy_as<std::int32_t>(const std::string&);
template tensor<std::int64_t> read_npy_as<std::int64_t>(const std::string&);
template tensor<bool> read_npy_as<bool>(const std::string&);
template void write_npy(const std::string&, const const_tensor<float>&);
template void write_npy(const std::string&, const const_tensor<double>&);
template void write_npy(const std::string&, const const_tensor<std::int32_t>&);
template void write_npy(const std::string&, const const_tensor<std::int64_t>&);
template void write_npy(const std::string&, const const_tensor<bool>&);

}  // namespace stg
