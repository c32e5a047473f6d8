// Whether two programs are the same except for names of inputs, outputs, extents and scopes, and the order of
// statements.
#pragma once

#include <cstdint>  // int64_t, uint64_t
#include <utility>  // swap

#include <stg/base/name_table.hpp>  // name_table
#include <stg/base/sequence.hpp>    // sequence
#include <stg/base/text.hpp>        // text
#include <stg/examine/walk.hpp>     // topological_order
#include <stg/ir/program.hpp>       // program

namespace stg::examine {

namespace detail {

/// Pairs of names of two programs, numbered as they meet.
class name_pairs {
 public:
  /// Pairs two names that have not met any.
  constexpr void meet(const text& mine, const text& theirs) {
    add(0, mine);
    add(1, theirs);
  }
  /// The number of a name's pair, or -1.
  constexpr int number_of(const text& name, bool is_mine) const {
    const int side = is_mine ? 0 : 1;
    return known[side].find(name, [&](int at) -> const text& { return names[side][at]; });
  }

 private:
  constexpr void add(int side, const text& name) {
    known[side].add(name, [&](int at) -> const text& { return names[side][at]; });
    names[side].push_back(name);
  }
  name_table known[2]{};
  sequence<text> names[2]{};
};

/// Pairs of vertex sets and relations of two programs, from when they meet.
class kind_pairs {
 public:
  constexpr bool agree(const ir::program& p, int mine, const ir::program& q, int theirs) {
    if (mine == 0 || theirs == 0) return mine == theirs;
    if (first.empty()) {
      first.assign(p.kinds.size(), 0);
      second.assign(q.kinds.size(), 0);
    }
    const ir::kind &k = p.kinds[mine - 1], &o = q.kinds[theirs - 1];
    if (k.is_relation() != o.is_relation()) return false;
    int &other = first[mine - 1], &back = second[theirs - 1];
    if (other != 0 || back != 0) return other == theirs && back == mine;
    other = theirs;
    back = mine;
    return !k.is_relation() || (agree(p, k.source, q, o.source) && agree(p, k.destination, q, o.destination));
  }

 private:
  sequence<int> first{}, second{};
};

/// Pairs of random sites of two programs, from when they meet.
class site_pairs {
 public:
  /// Pairs the sites of two calls: `called`, the pairs of their programs; mine and theirs, the first site of each call.
  constexpr bool agree(const site_pairs& called, std::int64_t mine, std::int64_t theirs) {
    for (int k = 0; k < called.first.size(); ++k)
      if (called.first[k] != none && !agree(mine + k, theirs + called.first[k])) return false;
    return true;
  }
  constexpr bool agree(std::int64_t mine, std::int64_t theirs) {
    std::int64_t &other = met_by(first, mine), &back = met_by(second, theirs);
    if (other == none && back == none) {
      other = theirs;
      back = mine;
    }
    return other == theirs && back == mine;
  }

 private:
  static constexpr std::int64_t none = -1;
  static constexpr std::int64_t& met_by(sequence<std::int64_t>& all, std::int64_t site) {
    while (all.size() <= site) all.push_back(none);
    return all[site];
  }
  sequence<std::int64_t> first{}, second{};
};

class comparison {
 public:
  /// Of a step: its inputs go by their entries, as the list of its scan does.
  constexpr bool run(const ir::program& p, const ir::program& q, bool is_step) {
    if (p.outputs.size() != q.outputs.size() || p.checks.size() != q.checks.size() ||
        p.forward_outputs != q.forward_outputs || ir::is_split(p) != ir::is_split(q))
      return false;
    const sequence<ir::value_id> mine = order_of(p), theirs = order_of(q);
    if (mine.size() != theirs.size()) return false;
    sequence<int> place(p.size(), -1), other_place(q.size(), -1), entry(p.inputs.size(), -1),
        other_entry(q.inputs.size(), -1), step(p.callees.size(), -1), called(p.callees.size(), -1);
    sequence<site_pairs> drawn(p.callees.size());  // of called programs, their own
    for (int k = 0; k < mine.size(); ++k) {
      const ir::statement &s = p[mine[k]], &o = q[theirs[k]];
      place[mine[k]] = other_place[theirs[k]] = k;
      if (s.code != o.code || s.where.kind != o.where.kind || s.type != o.type || s.bits() != o.bits()) return false;
      if (!kinds.agree(p, s.where.set, q, o.where.set)) return false;
      for (int n = 0; n < ir::statement::max_operands; ++n)
        if (place_of(s.operands[n], place) != place_of(o.operands[n], other_place)) return false;
      if (s.dims.rank != o.dims.rank || !same(p, s.over, q, o.over)) return false;
      for (int a = 0; a < s.dims.rank; ++a)
        if (!same(p, s.dims.axes[a], q, o.dims.axes[a])) return false;
      for (const ir::field& f : ir::fields_of(s.code))
        if (f.is_of(s) != f.is_of(o) || (f.is_of(s) && !same_field(f, p, s, q, o))) return false;
      if (s.code == ir::opcode::input) {
        int &known = entry[s.entry()], &other = other_entry[o.entry()];
        if (is_step ? s.entry() != o.entry() : known != other) return false;
        if (known < 0) known = other = k;
        const ir::input &a = p.inputs[s.entry()], &b = q.inputs[o.entry()];
        if (a.trainable != b.trainable || a.sparse != b.sparse) return false;
      } else if (s.code == ir::opcode::keep_mask) {
        if (!sites.agree(s.site(), o.site())) return false;
      } else if (ir::has_callee(s)) {
        int& known = (ir::is_call(s) ? called : step)[s.callee()];
        if (known < 0 && !steps(p.callees[s.callee()], q.callees[o.callee()], ir::is_call(s), drawn[s.callee()]))
          return false;
        if (known < 0) known = o.callee();
        if (known != o.callee()) return false;
        if (ir::is_call(s) && !sites.agree(drawn[s.callee()], ir::first_site(s), ir::first_site(o))) return false;
      }
    }
    for (int k = 0; k < p.outputs.size(); ++k)
      if (place[p.outputs[k].at] != other_place[q.outputs[k].at]) return false;
    for (const ir::label_range& check : p.checks) {  // in the order of their labels' statements
      bool found = false;
      for (const ir::label_range& other : q.checks)
        found = found || (place[check.labels] == other_place[other.labels] &&
                          place_of(check.mask, place) == place_of(other.mask, other_place) &&
                          same(p, check.classes, q, other.classes));
      if (!found) return false;
    }
    return true;
  }

 private:
  /// The steps of scans, or called programs; each numbers its random draws by itself.
  constexpr bool steps(const ir::program& p, const ir::program& q, bool are_called, site_pairs& drawn) {
    if (!are_called) return run(p, q, true);
    std::swap(sites, drawn);
    const bool are_similar = run(p, q, true);
    std::swap(sites, drawn);
    return are_similar;
  }
  /// Statements as outputs need them, then statements only checked before the program runs. Checks stand in the order
  /// of their labels' statements, so here they go by the order in which outputs need the labels.
  static constexpr sequence<ir::value_id> order_of(const ir::program& p) {
    sequence<ir::value_id> roots;
    for (const ir::output& o : p.outputs) roots.push_back(o.at);
    sequence<int> place(p.size(), p.size());
    int next = 0;
    for (const ir::value_id i : topological_order(p, roots)) place[i] = next++;
    sequence<ir::label_range> checks;
    for (const ir::label_range& c : p.checks) {
      checks.push_back(c);
      for (int k = checks.size() - 1; k > 0 && place[c.labels] < place[checks[k - 1].labels]; --k)
        std::swap(checks[k], checks[k - 1]);
    }
    for (const ir::label_range& c : checks) {
      roots.push_back(c.labels);
      if (c.mask != ir::no_value) roots.push_back(c.mask);
    }
    return topological_order(p, roots);
  }
  static constexpr int place_of(ir::value_id at, const sequence<int>& place) {
    return at == ir::no_value ? -1 : place[at];
  }

  /// Inputs, callees and sites are numbered by their readers: the walk compares these.
  constexpr bool same_field(const ir::field& f, const ir::program& p, const ir::statement& s, const ir::program& q,
                            const ir::statement& o) {
    switch (f.what) {
      case ir::field_kind::kind:
        return kinds.agree(p, static_cast<int>(f.get(s)), q, static_cast<int>(f.get(o)));
      case ir::field_kind::extent:
        return same(p, ir::extent(f.get(s)), q, ir::extent(f.get(o)));
      case ir::field_kind::callee:
        return ir::has_callee(s) == ir::has_callee(o);
      case ir::field_kind::number:
      case ir::field_kind::entry:
      case ir::field_kind::site:
        return true;
      default:
        return f.get(s) == f.get(o);
    }
  }
  /// Compares polynomials in paired names. Names that meet here for the first time are paired in their order.
  constexpr bool same(const ir::program& p, ir::extent a, const ir::program& q, ir::extent b) {
    if (a.is_static() || b.is_static()) return a == b;
    const ir::polynomial &mine = p.extents[-1 - a.code], &theirs = q.extents[-1 - b.code];
    if (mine.count != theirs.count) return false;
    for (int t = 0; t < mine.count; ++t)
      for (int f = 0; f < mine.terms[t].degree && f < theirs.terms[t].degree; ++f) {
        const text &name = mine.terms[t].factors[f], &other = theirs.terms[t].factors[f];
        if (names.number_of(name, true) < 0 && names.number_of(other, false) < 0) names.meet(name, other);
      }
    return numbered(mine, true) == numbered(theirs, false);
  }
  constexpr ir::polynomial numbered(const ir::polynomial& e, bool is_mine) const {
    ir::polynomial sum;
    for (int t = 0; t < e.count; ++t) {
      ir::polynomial product(e.terms[t].coefficient);
      for (int f = 0; f < e.terms[t].degree; ++f) {
        const int number = names.number_of(e.terms[t].factors[f], is_mine);
        text name(number < 0 ? (is_mine ? "mine" : "theirs") : "%");
        if (number >= 0) name.append_number(static_cast<std::uint64_t>(number));
        product = product * ir::polynomial(name);
      }
      sum = sum + product;
    }
    return sum;
  }

  name_pairs names{};
  kind_pairs kinds{};
  site_pairs sites{};
};

}  // namespace detail

/// Whether two programs compute the same, with inputs paired by order of reading: the first input that one reads with
/// the first input that the other reads, and so on, walking from outputs at the same position. Names of inputs,
/// outputs, values, vertex sets, relations and run-time extents, scopes, the numbers of random sites and the order of
/// statements do not matter; whether an input is trainable or sparse does. Linear in statements and names.
///
///   examine::are_similar(stg::trace(first_layer), stg::trace(second_layer))   // but for the names of their weights?
constexpr bool are_similar(const ir::program& p, const ir::program& q) { return detail::comparison().run(p, q, false); }

}  // namespace stg::examine
