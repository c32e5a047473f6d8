// Tensors of PyG's files, turned, cut and joined.
#include "pyg_io.hpp"  // io

#include <algorithm>  // copy_n
#include <utility>    // move

#include <stg/base/error.hpp>  // error

namespace stg::nn::pyg {

io io::within(const std::string& part) const {
  io inner = *this;
  inner.name_ = full(part);
  return inner;
}

std::set<std::string> io::parts_behind(const std::string& part) const {
  std::set<std::string> all;
  const std::string begin = full(part);
  for (const safetensors_entry& t : from_->tensors())
    if (t.name.starts_with(begin))
      all.insert(t.name.substr(begin.size(), t.name.find('.', begin.size()) - begin.size()));
  return all;
}

void io::check_rank(const std::string& part, const values& t, int rank) const {
  check(t.rank() == rank, part,
        "has shape " + to_string(t.shape()) + "; expected " + std::to_string(rank) + (rank == 1 ? " axis" : " axes"));
}

values io::read(const std::string& part, int rank) const {
  auto t = from_->read_as<float>(full(part));
  check_rank(part, t, rank);
  return t;
}
void io::write(const std::string& part, values there) { to_->write(full(part), std::move(there)); }

void io::fail(const std::string& part, const std::string& what) const {
  throw error("safetensors " + (is_reading() ? from_->path() : to_->path()) + " tensor \"" + full(part) + "\" " + what);
}

void io::need(const std::string& part, values& here, form as) {
  if (!is_reading()) {
    if (as == form::transposed) return write(part, transposed(here));
    std::vector<std::int64_t> shape(here.shape().begin(), here.shape().end());
    if (as == form::one_more) shape.insert(shape.begin(), 1);
    return write(part, as_shape(here.clone(), dimensions(std::span<const std::int64_t>(shape))));
  }
  auto there = from_->read_as<float>(full(part));
  if (as == form::same) {
    here = std::move(there);
  } else if (as == form::transposed) {
    check(there.rank() == 2, part, "has shape " + to_string(there.shape()) + "; expected a matrix (out, in)");
    here = transposed(there);
  } else {
    check(there.rank() > 0 && there.extent(0) == 1, part,
          "has shape " + to_string(there.shape()) + "; expected a first axis of 1");
    const dimensions shape(std::span<const std::int64_t>(there.shape().begin() + 1, there.shape().end()));
    here = as_shape(std::move(there), shape);
  }
}

void io::may(const std::string& part, values& here, form as) {
  if (is_reading() ? has(part) : !is_empty(here)) need(part, here, as);
}

void io::bias(const std::string& part, values& here, std::int64_t count) {
  if (is_reading() && !has(part)) {
    here = values({count});
    return;
  }
  if (!is_reading() && is_empty(here)) return;
  need(part, here);
  check(here.shape() == dimensions({count}), part,
        "has shape " + to_string(here.shape()) + "; expected (" + std::to_string(count) + ",)");
}

values transposed(const values& t) {
  values out({t.extent(1), t.extent(0)});
  for (std::int64_t i = 0; i < t.extent(0); ++i)
    for (std::int64_t j = 0; j < t.extent(1); ++j) out(j, i) = t(i, j);
  return out;
}

values as_shape(values t, const dimensions& shape) { return std::move(t).reshape(shape); }

values columns(const values& t, std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> shape(t.shape().begin(), t.shape().end());
  const std::int64_t width = shape.back();
  if (first + count > width)
    throw error("weights of shape " + to_string(t.shape()) + " have no " + std::to_string(first + count) +
                " columns; give those of one layer");
  shape.back() = count;
  values out = values::for_overwrite(dimensions(std::span<const std::int64_t>(shape)));
  for (std::int64_t row = 0; row * width < t.size(); ++row)
    std::copy_n(t.data() + row * width + first, count, out.data() + row * count);
  return out;
}

values rows(const values& t, std::int64_t first, std::int64_t count) { return t.rows(first, first + count).clone(); }

values side_by_side(const std::vector<values>& parts) {
  std::int64_t width = 0;
  for (const values& t : parts) width += last_extent(t);
  std::vector<std::int64_t> shape(parts[0].shape().begin(), parts[0].shape().end());
  const std::int64_t height = last_extent(parts[0]) == 0 ? 0 : parts[0].size() / last_extent(parts[0]);
  shape.back() = width;
  values out = values::for_overwrite(dimensions(std::span<const std::int64_t>(shape)));
  std::int64_t first = 0;
  for (const values& t : parts) {
    const std::int64_t count = last_extent(t);
    if (t.size() != height * count)
      throw error("weights of shapes " + to_string(parts[0].shape()) + " and " + to_string(t.shape()) +
                  " are no gates of one layer; expected equal shapes");
    for (std::int64_t row = 0; row < height; ++row)
      std::copy_n(t.data() + row * count, count, out.data() + row * width + first);
    first += count;
  }
  return out;
}

values stacked(const std::vector<const values*>& parts) {
  std::vector<std::int64_t> shape(parts[0]->shape().begin(), parts[0]->shape().end());
  shape.insert(shape.begin(), static_cast<std::int64_t>(parts.size()));
  values out = values::for_overwrite(dimensions(std::span<const std::int64_t>(shape)));
  float* to = out.data();
  for (const values* t : parts) {
    if (!(t->shape() == parts[0]->shape()))
      throw error("weights have shapes " + to_string(parts[0]->shape()) + " and " + to_string(t->shape()) +
                  "; expected equal shapes, as PyG keeps them in one tensor");
    to = std::copy_n(t->data(), t->size(), to);
  }
  return out;
}

void add(values& to, const values& of) {
  if (!(to.shape() == of.shape()))
    throw error("biases have shapes " + to_string(to.shape()) + " and " + to_string(of.shape()) + "; expected one");
  for (std::int64_t i = 0; i < to.size(); ++i) to.data()[i] += of.data()[i];
}

std::int64_t last_extent(const values& t) { return t.rank() == 0 ? 1 : t.extent(t.rank() - 1); }
bool is_empty(const values& t) { return t.rank() == 1 && t.size() == 0; }

}  // namespace stg::nn::pyg
