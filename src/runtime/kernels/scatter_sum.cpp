// Rows summed by an index: sorted by it first, then each entry's rows are added up by one thread.
#include <stg/runtime/scatter_sum.hpp>

#include <algorithm>  // copy, fill, min
#include <limits>     // numeric_limits
#include <string>     // to_string

#include <stg/base/error.hpp>         // error
#include <stg/runtime/adjacency.hpp>  // adjacency, long_rows
#include <stg/runtime/parallel.hpp>   // parallel, threads, worth_threads

namespace stg {

namespace {

constexpr std::int64_t parts_of_sums = 64;
constexpr std::int64_t sorted_per_part = 1 << 16;  // rows that are worth a thread of their own to sort
constexpr std::int64_t elements_per_ns = 2;        // of a row that is added
constexpr std::int64_t rows_ahead = 8;             // that are asked for before they are added

/// The scratch: where the rows of each entry begin, the rows sorted, the entries with many, and their parts' sums.
struct sorted_rows {
  sorted_rows(std::byte* scratch, std::int64_t count, std::int64_t entries)
      : offsets(reinterpret_cast<std::int64_t*>(scratch)),
        order(reinterpret_cast<std::int32_t*>(offsets + entries + 2)),
        long_entries(order + count),
        first_part(long_entries + count / scattered_part),
        sums(scratch + scatter_sum_scratch(count, entries, 0, 0)) {}

  std::int64_t* offsets;       // (entries + 1), and one more while they are counted
  std::int32_t* order;         // (rows)
  std::int32_t* long_entries;  // (rows / scattered_part) at most
  std::int32_t* first_part;    // (the same + 1)
  std::byte* sums;             // (parts, width)
};

/// Calls body(row, entry) for the rows whose entry is in [first, last), in ascending order.
template <class Body>
void for_rows_of(const std::int32_t* index, std::int64_t rows, std::int64_t first, std::int64_t last,
                 const Body& body) {
  const auto count = static_cast<std::uint64_t>(last - first);
  for (std::int64_t row = 0; row < rows; ++row)
    if (static_cast<std::uint64_t>(index[row] - first) < count) body(row, std::int64_t{index[row]});
}

/// A stable counting sort. Each thread has a range of entries and looks at all rows.
void sort_rows(const std::int32_t* index, std::int64_t rows, std::int64_t entries, const sorted_rows& to) {
  const std::int64_t parts = std::min<std::int64_t>(threads(), rows / sorted_per_part + 1);
  const auto first_of = [&](std::int64_t part) { return entries * part / parts; };
  std::int64_t* const ends = to.offsets + 1;  // of the entry before, once rows are placed: ends[i] is offsets[i + 1]
  parallel(parts, [&](std::int64_t part) {
    std::fill(to.offsets + 2 + first_of(part), to.offsets + 2 + first_of(part + 1), 0);
    for_rows_of(index, rows, first_of(part), first_of(part + 1),
                [&](std::int64_t, std::int64_t entry) { ++ends[entry + 1]; });
  });
  to.offsets[0] = ends[0] = 0;
  for (std::int64_t i = 0; i < entries; ++i) ends[i + 1] += ends[i];
  parallel(parts, [&](std::int64_t part) {
    for_rows_of(index, rows, first_of(part), first_of(part + 1), [&](std::int64_t row, std::int64_t entry) {
      to.order[ends[entry]++] = static_cast<std::int32_t>(row);
    });
  });
}

/// Entries with more rows than one part.
long_rows find_long(const sorted_rows& in, std::int64_t entries) {
  long_rows found{in.long_entries, in.first_part, 0, 0, static_cast<std::int32_t>(scattered_part)};
  in.first_part[0] = 0;
  for (std::int64_t i = 0; i < entries; ++i) {
    const std::int64_t rows = in.offsets[i + 1] - in.offsets[i];
    if (rows <= scattered_part) continue;
    in.long_entries[found.count] = static_cast<std::int32_t>(i);
    found.parts += static_cast<std::int32_t>((rows + scattered_part - 1) / scattered_part);
    in.first_part[++found.count] = found.parts;
  }
  return found;
}

template <class T> void add_row(T* y, const T* x, std::int64_t width) {
  for (std::int64_t f = 0; f < width; ++f) y[f] += x[f];
}
/// y = the sum of the rows at positions [first, last).
template <class T>
void sum_rows(const T* x, const adjacency& sorted, std::int64_t first, std::int64_t last, T* y, std::int64_t width) {
  if (first == last) return std::fill(y, y + width, T{});
  const auto row = [&](std::int64_t k) { return x + sorted.neighbour(k) * width; };
  std::copy(row(first), row(first) + width, y);
  for (std::int64_t k = first + 1; k < last; ++k) add_row(y, row(k), width);
}

}  // namespace

void check_scattered(std::int64_t rows, std::int64_t entries) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1;
  if (rows <= most && entries <= most) return;
  throw error("the gradient of a table that rows pick from takes at most " + std::to_string(most) +
              " of each; there are " + std::to_string(rows) + " rows and " + std::to_string(entries) + " entries");
}

template <class T>
void scatter_sum(const T* x, const std::int32_t* index, T* y, std::byte* scratch, std::int64_t rows,
                 std::int64_t entries, std::int64_t width) {
  check_scattered(rows, entries);
  const sorted_rows in(scratch, rows, entries);
  sort_rows(index, rows, entries, in);
  const adjacency sorted = adjacency(entries, in.offsets, in.order, nullptr).with(find_long(in, entries));
  const long_rows& cut = sorted.long_rows();
  T* const sums = reinterpret_cast<T*>(in.sums);

  const std::int64_t time = (rows + entries) * (width / elements_per_ns + 1);
  const std::int64_t parts = worth_threads(time) ? std::min(time / least_part_time, parts_of_sums) : 1;
  parallel(parts + cut.parts, [&](std::int64_t part) {
    if (part < cut.parts) {
      const int at = cut.row_of(static_cast<int>(part));
      const std::int64_t entry = cut.row[at];
      const std::int64_t first = sorted.begin(entry) + (part - cut.first_part[at]) * scattered_part;
      return sum_rows(x, sorted, first, std::min(first + scattered_part, sorted.end(entry)), sums + part * width,
                      width);
    }
    const std::int64_t first = sorted.split(part - cut.parts, parts), last = sorted.split(part - cut.parts + 1, parts);
    for (std::int64_t i = first; i < last; ++i) {
      for (std::int64_t k = sorted.begin(i) + rows_ahead; k < sorted.end(i) + rows_ahead && k < sorted.end(last - 1);
           ++k)
        __builtin_prefetch(x + sorted.neighbour(k) * width);
      if (!sorted.is_long(sorted.degree(i))) sum_rows(x, sorted, sorted.begin(i), sorted.end(i), y + i * width, width);
    }
  });
  for (int k = 0; k < cut.count; ++k) {
    T* const to = y + std::int64_t{cut.row[k]} * width;
    std::copy(sums + cut.first_part[k] * width, sums + (cut.first_part[k] + 1) * width, to);
    for (std::int64_t part = cut.first_part[k] + 1; part < cut.first_part[k + 1]; ++part)
      add_row(to, sums + part * width, width);
  }
}

template void scatter_sum(const float*, const std::int32_t*, float*, std::byte*, std::int64_t, std::int64_t,
                          std::int64_t);
template void scatter_sum(const double*, const std::int32_t*, double*, std::byte*, std::int64_t, std::int64_t,
                          std::int64_t);

}  // namespace stg
