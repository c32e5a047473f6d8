// Rows of numbers between commas, as one array.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <string>   // string
#include <utility>  // move
#include <vector>   // vector

namespace stg::detail {

/// What an empty field is where T is real: a missing number, as pandas writes one, or an error, as a file has it that
/// is cut behind a comma.
enum class empty_fields { are_nan, are_refused };

/// Numbers of a text without a header: (rows, columns). Empty lines are no rows, but for one column of which numbers
/// may be missing. `kind` begins the sentences. Errors: those of text_lines, and, with the line: a word that is no
/// number of T, another number of columns than the first line has. T is float or std::int64_t.
template <class T> tensor<T> read_number_rows(const char* kind, const std::string& path, empty_fields empty);
/// The same of a text of one column: (rows).
template <class T> tensor<T> read_number_list(const char* kind, const std::string& path, empty_fields empty);

/// A tensor that keeps a list as its memory.
template <class T> tensor<T> tensor_of_list(std::vector<T> list, const dimensions& shape) {
  struct keeper final : memory_keeper {
    explicit keeper(std::vector<T> kept) : values(std::move(kept)) {}
    void free(std::byte*) noexcept override { delete this; }
    std::vector<T> values;
  };
  if (list.empty()) return tensor<T>(shape);
  auto* const kept = new keeper(std::move(list));
  return tensor<T>::view_of(kept->values.data(), shape, host,
                            memory(reinterpret_cast<std::byte*>(kept), free_memory{kept}));
}

}  // namespace stg::detail
