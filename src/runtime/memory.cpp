// Placing the buffers of a call in one block.
#include <stg/runtime/memory.hpp>

#include <algorithm>  // sort, max, upper_bound
#include <vector>     // vector

namespace stg {

std::int64_t place(std::span<buffer> buffers) {
  thread_local std::vector<buffer*> order, placed;  // kept from call to call: a training step allocates nothing
  order.clear();
  placed.clear();
  for (buffer& b : buffers) {
    b.offset = 0;
    if (b.bytes > 0) order.push_back(&b);
  }
  std::sort(order.begin(), order.end(),
            [](const buffer* a, const buffer* b) { return a->bytes != b->bytes ? a->bytes > b->bytes : a < b; });
  const auto rounded = [](std::int64_t bytes) { return (bytes + 63) / 64 * 64; };

  std::int64_t peak = 0;
  for (buffer* b : order) {
    for (const buffer* other : placed) {  // by offset
      const bool together = other->first <= b->last && b->first <= other->last;
      if (together && b->offset < other->offset + rounded(other->bytes) &&
          other->offset < b->offset + rounded(b->bytes))
        b->offset = other->offset + rounded(other->bytes);
    }
    placed.insert(std::upper_bound(placed.begin(), placed.end(), b,
                                   [](const buffer* x, const buffer* y) { return x->offset < y->offset; }),
                  b);
    peak = std::max(peak, b->offset + rounded(b->bytes));
  }
  return peak;
}

}  // namespace stg
