// What is watched of one run.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <mutex>    // mutex
#include <string>   // string
#include <vector>   // vector

#include <stg/codegen/draft/made.hpp>   // made_program
#include <stg/codegen/draft/watch.hpp>  // watched_value

namespace stg::drafts {

class watching {
 public:
  /// Finds the values that are watched; mostly none, and none of what runs again.
  watching(const made_program& of, bool again);
  /// Of nothing.
  watching() = default;
  watching(const watching&) = delete;
  watching& operator=(const watching&) = delete;

  bool sees(int i) const { return !values_.empty() && entry_of(i) >= 0; }
  /// Takes in some rows of value i; id(r) is the vertex or edge of the r-th. A value that several loops compute counts
  /// where it is computed first: `where` tells loops apart.
  template <class Id>
  void take(int i, int where, const std::byte* rows, std::int64_t count, std::int64_t width, const Id& id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    value& v = values_[static_cast<std::size_t>(entry_of(i))];
    if (v.where < 0) v.where = where;
    if (v.where != where) return;
    const std::int64_t bytes = width * bytes_of(v.type);
    for (std::int64_t r = 0; r < count; ++r)
      if (take_row(v, rows + r * bytes, width)) note_bad(v, id(r));
  }
  /// Calls the functions.
  void tell();

 private:
  struct value {
    int at, where;
    scalar_type type;
    std::string name;
    watched_value seen;
  };
  int entry_of(int i) const;
  /// Whether there is a NaN or an infinity in the row.
  static bool take_row(value& v, const std::byte* row, std::int64_t width);
  static void note_bad(value& v, std::int64_t id);

  std::vector<value> values_;
  std::mutex mutex_;
};

}  // namespace stg::drafts
