// Placing the buffers of a call in one block.
#include "kept_lists.hpp"  // kept_lists

#include <stg/runtime/memory.hpp>

#include <algorithm>  // max, min, sort, upper_bound
#include <vector>     // vector

namespace stg {

namespace {

bool together(const buffer& a, const buffer& b) { return a.first <= b.last && b.first <= a.last; }

/// Bytes that are alive at a time: no placing needs less.
std::int64_t most_alive(const std::vector<buffer*>& all) {
  std::int64_t most = 0;
  for (const buffer* b : all) {
    std::int64_t alive = 0;
    for (const buffer* other : all)
      if (other->first <= b->first && b->first <= other->last) alive += in_lines(other->bytes);
    most = std::max(most, alive);
  }
  return most;
}

/// What placing works with.
struct placing {
  std::vector<buffer*> order;
  std::vector<buffer*> placed;  // by offset
};

std::int64_t place_in_order(placing& lists) {
  std::vector<buffer*>& placed = lists.placed;
  placed.clear();
  std::int64_t peak = 0;
  for (buffer* b : lists.order) {
    b->offset = 0;
    for (const buffer* other : placed)
      if (together(*other, *b) && b->offset < other->offset + in_lines(other->bytes) &&
          other->offset < b->offset + in_lines(b->bytes))
        b->offset = other->offset + in_lines(other->bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), b,
                                   [](const buffer* x, const buffer* y) { return x->offset < y->offset; }),
                  b);
    peak = std::max(peak, b->offset + in_lines(b->bytes));
  }
  return peak;
}

}  // namespace

namespace {

/// The buffer in whose memory one lies.
buffer& lowest_under(std::span<buffer> buffers, buffer& b) {
  buffer* at = &b;
  while (at->is_over) at = &buffers[static_cast<std::size_t>(at->over)];
  return *at;
}

/// Lets buffers take the memory of others, which then live as long as both.
void stack(std::span<buffer> buffers) {
  for (buffer& b : buffers) b.is_over = b.is_under = false;
  for (buffer& b : buffers) {
    if (b.over < 0 || b.bytes == 0) continue;
    buffer& under = buffers[static_cast<std::size_t>(b.over)];
    if (under.bytes != b.bytes || under.last != b.first || under.is_under) continue;
    b.is_over = under.is_under = true;
    lowest_under(buffers, b).last = b.last;
  }
}
/// Gives them their own times, and places, again.
void unstack(std::span<buffer> buffers) {
  for (buffer& b : buffers) {
    if (!b.is_over) continue;
    buffer& lowest = lowest_under(buffers, b);
    b.offset = lowest.offset;
    lowest.last = std::min(lowest.last, b.first);
  }
}

std::int64_t place_apart(std::span<buffer> buffers) {
  const detail::kept_lists<placing> lists;
  std::vector<buffer*>& order = lists->order;
  order.clear();
  for (buffer& b : buffers) {
    b.offset = 0;
    if (b.bytes > 0 && !b.is_over) order.push_back(&b);
  }
  const auto in_order = [](const buffer* a, const buffer* b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  };
  const auto long_lived_first = [&](const buffer* a, const buffer* b) {
    const int x = a->last - a->first, y = b->last - b->first;
    return a->bytes == b->bytes && x != y ? x > y : in_order(a, b);
  };
  std::sort(order.begin(), order.end(), in_order);
  const std::int64_t peak = place_in_order(*lists);
  if (peak == most_alive(order)) return peak;
  std::sort(order.begin(), order.end(), long_lived_first);
  const std::int64_t other = place_in_order(*lists);
  if (other <= peak) return other;
  std::sort(order.begin(), order.end(), in_order);
  return place_in_order(*lists);
}

}  // namespace

std::int64_t place(std::span<buffer> buffers) {
  stack(buffers);
  const std::int64_t peak = place_apart(buffers);
  unstack(buffers);
  return peak;
}

}  // namespace stg
