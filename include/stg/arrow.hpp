// Opt-in: tables of Arrow's C data interface as tensors, and tensors as tables, without a copy, for programs beside
// pyarrow, polars, DuckDB.
#pragma once

#include <cstdint>           // int64_t, uint8_t
#include <initializer_list>  // initializer_list
#include <memory>            // shared_ptr
#include <optional>          // optional
#include <string>            // string
#include <string_view>       // string_view
#include <utility>           // move
#include <vector>            // vector

#include <stg/data/events.hpp>     // event_list
#include <stg/runtime/arrow.hpp>   // ArrowArray, ArrowSchema
#include <stg/runtime/tensor.hpp>  // const_tensor, tensor

namespace stg {

namespace detail {
class arrow_memory;
struct arrow_column_seen;
}  // namespace detail

/// Columns of a struct array (pyarrow's RecordBatch), or an array by itself as one column. The table takes both structs
/// over, as a move does: their `release` becomes null. The schema is released at once, the array with the table and the
/// last view of its memory, once on every way, also where this throws.
///
/// Errors name the column: no structs or released ones, structs that contradict themselves. A column of another type
/// than numbers (texts, lists of several lengths, dictionaries, decimals) is an error where the column is asked for.
///
///   stg::arrow_table trades(&schema, &array);
///   auto src = trades.column<std::int64_t>("src");                     // const_tensor (rows): a view
///   auto dst = trades.column<std::int64_t>("dst");
///   auto g   = stg::graph::from_edges(vertices, src, dst);
class arrow_table {
 public:
  arrow_table(ArrowSchema* schema, ArrowArray* array);
  arrow_table(arrow_table&&) noexcept;
  arrow_table& operator=(arrow_table&&) noexcept;
  ~arrow_table();

  std::int64_t rows() const { return rows_; }
  /// Names of the columns in their order.
  std::vector<std::string> names() const;
  bool has(std::string_view name) const;
  /// The type of a column: "int64", "float32[16]" of a list with 16 numbers in each row, "text".
  std::string type(std::string_view name) const;

  /// A view of a column, (rows), or (rows, n) of lists of one length. T is the column's type: float, double, float16,
  /// std::int32_t or std::int64_t, the last also for times, dates in milliseconds and durations, as counts of their
  /// unit. Errors: another type, a null, memory at an address that no T lies at.
  template <class T> const_tensor<T> column(std::string_view name) const;
  /// A copy of a column of integers, reals or truths, converted to T. A null is an error, or `missing` if given.
  /// Errors, with the row, also for a value that T does not hold: an integer is never rounded.
  ///
  ///   auto weight = trades.column_as<float>("weight", 1);              // 1 where nobody knows
  template <class T> tensor<T> column_as(std::string_view name, std::optional<double> missing = {}) const;
  /// Columns side by side, (rows, columns), each as `column_as` has it: features of vertices or of edges.
  template <class T>
  tensor<T> columns_as(std::initializer_list<std::string_view> names, std::optional<double> missing = {}) const;

 private:
  const detail::arrow_column_seen& find(std::string_view name) const;

  std::int64_t rows_ = 0;
  std::vector<detail::arrow_column_seen> columns_;
  std::shared_ptr<detail::arrow_memory> memory_;
};

/// Which columns are events.
struct arrow_event_columns {
  std::string src = "src", dst = "dst", time = "time";
  std::optional<std::string> value{};  ///< none: events have no values
};
/// Events of a table in the order of time, as `read_events` has those of a file. Errors: those of `column_as`; a
/// negative vertex, a time or value that is no finite number.
///
///   auto events = stg::events_of(trades, {.value = "amount"});
event_list events_of(const arrow_table& table, const arrow_event_columns& columns = {});

/// A column that is given away: a name, and a tensor whose first axis are the rows.
class arrow_column {
 public:
  template <class T> arrow_column(std::string name, const_tensor<T>&& values);
  template <class T>
  arrow_column(std::string name, tensor<T>&& values)
      : arrow_column(std::move(name), static_cast<const_tensor<T>&&>(values)) {}

 private:
  friend void to_arrow(std::vector<arrow_column>, ArrowSchema*, ArrowArray*);

  std::string name_, format_;
  dimensions shape_{0};
  const void* data_ = nullptr;
  std::shared_ptr<const void> keeper_;
};

/// Writes a struct array of the columns into both structs, which their consumer releases; it may move children out
/// first. A tensor of more than one axis is a list of one length for each row. Nothing is copied but truths, which
/// Arrow packs into bits. The memory of a view is the caller's to keep. Errors: columns of several lengths, a scalar, a
/// tensor on a device.
///
///   std::vector<stg::arrow_column> columns;
///   columns.emplace_back("vertex", std::move(ids));                    // (rows)
///   columns.emplace_back("embedding", std::move(h));                   // (rows, 16)
///   stg::to_arrow(std::move(columns), schema, array);
void to_arrow(std::vector<arrow_column> columns, ArrowSchema* schema, ArrowArray* array);

}  // namespace stg
