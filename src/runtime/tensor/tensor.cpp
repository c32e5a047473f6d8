// Shapes checked, tensor memory allocated, and the sentences of their errors.
#include "../memory/pages.hpp"  // allocate_pages

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory_for
#include <stg/runtime/tensor.hpp>         // tensor, dimensions

#include <atomic>   // atomic
#include <cstdlib>  // free
#include <cstring>  // memset
#include <string>   // string, to_string

namespace stg {

namespace {

std::atomic<std::uint64_t> bytes_allocated{0};

std::string list(const std::int64_t* values, int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i) text += (i ? ", " : "") + std::to_string(values[i]);
  return text + (count == 1 ? ",)" : ")");
}

}  // namespace

dimensions::dimensions(std::span<const std::int64_t> extents) {
  if (extents.size() > max_rank)
    throw error("shape with " + std::to_string(extents.size()) + " axes; a tensor has at most " +
                std::to_string(max_rank));
  rank_ = static_cast<int>(extents.size());
  for (int a = 0; a < rank_; ++a) extents_[a] = extents[a];

  constexpr std::int64_t limit = std::int64_t{1} << 59;  // so that bytes fit 64 bits as well
  bool empty = false, too_large = false;
  for (int a = 0; a < rank_; ++a) {
    const std::int64_t e = extents_[a];
    if (e < 0)
      throw error("shape " + list(extents_, rank_) + " has the negative extent " + std::to_string(e) + " on axis " +
                  std::to_string(a) + "; extents are 0 or more");
    empty = empty || e == 0;
    too_large = too_large || (e != 0 && size_ > limit / e);
    if (!empty && !too_large) size_ *= e;
  }
  if (too_large && !empty)
    throw error("shape " + list(extents_, rank_) + " has more than 2^59 elements; use smaller extents");
  if (empty) size_ = 0;
}

std::string to_string(const dimensions& d) { return list(d.begin(), d.rank()); }

std::uint64_t tensor_bytes_allocated() { return bytes_allocated.load(std::memory_order_relaxed); }

namespace detail {

void free_memory::operator()(std::byte* memory) const noexcept {
  if (keeper == nullptr) std::free(memory);
  else keeper->free(memory);
}

memory allocate(std::int64_t count, std::int64_t element_bytes, bool zero) {
  const std::int64_t bytes = count * element_bytes;
  std::byte* const p = allocate_pages(bytes);
  if (p == nullptr) no_memory_for("a tensor", bytes, "use a smaller shape");
  if (zero) std::memset(p, 0, static_cast<std::size_t>(bytes));
  bytes_allocated.fetch_add(static_cast<std::uint64_t>(bytes), std::memory_order_relaxed);
  return memory(p);
}

void not_on_host(const dimensions& shape, location where) {
  throw error("tensor of shape " + to_string(shape) + " lies on " + to_string(where) +
              "; write x.to(stg::host) to read it here");
}

void wrong_assignment(const dimensions& to, const dimensions& from) {
  throw error("tensor of shape " + to_string(to) + " is assigned one of shape " + to_string(from) +
              "; the shapes must be equal");
}

void wrong_count(const dimensions& shape, std::int64_t values) {
  throw error("tensor of shape " + to_string(shape) + " is given " + std::to_string(values) + " values; it takes " +
              std::to_string(shape.size()));
}

void wrong_reshape(const dimensions& from, const dimensions& to) {
  throw error("reshape of " + to_string(from) + " to " + to_string(to) + " changes the number of elements from " +
              std::to_string(from.size()) + " to " + std::to_string(to.size()) + "; keep it");
}

void wrong_item(const dimensions& shape) {
  throw error("item of a tensor of shape " + to_string(shape) + "; only a tensor of one element has an item");
}

void wrong_axis(const dimensions& shape, int axis) {
  throw error("extent of axis " + std::to_string(axis) + " of a tensor of shape " + to_string(shape) + "; it has " +
              std::to_string(shape.rank()) + " axes");
}

dimensions shape_of_rows(const dimensions& shape, std::int64_t first, std::int64_t last, bool one) {
  if (shape.rank() == 0) throw error("rows of a tensor of shape (); it has no axis of rows");
  if (first < 0 || first > last || last > shape[0]) {
    const std::string rows = std::to_string(shape[0]);
    if (one)
      throw error("tensor of shape " + to_string(shape) + " has no row " + std::to_string(first) +
                  "; rows lie in [0, " + rows + ")");
    throw error("tensor of shape " + to_string(shape) + " has no rows from " + std::to_string(first) + " to " +
                std::to_string(last) + "; give 0 <= first <= last <= " + rows);
  }
  if (one) return dimensions(std::span(shape.begin() + 1, shape.end()));
  std::int64_t extents[max_rank] = {last - first};
  for (int a = 1; a < shape.rank(); ++a) extents[a] = shape[a];
  return dimensions(std::span<const std::int64_t>(extents, static_cast<std::size_t>(shape.rank())));
}

void wrong_index(const dimensions& shape, const std::int64_t* index, int count) {
  if (count != shape.rank())
    throw error("tensor of shape " + to_string(shape) + " is indexed by " + std::to_string(count) + " numbers; use " +
                std::to_string(shape.rank()));
  int axis = 0;
  while (axis + 1 < count && index[axis] >= 0 && index[axis] < shape[axis]) ++axis;
  throw error("tensor of shape " + to_string(shape) + " has no element " + list(index, count) + "; index " +
              std::to_string(axis) + " must be in [0, " + std::to_string(shape[axis]) + ")");
}

}  // namespace detail
}  // namespace stg
