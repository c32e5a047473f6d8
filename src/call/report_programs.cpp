// Plans of the programs of an explanation, and what each of them keeps in memory.
#include "report_programs.hpp"

#include <stg/base/utf8.hpp>  // within_bytes
#include <stg/ir/print.hpp>   // spelled
#include <stg/op/list.hpp>    // info_of

namespace stg::detail::explained {

namespace {

void name_output(ir::output& o, const std::string& name) {
  if (o.name.length == 0) o.name = text(utf8::within_bytes(name, text::capacity));
}

program_with_plan planned_for(const ir::program& p, const std::string& reader) {
  return program_with_plan(p, 0, std::vector<std::string>(p.outputs.size(), reader));
}
std::optional<program_with_plan> planned_for(const placed_prologue& once) {
  if (!once.exists) return std::nullopt;
  return planned_for(once.program.program, "all calls");
}

training_halves planned_training(const compiled_programs& all) {
  ir::program forward = all.forward.program, gradient = all.gradient.program;
  std::vector<std::string> forward_readers, gradient_readers;
  for (int k = 0; k < forward.outputs.size(); ++k) {
    const bool saved = static_cast<int>(k) >= all.results;
    forward_readers.emplace_back(saved ? "the gradient" : "the caller");
    if (saved) name_output(forward.outputs[k], "saved");
  }
  for (int k = 0; k < gradient.outputs.size(); ++k) {
    const std::string input(forward.inputs[index(all.required[k])].name.view());
    gradient_readers.push_back("the caller, as the gradient of " + input);
    name_output(gradient.outputs[k], "gradient of " + input);
  }
  for (int c = 0; c < all.connections.size(); ++c) {
    if (all.connections[c].kind != pass::connection_kind::saved) continue;
    gradient.inputs[c].name = text("saved " + ir::detail::spelled(forward.outputs[index(all.connections[c].index)].at));
  }
  program_with_plan head(std::move(forward), 0, std::move(forward_readers));
  const int units = head.unit_count();
  return {std::move(head), program_with_plan(std::move(gradient), units, std::move(gradient_readers))};
}

}  // namespace

planned_programs::planned_programs(const compiled_programs& all)
    : inference(planned_for(all.inference.program, "the caller")),
      inference_prologue(planned_for(all.inference_prologue)),
      training_prologue(planned_for(all.training_prologue)) {
  if (all.trains) training = planned_training(all);
}

block_use inference_memory_of(const compiled_programs& all, const planned_programs& planned) {
  const program_with_plan& h = planned.inference;
  return {stored_values(h, all.inference.buffers, "", all.in_callers_tensors), h.unit_count(), all.inference_bytes,
          all.inference_prologue.kept_bytes, h.orders_edges()};
}

block_use training_memory_of(const compiled_programs& all, const planned_programs& planned) {
  const auto& [head, tail] = *planned.training;
  std::vector<stored_value> values = stored_values(head, all.forward.buffers, "forward ", {});
  for (const stored_value& v : stored_values(tail, all.gradient.buffers, "gradient ", {})) values.push_back(v);
  return {std::move(values), head.unit_count() + tail.unit_count(), all.training_bytes,
          all.training_prologue.kept_bytes, head.orders_edges() || tail.orders_edges()};
}

block_use prologue_memory_of(const placed_prologue& once, const program_with_plan& planned) {
  return {stored_values(planned, once.program.buffers, "", once.kept), planned.unit_count(), once.bytes,
          once.kept_bytes, planned.orders_edges()};
}

sequence<value_id> same_in_forward(ir::program forward, const ir::program& gradient,
                                   const sequence<pass::connection>& connections) {
  sequence<value_id> same(gradient.statements.size(), ir::no_value);
  for (value_id i = 0; i < gradient.size(); ++i) {
    ir::statement s = gradient[i];
    if (s.code == ir::opcode::input) {
      const pass::connection& c = connections[index(s.entry())];
      if (c.kind == pass::connection_kind::cotangent) continue;
      if (c.kind == pass::connection_kind::saved) {
        same[index(i)] = forward.outputs[index(c.index)].at;
        continue;
      }
      s.set_entry(c.index);
    }
    bool known = true;
    for (int k = 0; k < s.arity(); ++k) known = known && same[index(s.operands[k])] != ir::no_value;
    if (known) same[index(i)] = forward.find(ir::renamed(s, same));
  }
  return same;
}

bool is_computed_again(const ir::program& gradient, value_id at, const sequence<value_id>& same) {
  const ir::statement& s = gradient[at];
  return same[index(at)] != ir::no_value && op::info_of(s.code).kind != op::category::source && !ir::is_view(s);
}

}  // namespace stg::detail::explained
