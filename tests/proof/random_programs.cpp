// Writing random programs: genes one after the other, then outputs.
#include "random_programs.hpp"

#include "phrase_writer.hpp"  // phrase_writer

#include <stg/pass/autodiff.hpp>  // depends_on, refused_by, trainable_inputs
#include <stg/pass/dce.hpp>       // dce
#include <stg/pass/order.hpp>     // order

#include <algorithm>  // find
#include <cstdlib>    // atol, getenv

namespace stg::test {

long number_from(const char* variable, long otherwise) {
  const char* given = std::getenv(variable);
  return given == nullptr ? otherwise : std::atol(given);
}

const std::vector<family>& all_families() {
  static const std::vector<family> all = families();
  return all;
}

namespace {

/// Writes one gene; a phrase that does not fit leaves behind what was written of it.
void write(program_builder& to, const gene& g) {
  choices c((static_cast<std::uint64_t>(g.what) << 32) + g.seed);
  try {
    const int which = static_cast<int>(g.what % (ir::opcode_count + 2 * phrase_writer::phrases));
    if (which >= ir::opcode_count) {
      phrase_writer(to, c).write((which - ir::opcode_count) / 2);
    } else {
      if (op::has_own_programs(static_cast<ir::opcode>(which))) return;
      operation_writer one(to, c);
      const ir::value_id made = one.write(static_cast<ir::opcode>(which));
      if (!to.is_sparse(made) && !c.one_in(4)) one.used(made);
    }
  } catch (const program_builder::does_not_fit&) {
  } catch (const ir::polynomial::too_large&) {
  } catch (const ir::shape::rank_is_too_high&) {
  }
}

/// Outputs: values that nothing else reads, at most five, and sometimes one that is read. Computed ones come first.
void write_outputs(program_builder& from, choices& c) {
  ir::program& p = from.program;
  ir::flags read(p.statements.size(), 0);
  for (const ir::statement& s : p.statements)
    for (int k = 0; k < s.arity(); ++k) read[static_cast<std::size_t>(s.operands[k])] = 1;
  for (const bool computed : {true, false})
    for (ir::value_id i = p.size() - 1; i >= 0 && p.outputs.size() < 5; --i) {
      if ((op::info_of(p[i].code).kind != op::category::source) != computed || from.is_sparse(i)) continue;
      if (p[i].code == ir::opcode::keep_mask) continue;
      if (computed ? read[static_cast<std::size_t>(i)] && !c.one_in(16) : !p.outputs.empty() && !c.one_in(16)) continue;
      ir::output o;
      o.at = i;
      p.outputs.push_back(o);
    }
}

bool is_in_f64(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (s.type == f32) return false;
  for (const ir::output& o : p.outputs)
    if (p[o.at].type == boolean) return false;
  return true;
}

/// Whether every named extent is an axis of some input, which a call learns it from.
bool binds_extents(const ir::program& p) {
  std::vector<text> bound;
  for (const ir::statement& s : p.statements)
    for (int a = 0; a < s.dims.rank && s.code == ir::opcode::input; ++a) {
      const ir::polynomial e = p.polynomial_of(s.dims.axes[a]);
      if (e.count == 1 && e.terms[0].degree == 1 && e.terms[0].coefficient == 1) bound.push_back(e.terms[0].factors[0]);
    }
  for (const ir::polynomial& e : p.extents)
    for (int t = 0; t < e.count; ++t)
      for (int f = 0; f < e.terms[t].degree; ++f)
        if (std::find(bound.begin(), bound.end(), e.terms[t].factors[f]) == bound.end()) return false;
  return true;
}

/// Whether masks of other sites leave every operation in its domain.
bool keeps_domains(const random_program& r) {
  const ir::program& p = r.program;
  growing_interpreter dropped(p, all_families()[r.family].graph, r.env, true);
  for (const ir::statement& s : p.statements) {
    growing_interpreter::numbers x;
    if (!dropped.computes(s, x)) return false;
    dropped.accept(s, std::move(x));
  }
  return true;
}

/// Scopes that statements were written in: none, one or several.
void write_scopes(ir::program& p, choices& c) {
  if (c.one_in(2)) return;
  for (const char* name : {"encoder", "encoder/layer", "decoder", "loss"}) p.scopes.push_back(text(name));
  for (ir::statement& s : p.statements) {
    int set = 0;
    for (int scope = 0; scope < p.scopes.size(); ++scope)
      if (c.one_in(3)) set = p.set_with(set, scope);
    s.scopes = set;
  }
}

}  // namespace

random_program write_program(const std::vector<gene>& genes, std::uint64_t seed, const program_limits& limits) {
  random_program result;
  choices c(seed);
  result.family = static_cast<std::size_t>(c.below(static_cast<int>(all_families().size())));
  program_builder builder(all_families()[result.family].graph, c.next(), limits);
  for (const gene& g : genes) write(builder, g);
  write_outputs(builder, c);
  if (builder.program.outputs.empty()) {
    builder.limits.statements = limits.statements + 1;
    operation_writer(builder, c).input(ir::space::vertex, ir::shape());
    write_outputs(builder, c);
  }
  result.program = builder.program;
  write_scopes(result.program, c);
  result.env = builder.env;
  return result;
}

differentiable_part differentiable_part_of(const ir::program& p) {
  differentiable_part part;
  for (int k = 0; k < p.outputs.size(); ++k)
    if (is_real(p[p.outputs[k].at].type)) part.outputs.push_back(static_cast<int>(k));
  for (const ir::value_id i : pass::trainable_inputs(p)) {
    const ir::flags reached = pass::depends_on(p, {i});
    bool any = false;
    for (const int k : part.outputs)
      any = any || reached[static_cast<std::size_t>(p.outputs[static_cast<std::size_t>(k)].at)];
    if (any && pass::refused_by(p, part.outputs, {i}) == ir::no_value) part.inputs.push_back(i);
  }
  return part;
}

random_program draw_program(choices& c, int genes, const program_limits& limits) {
  std::vector<gene> drawn;
  for (; genes > 0; --genes)
    drawn.push_back(gene{static_cast<std::uint32_t>(c.next()), static_cast<std::uint32_t>(c.next())});
  return write_program(drawn, c.next(), limits);
}

random_program small_program(std::uint64_t seed) {
  program_limits limits;
  limits.statements = 14;
  choices c(seed);
  for (;;) {
    random_program r = draw_program(c, 3 + c.below(6), limits);
    r.program = pass::order(pass::dce(r.program));
    r.env.call = 0;
    ir::program& p = r.program;
    const differentiable_part part = differentiable_part_of(p);
    for (ir::input& in : p.inputs) in.trainable = false;
    for (const ir::value_id i : part.inputs) p.inputs[p[i].entry()].trainable = true;
    if (p.size() >= 6 && is_in_f64(p) && binds_extents(p) && keeps_domains(r)) return r;
  }
}

std::int64_t site_as_written(const ir::statement& mask) { return program_builder::site_of(mask.drop_probability()); }

}  // namespace stg::test
