// Placing the buffers of a call in one block.
#include <stg/runtime/memory.hpp>

#include <algorithm>  // sort, max
#include <cstddef>    // size_t
#include <vector>     // vector

namespace stg {

std::int64_t place(std::span<buffer> buffers) {
  std::vector<std::size_t> order(buffers.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return buffers[a].bytes > buffers[b].bytes; });
  const auto rounded = [](std::int64_t bytes) { return (bytes + 63) / 64 * 64; };

  std::int64_t peak = 0;
  std::vector<const buffer*> placed;  // by offset
  for (std::size_t i : order) {
    buffer& b = buffers[i];
    b.offset = 0;
    for (const buffer* other : placed) {
      const bool together = other->first <= b.last && b.first <= other->last;
      if (together && b.offset < other->offset + rounded(other->bytes) && other->offset < b.offset + rounded(b.bytes))
        b.offset = other->offset + rounded(other->bytes);
    }
    placed.insert(std::upper_bound(placed.begin(), placed.end(), &b, [](const buffer* x, const buffer* y) { return x->offset < y->offset; }), &b);
    peak = std::max(peak, b.offset + rounded(b.bytes));
  }
  return peak;
}

}  // namespace stg
