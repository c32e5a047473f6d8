// One statement of a program: an operation, its result's domain, its shape, its operands.
#pragma once

#include <cstdint>  // int64_t, uint32_t, uint64_t

#include <stg/ir/opcode.hpp>  // opcode
#include <stg/ir/scalar.hpp>  // scalar_type
#include <stg/ir/shape.hpp>   // shape
#include <stg/ir/space.hpp>   // domain, space, direction, opposite

namespace stg::ir {

/// A value is named by the index of the statement that makes it.
using value_id = int;
inline constexpr value_id no_value = -1;

// Numbers of a statement's axis, by the operation that has it.
/// Over a sample of the graph the reduction goes over the rows of the hop that reads it, and they are counted; else it
/// asks for the whole graph.
inline constexpr int over_batch = 1;
/// A scan goes from the last step to the first.
inline constexpr int backwards = 1;
/// A called program is a scan of one step that carries nothing: its results are the step's own outputs, without an axis
/// for steps. From here on its axis is the first site of its random draws: sites in the called program count from 0, so
/// that equal layers with dropout are one program.
inline constexpr int once = 2;

/// The rank that a message goes to or comes from, by its number, or by its distance from the rank that runs the
/// program, the ranks in a ring.
struct other_rank {
  int number = 0;
  bool is_relative = false;

  constexpr bool operator==(const other_rank&) const = default;
};

struct statement {
  static constexpr int max_operands = 3;

  opcode code{};
  domain where{};
  scalar_type type = scalar_type::f32;
  shape dims{};
  extent over = extent(0);  // number of steps, if the value has a row for each, one behind the other; 0: one value
  value_id operands[max_operands] = {no_value, no_value, no_value};
  double number_ = 0;           // a value, slope, probability or count
  std::int64_t attribute_ = 0;  // an entry, side, extent, callee, ...
  int axis_ = 0;                // an axis, a relation, the way of a scan; all three by the operation (fields.hpp)
  int scopes = 0;               // the set of scopes it was written in (program.hpp)

  constexpr int arity() const {
    return operands[0] == no_value ? 0 : operands[1] == no_value ? 1 : operands[2] == no_value ? 2 : 3;
  }
  constexpr std::uint64_t bits() const { return __builtin_bit_cast(std::uint64_t, number_); }

  // Attribute, axis and number by their meaning, and the operations that have it.
  constexpr int entry() const { return static_cast<int>(attribute_); }                        // input
  constexpr direction side() const { return static_cast<direction>(attribute_); }             // aggregates, degree
  constexpr bool is_shifted() const { return attribute_ == 1; }                               // detach
  constexpr bool is_transposed() const { return attribute_ == 1; }                            // matmul: x W^T
  constexpr std::int64_t axes() const { return attribute_; }                                  // reductions: a bit each
  template <class Axis> constexpr bool reduces(Axis a) const { return attribute_ >> a & 1; }  // the same of one
  constexpr extent beginning() const { return extent(attribute_); }           // slice, pad, put, scatter_sum
  constexpr extent counted() const { return extent(attribute_); }             // extent_value
  constexpr int counted_set() const { return static_cast<int>(attribute_); }  // vertex_count
  constexpr int other_axis() const { return static_cast<int>(attribute_); }   // transpose
  constexpr int site() const { return static_cast<int>(attribute_); }         // keep_mask
  constexpr int callee() const { return static_cast<int>(attribute_); }       // has_callee
  constexpr int output() const { return static_cast<int>(attribute_); }       // result: of the step
  constexpr std::int64_t operation() const { return attribute_; }       // elementwise_…: the name of a user's own
  constexpr int relation() const { return axis_; }                      // degree
  constexpr int part_axis() const { return axis_; }                     // concat, slice, pad
  constexpr int swapped_axis() const { return axis_; }                  // transpose
  constexpr bool is_over_batch() const { return axis_ == over_batch; }  // reductions, vertex_count, scatter_sum
  constexpr bool is_backwards() const { return axis_ == backwards; }    // scans
  constexpr double value() const { return number_; }                    // constant
  constexpr double slope() const { return number_; }                    // leaky_relu
  constexpr double alpha() const { return number_; }                    // elu
  constexpr double drop_probability() const { return number_; }         // keep_mask
  constexpr int carried() const { return static_cast<int>(number_); }   // scans
  constexpr std::int64_t message() const { return attribute_; }         // messages: the number of its name
  constexpr other_rank rank() const { return {axis_ >> 1, (axis_ & 1) != 0}; }  // messages
  constexpr int gradients() const { return static_cast<int>(number_); }  // messages: of 1 a gradient's, and so on
  constexpr int outputs() const { return static_cast<int>(number_); }    // own_gradient: values that it belongs to
  constexpr double real() const { return number_; }                      // of any, 0 where none is meant

  // The same, given.
  constexpr void set_entry(std::int64_t entry) { attribute_ = entry; }
  constexpr void set_side(direction side) { attribute_ = static_cast<std::int64_t>(side); }
  constexpr void set_shifted() { attribute_ = 1; }
  constexpr void set_transposed(bool is) { attribute_ = is; }
  constexpr void set_axes(std::int64_t axes) { attribute_ = axes; }
  constexpr void set_only_axis(int only) { attribute_ = std::int64_t(1) << only; }  // reductions along one
  constexpr void set_beginning(extent begin) { attribute_ = begin.code; }
  constexpr void set_counted(extent e) { attribute_ = e.code; }
  constexpr void set_counted_set(int set) { attribute_ = set; }
  constexpr void set_site(std::int64_t site) { attribute_ = site; }
  constexpr void set_callee(int callee) { attribute_ = callee; }
  constexpr void set_output(int output) { attribute_ = output; }
  constexpr void set_operation(std::int64_t name) { attribute_ = name; }
  constexpr void set_relation(int relation) { axis_ = relation; }
  constexpr void set_part_axis(int a) { axis_ = a; }
  constexpr void set_swapped(int a, int b) { axis_ = a, attribute_ = b; }
  constexpr void set_over_batch(bool is) { axis_ = is ? over_batch : 0; }
  constexpr void set_backwards(bool is) { axis_ = is ? backwards : 0; }
  constexpr void set_first_site(int site) { axis_ = once + site; }  // of a scan: makes it a call (is_call)
  constexpr void set_value(double value) { number_ = value; }
  constexpr void set_slope(double slope) { number_ = slope; }
  constexpr void set_alpha(double alpha) { number_ = alpha; }
  constexpr void set_drop_probability(double p) { number_ = p; }
  constexpr void set_carried(int count) { number_ = count; }
  constexpr void set_message(std::int64_t name, other_rank at, int gradients) {
    attribute_ = name, axis_ = 2 * at.number + at.is_relative, number_ = gradients;
  }
  constexpr void set_outputs(int count) { number_ = count; }
  constexpr void set_real(double x) { number_ = x; }

  constexpr bool is_sequence() const { return over.code != 0; }
  /// The same computation; the scopes it was written in do not matter. Numbers are compared by their bits: 0 is not -0,
  /// and NaN is itself.
  constexpr bool computes_same(const statement& o) const {
    return code == o.code && operands[0] == o.operands[0] && operands[1] == o.operands[1] &&
           operands[2] == o.operands[2] && attribute_ == o.attribute_ && bits() == o.bits() && where == o.where &&
           type == o.type && axis_ == o.axis_ && over == o.over && dims == o.dims;
  }
};

/// A statement that reads input `entry` in the place of a value: of its space, type, shape, steps and scopes.
constexpr statement input_like(const statement& value, std::int64_t entry) {
  statement s;
  s.code = opcode::input;
  s.where = value.where;
  s.type = value.type;
  s.dims = value.dims;
  s.over = value.over;
  s.scopes = value.scopes;
  s.set_entry(entry);
  return s;
}

/// A second name for its operand's memory: the same numbers under another shape.
constexpr bool is_view(const statement& s) { return s.code == opcode::reshape; }
/// The value whose memory a view shares; of all other values the value itself. Statements: has them by their number.
template <class Statements> constexpr value_id root_of(const Statements& all, value_id at) {
  while (all[at].code == opcode::reshape) at = all[at].operands[0];  // is_view without the call: asked for each operand
  return at;
}

/// The gather that reads the owner of an edge: the destination of in-edges, the source of out-edges.
constexpr opcode owner_gather(direction side) {
  return side == direction::in ? opcode::gather_dst : opcode::gather_src;
}
/// The gather that reads the vertex at the edge's other end.
constexpr opcode neighbour_gather(direction side) { return owner_gather(opposite(side)); }
/// The side on which a gather reads the owner.
constexpr direction owner_side(opcode gather) { return gather == opcode::gather_dst ? direction::in : direction::out; }

/// A product that reads a sparse input. Its third operand masks the entries.
constexpr bool is_sparse_product(const statement& s) {
  return s.code == opcode::sparse_matmul || s.code == opcode::sparse_reduced_matmul;
}

/// No value, but part of a scan: a list, or the steps themselves; or of values with a gradient of their own.
constexpr bool is_part_of_scan(opcode code) {
  return code == opcode::arguments || code == opcode::bind || code == opcode::scan || code == opcode::scan_gradient ||
         code == opcode::own_gradient;
}

/// Repeats a program: its first operand is the list of the program's arguments.
constexpr bool is_scan(opcode code) { return code == opcode::scan || code == opcode::scan_gradient; }

/// A called program: a scan whose step runs once.
constexpr bool is_call(const statement& s) { return is_scan(s.code) && s.axis_ >= once; }
/// The first site of a call's random draws.
constexpr int first_site(const statement& call) { return call.axis_ - once; }

constexpr std::uint32_t hash(const statement& s) {
  std::uint32_t h = static_cast<std::uint32_t>(s.code) * 31u + static_cast<std::uint32_t>(s.attribute_);
  h = (h ^ static_cast<std::uint32_t>(s.operands[0])) * 0x9E3779B1u;
  h = (h ^ (h >> 15) ^ static_cast<std::uint32_t>(s.operands[1])) * 0x85EBCA77u;
  h = (h ^ (h >> 13) ^ static_cast<std::uint32_t>(s.operands[2])) * 0xC2B2AE3Du;
  if (s.number_ != 0) h ^= static_cast<std::uint32_t>(s.bits() ^ s.bits() >> 32) * 0x27D4EB2Fu;
  return h ^ (h >> 16);
}

}  // namespace stg::ir
