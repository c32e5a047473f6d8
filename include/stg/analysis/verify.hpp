// verify: finds the first rule that a program breaks. Runs after every pass in tests, and on users' traces.
//
// A pass that goes wrong shows here, beside the statement that it wrote, and not as a wrong number three passes later.
// Nothing is thrown, so a finding can be a template argument and its enumerator's name the message. Conditions under
// which `infer` would throw are checked before `infer` is called; `infer` alone knows the result.
#pragma once

#include <cstdint>  // int64_t
#include <limits>   // numeric_limits

#include <stg/base/name_table.hpp>           // name_table
#include <stg/base/sequence.hpp>             // sequence
#include <stg/ir/callees.hpp>                // arguments_of
#include <stg/ir/program.hpp>                // program
#include <stg/op/list.hpp>                   // info_of, rule
#include <stg/analysis/verify_members.hpp>   // member_verifier
#include <stg/analysis/verify_operands.hpp>  // operand_verifier

namespace stg::pass {

/// The first broken rule and its statement; no statement where an output or a check is wrong.
struct finding {
  op::rule what = op::rule::none;
  ir::value_id at = ir::no_value;
  constexpr bool operator==(const finding&) const = default;
};

namespace detail {

class verifier : member_verifier {
 public:
  constexpr explicit verifier(const ir::program& of) : member_verifier(of) {}

  constexpr finding run() {
    for (const op::rule known : {members(), kinds()})
      if (known != op::rule::none) return found(known);
    sequence<ir::value_id> first_use(p.inputs.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const op::rule broken = statement(i, first_use);
      if (broken != op::rule::none) return found(broken, i);
    }
    for (int k = 0; k < p.callees.size(); ++k)  // nothing may call it
      if (const op::rule inside = called(k); inside != op::rule::none) return found(inside);
    return attachments();
  }

 private:
  static constexpr finding found(rule what, ir::value_id at = ir::no_value) {
    finding f;
    f.what = what;
    f.at = at;
    return f;
  }
  constexpr bool is_value(ir::value_id at) const { return at >= 0 && at < p.size(); }

  // ---- one statement ----

  constexpr rule statement(ir::value_id i, sequence<ir::value_id>& first_use) {
    const ir::statement& s = p[i];
    if (const rule unread = readable(s); unread != rule::none) return unread;
    const op::info& known = op::info_of(s.code);
    for (int k = 0; k < ir::statement::max_operands; ++k) {
      if ((s.operands[k] != ir::no_value) != (k < known.arity)) return rule::operand_count_is_right;
      if (k < known.arity && (s.operands[k] < 0 || s.operands[k] >= i)) return rule::operand_is_defined_before_use;
    }
    if (!takes_types(s, known)) return rule::scalar_types_agree;
    const op::rule set = settings(s);
    if (set != rule::none) return set;
    const op::rule lives = lives_somewhere(s);
    if (lives != rule::none) return lives;
    const op::rule steps = sequences(s, known);
    if (steps != rule::none) return steps;
    const bool of_type = s.code == ir::opcode::constant || is_real(s.type);  // a slope beside integers: said elsewhere
    if (of_type && !holds(s.type, s.real())) return rule::number_is_of_its_type;
    for (int k = 0; k < s.arity(); ++k)
      if (is_sparse(s.operands[k]) != (k == 0 && ir::is_sparse_product(s)) && !(s.code == opcode::bind && k == 1))
        return rule::sparse_input_is_multiplied;
    if (s.code == opcode::input) return input(i, first_use);
    if (known.kind == op::category::source) return source(s);
    if (known.kind == op::category::call) return call(s);
    const rule broken = operand_verifier(p).run(s, known);
    if (broken != rule::none) return broken;
    if (ir::is_message(s.code) && !follows_messages(i)) return rule::messages_keep_their_order;
    ir::statement inferred = s;
    known.infer(p, inferred);
    if (inferred.where != s.where) return rule::spaces_agree;
    if (inferred.type != s.type) return rule::scalar_types_agree;
    if (!(inferred.dims == s.dims)) return rule::shape_follows_from_operands;
    return known.wrong_shape(p, s);
  }

  /// Of a message: whether it stands behind the last one before it.
  constexpr bool follows_messages(ir::value_id i) {
    const ir::value_id before = last_message;
    last_message = i;
    return before == ir::no_value || p[i].operands[p[i].arity() - 1] == before;
  }

  /// Sparse inputs are left operands of sparse products, and nothing else is.
  constexpr bool is_sparse(ir::value_id at) const {
    return p[at].code == opcode::input && ir::names_one_of(p[at], p.inputs.size()) && p.inputs[p[at].entry()].sparse;
  }

  /// One input is read with one space, type and shape, and no other goes by its name.
  constexpr rule input(ir::value_id i, sequence<ir::value_id>& first_use) {
    const ir::statement& s = p[i];
    if (!ir::names_one_of(s, p.inputs.size())) return rule::one_name_has_one_shape;
    const ir::input& in = p.inputs[s.entry()];
    if ((in.sparse || in.trainable) && !is_real(s.type)) return rule::scalar_types_agree;
    if (in.sparse && (s.where != ir::space::vertex || s.is_sequence())) return rule::sparse_input_is_multiplied;
    if (in.sparse && s.dims.rank != 1) return rule::shape_follows_from_operands;
    ir::value_id& first = first_use[s.entry()];
    if (first != ir::no_value)
      return p[first].where == s.where && p[first].type == s.type && p[first].dims == s.dims && p[first].over == s.over
                 ? rule::none
                 : rule::one_name_has_one_shape;
    first = i;
    const text& name = p.inputs[s.entry()].name;
    if (name.length == 0) return rule::none;  // a value saved for the gradient
    const auto name_at = [this](int at) -> const text& { return p.inputs[p[read.first[at]].entry()].name; };
    if (names_read.find(name, name_at) >= 0) return rule::one_name_has_one_shape;
    names_read.add(name, name_at);
    read.push_back(i);
    return rule::none;
  }

  /// Sources state their own domain, type and shape; structure of the graph can live in one place only.
  constexpr rule source(const ir::statement& s) const {
    const bool random = s.code == opcode::keep_mask;
    const ir::space where = s.code == opcode::degree || s.code == opcode::vertex_index ? ir::space::vertex
                            : s.code == opcode::edge_index                             ? ir::space::edge
                                                                                       : ir::space::graph;
    if (random ? s.where == ir::space::graph : s.where != where) return rule::spaces_agree;
    if (s.code == opcode::degree && s.where.set != p.owner_set(s.relation(), s.side())) return rule::spaces_agree;
    if (random && !is_real(s.type)) return rule::scalar_types_agree;
    if (!random && s.dims.rank != (s.code == opcode::iota ? 1 : 0)) return rule::shape_follows_from_operands;
    return rule::none;
  }

  /// Whether a number is one of a type, rounded if the type has fractions. Infinities and NaN are real numbers here.
  static constexpr bool holds(scalar_type type, double x) {
    constexpr double most = 3.4028235677973366e38;  // half a step beyond the largest float: from there on it is ∞
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const bool is_infinite = x == infinite || x == -infinite;
    if (type == scalar_type::boolean) return x == 0 || x == 1;
    if (type == scalar_type::i32)
      return x >= -2147483648.0 && x <= 2147483647.0 && x == static_cast<double>(static_cast<std::int64_t>(x));
    return type == scalar_type::f64 || x != x || is_infinite || (x < most && x > -most);
  }

  // ---- scans ----

  /// Values for each step are inputs and results of scans; only scans read them, and a reshape, of the graph's.
  constexpr rule sequences(const ir::statement& s, const op::info& known) const {
    const bool reshapes = ir::is_view(s) && s.where == ir::space::graph;
    const bool may_be = s.code == opcode::input || s.code == opcode::result || reshapes || ir::is_scan(s.code);
    if (s.is_sequence() != may_be && !(may_be && !ir::is_scan(s.code))) return rule::steps_stay_in_scans;
    for (int k = 0; k < known.arity; ++k)
      if (p.operand(s, k).is_sequence() && s.code != opcode::bind && s.code != opcode::result && !reshapes &&
          !ir::is_scan(p.operand(s, k).code))
        return rule::steps_stay_in_scans;
    for (int k = 0; k < known.arity; ++k) {
      const opcode x = p.operand(s, k).code;
      const bool wants_part = (known.kind == op::category::call && k == 0) || s.code == opcode::scan_gradient;
      if (ir::is_part_of_scan(x) != wants_part) return rule::operand_count_is_right;
    }
    return rule::none;
  }

  constexpr rule call(const ir::statement& s) {
    if (s.code == opcode::bind) {
      const opcode list = p.operand(s, 0).code;
      return list == opcode::arguments || list == opcode::bind ? rule::none : rule::operand_count_is_right;
    }
    if (s.code == opcode::result) {
      const ir::statement& from = p.operand(s, 0);
      if (from.code == opcode::own_gradient) {
        if (!ir::names_one_of(s, from.outputs())) return rule::operand_count_is_right;
        const ir::statement& x = p[ir::arguments_of(p, from)[s.output()]];
        return is_like(s, x) ? rule::none : rule::shape_follows_from_operands;
      }
      if (!ir::is_scan(from.code) || !ir::names_one_of(s, given_by(p.callees[from.callee()])))
        return rule::operand_count_is_right;
      ir::statement inferred = s;
      op::info_of(s.code).infer(p, inferred);
      return inferred.where == s.where && inferred.type == s.type && inferred.dims == s.dims && inferred.over == s.over
                 ? rule::none
                 : rule::shape_follows_from_operands;
    }
    return s.code == opcode::own_gradient ? own_gradient(s) : steps(s);
  }
  /// Outputs of a step that a scan gives; outputs that a gradient's step gives forwards are read within it alone.
  static constexpr int given_by(const ir::program& step) { return step.outputs.size() - step.forward_outputs; }
  /// A called program, once for all calls: its extents are the first ones of this one's, its kinds the same.
  constexpr rule called(int callee) {
    if (called_sites.empty()) called_sites.assign(p.callees.size(), -1);
    if (called_sites[callee] >= 0) return rule::none;
    const ir::program& c = p.callees[callee];
    for (int k = 0; k < c.extents.size(); ++k)
      if (k >= p.extents.size() || !(c.extents[k] == p.extents[k])) return rule::shape_follows_from_operands;
    if (!(c.kinds == p.kinds)) return rule::one_name_has_one_kind;
    verifier inner(c);
    const finding inside = inner.run();
    called_sites[callee] = inner.sites;
    if (inside.what == rule::none && inner.last_message != ir::no_value) return rule::messages_keep_their_order;
    return inside.what;
  }
  static constexpr bool is_like(const ir::statement& a, const ir::statement& b) {
    return a.where == b.where && a.type == b.type && a.dims == b.dims && a.over == b.over;
  }
  /// A program that takes a cotangent for each real value of the list's first, then the others, and gives gradients.
  constexpr rule own_gradient(const ir::statement& s) {
    const opcode list_of = p.operand(s, 0).code;
    if (list_of != opcode::arguments && list_of != opcode::bind) return rule::operand_count_is_right;
    if (!ir::has_callee(s))
      return s.real() == 1 && ir::arguments_of(p, s).size() == 2 ? rule::none : rule::operand_count_is_right;
    if (!ir::names_one_of(s, p.callees.size())) return rule::operand_count_is_right;
    const ir::program& g = p.callees[s.callee()];
    const sequence<ir::value_id> list = ir::arguments_of(p, s);
    if (!counts(s.real(), list.size())) return rule::operand_count_is_right;
    const int outputs = s.outputs();
    const rule inside = called(s.callee());
    if (inside != rule::none) return inside;
    sequence<ir::value_id> given, real;
    for (int k = 0; k < list.size(); ++k) {
      const bool is_differentiated = is_differentiable(p[list[k]].type);
      if (k >= outputs || is_differentiated) given.push_back(list[k]);
      if (k >= outputs && is_differentiated) real.push_back(list[k]);
    }
    if (given.size() != g.inputs.size() || g.outputs.size() > real.size()) return rule::operand_count_is_right;
    for (const ir::statement& in : g.statements)
      if (in.code == opcode::input && !is_like(in, p[given[in.entry()]])) return rule::shape_follows_from_operands;
    for (int k = 0; k < g.outputs.size(); ++k)
      if (!is_like(g[g.outputs[k].at], p[real[k]])) return rule::shape_follows_from_operands;
    return rule::none;
  }
  constexpr rule steps(const ir::statement& s) {
    if (!ir::names_one_of(s, p.callees.size())) return rule::operand_count_is_right;
    if (s.code == opcode::scan_gradient && !ir::is_scan(p.operand(s, 1).code)) return rule::operand_count_is_right;
    if (const rule inside = called(s.callee()); inside != rule::none) return inside;
    const ir::program& step = p.callees[s.callee()];
    if (!counts(s.real(), given_by(step)) || !counts(s.real(), step.inputs.size())) return rule::operand_count_is_right;
    const int carried = s.carried();
    if (ir::is_call(s) && (carried != 0 || !(s.over == ir::extent(1)))) return rule::operand_count_is_right;
    if (step.checks.size() != 0) return rule::output_is_a_value;
    if (s.code == opcode::scan && step.forward_outputs != 0) return rule::operand_count_is_right;
    const std::int64_t drawn = called_sites[s.callee()];
    if (const rule draws = draws_up_to(ir::is_call(s) && drawn > 0 ? drawn + ir::first_site(s) : drawn);
        draws != rule::none)
      return draws;
    sequence<ir::value_id> given(step.inputs.size(), ir::no_value);
    int left = step.inputs.size();
    ir::value_id at = s.operands[0];
    for (; p[at].code == opcode::bind; at = p[at].operands[0]) {
      if (--left < 0) return rule::operand_count_is_right;
      given[left] = p[at].operands[1];
    }
    if (left != 0 || p[at].code != opcode::arguments) return rule::operand_count_is_right;
    for (const ir::statement& in : step.statements) {
      if (in.code != opcode::input) continue;
      const ir::statement& x = p[given[in.entry()]];
      if (in.where != x.where) return rule::spaces_agree;
      if (in.type != x.type) return rule::scalar_types_agree;
      if (step.inputs[in.entry()].sparse != is_sparse(given[in.entry()])) return rule::sparse_input_is_multiplied;
      if (!(in.dims == x.dims)) return rule::shape_follows_from_operands;
      const bool each = !ir::is_call(s) && x.over == s.over && !in.is_sequence() && in.entry() >= carried;
      if (!(x.over == in.over) && !each) return rule::steps_stay_in_scans;
    }
    for (int k = 0; k < carried; ++k) {
      const ir::statement& x = p[given[k]];
      const ir::statement& y = step[step.outputs[k].at];
      if (x.where != y.where) return rule::spaces_agree;
      if (x.type != y.type) return rule::scalar_types_agree;
      if (!(x.dims == y.dims)) return rule::shape_follows_from_operands;
      if (!(x.over == y.over)) return rule::steps_stay_in_scans;
    }
    for (int k = carried; k < step.outputs.size() && !ir::is_call(s); ++k)  // a call's results have no further axis
      if (step[step.outputs[k].at].is_sequence()) return rule::steps_stay_in_scans;
    return s.code == opcode::scan_gradient ? repeats(s, given) : rule::none;
  }
  /// The step of a gradient has the inputs of the step it repeats behind its carried values, and in its last outputs
  /// the first of the repeated step's. It gets the values that a step began with from the scan, which collects them.
  constexpr rule repeats(const ir::statement& s, const sequence<ir::value_id>& given) const {
    const ir::statement& scan = p.operand(s, 1);
    const ir::program &step = p.callees[s.callee()], &repeated = p.callees[scan.callee()];
    const sequence<ir::value_id> reads = ir::arguments_of(p, scan);
    const int carried = s.carried(), results = step.forward_outputs;
    if (ir::is_call(s) != ir::is_call(scan) || given.size() < carried + reads.size() ||
        results > repeated.outputs.size())
      return rule::gradient_repeats_its_scan;
    for (int e = 0; e < reads.size(); ++e) {
      const ir::value_id x = given[carried + e];
      if (x != reads[e] && !(e < scan.carried() && begins_with(s.operands[1], repeated, x, e)))
        return rule::gradient_repeats_its_scan;
    }
    for (int k = 0; k < results; ++k)
      if (!is_like(step[step.outputs[step.outputs.size() - results + k].at], repeated[repeated.outputs[k].at]))
        return rule::gradient_repeats_its_scan;
    return rule::none;
  }
  /// Whether x is the scan's collected carried value that its steps begin with.
  constexpr bool begins_with(ir::value_id scan, const ir::program& step, ir::value_id x, int carried) const {
    if (p[x].code != opcode::result || p[x].operands[0] != scan) return false;
    const ir::statement& begun = step[step.outputs[p[x].output()].at];
    return begun.code == opcode::input && begun.entry() == carried;
  }

  // ---- attachments of values ----

  constexpr finding attachments() const {
    for (const ir::output& o : p.outputs) {
      if (!is_value(o.at) || ir::is_part_of_scan(p[o.at].code)) return found(rule::output_is_a_value);
      if (is_sparse(o.at)) return found(rule::sparse_input_is_multiplied, o.at);
    }
    name_table known;
    sequence<ir::value_id> named;  // and its meaning
    sequence<text> names;
    const auto name_at = [&](int at) -> const text& { return names[at]; };
    for (const ir::label& l : p.names) {
      if (!is_value(l.at)) return found(rule::output_is_a_value);
      const int at = known.find(l.name, name_at);
      if (at >= 0 && named[at] != l.at) return found(rule::one_label_names_one_value, l.at);
      if (at >= 0) continue;
      known.add(l.name, name_at);
      names.push_back(l.name);
      named.push_back(l.at);
    }
    for (const ir::tag& t : p.tags) {
      if (!is_value(t.at)) return found(rule::output_is_a_value);
      if (!has_axis(p[t.at], t.axis)) return found(rule::tag_is_on_an_axis, t.at);
    }
    for (const ir::decision& d : p.decisions)
      if (d.is_of_values() && (!is_value(d.at) || (d.other != ir::no_value && !is_value(d.other))))
        return found(rule::output_is_a_value);
    for (const ir::label_range& c : p.checks) {
      if (!is_value(c.labels) || (c.mask != ir::no_value && !is_value(c.mask))) return found(rule::output_is_a_value);
      if (c.classes.code == 0 || !is_extent(c.classes)) return found(rule::shape_follows_from_operands, c.labels);
      if (p[c.labels].type == scalar_type::boolean && c.mask == ir::no_value) continue;
      if (p[c.labels].type != scalar_type::i32) return found(rule::scalar_types_agree, c.labels);
      if (c.mask == ir::no_value) continue;
      if (p[c.mask].type != scalar_type::boolean) return found(rule::scalar_types_agree, c.mask);
      if (p[c.mask].where != p[c.labels].where) return found(rule::spaces_agree, c.mask);
    }
    return finding();
  }

  static constexpr bool has_axis(const ir::statement& s, int axis) {
    if (axis == ir::tag::rows) return s.where != ir::space::graph;
    if (axis == ir::tag::steps) return s.is_sequence();
    return axis == ir::tag::whole || (axis >= 0 && axis < s.dims.rank);
  }

  name_table names_read{};
  sequence<ir::value_id> read{};          // an input that goes by each of these names
  sequence<std::int64_t> called_sites{};  // of each called program checked so far; -1: not yet
  ir::value_id last_message = ir::no_value;
};

}  // namespace detail

/// finding() when the program keeps every rule. Linear in statements and names.
///
///   static_assert(stg::pass::verify(stg::trace(gat)).what == stg::op::rule::none);
constexpr finding verify(const ir::program& p) { return detail::verifier(p).run(); }

}  // namespace stg::pass
