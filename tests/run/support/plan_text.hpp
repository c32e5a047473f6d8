// What plans of a program do, as text: for tests that keep it.
#pragma once

#include "../golden.hpp"  // hash_of

#include <stg/pipeline.hpp>             // inferred, hoisted, differentiated, planned
#include <stg/ir/print.hpp>             // name_of, spelled, to_text
#include <stg/pass/online_softmax.hpp>  // online_softmax

#include <string>  // string, to_string

namespace stg::test {

/// An operation; kept in memory: with the space and shape in which it is.
inline std::string word(const ir::program& p, const pass::plan& plan, ir::value_id i) {
  std::string text(ir::name_of(p[i].code));
  if (plan.overwrites[i] >= 0) text += "(over " + std::string(ir::name_of(p[plan.overwrites[i]].code)) + ")";
  if (plan.stored[i]) {
    constexpr const char* spaces[] = {"vertex", "edge", "graph"};
    text += "*" + std::string(spaces[static_cast<int>(p[i].where.kind)]) + ir::detail::spelled(p, p[i].dims) + ":" +
            std::to_string(plan.lifetimes[i].last - plan.lifetimes[i].first);
  } else if (plan.in_block[i]) {
    text += "*block";
  } else if (plan.joined[i]) {
    text += "+";
  }
  return text;
}

/// A loop over edges: how each value is computed, in which group, and what is taken from them.
inline std::string loop_text(const ir::program& p, const pass::plan& plan, int index) {
  constexpr const char* modes[] = {"", "", "+", "^", "="};
  const pass::planned_loop& loop = plan.loops[index];
  std::string text = " [";
  for (int k = loop.first_statement; k < loop.last_statement; ++k) {
    const pass::planned_value& v = plan.loop_statements[k];
    text += std::string(k > loop.first_statement ? " " : "") + std::string(ir::name_of(p[v.at].code)) +
            modes[static_cast<int>(plan.mode(index, v.at))] + (v.level > 0 ? std::to_string(v.level) : "") +
            (v.kept ? "*" : "") + (v.in_one_chunk ? "" : "!") + (v.softmax >= 0 ? "~" : "");
  }
  text += " ->";
  for (int k = loop.first_result; k < loop.last_result; ++k) {
    const pass::planned_result& r = plan.loop_results[k];
    text += " " + word(p, plan, r.at) + (r.level >= 0 ? std::to_string(r.level) : "") + (r.summed_in >= 0 ? "~" : "") +
            (r.over >= 0 ? "/" : "");
  }
  return text + "]";
}

/// A line for each unit, those of a chain set in. *: kept in memory, for so many units. Within brackets, on edges: +
/// computed by its reader, ^ a row, = across edges, and the group; ~ of a softmax, / divided by its sum.
inline std::string plan_text(const std::string& form, const ir::program& p, const pass::plan& plan) {
  constexpr const char* kinds[] = {"sweep", "product", "reduced product", "reduction", "graph", "scan"};
  constexpr const char* sides[] = {" in", " out", ""};
  std::string text = form + ": " + std::to_string(p.size()) + " statements\n";
  for (const pass::planned_unit& u : plan.units) {
    text += std::string(u.chained == 0 ? "    " : "  ") + kinds[static_cast<int>(u.kind)] +
            sides[static_cast<int>(u.side)] + ":";
    for (int s = u.first_step; s < u.last_step; ++s)
      text +=
          plan.steps[s].is_loop ? loop_text(p, plan, plan.steps[s].index) : " " + word(p, plan, plan.steps[s].index);
    text += "\n";
  }
  return text;
}
inline std::string plan_text(const std::string& form, const ir::program& p) {
  std::string text = plan_text(form, p, pipeline::planned(p));
  bool softmax = false;
  for (const ir::statement& s : p.statements) softmax = softmax || s.code == ir::opcode::top_share_edges;
  if (softmax)
    text += plan_text(form + ", on a GPU", p,
                      pass::online_softmax(p, pass::make_plan(p, pass::fuse(p, pass::relations_of_sweep::one))));
  return text;
}

/// With a hash of the program, and the plans of the steps of its scans, each behind what it is a step of: what it
/// carries, reads and gives.
inline std::string plan_text_with_steps(const std::string& form, const ir::program& p) {
  std::string text = plan_text(form, p) + "  as text " + stg_test::hash_of(ir::to_text(p)) + "\n";
  for (const ir::statement& s : p.statements) {
    if (!ir::is_scan(s.code)) continue;
    const ir::program& step = p.callees[s.callee()];
    text += plan_text_with_steps(form + " | step that carries " + std::to_string(s.carried()) + ", reads " +
                                     std::to_string(step.inputs.size()) + " and gives " +
                                     std::to_string(step.outputs.size()),
                                 step);
  }
  return text;
}

/// Called plainly, then with all inputs fixed that no gradient is asked of, then a training step, where there is one.
/// `Text`: what is said of each of these programs.
template <class Text = std::string (*)(const std::string&, const ir::program&)>
std::string plans_of(const ir::program& p, const sequence<int>& provided, const sequence<ir::value_id>& required,
                     Text text_of = plan_text) {
  std::string text = text_of("called plainly", pipeline::inferred(p));
  sequence<int> fixed;
  for (int k = 0; k < p.inputs.size(); ++k)
    if (!p.inputs[k].trainable) fixed.push_back(k);
  const pass::hoisted h = pipeline::hoisted(p, false, fixed);
  if (!h.prologue.outputs.empty())
    text +=
        text_of("once for fixed inputs", pipeline::inferred(h.prologue)) + text_of("then", pipeline::inferred(h.rest));
  if (provided.empty() || required.empty() || pass::refused_by(p, provided, required) != ir::no_value) return text;
  const pass::differentiated d = pipeline::differentiated(p, provided, required);
  return text + text_of("training", d.forward) + text_of("its gradient", d.gradient);
}

}  // namespace stg::test
