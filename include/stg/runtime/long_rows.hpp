// Which rows of a graph are cut into parts.
#pragma once

#include <bit>      // bit_floor
#include <cstdint>  // int32_t, int64_t, uint64_t
#include <vector>   // vector

#include <stg/runtime/adjacency.hpp>  // adjacency, long_rows

namespace stg {

/// Edges of a part on a GPU, of a side with so many edges: a power of two, about what each of the groups that a large
/// GPU runs at a time has to do, so that none keeps the others waiting; enough that joining parts costs little. It
/// depends on the graph alone, so that results do not depend on the device.
constexpr std::int32_t long_row_edges_of_device(std::int64_t edges) {
  constexpr std::int64_t groups = 1 << 14, least = 64, most = 2048;
  const std::int64_t share = edges / groups;
  return static_cast<std::int32_t>(share <= least  ? least
                                   : share >= most ? most
                                                   : std::int64_t(std::bit_floor(static_cast<std::uint64_t>(share))));
}
/// The same for the threads of a host, which are fewer and take longer to call: some 100 us of work.
inline constexpr std::int32_t long_row_edges_of_host = 1 << 15;

/// The arrays behind `long_rows`.
struct long_row_list {
  std::vector<std::int32_t> row{}, first_part{};
  std::int32_t part_edges = 0;

  long_rows view() const { return view_of(row.data(), first_part.data()); }
  /// The same of copies of the arrays.
  long_rows view_of(const std::int32_t* rows, const std::int32_t* first_parts) const {
    const auto count = static_cast<std::int32_t>(row.size());
    return {rows, first_parts, count, count == 0 ? 0 : first_part.back(), part_edges};
  }
};

/// Rows with more than `part_edges` edges, in the memory of a list that is there. rows: on the host.
inline void find_long_rows(const adjacency& rows, std::int32_t part_edges, long_row_list& list) {
  list.part_edges = part_edges;
  list.row.clear();
  list.first_part.clear();
  list.first_part.push_back(0);
  for (std::int64_t v = 0; v < rows.rows(); ++v) {
    if (rows.degree(v) <= part_edges) continue;
    list.row.push_back(static_cast<std::int32_t>(v));
    const std::int64_t parts = (rows.degree(v) + part_edges - 1) / part_edges;
    list.first_part.push_back(list.first_part.back() + static_cast<std::int32_t>(parts));
  }
}
/// The same in a list of its own.
inline long_row_list find_long_rows(const adjacency& rows, std::int32_t part_edges) {
  long_row_list list;
  find_long_rows(rows, part_edges, list);
  return list;
}

}  // namespace stg
