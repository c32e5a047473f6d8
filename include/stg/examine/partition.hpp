// partition: a program cut in parts along a function from statement to part, each a program by itself.
#pragma once

#include <cstdint>  // uint64_t
#include <string>   // string, to_string

#include <stg/base/error.hpp>        // error
#include <stg/base/sequence.hpp>     // sequence
#include <stg/base/taken_names.hpp>  // taken_names
#include <stg/examine/walk.hpp>      // node
#include <stg/ir/callees.hpp>        // intern_extents, recode, take_extents, arguments_of, emit_arguments
#include <stg/ir/program.hpp>        // program
#include <stg/op/list.hpp>           // info_of
#include <stg/analysis/users.hpp>    // reachable

namespace stg::examine {

/// Parts that need one another in a circle, so that none can run first.
struct parts_form_a_cycle : error {
  sequence<int> ids;  // each needs the one after it, and the last one the first
  explicit parts_form_a_cycle(const sequence<int>& in_a_circle) : error(sentence(in_a_circle)), ids(in_a_circle) {}

 private:
  static std::string sentence(const sequence<int>& ids) {
    std::string s = "parts form a cycle: part " + std::to_string(ids[0]);
    for (int k = 1; k <= ids.size(); ++k)
      s += (k == 1 ? " needs part " : ", which needs part ") + std::to_string(ids[k % ids.size()]);
    return s + "; give the values between them the same part";
  }
};

/// A part: a program. Its inputs are inputs of the whole, by their names, and outputs of earlier parts, by theirs.
struct part {
  int id = 0;             // as given by part_of
  ir::program program{};  // with its run-time extents, scopes and steps
  sequence<int> needs{};  // places of the parts that it reads
  bool operator==(const part&) const = default;
};

/// The part and position that hold an output of the whole.
struct part_output {
  int part = 0;    // place in `parts`
  int output = 0;  // output of the part
  bool operator==(const part_output&) const = default;
};

/// Parts in an order in which they can run, and the outputs of the whole.
struct partitioned {
  sequence<part> parts{};
  sequence<part_output> outputs{};
};

namespace detail {

/// The part of each statement, the values passed between parts, and the order of parts.
class part_finder {
 public:
  template <class F>
  constexpr part_finder(const ir::program& of, const F& part_of)
      : p(of), used(pass::reachable(of)), home(of.size(), -1), crosses(of.size(), 0), given(of.size(), 0) {
    for (const ir::output& o : p.outputs) given[o.at] = 1;
    sequence<int> known;  // places of ids, in a table of open addressing
    known.assign(16, -1);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_placed(i)) home[i] = place_of(asked(i, part_of), known);
    members.resize(ids.size());
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (home[i] >= 0) members[home[i]].push_back(i);
    checks.resize(ids.size());
    sequence<int> reader;
    if (!p.checks.empty()) reader = first_parts();
    for (int k = 0; k < p.checks.size() && !ids.empty(); ++k) checks[part_of_check(p.checks[k], reader)].push_back(k);
    needs.resize(ids.size());
    last_need.assign(ids.size(), -1);
    for (int k = 0; k < ids.size(); ++k) connect(k);
    find_order();
  }

  /// Sources are made anew in each part that reads them, and lists in their reader's part.
  constexpr bool is_placed(ir::value_id i) const {
    if (!used[i] || is_list(p[i].code)) return false;
    return given[i] || op::info_of(p[i].code).kind != op::category::source;
  }
  static constexpr bool is_list(ir::opcode code) { return code == ir::opcode::arguments || code == ir::opcode::bind; }
  static constexpr bool reads_list(ir::opcode code) { return ir::is_scan(code) || code == ir::opcode::own_gradient; }

  const ir::program& p;
  ir::flags used;
  sequence<int> home;  // of each statement in one part alone, the part by first appearance
  ir::flags crosses;   // values that a second part reads
  ir::flags given;     // outputs of the whole
  sequence<int> ids{};
  sequence<sequence<ir::value_id>> members{};  // of each part, in program order
  sequence<sequence<int>> checks{};
  sequence<sequence<int>> needs{};
  sequence<int> order{};  // parts by first appearance, each behind the parts it needs

 private:
  /// Results are with their scan, and so is the scan of a gradient, which knows its forward scan.
  template <class F> constexpr int asked(ir::value_id i, const F& part_of) const {
    if (p[i].code == ir::opcode::result) return ids[home[p[i].operands[0]]];
    if (p[i].code == ir::opcode::scan_gradient) return ids[home[p[i].operands[1]]];
    return static_cast<int>(part_of(node{&p, i}));
  }
  constexpr int place_of(int id, sequence<int>& known) {
    if (2 * (ids.size() + 1) > known.size()) {
      known.assign(2 * known.size(), -1);
      for (int k = 0; k < ids.size(); ++k) known[slot(ids[k], known)] = k;
    }
    int& place = known[slot(id, known)];
    if (place < 0) {
      place = ids.size();
      ids.push_back(id);
    }
    return place;
  }
  constexpr int slot(int id, const sequence<int>& known) const {
    const unsigned mask = static_cast<unsigned>(known.size()) - 1;
    unsigned at = (static_cast<unsigned>(id) * 0x9E3779B1u >> 7) & mask;
    while (known[at] >= 0 && ids[known[at]] != id) at = (at + 1) & mask;
    return static_cast<int>(at);
  }

  /// A check before the whole runs is done before a part that has the checked value, or else by its first reader.
  constexpr int part_of_check(const ir::label_range& c, const sequence<int>& reader) const {
    if (c.mask != ir::no_value && home[c.mask] >= 0) return home[c.mask];
    if (home[c.labels] >= 0) return home[c.labels];
    return reader[c.labels] >= 0 ? reader[c.labels] : 0;
  }
  /// For each value the first part that reads it; -1: none does.
  constexpr sequence<int> first_parts() const {
    sequence<int> first(p.size(), -1);
    for (ir::value_id i = p.size() - 1; i >= 0; --i)
      for (int k = 0; k < p[i].arity() && home[i] >= 0; ++k) first[p[i].operands[k]] = home[i];
    return first;
  }

  constexpr void connect(int part) {
    for (const ir::value_id i : members[part]) {
      if (reads_list(p[i].code)) {
        for (const ir::value_id x : ir::arguments_of(p, p[i])) need(part, x);
        continue;
      }
      for (int k = 0; k < p[i].arity(); ++k) need(part, p[i].operands[k]);
    }
    for (const int k : checks[part]) {
      need(part, p.checks[k].labels);
      if (p.checks[k].mask != ir::no_value) need(part, p.checks[k].mask);
    }
  }
  /// Parts are visited one after the other, so the last reader of a part tells whether the need is recorded already.
  constexpr void need(int reader, ir::value_id x) {
    if (op::info_of(p[x].code).kind == op::category::source || home[x] == reader) return;
    crosses[x] = 1;
    if (last_need[home[x]] == reader) return;
    last_need[home[x]] = reader;
    needs[reader].push_back(home[x]);
  }

  /// Depth first, needed parts before their readers. Throws parts_form_a_cycle.
  constexpr void find_order() {
    sequence<int> next(ids.size(), -1), path;  // next: the next need to follow; -1: not visited yet
    for (int first = 0; first < ids.size(); ++first) {
      if (next[first] >= 0) continue;
      path.push_back(first);
      next[first] = 0;
      while (!path.empty()) {
        const int at = path.back();
        if (next[at] == needs[at].size()) {
          order.push_back(at);
          path.pop_back();
          ++next[at];  // beyond: it is in order
          continue;
        }
        const int needed = needs[at][next[at]++];
        if (next[needed] < 0) {
          path.push_back(needed);
          next[needed] = 0;
        } else if (next[needed] <= needs[needed].size()) {
          throw parts_form_a_cycle(circle_of(path, needed));
        }
      }
    }
  }
  constexpr sequence<int> circle_of(const sequence<int>& path, int from) const {
    sequence<int> circle;
    bool inside = false;
    for (const int at : path) {
      inside = inside || at == from;
      if (inside) circle.push_back(ids[at]);
    }
    return circle;
  }

  sequence<int> last_need{};
};

/// Writes the programs of parts, one after the other. Marks of one part are stamped with its number, so that none has
/// to be cleared.
class part_writer {
 public:
  constexpr explicit part_writer(const part_finder& of)
      : f(of),
        p(of.p),
        at(p.size(), ir::no_value),
        stamp(p.size(), -1),
        entry(p.inputs.size(), -1),
        entry_stamp(p.inputs.size(), -1),
        output_at(p.size(), -1),
        step_at(p.callees.size(), -1) {
    for (const ir::input& in : p.inputs) input_names.add(in.name);
    labels.resize(f.ids.size());
    tags.resize(p.tags.empty() ? 0 : p.size());
    for (int t = 0; t < p.tags.size(); ++t) tags[p.tags[t].at].push_back(t);
    decided.resize(p.decisions.empty() ? 0 : p.size());
    for (int d = 0; d < p.decisions.size(); ++d)
      if (p.decisions[d].whom == ir::decided_of::value) decided[p.decisions[d].at].push_back(d);
    for (int l = 0; l < p.names.size(); ++l)
      if (f.home[p.names[l].at] >= 0) labels[f.home[p.names[l].at]].push_back(l);
  }

  constexpr partitioned run() {
    partitioned all;
    sequence<int> place(f.ids.size(), -1);
    for (int k = 0; k < f.order.size(); ++k) place[f.order[k]] = k;
    for (const int k : f.order) {
      part made;
      made.id = f.ids[k];
      for (const int needed : f.needs[k]) made.needs.push_back(place[needed]);
      made.program = write(k);
      all.parts.push_back(made);
    }
    for (const ir::output& o : p.outputs) all.outputs.push_back({place[f.home[o.at]], output_at[o.at]});
    return all;
  }

 private:
  constexpr ir::program write(int k) {
    const sequence<ir::value_id>& members = f.members[k];
    q = ir::program();
    ir::take_scopes(q, p);
    q.kinds = p.kinds;
    q.scopes_apart = p.scopes_apart;
    q.reserve(members.size());
    number = k;
    for (int& callee : step_at) callee = -1;
    for (const ir::value_id i : members) put(i);
    for (const ir::value_id i : members) {
      if (!f.crosses[i] && !f.given[i]) continue;
      output_at[i] = q.outputs.size();
      q.outputs.push_back({at[i], name_of(i)});
    }
    for (const int label : labels[k]) q.names.push_back({p.names[label].name, at[p.names[label].at]});
    for (const int check : f.checks[k]) put_check(p.checks[check]);
    for (ir::program& c : q.callees) ir::take_extents(c, q);
    return q;
  }

  /// The value in this part: as it is, or its stand-in.
  constexpr ir::value_id in_part(ir::value_id i) {
    if (stamp[i] == number) return at[i];
    if (f.home[i] >= 0 && f.home[i] != number && op::info_of(p[i].code).kind != op::category::source)
      return mark(i, stand_in(i));
    return put(i);
  }
  constexpr ir::value_id mark(ir::value_id i, ir::value_id made) {
    stamp[i] = number;
    return at[i] = made;
  }
  constexpr ir::value_id put(ir::value_id i) {
    ir::statement s = p[i];
    ir::intern_extents(s, p, q);
    if (s.code == ir::opcode::input) s.set_entry(entry_of(i));
    if (ir::has_callee(s)) s.set_callee(step_number(s.callee()));
    if (part_finder::reads_list(s.code)) {
      sequence<ir::value_id> given;
      for (const ir::value_id x : ir::arguments_of(p, p[i])) given.push_back(in_part(x));
      s.operands[0] = ir::emit_arguments(q, given);
      if (s.code == ir::opcode::scan_gradient) s.operands[1] = at[s.operands[1]];
    } else {
      for (int k = 0; k < s.arity(); ++k) s.operands[k] = in_part(s.operands[k]);
    }
    mark(i, q.emit(s));
    if (!tags.empty())
      for (const int t : tags[i]) q.tags.push_back({p.tags[t].name, at[i], p.tags[t].axis});
    if (!decided.empty())
      for (const int d : decided[i]) q.decide(ir::of_value(p.decisions[d].what, at[i], p.decisions[d].number));
    return at[i];
  }
  /// An input of the part for a value of a different part.
  constexpr ir::value_id stand_in(ir::value_id i) {
    ir::statement s = ir::input_like(p[i], q.inputs.size());
    ir::intern_extents(s, p, q);
    q.inputs.push_back(ir::input{name_of(i)});
    return q.emit(s);
  }
  constexpr int entry_of(ir::value_id i) {
    const int e = p[i].entry();
    if (entry_stamp[e] != number) {
      entry_stamp[e] = number;
      entry[e] = q.inputs.size();
      q.inputs.push_back(p.inputs[e]);
      if (p.inputs[e].name.length == 0) q.inputs.back().name = name_of(i);
    }
    return entry[e];
  }
  constexpr int step_number(int callee) {
    if (step_at[callee] < 0) {
      ir::program step = p.callees[callee];
      ir::recode(step, q);
      step_at[callee] = q.callees.size();
      q.callees.push_back(step);
    }
    return step_at[callee];
  }

  constexpr void put_check(ir::label_range c) {
    c.labels = in_part(c.labels);
    if (c.mask != ir::no_value) c.mask = in_part(c.mask);
    c.classes = q.intern(p.polynomial_of(c.classes));
    q.checks.push_back(c);
  }

  constexpr text name_of(ir::value_id i) const {
    text name("value ");
    name.append_number(static_cast<std::uint64_t>(i));
    return input_names.free(name);
  }

  const part_finder& f;
  const ir::program& p;
  ir::program q{};
  int number = -1;
  sequence<ir::value_id> at;
  sequence<int> stamp, entry, entry_stamp;
  sequence<int> output_at;  // of each value the output of its part
  sequence<int> step_at;
  sequence<sequence<int>> labels{};   // of each part the entries of the whole's names
  sequence<sequence<int>> tags{};     // of each value the entries of the whole's tags
  sequence<sequence<int>> decided{};  // and of its decisions about this value alone
  taken_names input_names{};
};

}  // namespace detail

/// Cuts a program in parts: part_of(node) gives the part of each statement, any number. A value read by a second part
/// is an output of its own part and an input of the reader, "value 12" for the value %12 of the whole, and so is an
/// input without a name; other inputs keep their names. Run one after the other, parts give the bits of the whole.
///
/// Inputs, constants and all other statements without operands, random masks too, are in every part that reads them:
/// part_of is called for them only if they are outputs. The steps of a scan are not cut; its results are in its part,
/// and a value with a gradient of its own is in the part of its gradient. Statements that no output needs are in no
/// part. Throws parts_form_a_cycle, which lists the cycle.
///
///   // gathers and sums apart from all else
///   const examine::partitioned cut = examine::partition(p, [](examine::node n) { return n.at > last ? 1 : 0; });
///   for (const examine::part& one : cut.parts) run(one.program);
template <class F> constexpr partitioned partition(const ir::program& p, const F& part_of) {
  const detail::part_finder found(p, part_of);
  return detail::part_writer(found).run();
}

}  // namespace stg::examine
