// Programs cut in parts: functions that are true, in constant evaluation and at run time.
#pragma once

#include "models.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/examine/partition.hpp>
#include <stg/examine/similar.hpp>
#include <stg/pipeline.hpp>

namespace stg::examined {

using examine::node;

constexpr auto in_one = [](node) { return 3; };
/// A new part wherever a product, an aggregate or a scan begins.
constexpr sequence<int> stages_of(const ir::program& p) {
  return examine::fold<int>(p, [](node n, const auto& below) {
    int stage = 0;
    for (int k = 0; k < below.size(); ++k) stage = stage > below[k] ? stage : below[k];
    const op::category kind = op::info_of(n.code()).kind;
    return stage + (kind == op::category::dense || kind == op::category::aggregate || ir::is_scan(n.code()) ? 1 : 0);
  });
}
constexpr examine::partitioned in_stages(const ir::program& p) {
  const sequence<int> stage = stages_of(p);
  return examine::partition(p, [&](node n) { return stage[n.at]; });
}

constexpr int entry_named(const ir::program& p, std::string_view name) {
  for (int e = 0; e < p.inputs.size(); ++e)
    if (p.inputs[e].name.view() == name) return e;
  return -1;
}
constexpr bool computes(const ir::program& p) {
  for (const ir::output& o : p.outputs)
    if (op::info_of(p[o.at].code).kind != op::category::source) return true;
  return false;
}
/// Every part is a program that keeps all rules and can be planned; what it reads of others they give under that name,
/// before it; what is read of the whole is an input of the whole.
constexpr bool fits_together(const ir::program& p, const examine::partitioned& cut) {
  for (int k = 0; k < cut.parts.size(); ++k) {
    const examine::part& one = cut.parts[k];
    if (!(pass::verify(one.program) == pass::finding()) || one.program.outputs.empty()) return false;
    if (computes(one.program) && pipeline::planned(one.program).units.empty()) return false;
    for (const ir::input& in : one.program.inputs) {
      int found = entry_named(p, in.name.view()) >= 0;
      for (const int needed : one.needs) {
        if (needed >= k) return false;
        for (const ir::output& o : cut.parts[needed].program.outputs) found += o.name == in.name;
      }
      if (found != 1) return false;
    }
  }
  return cut.outputs.size() == p.outputs.size();
}

constexpr bool a_program_is_one_part_or_several() {
  const ir::program p = canonical(attention);
  const examine::partitioned one = examine::partition(p, in_one), several = in_stages(p);
  ir::program whole = one.parts[0].program;
  whole.outputs = p.outputs;
  return one.parts.size() == 1 && one.parts[0].id == 3 && one.parts[0].needs.empty() && whole == p &&
         several.parts.size() > 2 && fits_together(p, one) && fits_together(p, several);
}
constexpr bool what_goes_between_parts_has_a_name() {
  const ir::program p = canonical([](auto v) { return exp(v(x)) + v(y); });
  const ir::value_id e = first_of(p, ir::opcode::exp), sum = p.outputs[0].at;
  const examine::partitioned cut = examine::partition(p, [&](node n) { return n.at == e ? 7 : 5; });
  if (cut.parts.size() != 2 || !fits_together(p, cut)) return false;
  const ir::program &first = cut.parts[0].program, &last = cut.parts[1].program;
  return cut.parts[0].id == 7 && cut.parts[1].id == 5 && cut.parts[1].needs == sequence<int>{0} &&
         cut.outputs == sequence<examine::part_output>{{1, 0}} && first.inputs.size() == 1 &&
         first.outputs[0].name == last.inputs[entry_named(last, "value 1")].name &&
         last.outputs[0].name == text(sum == 3 ? "value 3" : "?") && last.inputs.size() == 2;
}
constexpr bool sources_are_in_every_part_that_reads_them() {
  const ir::program p = canonical([](auto v) { return exp(v(x) * 2.0) * 2.0; });
  const ir::value_id e = first_of(p, ir::opcode::exp);
  const examine::partitioned cut = examine::partition(p, [&](node n) { return n.at >= e; });
  return cut.parts.size() == 2 && count_of(cut.parts[0].program, ir::opcode::constant) == 1 &&
         count_of(cut.parts[1].program, ir::opcode::constant) == 1 && cut.parts[1].program.inputs.size() == 1;
}
constexpr bool scans_stay_with_their_results() {
  const ir::program p = canonical(repeated);
  const examine::partitioned cut = in_stages(p);
  int scans = 0;
  for (const examine::part& one : cut.parts) {
    const int here = count_of(one.program, ir::opcode::scan);
    if (here != one.program.callees.size()) return false;
    scans += here;
  }
  return scans == 1 && cut.parts.size() > 1 && fits_together(p, cut);
}
/// A gradient of its own goes with its value, and knows the values that it was given in other parts.
constexpr bool gradients_of_their_own_stay_with_their_values() {
  const ir::program p = canonical(rounds_both);
  const examine::partitioned one = examine::partition(p, in_one),
                             each = examine::partition(p, [](node n) { return n.at; });
  ir::program whole = one.parts[0].program;
  whole.outputs = p.outputs;
  int gradients = 0;
  for (const examine::part& part : each.parts) {
    const int here = count_of(part.program, ir::opcode::own_gradient);
    if (here != part.program.callees.size()) return false;
    gradients += here;
  }
  return examine::are_similar(whole, p) && gradients == 2 && fits_together(p, each);
}
constexpr bool checks_and_names_go_along() {
  const ir::program p = canonical(two_losses), q = canonical(attention);
  const examine::partitioned cut = in_stages(p), named_cut = in_stages(q);
  int checks = 0, labels = 0;
  for (const examine::part& one : cut.parts) checks += one.program.checks.size();
  for (const examine::part& one : named_cut.parts) labels += one.program.names.size();
  return checks == p.checks.size() && labels == 1 && fits_together(p, cut);
}
constexpr bool extents_are_those_that_a_part_needs() {
  const ir::program p = canonical([](auto v) { return outputs(matmul(v(z), U), exp(v(x))); });
  const ir::value_id e = first_of(p, ir::opcode::exp);
  const examine::partitioned cut = examine::partition(p, [&](node n) { return n.at == e; });
  return cut.parts[0].program.extents.size() == 1 && cut.parts[1].program.extents.empty();
}
/// exp(x) is read by a part whose value it reads itself.
constexpr examine::partitioned in_a_circle() {
  const ir::program p = canonical([](auto v) { return exp(sum(v.in_edges().src(exp(v(x))))) * 2.0; });
  return examine::partition(p, [](node n) { return n.code() == ir::opcode::exp ? 1 : 2; });
}

}  // namespace stg::examined
