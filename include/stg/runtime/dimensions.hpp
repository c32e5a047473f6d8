// Extents of a tensor known at run time: up to five numbers and their product, checked.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>           // int64_t
#include <initializer_list>  // initializer_list
#include <span>              // span
#include <string>            // string

namespace stg {

/// Axes that a tensor can have.
inline constexpr int max_rank = 5;

/// Shape of a tensor: rank 0 to 5, slowest axis first. Extents may be 0. Errors: more than five axes, a negative
/// extent, a number of elements that is beyond 2^59.
///
///   stg::dimensions d{2708, 1433};
///   d.rank() == 2 && d[1] == 1433 && d.size() == 3880564;
class dimensions {
 public:
  dimensions() = default;
  dimensions(std::initializer_list<std::int64_t> extents) : dimensions(std::span(extents.begin(), extents.size())) {}
  dimensions(std::span<const std::int64_t> extents);

  int rank() const { return rank_; }
  std::int64_t operator[](int axis) const { return extents_[axis]; }
  /// Number of elements: the product of the extents, 1 for rank 0.
  std::int64_t size() const { return size_; }
  const std::int64_t* begin() const { return extents_; }
  const std::int64_t* end() const { return extents_ + rank_; }
  operator std::span<const std::int64_t>() const { return {extents_, static_cast<std::size_t>(rank_)}; }
  bool operator==(const dimensions&) const = default;

 private:
  std::int64_t extents_[max_rank] = {};
  std::int64_t size_ = 1;
  int rank_ = 0;
};

/// The shape as messages print it: "(2708, 1433)", "(3,)" and "()".
std::string to_string(const dimensions&);

}  // namespace stg
