// The meaning of a statement's axis, attribute and number, by its operation: one row for each field, with its name and
// kind.
//
// All code that prints, reads, verifies or renumbers statements asks here; other code asks a statement by name
// (statement.hpp). A member that no row of an operation names is 0.
#pragma once

#include <cstdint>      // int64_t
#include <limits>       // numeric_limits
#include <string_view>  // string_view

#include <stg/ir/opcode.hpp>     // opcode, opcode_count
#include <stg/ir/statement.hpp>  // statement, extent

namespace stg::ir {

/// The meaning of a field's number.
enum class field_kind : int {
  nothing,    // the member is 0
  number,     // a real number, or a count that is kept as one
  flag,       // true or false
  side,       // a direction
  axis,       // a feature axis
  axes,       // feature axes, a bit for each
  extent,     // the code of an extent
  entry,      // an input of the program
  kind,       // a vertex set or relation of the program; 0: the only one of a plain program
  callee,     // a program that this one calls
  output,     // an output of such a program
  operation,  // a user's operation, by its name (ir/operation_name.hpp)
  message,    // the name of a message, likewise
  rank,       // another rank (statement::rank)
  site        // selects the random numbers that are drawn
};

/// The member of a statement that holds a field.
enum class member : int { axis, attribute, number };

/// The number that a statement's axis or attribute holds, for code that takes statements as they stand.
constexpr std::int64_t held(const statement& s, member in) { return in == member::axis ? s.axis_ : s.attribute_; }

/// One field of an operation.
///
///   ir::each_field(s, [&](const ir::field& f) { if (f.what == ir::field_kind::extent) f.set(s, 4); });
struct field {
  opcode of{};
  std::string_view name{};  // as texts say it: `from` in `slice axis=0 from=4`
  field_kind what{};
  member in{};
  bool bare = false;                           // in texts its value stands alone: `sum_edges in`
  bool optional = false;                       // texts leave it out if it is 0
  int least = 0;                               // the member's number for the field 0, and for a flag that is set
  int most = std::numeric_limits<int>::max();  // the last number of the member for which a flag is set

  /// The number of any field but of kind `number`; of a flag 1 or 0.
  constexpr std::int64_t get(const statement& s) const {
    const std::int64_t n = held(s, in);
    return what == field_kind::flag ? n >= least && n <= most : n - least;
  }
  constexpr void set(statement& s, std::int64_t value) const {
    const std::int64_t n = what == field_kind::flag ? (value != 0 ? least : 0) : least + value;
    if (in == member::axis) s.axis_ = static_cast<int>(n);
    else s.attribute_ = n;
  }
  /// Whether the statement has the field: the site of a call is no field of other scans.
  constexpr bool is_of(const statement& s) const {
    return what == field_kind::flag || least == 0 || held(s, in) >= least;
  }
};

/// All fields, an operation's one after the other, in the order of texts.
// clang-format off
inline constexpr field all_fields[] = {
    {opcode::input, "entry", field_kind::entry, member::attribute},
    {opcode::constant, "value", field_kind::number, member::number, true},
    {opcode::extent_value, "extent", field_kind::extent, member::attribute, true},
    {opcode::vertex_count, "set", field_kind::kind, member::attribute, true, true},
    {opcode::vertex_count, "over_batch", field_kind::flag, member::axis, false, false, over_batch, over_batch},
    {opcode::degree, "side", field_kind::side, member::attribute, true},
    {opcode::degree, "relation", field_kind::kind, member::axis, true, true},
    {opcode::keep_mask, "p", field_kind::number, member::number},
    {opcode::keep_mask, "site", field_kind::site, member::attribute},
    {opcode::leaky_relu, "slope", field_kind::number, member::number},
    {opcode::elu, "alpha", field_kind::number, member::number},
    {opcode::detach, "shift", field_kind::flag, member::attribute, false, false, 1, 1},
    {opcode::softmax_edges, "side", field_kind::side, member::attribute, true},
    {opcode::softmax_axes, "axis", field_kind::axes, member::attribute},
    {opcode::reduce_sum, "axis", field_kind::axes, member::attribute},
    {opcode::reduce_max, "axis", field_kind::axes, member::attribute},
    {opcode::reduce_top_share, "axis", field_kind::axes, member::attribute},
    {opcode::concat, "axis", field_kind::axis, member::axis},
    {opcode::slice, "axis", field_kind::axis, member::axis},
    {opcode::slice, "from", field_kind::extent, member::attribute},
    {opcode::pad, "axis", field_kind::axis, member::axis},
    {opcode::pad, "at", field_kind::extent, member::attribute},
    {opcode::put, "of", field_kind::extent, member::attribute},
    {opcode::transpose, "axis", field_kind::axis, member::axis},
    {opcode::transpose, "with", field_kind::axis, member::attribute},
    {opcode::sum_edges, "side", field_kind::side, member::attribute, true},
    {opcode::max_edges, "side", field_kind::side, member::attribute, true},
    {opcode::prod_edges, "side", field_kind::side, member::attribute, true},
    {opcode::var_edges, "side", field_kind::side, member::attribute, true},
    {opcode::first_max_edge, "side", field_kind::side, member::attribute, true},
    {opcode::top_share_edges, "side", field_kind::side, member::attribute, true},
    {opcode::sum_vertices, "over_batch", field_kind::flag, member::axis, false, false, over_batch, over_batch},
    {opcode::max_vertices, "over_batch", field_kind::flag, member::axis, false, false, over_batch, over_batch},
    {opcode::scatter_sum, "of", field_kind::extent, member::attribute},
    {opcode::scatter_sum, "over_batch", field_kind::flag, member::axis, false, false, over_batch, over_batch},
    {opcode::matmul, "transposed", field_kind::flag, member::attribute, false, false, 1, 1},
    {opcode::scan, "once", field_kind::flag, member::axis, false, false, once},
    {opcode::scan, "backwards", field_kind::flag, member::axis, false, false, backwards, backwards},
    {opcode::scan, "step", field_kind::callee, member::attribute},
    {opcode::scan, "carried", field_kind::number, member::number, false, true},
    {opcode::scan, "site", field_kind::site, member::axis, false, true, once},
    {opcode::scan_gradient, "once", field_kind::flag, member::axis, false, false, once},
    {opcode::scan_gradient, "backwards", field_kind::flag, member::axis, false, false, backwards, backwards},
    {opcode::scan_gradient, "step", field_kind::callee, member::attribute},
    {opcode::scan_gradient, "carried", field_kind::number, member::number, false, true},
    {opcode::scan_gradient, "site", field_kind::site, member::axis, false, true, once},
    {opcode::result, "output", field_kind::output, member::attribute, true},
    {opcode::own_gradient, "gradient", field_kind::callee, member::attribute},
    {opcode::own_gradient, "outputs", field_kind::number, member::number, false, true},
    {opcode::send, "name", field_kind::message, member::attribute, true},
    {opcode::send, "to", field_kind::rank, member::axis},
    {opcode::send, "gradients", field_kind::number, member::number, false, true},
    {opcode::receive, "name", field_kind::message, member::attribute, true},
    {opcode::receive, "from", field_kind::rank, member::axis},
    {opcode::receive, "gradients", field_kind::number, member::number, false, true},
    {opcode::sum_at_rank, "name", field_kind::message, member::attribute, true},
    {opcode::sum_at_rank, "at", field_kind::rank, member::axis},
    {opcode::sum_at_rank, "gradients", field_kind::number, member::number, false, true},
    {opcode::value_of_rank, "name", field_kind::message, member::attribute, true},
    {opcode::value_of_rank, "of", field_kind::rank, member::axis},
    {opcode::value_of_rank, "gradients", field_kind::number, member::number, false, true},
    {opcode::elementwise_1, "operation", field_kind::operation, member::attribute, true},
    {opcode::elementwise_2, "operation", field_kind::operation, member::attribute, true},
    {opcode::elementwise_3, "operation", field_kind::operation, member::attribute, true},
};
// clang-format on

/// The rows of one operation, summed up. Every pass asks this of every statement, so it is looked up.
struct members {
  field_kind axis = field_kind::nothing, attribute = field_kind::nothing, number = field_kind::nothing;
  std::int64_t least_axis = 0, most_axis = 0, least_attribute = 0, most_attribute = 0;
  int first = 0, last = 0;  // of all_fields

  /// Whether members without a field are 0, and flags and sides are one of two.
  constexpr bool allow(const statement& s) const {
    return s.axis_ >= least_axis && s.axis_ <= most_axis && s.attribute_ >= least_attribute &&
           s.attribute_ <= most_attribute && (number != field_kind::nothing || s.bits() == 0);
  }
};

namespace detail {
struct members_of_all {
  members of[opcode_count]{};

  constexpr members_of_all() {
    constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
    int at = 0;
    for (const field& f : all_fields) {
      members& m = of[static_cast<int>(f.of)];
      if (m.last == 0) m.first = at;
      m.last = ++at;
      field_kind& what = f.in == member::axis ? m.axis : f.in == member::attribute ? m.attribute : m.number;
      if (what == field_kind::nothing) what = f.what;
      if (f.in == member::number) continue;
      std::int64_t &least = f.in == member::axis ? m.least_axis : m.least_attribute,
                   &most = f.in == member::axis ? m.most_axis : m.most_attribute;
      const std::int64_t up_to = f.what == field_kind::flag ? f.most : f.what == field_kind::side ? 1 : all;
      if (most < up_to) most = up_to;
      if (up_to == all && f.least == 0) least = -all - 1;  // the statement's other rules limit its meaning
    }
  }
};
inline constexpr members_of_all known_members = members_of_all();
}  // namespace detail

/// The meaning of the members of an operation's statements.
constexpr const members& members_of(opcode code) { return detail::known_members.of[static_cast<int>(code)]; }

/// The rows of one operation.
struct field_list {
  const field *first, *last;
  constexpr const field* begin() const { return first; }
  constexpr const field* end() const { return last; }
};
constexpr field_list fields_of(opcode code) {
  const members& m = members_of(code);
  return {all_fields + m.first, all_fields + m.last};
}

/// Calls f(field) for each field of the statement.
template <class F> constexpr void each_field(const statement& s, F&& f) {
  for (const field& one : fields_of(s.code))
    if (one.is_of(s)) f(one);
}

/// Gives a statement the three members of another statement of its operation.
constexpr void take_members(statement& s, const statement& of) {
  s.axis_ = of.axis_;
  s.attribute_ = of.attribute_;
  s.number_ = of.number_;
}

/// Whether the attribute is the number of one of `count` entries, callees, outputs, axes or sites.
constexpr bool names_one_of(const statement& s, std::int64_t count) {
  return s.attribute_ >= 0 && s.attribute_ < count;
}

/// Whether the attribute is the number of a program: the step of a scan, or a gradient of its own. If no gradient may
/// pass at all, there is none.
constexpr bool has_callee(const statement& s) {
  return members_of(s.code).attribute == field_kind::callee && s.attribute_ >= 0;
}

/// Whether the attribute is the name of a user's operation.
constexpr bool applies_own(opcode code) { return members_of(code).attribute == field_kind::operation; }

/// Whether a statement is a message between ranks.
constexpr bool is_message(opcode code) { return members_of(code).attribute == field_kind::message; }
/// Calls f(value) for each message among n statements. Most passes ask: g++ remembers the answer of is_message for an
/// operation, while reading the table at each statement takes its memory each time.
template <class F> constexpr void each_message(const statement* statements, int n, const F& f) {
  for (value_id i = 0; i < n; ++i)
    if (is_message(statements[i].code)) f(i);
}

/// Whether the attribute is the code of an extent, which only its own program knows.
constexpr bool attribute_is_extent(opcode code) { return members_of(code).attribute == field_kind::extent; }
/// That extent.
constexpr extent extent_of(const statement& s) { return extent(s.attribute_); }
constexpr void set_extent_of(statement& s, extent e) { s.attribute_ = e.code; }

/// Renumbers the vertex set or relation of a statement, if it has one, by renamed(number).
template <class Renamed> constexpr void renumber_kinds(statement& s, const Renamed& renamed) {
  if (s.where.set != 0) s.where.set = renamed(s.where.set);
  const members& m = members_of(s.code);
  if (m.axis == field_kind::kind && s.axis_ != 0) s.axis_ = renamed(s.axis_);
  if (m.attribute == field_kind::kind && s.attribute_ != 0) s.attribute_ = renamed(static_cast<int>(s.attribute_));
}

/// Whether the result is the part of the operand's axis that begins at that extent.
constexpr bool takes_part(opcode code) { return code == opcode::slice; }
/// Whether the operand is that part of the result's axis.
constexpr bool places_part(opcode code) { return code == opcode::pad; }

}  // namespace stg::ir
