// Ranges of integers, as what an array of std::int64_t or std::int32_t stands for.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <concepts>     // integral, same_as
#include <cstdint>      // int64_t
#include <iterator>     // begin, end, data, size
#include <limits>       // numeric_limits
#include <span>         // span
#include <type_traits>  // remove_cvref_t
#include <utility>      // cmp_greater
#include <vector>       // vector

namespace stg::detail {

template <class R> using element_of = std::remove_cvref_t<decltype(*std::begin(std::declval<const R&>()))>;

/// What begins, ends and has integers between: arrays, vectors, tensors, views.
template <class R>
concept IntegerRange = requires(const R& r) {
  std::begin(r);
  std::end(r);
}
&&std::integral<element_of<R>> && !std::same_as<element_of<R>, bool>;

/// One whose integers are an array of T.
template <class R, class T>
concept ArrayOf = std::same_as<element_of<R>, T> && requires(const R& r) {
  { std::data(r) } -> std::convertible_to<const T*>;
  std::size(r);
};
template <class T, class R> std::span<const T> span_of(const R& r) {
  return {std::data(r), static_cast<std::size_t>(std::size(r))};
}

/// A copy as std::int64_t. What that does not hold becomes the largest that it does.
template <class R> std::vector<std::int64_t> widened(const R& r) {
  std::vector<std::int64_t> ids;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const auto id : r) ids.push_back(std::cmp_greater(id, most) ? most : static_cast<std::int64_t>(id));
  return ids;
}

}  // namespace stg::detail
