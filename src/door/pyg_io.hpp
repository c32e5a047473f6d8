// How weights of PyG's layers are read and written: one description of a layer serves both ways.
#pragma once

#include <functional>  // function
#include <set>         // set
#include <string>      // string
#include <vector>      // vector

#include <stg/data/safetensors.hpp>  // safetensors_file, safetensors_writer
#include <stg/runtime/tensor.hpp>    // tensor

namespace stg::nn::pyg {

using values = tensor<float>;

/// What a tensor of a file is beside that of nn/.
enum class form {
  same,
  transposed,  // (out, in) there, (in, out) here
  one_more,    // (1, …) there
};

/// One direction: `is_reading` from a file, or else to one. Names are below the layer's.
class io {
 public:
  io(const safetensors_file& file, std::string name) : from_(&file), name_(std::move(name)) {}
  io(safetensors_writer& file, std::string name) : to_(&file), name_(std::move(name)) {}

  bool is_reading() const { return from_ != nullptr; }
  bool has(const std::string& part) const { return from_->has(full(part)); }
  /// The same of a layer within this one.
  io within(const std::string& part) const;
  /// Parts of tensors' names right behind this one: "nn." has 0 and 2 of nn.0.weight and nn.2.bias.
  std::set<std::string> parts_behind(const std::string& part) const;

  /// A tensor that must be there.
  void need(const std::string& part, values& here, form as = form::same);
  /// One that may be missing or empty.
  void may(const std::string& part, values& here, form as = form::same);
  /// A bias: where it is missing, `count` zeros are read.
  void bias(const std::string& part, values& here, std::int64_t count);
  void matrix(const std::string& part, values& here) { need(part, here, form::transposed); }
  /// A tensor as it is in the file, with so many axes, to be cut or joined.
  values read(const std::string& part, int rank) const;
  void write(const std::string& part, values there);
  [[noreturn]] void fail(const std::string& part, const std::string& what) const;
  void check_rank(const std::string& part, const values& t, int rank) const;
  void check(bool holds, const std::string& part, const std::string& what) const {
    if (!holds) fail(part, what);
  }

 private:
  std::string full(const std::string& part) const { return name_.empty() ? part : name_ + '.' + part; }

  const safetensors_file* from_ = nullptr;
  safetensors_writer* to_ = nullptr;
  std::string name_;
};

values transposed(const values& t);
/// The same numbers in another shape.
values as_shape(values t, const dimensions& shape);
/// Columns first to first + count of the last axis.
values columns(const values& t, std::int64_t first, std::int64_t count);
/// Rows of the first axis.
values rows(const values& t, std::int64_t first, std::int64_t count);
/// Tensors that differ in their last axis alone, side by side.
values side_by_side(const std::vector<values>& parts);
/// Tensors of one shape, as an axis more in front.
values stacked(const std::vector<const values*>& parts);
/// to += of.
void add(values& to, const values& of);
std::int64_t last_extent(const values& t);
bool is_empty(const values& t);

}  // namespace stg::nn::pyg
