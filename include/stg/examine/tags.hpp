// Tags of values and axes: looked up, counted, and spread to the same axes of other values.
#pragma once

#include <stg/base/name_table.hpp>           // name_table
#include <stg/base/sequence.hpp>             // sequence
#include <stg/examine/walk.hpp>              // node_of, each_program
#include <stg/ir/attachments.hpp>            // carry_labels
#include <stg/ir/callees.hpp>                // arguments_of
#include <stg/ir/program.hpp>                // program, tag
#include <stg/op/list.hpp>                   // info_of
#include <stg/analysis/scan_dependence.hpp>  // inputs_by_entry

namespace stg::examine {

/// The tags of a value and of its axes, in the order of the program. Throws value_is_unknown.
constexpr sequence<ir::tag> tags_of(const ir::program& p, ir::value_id at) {
  node_of(p, at);
  sequence<ir::tag> found;
  for (const ir::tag& t : p.tags)
    if (t.at == at) found.push_back(t);
  return found;
}
/// The values that have a tag, or an axis with it, in the order of the program, each once.
constexpr sequence<ir::value_id> values_tagged(const ir::program& p, const text& name) {
  ir::flags has(p.size(), 0);
  for (const ir::tag& t : p.tags)
    if (t.name == name) has[t.at] = 1;
  sequence<ir::value_id> found;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (has[i]) found.push_back(i);
  return found;
}

/// How many values have a tag, and how many axes.
struct tag_count {
  text name{};
  int values = 0, axes = 0;
  constexpr bool operator==(const tag_count&) const = default;
};
/// For each tag of a program and of its steps, the count, in the order of their first mention. Linear.
constexpr sequence<tag_count> counts_of_tags(const ir::program& p) {
  sequence<tag_count> counts;
  name_table known;
  const auto name_at = [&](int at) -> const text& { return counts[at].name; };
  each_program(p, [&](const ir::program& q) {
    for (const ir::tag& t : q.tags) {
      int at = known.find(t.name, name_at);
      if (at < 0) {
        at = counts.size();
        known.add(t.name, name_at);
        counts.push_back({t.name});
      }
      ++(t.axis == ir::tag::whole ? counts[at].values : counts[at].axes);
    }
  });
  return counts;
}

/// The tags that spread_tags takes along, and the statements that it does not pass.
struct spreading {
  sequence<text> names{};    // of tags; none: all
  sequence<text> ignored{};  // axes with one of these tags lead to no other axis
};

namespace detail {

/// Axes of all values of a program and its steps, numbered, with equal axes joined: a forest in which a root stands for
/// all axes of its tree.
class axis_finder {
 public:
  static constexpr int of_value = ir::shape::max_rank + 2;  // feature axes, rows, steps

  constexpr axis_finder(const ir::program& p, const spreading& asked) : how(asked) {
    number(p);
    parent = sequence<int>(count);
    for (int a = 0; a < count; ++a) parent[a] = a;
    ignored = ir::flags(count, 0);
    int next = 0;
    each_program(p, [&](const ir::program& q) { ignore(q, first[next++]); });
    next = 0;
    join_program(p, next);
  }

  /// The program with the tags of each axis on all axes joined with it.
  constexpr ir::program run(const ir::program& p) {
    list_of.assign(count, -1);
    int next = 0;
    each_program(p, [&](const ir::program& q) {
      const int base = first[next++];
      for (const ir::tag& t : q.tags)
        if (t.axis != ir::tag::whole && is_asked(t.name)) add(root(axis_at(base, t.at, t.axis)), t.name);
    });
    next = 0;
    return tagged(p, next);
  }

 private:
  static constexpr int axis_at(int base, ir::value_id i, int axis) {
    const int place = axis == ir::tag::rows    ? ir::shape::max_rank
                      : axis == ir::tag::steps ? ir::shape::max_rank + 1
                                               : axis;
    return base + of_value * i + place;
  }
  static constexpr int axis_of(int place) {
    return place == ir::shape::max_rank ? ir::tag::rows : place > ir::shape::max_rank ? ir::tag::steps : place;
  }
  static constexpr bool has(const ir::statement& s, int place) {
    if (place == ir::shape::max_rank) return s.where != ir::space::graph;
    return place > ir::shape::max_rank ? s.is_sequence() && !ir::is_scan(s.code) : place < s.dims.rank;
  }
  static constexpr bool is_among(const sequence<text>& all, const text& name) {
    for (const text& one : all)
      if (one == name) return true;
    return false;
  }
  constexpr bool is_asked(const text& name) const {
    return !is_among(how.ignored, name) && (how.names.empty() || is_among(how.names, name));
  }
  constexpr void add(int root, const text& name) {
    if (list_of[root] < 0) {
      list_of[root] = lists.size();
      lists.push_back({});
    }
    sequence<text>& names = lists[list_of[root]];
    if (!is_among(names, name)) names.push_back(name);
  }

  constexpr void number(const ir::program& p) {
    each_program(p, [&](const ir::program& q) {
      first.push_back(count);
      count += of_value * q.size();
    });
  }
  constexpr void ignore(const ir::program& p, int base) {
    for (const ir::tag& t : p.tags)
      if (t.axis != ir::tag::whole && is_among(how.ignored, t.name)) ignored[axis_at(base, t.at, t.axis)] = 1;
  }

  constexpr int root(int a) {
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    return a;
  }
  constexpr void join(int a, int b) {
    if (ignored[a] || ignored[b]) return;
    a = root(a);
    b = root(b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
  }

  /// Two values of the same program.
  struct pair {
    const ir::statement *of, *to;
    int first, second;  // their first axes
  };
  constexpr void join_axis(const pair& x, int a, int b) { join(x.first + a, x.second + b); }
  constexpr void join_rows(const pair& x) {
    if (x.of->where == x.to->where && x.of->where != ir::space::graph)
      join_axis(x, ir::shape::max_rank, ir::shape::max_rank);
  }
  constexpr void join_steps(const pair& x) {
    if (x.of->is_sequence() && x.to->is_sequence()) join_axis(x, ir::shape::max_rank + 1, ir::shape::max_rank + 1);
  }
  /// Joins axes as broadcasting lines them up: from the right, if neither is repeated along the other.
  constexpr void join_features(const pair& x) {
    const ir::shape &a = x.of->dims, &b = x.to->dims;
    for (int k = 0; k < a.rank && k < b.rank; ++k)
      if (a.from_right(k) == b.from_right(k)) join_axis(x, a.rank - 1 - k, b.rank - 1 - k);
  }
  /// As far as both are cut at the same places: (4, 6) and (4, 2, 3) share the first.
  constexpr void join_reshaped(const ir::program& p, const pair& x) {
    const ir::shape &a = x.of->dims, &b = x.to->dims;
    for (int i = 0, j = 0; i < a.rank && j < b.rank;) {
      if (a.axes[i].is_one() != b.axes[j].is_one()) {  // an axis of one place comes and goes
        ++(a.axes[i].is_one() ? i : j);
        continue;
      }
      ir::polynomial left = p.polynomial_of(a.axes[i]), right = p.polynomial_of(b.axes[j]);
      const int from = i, other = j;
      while (!(left == right)) {
        const bool more_left =
            j + 1 == b.rank ||
            (i + 1 < a.rank && (!left.is_integer() || !right.is_integer() || left.integer() < right.integer()));
        if (more_left ? i + 1 == a.rank : j + 1 == b.rank) return;
        if (more_left) left = left * p.polynomial_of(a.axes[++i]);
        else right = right * p.polynomial_of(b.axes[++j]);
        if (!left.fits() || !right.fits()) return;
      }
      if (from == i && other == j) join_axis(x, i, j);
      ++i, ++j;
    }
  }

  constexpr void join_operand(const ir::program& p, const pair& x, int k) {
    const ir::statement& s = *x.of;
    const op::category kind = op::info_of(s.code).kind;
    const int last = s.dims.rank - 1;
    if (kind == op::category::call) return;
    if (kind == op::category::dense) return join_product(x, k);
    if (s.code == ir::opcode::scatter_sum) {
      for (int a = 1; k == 0 && a <= last; ++a) join_axis(x, a, a - 1);
      return;
    }
    join_rows(x);
    join_steps(x);
    if (s.code == ir::opcode::reshape) return join_reshaped(p, x);
    if (s.code == ir::opcode::pick || s.code == ir::opcode::put) {
      const int shift = s.code == ir::opcode::pick ? 1 : -1;
      for (int a = 0; k == 0 && a <= last; ++a)
        if (a + shift >= 0) join_axis(x, a, a + shift);
      return;
    }
    if (s.code == ir::opcode::transpose) {
      const int other = s.other_axis();
      for (int a = 0; a <= last; ++a)
        join_axis(x, a, a == s.swapped_axis() ? other : a == other ? s.swapped_axis() : a);
      return;
    }
    const bool moves = s.code == ir::opcode::concat || s.code == ir::opcode::slice || s.code == ir::opcode::pad;
    const std::int64_t reduced = kind == op::category::feature && !moves ? s.axes() : 0;
    if (!moves && reduced == 0) return join_features(x);
    for (int a = 0; a <= last; ++a)
      if (moves ? a != s.part_axis() : (reduced >> a & 1) == 0) join_axis(x, a, a);
  }
  /// x (…, k) × W (k, m), and xᵀ g of both.
  constexpr void join_product(const pair& x, int k) {
    const ir::statement &s = *x.of, &o = *x.to;
    const int last = s.dims.rank - 1, others = o.dims.rank - 1;
    if (s.where == ir::space::graph) {
      if (k < 2) join_axis(x, k, others);
    } else if (k == 0) {
      join_rows(x);
      for (int a = 0; a < last; ++a) join_axis(x, a, a);
    } else if (k == 1) {
      join_axis(x, last, s.is_transposed() ? 0 : 1);
    }
  }

  constexpr void join_program(const ir::program& p, int& next) {
    const int mine = first[next++];
    sequence<int> step_first, step_inputs;
    sequence<sequence<ir::value_id>> passed(p.size());  // to callees
    sequence<sequence<ir::value_id>> entries;
    for (const ir::program& c : p.callees) {
      step_first.push_back(first[next]);
      entries.push_back(pass::inputs_by_entry(c));
      join_program(c, next);
    }
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const ir::statement& s = p[i];
      const auto beside = [&](ir::value_id o) { return pair{&s, &p[o], mine + of_value * i, mine + of_value * o}; };
      if (ir::is_scan(s.code) || s.code == ir::opcode::own_gradient) passed[i] = ir::arguments_of(p, s);
      if (ir::is_scan(s.code)) {
        const int called = s.callee();
        join_step(p, mine, i, step_first[called], entries[called], passed[i]);
      } else if (s.code == ir::opcode::result) {
        const ir::statement& from = p.operand(s, 0);
        if (from.code == ir::opcode::own_gradient) {
          join_equal(beside(passed[s.operands[0]][s.output()]));
        } else {
          const int called = from.callee();
          const ir::value_id o = p.callees[called].outputs[s.output()].at;
          join_equal({&s, &p.callees[called][o], mine + of_value * i, step_first[called] + of_value * o});
          if (!p.callees[called][o].is_sequence()) join_with_steps(s, mine, i, s.operands[0]);
        }
      } else {
        for (int k = 0; k < s.arity(); ++k) join_operand(p, beside(s.operands[k]), k);
        if (s.code == ir::opcode::matmul || ir::is_sparse_product(s)) join_contracted(p, i, mine);
        else if (s.code == ir::opcode::reduced_matmul) join_others(p, i, mine);
        else if (s.code == ir::opcode::scatter_sum) join_rows(operands_of(p, i, mine));
      }
    }
  }
  /// A step's inputs have the tags of the scan's arguments; a carried input has those of the output before it.
  constexpr void join_step(const ir::program& p, int mine, ir::value_id scan, int theirs,
                           const sequence<ir::value_id>& entries, const sequence<ir::value_id>& given) {
    const ir::program& step = p.callees[p[scan].callee()];
    for (int e = 0; e < given.size(); ++e) {
      if (entries[e] == ir::no_value) continue;
      const ir::statement &in = step[entries[e]], &outside = p[given[e]];
      const int from = theirs + of_value * entries[e];
      join_equal({&in, &outside, from, mine + of_value * given[e]});
      if (!in.is_sequence()) join_with_steps(outside, mine, given[e], scan);
      if (e < p[scan].carried())
        join_equal({&in, &step[step.outputs[e].at], from, theirs + of_value * step.outputs[e].at});
    }
  }
  /// Statements with a value for each step of a scan. The scan itself, which has no axes, stands for its steps.
  constexpr void join_with_steps(const ir::statement& s, int mine, ir::value_id i, ir::value_id scan) {
    constexpr int steps = ir::shape::max_rank + 1;
    if (s.is_sequence()) join(mine + of_value * i + steps, mine + of_value * scan + steps);
  }
  constexpr void join_equal(const pair& x) {
    for (int a = 0; a < x.of->dims.rank; ++a) join_axis(x, a, a);
    join_rows(x);
    join_steps(x);
  }
  /// The contracted axis of a product is one in both operands.
  constexpr void join_contracted(const ir::program& p, ir::value_id i, int mine) {
    const ir::statement &s = p[i], &x = p.operand(s, 0), &w = p.operand(s, 1);
    if (s.where == ir::space::graph) return;
    const int summed = s.code == ir::opcode::matmul && s.is_transposed() ? 1 : 0;  // in W
    if (w.dims.rank == 2)
      join(mine + of_value * s.operands[0] + x.dims.rank - 1, mine + of_value * s.operands[1] + summed);
  }
  constexpr void join_others(const ir::program& p, ir::value_id i, int mine) {
    const pair both = operands_of(p, i, mine);
    join_rows(both);
    for (int a = 0; a + 1 < both.of->dims.rank; ++a) join_axis(both, a, a);
  }
  static constexpr pair operands_of(const ir::program& p, ir::value_id i, int mine) {
    const ir::statement& s = p[i];
    return {&p.operand(s, 0), &p.operand(s, 1), mine + of_value * s.operands[0], mine + of_value * s.operands[1]};
  }

  constexpr ir::program tagged(const ir::program& p, int& next) {
    const int mine = first[next++];
    ir::program q = p;
    sequence<ir::tag> more;
    sequence<ir::value_id> same;
    for (ir::value_id i = 0; i < p.size(); ++i) {
      same.push_back(i);
      for (int place = 0; place < of_value; ++place) {
        const int axis = mine + of_value * i + place, list = list_of[root(axis)];
        if (list < 0 || ignored[axis] || !has(p[i], place)) continue;
        for (const text& name : lists[list]) more.push_back({name, i, axis_of(place)});
      }
    }
    ir::carry_labels(more, q.tags, same);
    for (int k = 0; k < q.callees.size(); ++k) q.callees[k] = tagged(p.callees[k], next);
    return q;
  }

  const spreading& how;
  int count = 0;
  sequence<int> first{};  // of each program, in the order of each_program, its first axis
  sequence<int> parent{};
  ir::flags ignored{};
  sequence<int> list_of{};  // for each root with tags, its list
  sequence<sequence<text>> lists{};
};

}  // namespace detail

/// The program with the tags of axes on every equal axis: of operands and results of arithmetic, unless one is repeated
/// along the other; of products, the contracted axis in both operands, rows, and the remaining axes of each; through
/// reductions, reshapes as far as they cut at the same places, slices and concat along other axes; through gathers and
/// sums over edges along features (rows of vertices and of edges are different axes); into the steps of scans and out
/// of them. Forwards and backwards; nearly linear in statements.
///
///   const ir::program q = examine::spread_tags(p, {.ignored = {text("mixed")}});
constexpr ir::program spread_tags(const ir::program& p, const spreading& how = {}) {
  return detail::axis_finder(p, how).run(p);
}

}  // namespace stg::examine
