// pack: narrow values that the same edges gather from the same end are stored side by side, a record per vertex.
//
// The gradient of attention reads four numbers per head of every neighbour: its score, the largest of its edges'
// scores, the maximum's share, and its output's cotangent. In arrays of their own they are four cache lines an edge,
// however narrow they are; in one record of 128 bytes they are two. So they are concatenated per vertex, at the cost of
// a copy of a row per vertex, and the gathers become one; edges read slices of it in place.
//
// Runs last before fuse, on the gradient, which computes such values itself; a forward program mostly gathers its
// user's input.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>         // sequence
#include <stg/ir/attachments.hpp>        // carry_attachments
#include <stg/ir/program.hpp>            // program
#include <stg/op/list.hpp>               // info_of
#include <stg/analysis/choices.hpp>      // choices
#include <stg/analysis/reads_edges.hpp>  // has_edges
#include <stg/pass/order.hpp>            // reorder
#include <stg/pass/value.hpp>            // value

namespace stg::pass {

namespace detail {

/// Values of a vertex that stand side by side, behind the last of them.
struct packed_record {
  ir::opcode gather{};
  sequence<ir::value_id> members{};
  ir::value_id first = 0, last = 0;  // from its first gather, or its last member, to that member
};

class packer {
 public:
  constexpr packer(const ir::program& of, const choices& chosen)
      : p(of), by(chosen), seen_by(p.statements.size(), ir::no_value), waits(p.statements.size(), 0) {
    for (end* e : {&source, &destination}) {
      e->first_gather.assign(p.statements.size(), ir::no_value);
      e->slice.assign(p.statements.size(), ir::no_value);
      e->is_packed.assign(p.statements.size(), 0);
    }
    for (ir::value_id i = p.size() - 1; i >= 0; --i)
      if (is_gather(i)) end_of(p[i].code).first_gather[p[i].operands[0]] = i;
  }

  /// Finds records: two or more values that one aggregate reads of its neighbours. Records across one found before are
  /// left for the next time.
  constexpr bool find() {
    if (!p.kinds.empty()) return false;  // a value may be gathered by edges of several relations, and a record by one
    for (ir::value_id a = 0, n = p.size(); a < n; ++a) {
      if (op::info_of(p[a].code).kind != op::category::aggregate) continue;
      record.gather = ir::neighbour_gather(p[a].side());
      record.members.clear();
      bytes = 0;
      find_members(p[a].operands[0], a);
      if (!place()) continue;
      for (ir::value_id m : record.members) end_of(record.gather).is_packed[m] = 1;
      records.push_back(record);
    }
    return !records.empty();
  }

  constexpr ir::program packed() {
    q = ir::blank_like(p);
    at.assign(p.statements.size(), ir::no_value);
    sequence<ir::value_id> waiting;
    int next = 0;
    for (ir::value_id i = 0, n = p.size(); i < n; ++i) {
      if (waits[i]) waiting.push_back(i);
      else emit(i);
      if (next == records.size() || i != records[next].last) continue;
      emit_record(records[next++]);
      for (ir::value_id w : waiting) emit(w);
      waiting.clear();
    }
    ir::carry_attachments(p, q, at);
    return q;
  }

 private:
  /// Of values gathered from one end of edges.
  struct end {
    sequence<ir::value_id> first_gather{};
    sequence<ir::value_id> slice{};  // of the record's gather, in the new program
    ir::flags is_packed{};
  };

  static constexpr std::int64_t bytes_of_row(const ir::statement& s) { return s.dims.size() * bytes_of(s.type); }
  constexpr bool is_gather(ir::value_id i) const { return op::info_of(p[i].code).kind == op::category::gather; }
  constexpr end& end_of(ir::opcode gather) { return gather == ir::opcode::gather_src ? source : destination; }

  constexpr void find_members(ir::value_id e, ir::value_id aggregate) {
    if (p[e].where != ir::space::edge || seen_by[e] == aggregate) return;
    seen_by[e] = aggregate;
    if (p[e].code == record.gather) return add(p[e].operands[0]);
    if (is_gather(e)) return;
    for (int k = 0; k < p[e].arity(); ++k) find_members(p[e].operands[k], aggregate);
  }
  constexpr void add(ir::value_id v) {
    const ir::statement& s = p[v];
    const bool made_up = op::info_of(s.code).kind == op::category::source && s.code != ir::opcode::input;
    if (made_up || !s.dims.is_static() || s.dims.size() == 0 || bytes_of_row(s) > by.most_packed_bytes) return;
    if (!record.members.empty() && p[record.members[0]].type != s.type) return;
    if (bytes + bytes_of_row(s) > by.most_record_bytes || end_of(record.gather).is_packed[v]) return;
    bytes += bytes_of_row(s);
    record.members.push_back(v);
  }
  constexpr bool is_gather_of_record(ir::value_id i) const {
    if (p[i].code != record.gather) return false;
    for (ir::value_id m : record.members)
      if (m == p[i].operands[0]) return true;
    return false;
  }

  /// Finds the record's place, and the statements that have to wait for it; false if it has none.
  constexpr bool place() {
    bool computed = false;  // or nobody but the copy would write them
    for (ir::value_id m : record.members) computed = computed || p[m].code != ir::opcode::input;
    if (!computed || record.members.size() < 2) return false;
    record.last = 0;
    for (ir::value_id m : record.members) record.last = m > record.last ? m : record.last;
    record.first = record.last;
    for (ir::value_id m : record.members) {
      const ir::value_id gather = end_of(record.gather).first_gather[m];
      record.first = gather < record.first ? gather : record.first;
    }
    if (!records.empty() && records.back().last >= record.first) return false;
    mark_waiting();
    sequence<ir::value_id> left;  // a member computed from gathered members cannot stand beside them
    for (ir::value_id m : record.members)
      if (!waits[m]) left.push_back(m);
    if (left.size() == record.members.size()) return true;
    for (ir::value_id i = record.first; i <= record.last; ++i) waits[i] = 0;
    record.members = left;
    return place();
  }
  constexpr void mark_waiting() {
    for (ir::value_id i = record.first; i <= record.last; ++i) {
      bool needs = is_gather_of_record(i);
      for (int k = 0; k < p[i].arity(); ++k) {
        const ir::value_id x = p[i].operands[k];
        needs = needs || (x >= record.first && waits[x]);
      }
      waits[i] = needs;
    }
  }

  constexpr void emit(ir::value_id i) {
    const ir::value_id slice = is_gather(i) ? end_of(p[i].code).slice[p[i].operands[0]] : ir::no_value;
    at[i] = slice != ir::no_value ? slice : q.emit(ir::renamed(p[i], at));
  }
  constexpr void emit_record(const packed_record& r) {
    value all;
    for (ir::value_id m : r.members) {
      const value part = flat(value{&q, at[m]}), before = all;
      all = before.exists() ? side_by_side(before, part) : part;
    }
    const value row = apply(r.gather, all);
    std::int64_t begin = 0;
    for (ir::value_id m : r.members) {
      ir::shape dims;
      dims.push(ir::extent(p[m].dims.size()));
      const value mine = slice(row, 0, ir::extent(begin), dims);
      end_of(r.gather).slice[m] = reshape(mine, p[m].dims).id;
      begin += p[m].dims.size();
    }
  }

  static constexpr value flat(value x) {
    ir::shape dims;
    dims.push(ir::extent(x.dims().size()));
    return reshape(x, dims);
  }
  static constexpr value side_by_side(value a, value b) {
    ir::shape dims;
    dims.push(ir::extent(a.dims().size() + b.dims().size()));
    return concat(a, b, 0, dims);
  }

  const ir::program& p;
  const choices& by;
  ir::program q{};
  packed_record record{};  // the record at hand
  std::int64_t bytes = 0;  // of its members
  sequence<packed_record> records{};
  end source{}, destination{};           // no array of them: nvcc 13 would forget to destroy one in a constant
  sequence<ir::value_id> at{}, seen_by;  // the last aggregate seen
  ir::flags waits;                       // for the record with its first and last statement around it
};

}  // namespace detail

/// Gathers of saved values just before they are read, behind computed values: so records seldom lie across each other.
/// The program as it is if there is nothing to pack.
constexpr ir::program late_gathers(const ir::program& p, const choices& by = choices()) {
  if (!has_edges(p) || !detail::packer(p, by).find()) return p;
  return reorder_deepest_first(p);
}

/// Packs records that do not lie across each other, of a program with late gathers.
constexpr ir::program pack(const ir::program& p, const choices& by = choices()) {
  if (!has_edges(p)) return p;
  detail::packer records(p, by);
  if (!records.find()) return p;
  return reorder(records.packed());
}

/// Packs the rest.
constexpr ir::program pack_rest(const ir::program& p, const choices& by = choices()) {
  ir::program q = p;
  while (has_edges(q) && detail::packer(q, by).find()) q = pack(late_gathers(q, by), by);
  return q;
}

}  // namespace stg::pass
