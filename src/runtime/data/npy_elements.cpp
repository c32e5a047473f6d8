// The elements of NumPy's arrays: values checked against the type asked for, and put in C order.
#include "npy_open.hpp"                 // read_elements
#include "../tensor/held_values.hpp"    // holds
#include "../tensor/shortest_text.hpp"  // shortest_text

#include <stg/base/error.hpp>  // error

#include <algorithm>    // min
#include <type_traits>  // conditional_t, is_same_v

namespace stg::npy {

namespace {

/// The places of elements that lie with the first axis as the fastest, one after another.
class fortran_places {
 public:
  explicit fortran_places(const dimensions& shape) : shape_(shape) {
    std::int64_t step = 1;
    for (int a = shape.rank() - 1; a >= 0; step *= shape[a--]) steps_[a] = step;
  }
  std::int64_t next() {
    const std::int64_t now = place_;
    for (int a = 0; a < shape_.rank(); ++a) {
      place_ += steps_[a];
      if (++index_[a] < shape_[a]) break;
      place_ -= index_[a] * steps_[a];
      index_[a] = 0;
    }
    return now;
  }

 private:
  dimensions shape_;
  std::int64_t steps_[max_rank] = {}, index_[max_rank] = {}, place_ = 0;
};

void read_data(detail::byte_source& bytes, void* to, std::int64_t count, const std::string& path) {
  const auto found = static_cast<std::int64_t>(bytes.read(static_cast<char*>(to), static_cast<std::size_t>(count)));
  if (found != count)
    throw error("npy " + path + " ended after " + std::to_string(found) + " bytes of data; expected " +
                std::to_string(count));
}

/// A number of a file as one that `holds` takes.
template <class From> From number_of(From value) { return value; }
float number_of(float16 value) { return value; }

/// Stored: the file's type where From does not say it: a |b1 is a byte that is 0 or 1, whatever it is read as.
template <class T, class From, class Stored = From> tensor<T> converted(opened& array, const std::string& path) {
  auto t = tensor<T>::for_overwrite(array.header.shape);
  fortran_places places(array.header.shape);
  const bool is_fortran = array.header.is_fortran && t.rank() > 1;
  constexpr std::int64_t at_once = 1 << 14;
  From values[at_once];
  for (std::int64_t i = 0; i < t.size(); i += at_once) {
    const std::int64_t count = std::min(at_once, t.size() - i);
    read_data(*array.bytes, values, count * static_cast<std::int64_t>(sizeof(From)), path);
    for (std::int64_t j = 0; j < count; ++j) {
      constexpr bool is_boolean = std::is_same_v<Stored, bool>;
      using Narrowest = std::conditional_t<is_boolean, bool, T>;  // every T holds 0 and 1
      const auto value = number_of(values[j]);
      const std::int64_t to = is_fortran ? places.next() : i + j;
      if (!detail::holds<Narrowest>(value))
        throw error("npy " + path + " element " + std::to_string(to) + " is " + detail::shortest_text(value) +
                    "; expected a value that fits " + std::string(name_of(type_of<Narrowest>())));
      t.data()[to] = static_cast<T>(value);  // NOLINT(bugprone-signed-char-misuse): |i1 holds numbers
    }
  }
  return t;
}

/// The elements as they are.
template <class T> tensor<T> copied(opened& array, const std::string& path) {
  if (array.header.is_fortran && array.header.shape.rank() > 1) return converted<T, T>(array, path);
  auto t = tensor<T>::for_overwrite(array.header.shape);
  read_data(*array.bytes, t.data(), t.bytes(), path);
  return t;
}

}  // namespace

template <class T> npy::type type_of() {
  return std::is_same_v<T, float16>        ? type::f2
         : std::is_same_v<T, float>        ? type::f4
         : std::is_same_v<T, double>       ? type::f8
         : std::is_same_v<T, std::int32_t> ? type::i4
         : std::is_same_v<T, std::int64_t> ? type::i8
                                           : type::b1;
}

template <class T> tensor<T> read_elements(opened& array, const std::string& path) {
  if (array.header.type != type_of<T>())
    throw error("npy " + path + " field descr is " + std::string(name_of(array.header.type)) + "; expected " +
                std::string(name_of(type_of<T>())));
  if constexpr (std::is_same_v<T, bool>)
    return converted<bool, std::uint8_t>(array, path);  // a byte of the file that is neither 0 nor 1 is no bool
  else return copied<T>(array, path);
}

template <class T> tensor<T> read_elements_as(opened& array, const std::string& path) {
  if constexpr (!std::is_same_v<T, bool>)
    if (array.header.type == type_of<T>()) return copied<T>(array, path);
  switch (array.header.type) {
    case type::f2:
      return converted<T, float16>(array, path);
    case type::f4:
      return converted<T, float>(array, path);
    case type::f8:
      return converted<T, double>(array, path);
    case type::i1:
      return converted<T, std::int8_t>(array, path);
    case type::i2:
      return converted<T, std::int16_t>(array, path);
    case type::i4:
      return converted<T, std::int32_t>(array, path);
    case type::i8:
      return converted<T, std::int64_t>(array, path);
    case type::u1:
      return converted<T, std::uint8_t>(array, path);
    case type::u2:
      return converted<T, std::uint16_t>(array, path);
    case type::u4:
      return converted<T, std::uint32_t>(array, path);
    case type::u8:
      return converted<T, std::uint64_t>(array, path);
    case type::b1:
      break;
  }
  return converted<T, std::uint8_t, bool>(array, path);
}

#define STG_ELEMENTS_OF(T)                                          \
  template npy::type type_of<T>();                                  \
  template tensor<T> read_elements<T>(opened&, const std::string&); \
  template tensor<T> read_elements_as<T>(opened&, const std::string&);
STG_ELEMENTS_OF(float)
STG_ELEMENTS_OF(double)
STG_ELEMENTS_OF(std::int32_t)
STG_ELEMENTS_OF(std::int64_t)
STG_ELEMENTS_OF(bool)
STG_ELEMENTS_OF(float16)
#undef STG_ELEMENTS_OF

}  // namespace stg::npy
