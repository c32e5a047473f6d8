// What figures ask of the shapes that they are given.
#pragma once

#include <stg/base/error.hpp>            // error
#include <stg/runtime/const_tensor.hpp>  // dimensions, require_host

#include <string>  // string

namespace stg::detail {

/// Error unless a tensor has the shape that another one asks for, on the host.
template <class T, class Other>
void check_agrees(const char* what, const char* field, const const_tensor<T>& t, const dimensions& expected,
                  const char* other_field, const const_tensor<Other>& other) {
  if (t.shape() != expected)
    throw error(std::string(what) + ": " + field + " of shape " + to_string(t.shape()) + " for " + other_field +
                " of shape " + to_string(other.shape()) + "; give " + to_string(expected));
  require_host(t.shape(), t.place());
}

/// Error unless logits are (vertices, classes) on the host, and labels are one for each vertex.
template <class T>
void check_logits(const char* what, const const_tensor<T>& logits, const const_tensor<std::int32_t>& labels) {
  if (logits.rank() != 2)
    throw error(std::string(what) + ": logits of shape " + to_string(logits.shape()) + "; give (vertices, classes)");
  require_host(logits.shape(), logits.place());
  check_agrees(what, "labels", labels, dimensions{logits.extent(0)}, "logits", logits);
}

inline void check_label(const char* what, std::int32_t label, std::int64_t vertex, std::int64_t classes) {
  if (label < 0 || label >= classes)
    throw error(std::string(what) + ": label " + std::to_string(label) + " of vertex " + std::to_string(vertex) +
                "; it must be in [0, " + std::to_string(classes) + ")");
}

}  // namespace stg::detail
