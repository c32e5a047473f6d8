// What an array of Arrow is, once it is understood: where numbers and nulls of a column lie.
#pragma once

#include <cstdint>  // int64_t, uint8_t
#include <memory>   // shared_ptr
#include <string>   // string
#include <vector>   // vector

#include <stg/runtime/arrow.hpp>          // ArrowArray
#include <stg/runtime/dimensions.hpp>     // dimensions
#include <stg/runtime/shared_keeper.hpp>  // shared_keeper

namespace stg::detail {

/// The array that a table took over, released with its last holder.
class arrow_memory {
 public:
  explicit arrow_memory(ArrowArray taken) : array(taken) {}
  arrow_memory(const arrow_memory&) = delete;
  arrow_memory& operator=(const arrow_memory&) = delete;
  ~arrow_memory() {
    if (array.release != nullptr) array.release(&array);
  }
  ArrowArray array;
};

enum class arrow_kind { signed_integer, unsigned_integer, real, boolean, other };

/// One level at which elements may be null: a bit for each of its own elements, which are some numbers each.
struct arrow_nulls {
  const std::uint8_t* bits = nullptr;
  std::int64_t first = 0, numbers_of_each = 1;
};

struct arrow_column_seen {
  std::string name{}, type{};  // type: "int64", or of an `other` what it is called
  arrow_kind kind = arrow_kind::other;
  int bits = 0;
  dimensions shape{0};
  const std::uint8_t* data = nullptr;
  std::int64_t first = 0;  // of its numbers in the buffer
  std::vector<arrow_nulls> nulls{};

  bool is_null(std::int64_t element) const {
    for (const arrow_nulls& level : nulls) {
      const std::int64_t at = level.first + element / level.numbers_of_each;
      if ((level.bits[at / 8] >> (at % 8) & 1) == 0) return true;
    }
    return false;
  }
};

/// Columns of a struct array, or one of another. Errors: structs that contradict themselves.
std::vector<arrow_column_seen> seen_columns(const ArrowSchema& schema, const ArrowArray& array);

}  // namespace stg::detail
