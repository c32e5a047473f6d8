// Copying rows from wherever they lie: each is prefetched some rows before.
#include <stg/base/error.hpp>       // error
#include <stg/sampling/gather.hpp>  // gather_rows

#include <algorithm>  // copy, equal, min
#include <array>      // array
#include <cstring>    // memcpy
#include <string>     // to_string

namespace stg::detail {

dimensions shape_of_gathered(const dimensions& from, location lies, std::int64_t count) {
  require_host(from, lies);
  if (from.rank() == 0) throw error("gather: a tensor of shape () has no rows; give (rows, ...)");
  std::array<std::int64_t, max_rank> shape{};
  std::copy(from.begin(), from.end(), shape.begin());
  shape[0] = count;
  return std::span<const std::int64_t>(shape.data(), static_cast<std::size_t>(from.rank()));
}

dimensions shape_of_concatenated(std::span<const dimensions> parts, std::span<const location> lie) {
  if (parts.empty()) throw error("concatenate_rows: no tensors, so no shape of rows; give one at least");
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    require_host(parts[i], lie[i]);
    const auto tensor = [&](std::size_t of) {
      return "tensor " + std::to_string(of) + " of shape " + to_string(parts[of]);
    };
    if (parts[i].rank() == 0) throw error("concatenate_rows: " + tensor(i) + " has no rows; give (rows, ...)");
    if (parts[i].rank() != parts[0].rank() || !std::equal(parts[i].begin() + 1, parts[i].end(), parts[0].begin() + 1))
      throw error("concatenate_rows: " + tensor(i) + " beside " + tensor(0) + "; give rows that are alike");
    rows += parts[i][0];
  }
  return shape_of_gathered(parts[0], lie[0], rows);
}

namespace {

/// Lines of a row that are prefetched, and so many rows before: the processor's own prefetcher takes the rest of a long
/// one.
constexpr std::int64_t line = 64, most_lines = 4, prefetch_distance = 8;

template <class Index>
void copy_rows(const std::byte* from, std::int64_t from_rows, std::int64_t row_bytes, std::span<const Index> rows,
               std::byte* to) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] < 0 || rows[i] >= from_rows)
      throw error("gather: id " + std::to_string(i) + " is " + std::to_string(rows[i]) + "; it must be in [0, " +
                  std::to_string(from_rows) + ")");
  if (row_bytes == 0) return;
  const auto bytes = static_cast<std::size_t>(row_bytes);
  const std::int64_t asked = std::min(row_bytes, most_lines * line);
  for (std::size_t i = 0; i < rows.size(); ++i, to += bytes) {
    if (i + prefetch_distance < rows.size())
      for (std::int64_t b = 0; b < asked; b += line)
        __builtin_prefetch(from + row_bytes * rows[i + prefetch_distance] + b);
    std::memcpy(to, from + row_bytes * rows[i], bytes);
  }
}

}  // namespace

void gather_rows(const std::byte* from, std::int64_t from_rows, std::int64_t row_bytes,
                 std::span<const std::int32_t> rows, std::byte* to) {
  copy_rows(from, from_rows, row_bytes, rows, to);
}
void gather_rows(const std::byte* from, std::int64_t from_rows, std::int64_t row_bytes,
                 std::span<const std::int64_t> rows, std::byte* to) {
  copy_rows(from, from_rows, row_bytes, rows, to);
}

}  // namespace stg::detail
