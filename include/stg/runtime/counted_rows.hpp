// Which rows a figure is taken over.
#pragma once

#include <stg/runtime/const_tensor.hpp>  // const_tensor

#include <type_traits>  // is_same_v

namespace stg {

/// The rows that a mask names, or all rows where it is left out: `accuracy(logits, labels, data.test)`. Refers to the
/// mask, (rows); as an argument, and nowhere else.
class counted_rows {
 public:
  counted_rows() = default;
  counted_rows(const const_tensor<bool>& mask) : mask_(&mask) {}
  /// Of a mask of another type: what to write.
  template <class T>
    requires(!std::is_same_v<T, bool>)
  counted_rows(const const_tensor<T>&) {
    constexpr bool fits = sizeof(T) == 0;
    static_assert(fits, "stg: the mask of a figure is a tensor<bool>: true at the rows that count");
  }

  /// Error that begins with `what`, unless the mask is one of so many rows, on the host.
  void check(const char* what, std::int64_t rows) const;
  bool count(std::int64_t row) const { return mask_ == nullptr || mask_->data()[row]; }

 private:
  const const_tensor<bool>* mask_ = nullptr;
};

}  // namespace stg
