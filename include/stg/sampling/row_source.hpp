// Sources of a loader's rows of features: tensors, mapped files, functions; each perhaps with a cache.
#pragma once

#include <stg/runtime/graphs.hpp>         // graphs
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/gather.hpp>        // gather_rows

#include <cstddef>      // size_t
#include <cstdint>      // int32_t, int64_t, uint64_t
#include <cstring>      // memcpy
#include <functional>   // function
#include <memory>       // make_shared, unique_ptr
#include <span>         // span
#include <string_view>  // string_view
#include <utility>      // forward, move
#include <vector>       // vector

namespace stg {

namespace detail {

/// Identifies rows: the unique number of their loader, and their index among its requests.
struct row_place {
  std::uint64_t loader = 0;
  std::size_t source = 0;
};

}  // namespace detail

/// The handle of a loader's rows by vertex: returned by `loader::rows`, taken by `loaded_batch`.
template <TensorElement T> struct vertex_rows {
  using are_rows_of_batches = void;  // what a call says of them
  detail::row_place at{};
};
/// The handle of rows by edge: returned by `loader::edges`.
template <TensorElement T> struct edge_rows {
  using are_rows_of_batches = void;
  detail::row_place at{};
};
/// The same of sparse rows.
template <class T> struct sparse_vertex_rows {
  using are_rows_of_batches = void;
  detail::row_place at{};
};

namespace detail {

/// Rows of one batch. One of them belongs to one thread at a time.
struct row_room {
  virtual ~row_room() = default;
};
/// A batch's vertices and edges in the large graph.
struct row_ids {
  std::span<const std::int32_t> vertices{};
  std::span<const std::int64_t> edges{};
};
/// Fills them; several threads at a time, each with a room of its own.
struct row_source {
  virtual ~row_source() = default;
  virtual std::unique_ptr<row_room> make_room() const = 0;
  virtual void fill(const row_ids& of, row_room& room) const = 0;
};

/// A source of rows. Errors of its constructor, and when there is no memory for it.
template <class Source, class... Arg> std::unique_ptr<row_source> make_source(Arg&&... args) try {
  return std::make_unique<Source>(std::forward<Arg>(args)...);
} catch (const std::bad_alloc&) {
  no_memory();
}

/// A shape with a new number of rows; (1, ...) of a row's shape.
dimensions with_rows(const dimensions& shape, std::int64_t rows);
dimensions one_row(const dimensions& row);
/// A row's shape.
dimensions without_rows(const dimensions& shape);

/// Rows in memory that grows with the largest batch, a quarter to spare.
template <TensorElement T> struct rows_in_memory : row_room {
  tensor<T> memory{};
  const_tensor<T> rows{};
  tensor<T> missing{};                      // of a cache: rows it had to ask for
  std::vector<std::int32_t> missing_ids{};  // and their ids

  T* make(const dimensions& shape) {
    if (memory.size() < shape.size()) memory = tensor<T>::for_overwrite({shape.size() + shape.size() / 4});
    rows = const_tensor<T>::view_of(memory.data(), shape);
    return memory.data();
  }
};

/// Rows of a tensor, by vertex.
template <TensorElement T> class tensor_source final : public row_source {
 public:
  explicit tensor_source(const_tensor<T> from) : from_(std::move(from)) {
    shape_of_gathered(from_.shape(), from_.place(), 0);  // for its errors
  }
  std::unique_ptr<row_room> make_room() const override { return std::make_unique<rows_in_memory<T>>(); }
  void fill(const row_ids& of, row_room& room) const override {
    T* const to = static_cast<rows_in_memory<T>&>(room).make(
        with_rows(from_.shape(), static_cast<std::int64_t>(of.vertices.size())));
    gather_rows(from_, of.vertices, to);
  }

 private:
  const_tensor<T> from_;
};

/// Rows of a sparse tensor, which are made anew for each batch.
template <class T> struct sparse_room : row_room { sparse_tensor<T> rows{}; };
template <class T> class sparse_source final : public row_source {
 public:
  explicit sparse_source(sparse_tensor<T> from) : from_(std::move(from)) {}
  std::unique_ptr<row_room> make_room() const override { return std::make_unique<sparse_room<T>>(); }
  void fill(const row_ids& of, row_room& room) const override {
    static_cast<sparse_room<T>&>(room).rows = from_.rows(of.vertices);
  }

 private:
  sparse_tensor<T> from_;
};

/// Values of edges, by edge.
template <TensorElement T> struct edges_in_memory : row_room {
  tensor<T> memory{};
  edge_values<T> values{};
};
template <TensorElement T> class edge_source final : public row_source {
 public:
  explicit edge_source(tensor<T> from) : from_(std::move(from)) {}
  std::unique_ptr<row_room> make_room() const override { return std::make_unique<edges_in_memory<T>>(); }
  void fill(const row_ids& of, row_room& room) const override {
    auto& to = static_cast<edges_in_memory<T>&>(room);
    const dimensions shape = with_rows(from_.shape(), static_cast<std::int64_t>(of.edges.size()));
    if (to.memory.size() < shape.size()) to.memory = tensor<T>::for_overwrite({shape.size() + shape.size() / 4});
    gather_rows<T>(from_, of.edges, to.memory.data());
    // Of edges that are not told: finding out what tells them takes as long as sampling does.
    to.values = edge_values<T>::in_id_order(tensor<T>::view_of(to.memory.data(), shape));
  }

 private:
  tensor<T> from_;
};

/// The vertices with most out-edges, reached most often: at most `count`, ties by id.
std::vector<std::int32_t> most_reached(const graph& g, std::int64_t count);
/// The same of a vertex set, along all relations. Error: no such set.
std::vector<std::int32_t> most_reached(const graphs& g, std::string_view set, std::int64_t count);

/// Errors: a vertex of a batch outside of so many, with its position; a function of rows that puts a new tensor in the
/// place of the one given for writing.
void check_vertices(std::span<const std::int32_t> of_batch, std::int64_t vertices);
[[noreturn]] void rows_are_assigned(const dimensions& given, const dimensions& found);

/// Rows from a function, with the rows of some vertices kept.
template <TensorElement T> class cached_source final : public row_source {
 public:
  using fetch = std::function<void(std::span<const std::int32_t> vertices, tensor<T>& to)>;

  cached_source(const dimensions& row, fetch get, std::int64_t vertices, std::vector<std::int32_t> kept)
      : shape_(one_row(row)), get_(std::move(get)), place_(static_cast<std::size_t>(vertices), -1) {
    cache_ = tensor<T>(with_rows(shape_, static_cast<std::int64_t>(kept.size())));
    if (!kept.empty()) write(kept, cache_.data());
    for (std::size_t i = 0; i < kept.size(); ++i)
      place_[static_cast<std::size_t>(kept[i])] = static_cast<std::int32_t>(i);
    row_ = shape_.size();
  }
  std::unique_ptr<row_room> make_room() const override { return std::make_unique<rows_in_memory<T>>(); }
  void fill(const row_ids& of, row_room& room) const override {
    auto& to = static_cast<rows_in_memory<T>&>(room);
    check_vertices(of.vertices, static_cast<std::int64_t>(place_.size()));
    T* const rows = to.make(with_rows(shape_, static_cast<std::int64_t>(of.vertices.size())));
    to.missing_ids.clear();
    for (const std::int32_t v : of.vertices)
      if (place_[static_cast<std::size_t>(v)] < 0) to.missing_ids.push_back(v);
    const auto missing = static_cast<std::int64_t>(to.missing_ids.size());
    if (to.missing.size() < missing * row_) to.missing = tensor<T>::for_overwrite({(missing + missing / 4) * row_});
    if (missing > 0) write(to.missing_ids, to.missing.data());
    const T* next = to.missing.data();
    const auto bytes = static_cast<std::size_t>(row_) * sizeof(T);
    for (std::size_t i = 0; i < of.vertices.size() && bytes > 0; ++i) {
      const std::int32_t at = place_[static_cast<std::size_t>(of.vertices[i])];
      std::memcpy(rows + static_cast<std::int64_t>(i) * row_, at < 0 ? next : cache_.data() + at * row_, bytes);
      if (at < 0) next += row_;
    }
  }

 private:
  void write(std::span<const std::int32_t> vertices, T* to) const {
    const dimensions shape = with_rows(shape_, static_cast<std::int64_t>(vertices.size()));
    auto rows = tensor<T>::view_of(to, shape);
    get_(vertices, rows);
    if (rows.data() != to || !(rows.shape() == shape)) rows_are_assigned(shape, rows.shape());
  }

  dimensions shape_;  // (1, ...)
  fetch get_;
  std::vector<std::int32_t> place_;  // (vertices) in the cache, or -1
  tensor<T> cache_{};
  std::int64_t row_ = 0;
};

/// Rows of a tensor as a function gives them, for a cache.
template <TensorElement T> typename cached_source<T>::fetch rows_of(const_tensor<T> from) try {
  return [shared = std::make_shared<const const_tensor<T>>(std::move(from))](
             std::span<const std::int32_t> vertices, tensor<T>& to) { gather_rows(*shared, vertices, to.data()); };
} catch (const std::bad_alloc&) {
  no_memory();
}

}  // namespace detail
}  // namespace stg
