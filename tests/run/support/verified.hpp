// What the pipeline makes of programs, with the rules looked at behind every pass: a pass that goes wrong is named.
#pragma once

#include <stg/ir/print.hpp>         // to_text
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pipeline.hpp>         // canonical, inferred, differentiated, hoisted

#include <stdexcept>  // runtime_error
#include <string>     // string, to_string

namespace stg::test::verified {

/// Throws what is wrong.
inline void look(const char* pass, const ir::program& p) {
  const pass::finding f = pass::verify(p);
  if (f == pass::finding()) return;
  throw std::runtime_error(std::string(pass) + " leaves a program that breaks rule " +
                           std::to_string(static_cast<int>(f.what)) + " at %" + std::to_string(f.at) + "\n" +
                           ir::to_text(p));
}

/// A maximum is saved only where what it is compared with in the gradient, bit by bit, is saved too, or an input: what
/// is computed again may be rounded in another way, and equals nothing then.
inline void look_at_saved_maxima(const pass::differentiated& d) {
  const ir::program& p = d.forward;
  ir::flags saved(p.size(), 0);
  for (int k = d.results; k < p.outputs.size(); ++k) saved[p.outputs[k].at] = 1;
  for (int k = d.results; k < p.outputs.size(); ++k) {
    const ir::value_id most = p.outputs[k].at;
    if (!op::info_of(p[most].code).compares) continue;
    ir::value_id i = p[most].operands[0];
    while (!saved[i] && p[i].code == ir::opcode::reshape) i = p[i].operands[0];
    if (!saved[i] && op::info_of(p[i].code).kind != op::category::source)
      throw std::runtime_error("save keeps a maximum, %" + std::to_string(most) + ", and not what it is taken of\n" +
                               ir::to_text(p));
  }
}

inline ir::program canonical(const ir::program& traced, const pass::choices& by = pass::choices()) {
  look("who wrote it", traced);
  return pipeline::canonical(traced, by, look);
}
inline ir::program inferred(const ir::program& canonical, const pass::choices& by = pass::choices()) {
  look("who wrote it", canonical);
  return pipeline::inferred(canonical, by, look);
}
inline pass::differentiated differentiated(const ir::program& canonical, const sequence<int>& provided,
                                           const sequence<ir::value_id>& required,
                                           const pass::choices& by = pass::choices()) {
  look("who wrote it", canonical);
  const pass::differentiated d = pipeline::differentiated(canonical, provided, required, by, look);
  look_at_saved_maxima(d);
  return d;
}
/// Both in one, before they are cut.
inline ir::program joint(const ir::program& canonical, const sequence<int>& provided,
                         const sequence<ir::value_id>& required) {
  look("who wrote it", canonical);
  return pipeline::run<pipeline::joint_passes>(canonical, pipeline::asked_of(canonical, provided, required), look);
}
inline pass::hoisted hoisted(const ir::program& canonical, bool training, const sequence<int>& entries,
                             const pass::choices& by = pass::choices()) {
  look("who wrote it", canonical);
  const pass::hoisted h = pipeline::hoisted(canonical, training, entries, by);
  look("hoist", h.prologue);
  look("hoist", h.rest);
  return h;
}
inline pass::joint_program autodiff(const ir::program& p, const sequence<int>& provided,
                                    const sequence<ir::value_id>& required) {
  const pass::joint_program joint = pass::autodiff(p, provided, required);
  look("autodiff", joint.program);
  return joint;
}

}  // namespace stg::test::verified
