// Calls of a program by its plans: plainly, and as a training step whose two programs share one block of memory.
#pragma once

#include "plan_interpreter.hpp"  // planned_program

#include <stg/pass/save.hpp>  // differentiated

#include <algorithm>  // count_if, max
#include <string>     // string
#include <vector>     // vector

namespace stg::test {

/// The outputs of a program that is called plainly.
inline std::vector<oracle::array> run_planned(const ir::program& p, const pass::plan& plan, const graph& g,
                                              const oracle::environment& env, const plan_settings& settings) {
  planned_memory memory;
  planned_program call(p, plan, g, env, settings, memory, 0);
  for (int k = 0; k < p.outputs.size(); ++k)  // the caller's tensors
    call.buffer_of(call.output_root(k)).last = plan.units.size();
  memory.lay_out();
  call.run();
  std::vector<oracle::array> outputs;
  for (int k = 0; k < p.outputs.size(); ++k) outputs.push_back(call.output(k));
  return outputs;
}

/// The results of a training step, then its gradients: both programs in one block of memory. Results and gradients live
/// as long as the step, saved values until the gradient's last unit that reads them. `cotangents`: in the order
/// provided.
inline std::vector<oracle::array> run_planned(const pass::differentiated& d, const pass::plan& forward_plan,
                                              const pass::plan& gradient_plan, const graph& g,
                                              const oracle::environment& env,
                                              const std::vector<oracle::array>& cotangents,
                                              const plan_settings& settings) {
  const int units = forward_plan.units.size();
  const int end = units + gradient_plan.units.size();
  planned_memory memory;
  oracle::environment bound = env;
  for (int c = 0; c < d.connections.size(); ++c) {
    const pass::connection& from = d.connections[c];
    oracle::array& to = bound.entries[static_cast<int>(c)];
    to.clear();
    if (from.kind == pass::connection_kind::cotangent) to = cotangents[c];
    if (from.kind != pass::connection_kind::input) continue;
    const auto entry = env.entries.find(from.index);
    const text& name = d.forward.inputs[static_cast<std::size_t>(from.index)].name;
    to = entry != env.entries.end() ? entry->second : env.inputs.at(std::string(name.view()));
  }
  memory.buffers.reserve(d.forward.statements.size() + d.gradient.statements.size());
  planned_program forward(d.forward, forward_plan, g, env, settings, memory, 0);
  planned_program gradient(d.gradient, gradient_plan, g, bound, settings, memory, units);
  for (std::size_t k = 0; k < static_cast<std::size_t>(d.results); ++k)
    forward.buffer_of(forward.output_root(k)).last = end;
  for (int k = 0; k < d.gradient.outputs.size(); ++k) gradient.buffer_of(gradient.output_root(k)).last = end;
  for (ir::value_id i = 0; i < d.gradient.size(); ++i) {
    if (d.gradient[i].code != ir::opcode::input) continue;
    const pass::connection& from = d.connections[static_cast<std::size_t>(d.gradient[i].entry())];
    if (from.kind != pass::connection_kind::saved) continue;
    const ir::value_id saved = forward.output_root(static_cast<std::size_t>(from.index));
    gradient.read_from(i, forward, saved);
    buffer& b = forward.buffer_of(saved);
    b.last = std::max(b.last, units + gradient_plan.lifetimes[static_cast<std::size_t>(i)].last);
    const auto is_view = [&](const pass::connection& other) {
      return other.kind == from.kind && forward.output_root(static_cast<std::size_t>(other.index)) == saved;
    };
    for (ir::value_id by = 0; by < d.gradient.size(); ++by)
      if (gradient_plan.overwrites[static_cast<std::size_t>(by)] == i &&
          std::count_if(d.connections.begin(), d.connections.end(), is_view) == 1)
        gradient.buffer_of(by).over = saved;
    for (int k = 0; k < d.gradient.outputs.size(); ++k)
      if (gradient.output_root(k) == i) b.last = end;
  }
  memory.lay_out();
  forward.run();
  gradient.run();
  std::vector<oracle::array> outputs;
  for (std::size_t k = 0; k < static_cast<std::size_t>(d.results); ++k) outputs.push_back(forward.output(k));
  for (int k = 0; k < d.gradient.outputs.size(); ++k) outputs.push_back(gradient.output(k));
  return outputs;
}

}  // namespace stg::test
