// What a distributed_loader gives of a batch: the micro batches of one rank, with rows that ranks sent each other.
#pragma once

#include <stg/runtime/const_tensor.hpp>   // const_tensor
#include <stg/sampling/graphs_batch.hpp>  // graphs_batch
#include <stg/sampling/loaded.hpp>        // loaded, rows_in_memory

#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t, uint64_t
#include <memory>   // make_unique, unique_ptr
#include <span>     // span
#include <utility>  // move

namespace stg {

/// The items of a batch, and which of them a micro batch has: [first, last).
struct items_of_batch {
  std::span<const std::int32_t> all{};
  std::int64_t first = 0, last = 0;

  std::span<const std::int32_t> mine() const {
    return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  }
};

namespace detail {

template <class Batch> struct micro_batch_of : loaded<Batch> {
  int micro = 0;             ///< which of the batch's micro batches, from 0
  std::uint64_t number = 0;  ///< the batch is drawn by it, a model's dropout may be, too: step.seed(b.number)
};

template <class Batch> class batch_share_of {
 public:
  std::int64_t epoch = 0;  ///< counted from 0, as `index` is within it
  std::int64_t index = 0;
  std::int64_t seeds = 0;  ///< of the batch, on all ranks: vertices, or edges whose links are predicted

  const micro_batch_of<Batch>* begin() const { return micro_.get(); }
  const micro_batch_of<Batch>* end() const { return micro_.get() + count_; }
  std::int64_t size() const { return count_; }

 protected:
  std::unique_ptr<micro_batch_of<Batch>[]> micro_ {};
  std::int64_t count_ = 0;
};

}  // namespace detail

/// Some seeds of a batch, sampled by themselves; the same of graphs of several kinds.
using micro_batch = detail::micro_batch_of<batch>;
using graphs_micro_batch = detail::micro_batch_of<graphs_batch>;

/// The micro batches of a rank, those with seeds: a range. It may be empty.
using batch_share = detail::batch_share_of<batch>;
using graphs_batch_share = detail::batch_share_of<graphs_batch>;

namespace detail {

/// Rows that lie at the owners of their vertices, of any type.
struct owned_source {
  owned_source(const std::byte* first, std::int64_t rows_there, std::int64_t bytes_of_row)
      : own(first), rows(rows_there), row_bytes(bytes_of_row) {}
  virtual ~owned_source() = default;
  virtual std::unique_ptr<row_room> make_room() const = 0;
  /// Room for the rows of so many vertices.
  virtual std::byte* make(row_room& room, std::int64_t vertices) const = 0;

  const std::byte* own;
  std::int64_t rows, row_bytes;
};

template <TensorElement T> class owned_rows final : public owned_source {
 public:
  explicit owned_rows(const_tensor<T> from)
      : owned_source(reinterpret_cast<const std::byte*>(from.data()), from.shape()[0], bytes_of_row(from)),
        from_(std::move(from)) {}
  std::unique_ptr<row_room> make_room() const override { return std::make_unique<rows_in_memory<T>>(); }
  std::byte* make(row_room& room, std::int64_t vertices) const override {
    return reinterpret_cast<std::byte*>(static_cast<rows_in_memory<T>&>(room).make(with_rows(from_.shape(), vertices)));
  }

 private:
  static std::int64_t bytes_of_row(const const_tensor<T>& from) {
    return from.shape()[0] == 0 ? with_rows(from.shape(), 1).size() * static_cast<std::int64_t>(sizeof(T))
                                : from.bytes() / from.shape()[0];
  }
  const_tensor<T> from_;
};

}  // namespace detail

}  // namespace stg
