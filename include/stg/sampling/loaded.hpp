// What a loader adds to a batch: the rows that it was asked for, and which batch of which epoch it is.
#pragma once

#include <stg/runtime/blocks.hpp>       // blocks
#include <stg/sampling/row_source.hpp>  // vertex_rows, edge_rows, row_room

#include <cstdint>   // int64_t, uint64_t
#include <memory>    // unique_ptr
#include <optional>  // optional
#include <vector>    // vector

#define STG_ROWS_OF_A_TENSOR \
  "stg: a batch gives the rows that its loader was asked for: const auto X = loader.rows(features), then b[X]"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_ROWS(T) __attribute__((diagnose_if(sizeof(T) != 0, STG_ROWS_OF_A_TENSOR, "error")))
#else
#define STG_SAYS_ROWS(T)
#endif

namespace stg::detail {

[[noreturn]] void rows_of_another_loader();

/// A batch with the rows that the loader was asked for.
template <class Batch> struct loaded : Batch {
  loaded() = default;
  loaded(loaded&&) = default;
  loaded& operator=(loaded&&) = default;
  /// Of a loop over copies: what to write.
  loaded(const loaded&) : Batch() {
    constexpr bool is_referred_to = sizeof(Batch) == 0;
    static_assert(is_referred_to,
                  "stg: a batch is not copied, it lives until the next; write for (const auto& b : ...)");
  }

  tensor<bool> known{};    ///< (vertices of the seeds' set) true at the seeds: the mask of a loss
  std::int64_t epoch = 0;  ///< counted from 0, as `index` is within it
  std::int64_t index = 0;

  /// As of any batch; there already where the loader was asked for them.
  stg::blocks blocks() const { return made_blocks ? *made_blocks : Batch::blocks(); }

  /// What the loader was asked for. Error for rows that another loader was asked for.
  template <TensorElement T> const const_tensor<T>& operator[](vertex_rows<T> of) const {
    return static_cast<const rows_in_memory<T>&>(room(of.at)).rows;
  }
  template <class T> const sparse_tensor<T>& operator[](sparse_vertex_rows<T> of) const {
    return static_cast<const sparse_room<T>&>(room(of.at)).rows;
  }
  template <TensorElement T> const edge_values<T>& operator[](edge_rows<T> of) const {
    return static_cast<const edges_in_memory<T>&>(room(of.at)).values;
  }
  /// Of a tensor itself: what to write.
  template <TensorElement T> STG_SAYS_ROWS(T) const const_tensor<T>& operator[](const const_tensor<T>& of) const {
    constexpr bool is_asked = sizeof(T) == 0 || STG_SAYS_AT_CALLS;
    static_assert(is_asked, STG_ROWS_OF_A_TENSOR);
    return of;
  }
  const row_room& room(const row_place& of) const {
    if (of.loader != loader || of.source >= rows.size()) rows_of_another_loader();
    return *rows[of.source];
  }

  std::uint64_t loader = 0;                       ///< whose batch this is, of all loaders there were
  std::vector<std::unique_ptr<row_room>> rows{};  ///< behind these
  tensor<bool> known_memory{};                    ///< and behind `known`
  std::optional<stg::blocks> made_blocks{};
};

}  // namespace stg::detail
