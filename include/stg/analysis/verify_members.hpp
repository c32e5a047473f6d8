// verify's rules for members, of a program and of each statement, before the rules for their meaning together.
#pragma once

#include <cstdint>  // int64_t
#include <limits>   // numeric_limits

#include <stg/base/text.hpp>          // text
#include <stg/ir/fields.hpp>          // applies_own, members_of
#include <stg/ir/decisions.hpp>       // promises
#include <stg/ir/operation_name.hpp>  // operation_name
#include <stg/ir/program.hpp>         // program
#include <stg/op/list.hpp>            // info, rule, takes

namespace stg::pass::detail {

class member_verifier {
 protected:
  constexpr explicit member_verifier(const ir::program& of) : p(of) {}

  using rule = op::rule;
  using opcode = ir::opcode;

  // ---- members of a program and of statements: enumerators exist, numbers are in range ----

  static constexpr bool is_spelled(const text& t) { return t.length <= text::capacity; }
  template <class Word> static constexpr bool is_word(Word w, int words) {
    return static_cast<int>(w) >= 0 && static_cast<int>(w) < words;
  }

  /// Members that belong to no statement: names have letters, extents are polynomials as `polynomial` writes them.
  constexpr rule members() const {
    bool ok = p.forward_outputs >= 0 && p.forward_outputs <= p.outputs.size();
    ok = ok && is_word(p.wrong, static_cast<int>(ir::mistake::is_said) + 1);
    for (const text& scope : p.scopes) ok = ok && is_spelled(scope);
    for (int k = 0; k < p.scope_sets.size() && ok; ++k) {  // the others come before, and so do their scopes
      const ir::scope_set& set = p.scope_sets[k];
      ok = set.last >= 0 && set.last < p.scopes.size() && set.others >= 0 && set.others <= k &&
           (set.others == 0 || p.scope_sets[set.others - 1].last < set.last);
    }
    for (const ir::input& in : p.inputs) ok = ok && is_spelled(in.name);
    for (const ir::output& o : p.outputs) ok = ok && is_spelled(o.name);
    for (const ir::label& l : p.names) ok = ok && is_spelled(l.name);
    for (const ir::tag& t : p.tags) ok = ok && is_spelled(t.name);
    for (const ir::decision& d : p.decisions) ok = ok && is_readable(d);
    ok = ok && are_decided_once();
    for (const ir::kind& k : p.kinds) ok = ok && is_spelled(k.name);
    for (const ir::polynomial& e : p.extents) ok = ok && is_canonical(e);
    return ok ? rule::none : rule::member_is_in_range;
  }
  /// A decision is one of the table's, about somebody it can be about; values are looked at with the other attachments.
  constexpr bool is_readable(const ir::decision& d) const {
    using ir::decided, ir::decided_of;
    if (!is_word(d.what, static_cast<int>(std::size(ir::decided_words))) || !is_word(d.whom, 4)) return false;
    if (d.whom == decided_of::scope && (d.at < 0 || d.at >= p.scopes.size())) return false;
    if (d.whom == decided_of::whole && d.at != -1) return false;
    constexpr std::int64_t most = std::int64_t(1) << 31;
    if ((d.whom == decided_of::pair) != (d.other != -1)) return false;
    if (d.what == decided::keep) return d.whom != decided_of::pair && d.number >= 0 && d.number < ways_of_keeping;
    if (d.what == decided::width) return d.whom != decided_of::pair && ir::is_width(d.number);
    if (ir::promises::is_promise(d)) return d.whom == decided_of::value && d.number == 0;
    if (ir::is_of_pairs(d.what)) return d.whom == decided_of::pair && d.number == 0;
    if (d.what == decided::overlaps) return d.whom == decided_of::scope && d.number == 1;
    if (d.whom == decided_of::scope && d.what == decided::merged_exchanges) return d.number >= 0 && d.number < most;
    if (d.whom != decided_of::whole) return false;
    if (d.what == decided::splits) return d.number == 0;
    if (d.what == decided::relations) return d.number == 0 || d.number == 1;
    return d.number > -most && d.number < most;
  }
  /// Of a scope, and of the whole, nothing is decided twice. Only of scopes that are there.
  constexpr bool are_decided_once() const {
    constexpr int words = static_cast<int>(std::size(ir::decided_words));
    ir::flags of_scope(p.decisions.empty() ? 0 : words * p.scopes.size(), 0);
    ir::flags of_whole(words, 0);
    bool once = true;
    for (const ir::decision& d : p.decisions) {
      if (d.whom == ir::decided_of::scope) once = once && of_scope[words * d.at + static_cast<int>(d.what)]++ == 0;
      if (d.whom == ir::decided_of::whole) once = once && of_whole[static_cast<int>(d.what)]++ == 0;
    }
    return once;
  }
  static constexpr int ways_of_keeping = static_cast<int>(keeping::inputs) + 1;

  static constexpr bool is_canonical(const ir::polynomial& e) {
    constexpr std::int64_t most = std::int64_t(1) << 31;  // so that sums and products of few fit
    if (e.count < 1 || e.count > ir::polynomial::max_terms) return false;
    for (int t = 0; t < e.count; ++t) {
      const ir::term& one = e.terms[t];
      if (one.coefficient == 0 || one.coefficient < -most || one.coefficient > most) return false;  // R[-2]: R - 2
      if (one.degree < 0 || one.degree > ir::term::max_factors) return false;
      for (int f = 0; f < one.degree; ++f)
        if (!is_spelled(one.factors[f]) || (f > 0 && one.factors[f].view() < one.factors[f - 1].view())) return false;
      if (t > 0 && !e.terms[t - 1].before(one)) return false;
    }
    return !e.is_integer();
  }

  /// Enumerators exist, and the shape can lie in memory; the meaning of statements is looked at afterwards.
  constexpr rule readable(const ir::statement& s) const {
    if (!is_word(s.code, ir::opcode_count) || !is_word(s.where.kind, 3)) return rule::member_is_in_range;
    if (!is_word(s.type, static_cast<int>(scalar_type::real))) return rule::member_is_in_range;
    if (s.dims.rank < 0 || s.dims.rank > ir::shape::max_rank) return rule::member_is_in_range;
    if (s.scopes < 0 || s.scopes > p.scope_sets.size()) return rule::member_is_in_range;
    constexpr std::int64_t most = std::int64_t(1) << 40;  // numbers of one row
    std::int64_t numbers = 1;
    for (int a = 0; a < s.dims.rank; ++a) {
      const ir::extent e = s.dims.axes[a];
      if (e.code == 0 || !is_extent(e) || (e.is_static() && e.code > most / numbers))
        return rule::shape_follows_from_operands;
      if (e.is_static()) numbers *= e.code;
    }
    return is_extent(s.over) && s.over.code <= most ? rule::none : rule::shape_follows_from_operands;
  }
  /// Exactly the settings that an operation's attribute, axis and number stand for are present (ir/fields.hpp).
  constexpr rule settings(const ir::statement& s) {
    if (!ir::members_of(s.code).allow(s)) return rule::member_is_in_range;
    if (ir::attribute_is_extent(s.code) && !is_extent(ir::extent_of(s))) return rule::shape_follows_from_operands;
    if (ir::applies_own(s.code))
      return ir::operation_name(s.operation()).length > 0 ? rule::none : rule::member_is_in_range;
    if (s.code != opcode::keep_mask) return rule::none;
    if (!ir::names_one_of(s, most_sites) || !(s.drop_probability() >= 0 && s.drop_probability() < 1))
      return rule::member_is_in_range;
    return draws_up_to(s.site() + 1);
  }
  /// Whether a pointwise operation is there for the type of its operands.
  constexpr bool takes_types(const ir::statement& s, const op::info& known) const {
    if (known.kind != op::category::pointwise) return true;
    return op::takes(known.types, p.operand(s, s.code == opcode::select ? 1 : 0).type);
  }
  /// Sites are numbered by int, and calls count theirs on from the ones before.
  static constexpr std::int64_t most_sites = std::numeric_limits<int>::max() / 4;
  constexpr rule draws_up_to(std::int64_t end) {
    if (end > sites) sites = end;
    return end <= most_sites ? rule::none : rule::member_is_in_range;
  }
  /// A count, kept as a number in statements.
  static constexpr bool counts(double x, std::int64_t most) {
    return x >= 0 && x <= static_cast<double>(most) && x == static_cast<double>(static_cast<std::int64_t>(x));
  }

  // ---- vertex sets and relations ----

  /// A relation joins two vertex sets, and one name stands for one of both.
  constexpr rule kinds() const {
    for (int k = 0; k < p.kinds.size(); ++k) {
      const ir::kind& here = p.kinds[k];
      if (here.is_relation() ? !is_set(here.source) || !is_set(here.destination) : here.destination != ir::kind::no_set)
        return rule::spaces_agree;
      for (int other = 0; other < k; ++other)
        if (p.kinds[other].name == here.name) return rule::one_name_has_one_kind;
    }
    return rule::none;
  }
  constexpr bool is_set(std::int64_t number) const {
    return number > 0 && number <= p.kinds.size() && !p.kinds[number - 1].is_relation();
  }
  constexpr bool is_relation(std::int64_t number) const {
    return number > 0 && number <= p.kinds.size() && p.kinds[number - 1].is_relation();
  }
  /// Vertex values are of a set, edge values of a relation; a plain program has none, and the graph is one.
  constexpr rule lives_somewhere(const ir::statement& s) const {
    const int set = s.where.set;
    const std::int64_t other = s.code == opcode::degree         ? s.relation()
                               : s.code == opcode::vertex_count ? s.counted_set()
                                                                : 0;
    if (s.where == ir::space::graph && set != 0) return rule::spaces_agree;
    if (p.kinds.empty()) return set == 0 && other == 0 ? rule::none : rule::spaces_agree;
    if (s.where == ir::space::graph && s.code != opcode::vertex_count) return rule::none;
    if ((set == 0 && s.where != ir::space::graph) || (set == 0 && other == 0)) return rule::plain_values_stand_alone;
    if (s.where == ir::space::vertex && !is_set(set)) return rule::spaces_agree;
    if (s.where == ir::space::edge && !is_relation(set)) return rule::spaces_agree;
    if (s.code == opcode::vertex_count && !is_set(other)) return rule::spaces_agree;
    if (s.code == opcode::degree && !is_relation(other)) return rule::spaces_agree;
    return rule::none;
  }

  constexpr bool is_extent(ir::extent e) const {
    return e.is_static() || e.code >= -static_cast<std::int64_t>(p.extents.size());
  }

  const ir::program& p;
  std::int64_t sites = 0;  // random numbers are drawn at so many, at most
};

}  // namespace stg::pass::detail
