// Making sparse tensors: entries sorted and checked, and the transpose beside them.
#include "../memory/copied_arrays.hpp"  // copied_arrays

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor

#include <algorithm>  // sort
#include <limits>     // numeric_limits
#include <numeric>    // iota
#include <string>     // to_string
#include <vector>     // vector

namespace stg {

namespace {

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

void check_shape(const dimensions& shape) {
  if (shape.rank() != 2)
    throw error("sparse tensor of shape " + to_string(shape) + "; it has two axes: (rows, columns)");
  for (int a = 0; a < 2; ++a)
    if (shape[a] > std::numeric_limits<std::int32_t>::max())
      throw error("sparse tensor of shape " + to_string(shape) + "; rows and columns are below 2^31");
}
void check_lengths(std::size_t first, std::size_t columns, std::size_t values) {
  if (first != columns || columns != values)
    throw error("sparse tensor from " + std::to_string(first) + " rows, " + std::to_string(columns) + " columns and " +
                std::to_string(values) + " values; give one of each for every entry");
}
std::string at(std::int64_t row, std::int64_t column) {
  return "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
}

/// Rows, or columns, under construction.
template <class T> struct compressed_rows {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> index;
  std::vector<T> value;

  sparse_rows<T> view() const {
    return {static_cast<std::int64_t>(offsets.size()) - 1, offsets.data(), index.data(), value.data(),
            static_cast<std::int64_t>(index.size())};
  }
};

/// The columns of rows: these are walked in order, so indices ascend within each column.
template <class T> compressed_rows<T> transposed(const compressed_rows<T>& from, std::int64_t columns) {
  compressed_rows<T> to;
  to.offsets.assign(size(columns) + 1, 0);
  to.index.resize(from.index.size());
  to.value.resize(from.value.size());
  for (const std::int32_t c : from.index) ++to.offsets[size(c) + 1];
  for (std::size_t c = 1; c < to.offsets.size(); ++c) to.offsets[c] += to.offsets[c - 1];
  std::vector<std::int64_t> next = to.offsets;
  for (std::size_t row = 0; row + 1 < from.offsets.size(); ++row)
    for (std::int64_t k = from.offsets[row]; k < from.offsets[row + 1]; ++k) {
      const std::size_t place = size(next[size(from.index[size(k)])]++);
      to.index[place] = static_cast<std::int32_t>(row);
      to.value[place] = from.value[size(k)];
    }
  return to;
}

}  // namespace

template <class T> struct sparse_tensor<T>::arrays {
  dimensions shape;
  compressed_rows<T> by_row, by_column;
  sparse_view<T> view;

  // Of a copy on a device: what is above is empty.
  location place{};
  std::shared_ptr<const arrays> on_host{};
  detail::memory on_device{};

  arrays(const dimensions& shape, compressed_rows<T> rows)
      : shape(shape),
        by_row(std::move(rows)),
        by_column(transposed(by_row, shape[1])),
        view{by_row.view(), by_column.view()} {}
  arrays(std::shared_ptr<const arrays> from, location where)
      : shape(from->shape), view(from->view), place(where), on_host(std::move(from)) {
    detail::copied_arrays all;
    const auto add = [&all](const compressed_rows<T>& h, sparse_rows<T>& there) {
      all.add(h.offsets, &there.offsets);
      all.add(h.index, &there.index);
      all.add(h.value, &there.value);
    };
    add(on_host->by_row, view.by_row);
    add(on_host->by_column, view.by_column);
    on_device = all.copy(where, "sparse tensor");
  }
};

template <class T> sparse_tensor<T>::sparse_tensor() try {
  compressed_rows<T> none;
  none.offsets.push_back(0);
  held_ = std::make_shared<const arrays>(dimensions{0, 0}, std::move(none));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T>
sparse_tensor<T> sparse_tensor<T>::from_entries(const dimensions& shape, std::span<const std::int64_t> row,
                                                std::span<const std::int64_t> column, std::span<const T> value) try {
  check_shape(shape);
  check_lengths(row.size(), column.size(), value.size());
  compressed_rows<T> made;
  made.offsets.assign(size(shape[0]) + 1, 0);
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] < 0 || row[k] >= shape[0] || column[k] < 0 || column[k] >= shape[1])
      throw error("sparse tensor: entry " + std::to_string(k) + " is at " + at(row[k], column[k]) + "; the shape is " +
                  to_string(shape));
    ++made.offsets[size(row[k]) + 1];
  }
  for (std::size_t r = 1; r < made.offsets.size(); ++r) made.offsets[r] += made.offsets[r - 1];
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return row[a] != row[b] ? row[a] < row[b] : column[a] != column[b] ? column[a] < column[b] : a < b;
  });
  made.index.reserve(order.size());
  made.value.reserve(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t now = order[k];
    if (k > 0 && row[order[k - 1]] == row[now] && column[order[k - 1]] == column[now])
      throw error("sparse tensor: entries " + std::to_string(order[k - 1]) + " and " + std::to_string(now) +
                  " are both at " + at(row[now], column[now]) + "; give every place once");
    made.index.push_back(static_cast<std::int32_t>(column[now]));
    made.value.push_back(value[now]);
  }
  return sparse_tensor(std::make_shared<const arrays>(shape, std::move(made)));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T>
sparse_tensor<T> sparse_tensor<T>::from_rows(const dimensions& shape, std::span<const std::int64_t> offsets,
                                             std::span<const std::int32_t> column, std::span<const T> value) try {
  check_shape(shape);
  if (static_cast<std::int64_t>(offsets.size()) != shape[0] + 1)
    throw error("sparse tensor: " + std::to_string(offsets.size()) + " offsets for " + std::to_string(shape[0]) +
                " rows; give one more than rows");
  if (offsets[0] != 0) throw error("sparse tensor: offset 0 is " + std::to_string(offsets[0]) + "; it is 0");
  for (std::size_t r = 1; r < offsets.size(); ++r)
    if (offsets[r] < offsets[r - 1])
      throw error("sparse tensor: offset " + std::to_string(r) + " is " + std::to_string(offsets[r]) + " after " +
                  std::to_string(offsets[r - 1]) + "; offsets ascend");
  if (offsets.back() != static_cast<std::int64_t>(column.size()))
    throw error("sparse tensor: the last offset is " + std::to_string(offsets.back()) + "; there are " +
                std::to_string(column.size()) + " columns");
  std::vector<std::int64_t> rows(column.size()), columns(column.begin(), column.end());
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    std::fill(rows.begin() + offsets[r], rows.begin() + offsets[r + 1], static_cast<std::int64_t>(r));
  return from_entries(shape, rows, columns, value);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> const dimensions& sparse_tensor<T>::shape() const& { return held_->shape; }
template <class T> const sparse_view<T>& sparse_tensor<T>::view() const& { return held_->view; }

template <class T> location sparse_tensor<T>::place() const { return held_->place; }

template <class T> sparse_tensor<T> sparse_tensor<T>::to(location where) const try {
  if (where == place()) return *this;
  if (where.is_host()) return sparse_tensor(held_->on_host);
  return sparse_tensor(std::make_shared<const arrays>(held_->on_host ? held_->on_host : held_, where));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> tensor<T> sparse_tensor<T>::dense() const {
  detail::require_host(shape(), place());
  tensor<T> all(shape());
  const sparse_rows<T>& rows = view().by_row;
  for (std::int64_t r = 0; r < rows.count; ++r)
    for (std::int64_t k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) all(r, rows.index[k]) = rows.value[k];
  return all;
}

template <class T> sparse_tensor<T> sparse_tensor<T>::rows(std::span<const std::int32_t> rows) const try {
  detail::require_host(shape(), place());
  const sparse_rows<T>& from = view().by_row;
  compressed_rows<T> made;
  made.offsets.reserve(rows.size() + 1);
  made.offsets.push_back(0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= from.count)
      throw error("sparse tensor: row " + std::to_string(i) + " is " + std::to_string(rows[i]) +
                  "; it must be in [0, " + std::to_string(from.count) + ")");
    made.offsets.push_back(made.offsets.back() + from.offsets[rows[i] + 1] - from.offsets[rows[i]]);
  }
  made.index.reserve(size(made.offsets.back()));
  made.value.reserve(size(made.offsets.back()));
  for (const std::int32_t r : rows) {
    made.index.insert(made.index.end(), from.index + from.offsets[r], from.index + from.offsets[r + 1]);
    made.value.insert(made.value.end(), from.value + from.offsets[r], from.value + from.offsets[r + 1]);
  }
  const dimensions part{static_cast<std::int64_t>(rows.size()), shape()[1]};
  return sparse_tensor(std::make_shared<const arrays>(part, std::move(made)));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> sparse_tensor<T> sparse(const const_tensor<T>& dense) try {
  check_shape(dense.shape());
  detail::require_host(dense.shape(), dense.place());
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> column;
  std::vector<T> value;
  for (std::int64_t r = 0; r < dense.extent(0); ++r) {
    for (std::int64_t c = 0; c < dense.extent(1); ++c)
      if (dense(r, c) != T{0}) {
        column.push_back(static_cast<std::int32_t>(c));
        value.push_back(dense(r, c));
      }
    offsets.push_back(static_cast<std::int64_t>(column.size()));
  }
  return sparse_tensor<T>::from_rows(dense.shape(), offsets, column, value);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template class sparse_tensor<float>;
template class sparse_tensor<double>;
template sparse_tensor<float> sparse(const const_tensor<float>&);
template sparse_tensor<double> sparse(const const_tensor<double>&);

}  // namespace stg
