// Shapes and indices of the oracle, and where an index lies in a row-major shape.
#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // int64_t
#include <string>   // to_string

#include <stg/base/error.hpp>  // error
#include <stg/ir/shape.hpp>    // shape

namespace stg::oracle::detail {

/// Extents, or an index: a short list of numbers.
class numbers_of_axes {
 public:
  void push_back(std::int64_t n) { at[count++] = n; }
  std::size_t size() const { return count; }
  std::int64_t& operator[](std::size_t i) { return at[i]; }
  std::int64_t operator[](std::size_t i) const { return at[i]; }
  std::int64_t& back() { return at[count - 1]; }
  std::int64_t back() const { return at[count - 1]; }
  void push_front(std::int64_t n) {
    for (std::size_t i = count++; i > 0; --i) at[i] = at[i - 1];
    at[0] = n;
  }
  void pop_front() {
    --count;
    for (std::size_t i = 0; i < count; ++i) at[i] = at[i + 1];
  }
  const std::int64_t* begin() const { return at; }
  const std::int64_t* end() const { return at + count; }

 private:
  std::int64_t at[ir::shape::max_rank] = {};
  std::size_t count = 0;
};

inline std::int64_t count(const numbers_of_axes& d) {
  std::int64_t n = 1;
  for (const std::int64_t extent : d) n *= extent;
  return n;
}

inline numbers_of_axes index_of(std::int64_t at, const numbers_of_axes& dims) {
  numbers_of_axes index = dims;
  for (std::size_t i = dims.size(); i-- > 0; at /= dims[i]) index[i] = at % dims[i];
  return index;
}
/// Where an index lies in a shape that it broadcasts to: right-aligned, 0 along axes of extent 1.
inline std::int64_t place(const numbers_of_axes& index, const numbers_of_axes& dims) {
  std::int64_t at = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    at = at * dims[i] + (dims[i] == 1 ? 0 : index[index.size() - dims.size() + i]);
  return at;
}

/// As place, without stretching: an axis of extent 1 is an axis like any other.
inline std::int64_t place_in(const numbers_of_axes& index, const numbers_of_axes& dims) {
  std::int64_t at = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (index[i] < 0 || index[i] >= dims[i])
      throw error("slice: element " + std::to_string(index[i]) + " lies outside of the axis");
    at = at * dims[i] + index[i];
  }
  return at;
}

}  // namespace stg::oracle::detail
