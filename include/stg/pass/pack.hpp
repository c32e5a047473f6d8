// pack: narrow values that the same edges gather from the same end are stored side by side, a record per vertex.
//
// The gradient of attention reads three numbers per head of every neighbour: its score, its log_sum_exp, and what its
// output got as a cotangent. In arrays of their own they are three cache lines an edge, however narrow they are; in one
// record of 96 bytes they are two. So they are concatenated per vertex, which costs a copy of a row per vertex, and the
// gathers become one, of which the edges read slices where they lie.
//
// Runs last before fuse, on the gradient, which computes such values itself; what a forward program gathers is mostly
// its user's input.
#pragma once

#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/ir/program.hpp>  // program
#include <stg/pass/order.hpp>  // reorder
#include <stg/pass/value.hpp>  // value

namespace stg::pass {

/// Bytes of a value that is worth packing, which is half a cache line, and of a record.
inline constexpr std::int64_t most_packed_bytes = 32, most_record_bytes = 128;

namespace detail {

class packer {
 public:
  constexpr explicit packer(const ir::program& p) : p(p), seen_by(p.statements.size(), ir::no_value) {}

  /// Finds values to pack: two or more that one aggregate reads of its neighbours.
  constexpr bool find() {
    for (ir::value_id a = 0; a < p.size(); ++a) {
      if (op::info_of(p[a].code).kind != op::category::aggregate) continue;
      gather = p[a].side() == ir::direction::in ? ir::opcode::gather_src : ir::opcode::gather_dst;
      members.clear();
      bytes = 0;
      find_members(p[a].operands[0], a);
      if (members.size() < 2) continue;
      mark_after();
      drop_later();
      bool computed = false;  // or nobody but the copy would write them
      for (ir::value_id m : members) computed = computed || p[m].code != ir::opcode::input;
      if (computed && members.size() >= 2) return true;
    }
    return false;
  }

  constexpr ir::program packed() {
    q = ir::blank_like(p);
    at.assign(p.statements.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (!after[index(i)]) at[index(i)] = q.emit(ir::renamed(p[i], at));
    value record;
    for (ir::value_id m : members) {
      const value part = flat(value{&q, at[index(m)]}), before = record;
      record = before.exists() ? joined(before, part) : part;
    }
    const value row = apply(gather, record);
    std::int64_t begin = 0;
    for (ir::value_id m : members) {
      ir::shape dims;
      dims.push(ir::extent(p[m].dims.size()));
      slices.push_back(reshape(part(ir::opcode::slice, row, 0, ir::extent(begin), dims), p[m].dims).id);
      begin += p[m].dims.size();
    }
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const int m = gathers_member(i);
      if (m >= 0) at[index(i)] = slices[index(m)];
      else if (after[index(i)]) at[index(i)] = q.emit(ir::renamed(p[i], at));
    }
    ir::carry_attachments(p, q, at);
    return q;
  }

 private:
  static constexpr std::size_t index(ir::value_id i) { return static_cast<std::size_t>(i); }
  static constexpr std::int64_t bytes_of_row(const ir::statement& s) { return s.dims.size() * bytes_of(s.type); }

  constexpr void find_members(ir::value_id e, ir::value_id aggregate) {
    if (p[e].where != ir::space::edge || seen_by[index(e)] == aggregate) return;
    seen_by[index(e)] = aggregate;
    if (p[e].code == gather) return add(p[e].operands[0]);
    if (op::info_of(p[e].code).kind == op::category::gather) return;
    for (int k = 0; k < p[e].arity(); ++k) find_members(p[e].operands[k], aggregate);
  }
  constexpr void add(ir::value_id v) {
    const ir::statement& s = p[v];
    const bool source = op::info_of(s.code).kind == op::category::source && s.code != ir::opcode::input;
    if (source || !s.dims.is_static() || s.dims.size() == 0 || bytes_of_row(s) > most_packed_bytes) return;
    if (!members.empty() && p[members[0]].type != s.type) return;
    if (bytes + bytes_of_row(s) > most_record_bytes) return;
    bytes += bytes_of_row(s);
    members.push_back(v);
  }
  constexpr int gathers_member(ir::value_id i) const {
    if (p[i].code == gather)
      for (std::size_t m = 0; m < members.size(); ++m)
        if (members[m] == p[i].operands[0]) return static_cast<int>(m);
    return -1;
  }
  /// What needs a gather of the record.
  constexpr void mark_after() {
    after.assign(p.statements.size(), 0);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      bool needs = gathers_member(i) >= 0;
      for (int k = 0; k < p[i].arity(); ++k) needs = needs || after[index(p[i].operands[k])];
      after[index(i)] = needs;
    }
  }
  /// A member that is made of what the others are gathered for cannot stand beside them.
  constexpr void drop_later() {
    std::vector<ir::value_id> left;
    for (ir::value_id m : members)
      if (!after[index(m)]) left.push_back(m);
    if (left.size() == members.size()) return;
    members = left;
    mark_after();
  }

  static constexpr value flat(value x) {
    ir::shape dims;
    dims.push(ir::extent(x.dims().size()));
    return reshape(x, dims);
  }
  static constexpr value joined(value a, value b) {
    ir::statement s = blank(ir::opcode::concat, a, b);
    s.dims.push(ir::extent(a.dims().size() + b.dims().size()));
    return make(*a.owner, s);
  }

  const ir::program& p;
  ir::program q{};
  ir::opcode gather{};
  std::int64_t bytes = 0;
  std::vector<ir::value_id> members{}, at{}, slices{};
  std::vector<ir::value_id> seen_by;  // the last aggregate that came past
  ir::flags after{};
};

}  // namespace detail

constexpr ir::program pack(const ir::program& p) {
  detail::packer records(p);
  if (!records.find()) return p;
  return pack(reorder(records.packed()));
}

}  // namespace stg::pass
