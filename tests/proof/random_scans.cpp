// Writing random scans.
#include "random_scans.hpp"

#include "choices.hpp"  // choices
#include "domains.hpp"  // jumps

#include <stg/ir/callees.hpp>            // emit_arguments, callee_number
#include <stg/ir/sites.hpp>              // site_count, with_sites_from
#include <stg/analysis/reads_edges.hpp>  // readings_of_step_graphs
#include <stg/pass/autodiff.hpp>         // autodiff
#include <stg/pass/call.hpp>             // emit_call
#include <stg/pass/dce.hpp>              // dce
#include <stg/pass/inline.hpp>           // emit_inlined
#include <stg/pass/order.hpp>            // order
#include <stg/pass/scan_gradient.hpp>    // emit_result
#include <stg/pipeline.hpp>              // canonical

#include <string>  // string

namespace stg::test {

namespace {

bool same_kind(const ir::statement& a, const ir::statement& b) {
  return a.where == b.where && a.type == b.type && a.dims == b.dims && a.over == b.over;
}

/// A program as a step: its outputs are those that have no value for each step of a scan within, or else an input is.
ir::program without_sequences(ir::program p) {
  sequence<ir::output> all;
  all.swap(p.outputs);
  for (const ir::output& o : all)
    if (!p[o.at].is_sequence()) p.outputs.push_back(o);
  for (ir::value_id i = 0; i < p.size() && p.outputs.empty(); ++i)
    if (p[i].code == ir::opcode::input && !p[i].is_sequence() && !p.inputs[p[i].entry()].sparse)
      p.outputs.push_back(ir::output{i, {}});
  p.checks.clear();
  p.names.clear();
  return pass::order(pass::dce(p));
}

/// What a step reads of the step before it, named as the language names it.
ir::input carried_value(int k) {
  ir::input in;
  in.name.append("carried ");
  in.name.append_number(static_cast<std::uint64_t>(k));
  return in;
}

}  // namespace

changing_graph some_edges_of(const graph& g, std::int64_t steps, choices& c) {
  const edge_list all = g.edge_list();
  std::vector<snapshot_edges> days(static_cast<std::size_t>(steps));
  std::vector<std::vector<std::size_t>> kept(days.size());
  for (std::size_t t = 0; t < days.size(); ++t)
    for (std::size_t e = 0; e < all.src.size(); ++e) {
      if (c.one_in(4)) continue;
      days[t].src.push_back(all.src[e]);
      days[t].dst.push_back(all.dst[e]);
      kept[t].push_back(e);
    }
  changing_graph made{graph_sequence::from_steps(
      g.vertices(), days, {.store = c.one_in(2) ? snapshot_store::resident : snapshot_store::changes})};
  for (std::int64_t t = 0; t < steps; ++t) made.graphs.push_back(made.sequence.at(t));
  made.kept = std::move(kept);
  made.edges = all.src.size();
  return made;
}

scanned scan_of(const random_program& r, std::int64_t steps, bool backwards, const changing_graph* changing, choices& c,
                std::string_view name) {
  ir::program step = without_sequences(r.program);
  const sequence<ir::value_id> input = pass::inputs_by_entry(step);
  // carried: pairs of an input and an output
  sequence<int> carried_input, carried_output;
  ir::flags is_carried(step.inputs.size(), 0), is_next(step.outputs.size(), 0);
  for (int e = 0; e < step.inputs.size(); ++e) {
    if (input[e] == ir::no_value || step.inputs[e].sparse || step[input[e]].is_sequence()) continue;
    if (!is_real(step[input[e]].type) && step[input[e]].type != i32) continue;
    if (changing != nullptr && step[input[e]].where == ir::space::edge) continue;
    for (int k = 0; k < step.outputs.size() && !is_carried[e]; ++k) {
      if (is_next[k] || !same_kind(step[input[e]], step[step.outputs[k].at])) continue;
      is_carried[e] = is_next[k] = 1;
      carried_input.push_back(e);
      carried_output.push_back(k);
    }
  }
  scanned s;
  s.env = r.env;
  s.env.extents[std::string(name)] = steps;
  ir::program& p = s.program;
  p.extents = step.extents;
  const ir::extent over = p.intern(ir::polynomial(text(name)));
  sequence<int> entries, new_entry(step.inputs.size(), -1);
  for (int e : carried_input) entries.push_back(e);
  for (int e = 0; e < step.inputs.size(); ++e)
    if (!is_carried[e] && input[e] != ir::no_value) entries.push_back(e);
  ir::program q = ir::blank_like(step);
  q.inputs.clear();
  sequence<ir::value_id> given;
  for (int e : entries) {
    new_entry[e] = q.inputs.size();
    ir::statement in = step[input[e]];
    in.scopes = 0;
    const bool of_steps = changing != nullptr && step[input[e]].where == ir::space::edge;
    const bool may_be_each = !is_carried[e] && !step.inputs[e].sparse && !in.is_sequence();
    const bool each = may_be_each && (of_steps || c.one_in(2));
    if (each) in.over = over;
    in.set_entry(p.inputs.size());
    p.inputs.push_back(step.inputs[e]);
    p.inputs.back().trainable = p.inputs.back().trainable && is_real(in.type);
    q.inputs.push_back(is_carried[e] ? carried_value(q.inputs.size()) : p.inputs.back());
    given.push_back(p.emit(in));
    oracle::array& numbers = s.env.inputs.at(std::string(step.inputs[e].name.view()));
    const oracle::array first = numbers;
    const auto add = [&](double x, std::int64_t t) {
      numbers.push_back(is_real(in.type) ? x * (1 + 0.03 * static_cast<double>(t)) : x);
    };
    for (std::int64_t t = 1; each && !of_steps && t < steps; ++t)
      for (const double x : first) add(x, t);
    if (each && (of_steps || steps == 0)) numbers.clear();
    for (std::int64_t t = 0; of_steps && t < steps; ++t) {
      const std::size_t width = first.size() / changing->edges;
      for (const std::size_t edge : changing->kept[static_cast<std::size_t>(t)])
        for (std::size_t f = 0; f < width; ++f) add(first[edge * width + f], t);
    }
  }
  sequence<ir::value_id> at(step.size(), ir::no_value);
  for (ir::value_id i = 0; i < step.size(); ++i) {
    ir::statement one = ir::renamed(step[i], at);
    if (one.code == ir::opcode::input) one.set_entry(new_entry[one.entry()]);
    one.scopes = 0;
    at[i] = q.emit(one);
  }
  for (int k : carried_output) q.outputs.push_back(ir::output{at[step.outputs[k].at], {}});
  for (int k = 0; k < step.outputs.size(); ++k)
    if (!is_next[k]) q.outputs.push_back(ir::output{at[step.outputs[k].at], {}});
  q.scopes.clear();
  q.scope_sets.clear();
  q.extents = p.extents;
  ir::leave_whole(q);
  if (c.one_in(2)) q.decide(ir::of_whole(ir::decided::splits));
  ir::statement scan;
  scan.code = ir::opcode::scan;
  scan.operands[0] = ir::emit_arguments(p, given);
  scan.set_callee(ir::callee_number(p, q));
  scan.set_carried(carried_input.size());
  scan.over = over;
  scan.set_backwards(backwards);
  const ir::value_id made = p.emit(scan);
  for (int k = 0; k < q.outputs.size(); ++k) p.outputs.push_back(ir::output{pass::emit_result(p, made, k), {}});
  return s;
}

ir::program twice(const ir::program& of, bool called, long* passed_on) {
  ir::program p = ir::blank_like(of);
  p.callees.clear();
  sequence<ir::value_id> passed(of.inputs.size(), ir::no_value);
  for (const ir::statement& s : of.statements) {
    if (s.code != ir::opcode::input) continue;
    ir::statement in = s;
    in.scopes = 0;
    passed[s.entry()] = p.emit(in);
  }
  for (int nth = 0; nth < 2; ++nth) {
    const int first_site = nth * ir::site_count(of);
    sequence<ir::value_id> made;
    if (called) {
      const ir::value_id call = pass::emit_call(p, of, passed, first_site);
      for (int k = 0; k < of.outputs.size(); ++k) made.push_back(pass::emit_result(p, call, k));
    } else {
      made = pass::emit_inlined(p, ir::with_sites_from(first_site, of), passed);
    }
    for (ir::value_id at : made) p.outputs.push_back(ir::output{at, {}});
    for (int e = 0; e < passed.size() && nth == 0 && passed_on != nullptr; ++e) {
      const ir::statement& in = p[passed[e]];
      for (int k = 0; k < made.size() && in.code == ir::opcode::input && is_real(in.type); ++k)
        if (!of.inputs[e].sparse && same_kind(in, p[made[k]])) {
          passed[e] = made[k];
          ++*passed_on;
          break;
        }
    }
  }
  p.names.clear();
  return p;
}

scanned with_gradient(const scanned& of, const graph& g, choices& c) {
  const differentiable_part part = differentiable_part_of(of.program);
  sequence<int> provided;
  for (const int k : part.outputs)
    if (provided.empty() || !c.one_in(3)) provided.push_back(k);
  const ir::flags reached = pass::reached_from(of.program, provided);
  sequence<ir::value_id> required;
  for (const ir::value_id i : part.inputs)
    if (reached[i] && (required.empty() || !c.one_in(3))) required.push_back(i);
  if (required.empty()) return of;
  const pass::joint_program joint = pass::autodiff(of.program, provided, required);
  scanned s{joint.program, of.env};
  const std::vector<oracle::array> outputs = oracle::interpret(of.program, g, of.env);
  for (int k = 0; k < provided.size(); ++k) {
    ir::input& in = s.program.inputs[s.program[joint.cotangents[k]].entry()];
    in.trainable = c.one_in(2);
    oracle::array& numbers = s.env.inputs[std::string(in.name.view())];
    numbers.clear();  // those of an input that nothing read
    for (std::size_t i = 0; i < outputs[static_cast<std::size_t>(provided[k])].size(); ++i)
      numbers.push_back(0.3 * c.number());
  }
  s.program.outputs.clear();
  const bool loses = c.one_in(2);
  for (int k = 0; k < joint.program.outputs.size(); ++k)
    if (k >= of.program.outputs.size() || !loses || c.one_in(2)) s.program.outputs.push_back(joint.program.outputs[k]);
  return s;
}

scanned draw_nested(const random_program& r, choices& c) {
  const graph& g = all_families()[r.family].graph;
  const bool steps_once = jumps(r.program);
  scanned s{r.program, r.env};
  s.program.checks.clear();
  bool has_gradient = false;
  const auto differentiate = [&] {
    const scanned made = with_gradient(s, g, c);
    has_gradient = has_gradient || made.program.size() > s.program.size();
    s = made;
  };
  long passed_on = 0;
  constexpr std::string_view names[] = {"inner", "steps"};
  for (int depth = c.below(2); depth < 2; ++depth) {
    if (c.one_in(2))
      s.program = twice(pass::order(pass::dce(s.program)), true, steps_once || c.one_in(2) ? nullptr : &passed_on);
    else
      s = scan_of({s.program, s.env, r.family}, steps_once ? 1 : 1 + c.below(3), c.one_in(3), nullptr, c, names[depth]);
    if (c.one_in(2)) differentiate();
  }
  if (!has_gradient) differentiate();
  return s;
}

small_scan draw_small_scan(std::uint64_t seed) {
  choices c(seed);
  for (;;) {
    const random_program r = small_program(c.next());
    const graph& whole = all_families()[r.family].graph;
    if (jumps(r.program)) continue;
    small_scan s;
    s.family = r.family;
    const std::int64_t steps = 1 + c.below(4);
    if (whole.edges() > 0 && c.one_in(2)) s.changing = some_edges_of(whole, steps, c);
    s.scan = scan_of(r, steps, false, s.changing ? &*s.changing : nullptr, c);
    const ir::program p = pipeline::canonical(s.scan.program);
    bool tells_steps = false, repeats = false;
    for (const ir::statement& each : p.statements) {
      tells_steps = tells_steps || (each.code == ir::opcode::input && each.is_sequence());
      repeats = repeats || each.code == ir::opcode::scan;
    }
    const bool on_each =
        s.changing && pass::reads_edges(p) && pass::readings_of_step_graphs(p).wrong == pass::graph_mistake::none;
    if (!repeats || (s.changing ? !on_each : !tells_steps)) continue;
    const differentiable_part part = differentiable_part_of(p);
    sequence<text> trained;
    for (const ir::value_id i : part.inputs) trained.push_back(p.inputs[p[i].entry()].name);
    const auto train = [&](ir::program& of) {
      for (ir::input& in : of.inputs) {
        in.trainable = false;
        for (const text& name : trained) in.trainable = in.trainable || name == in.name;
      }
    };
    train(s.scan.program);
    for (ir::program& step : s.scan.program.callees) train(step);
    return s;
  }
}

}  // namespace stg::test
