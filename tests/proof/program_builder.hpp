// Writing a program statement by statement with its numbers at hand: what an operation's own rule refuses is not
// written, and neither is what its domain refuses on the graph and the inputs that the program will be run with.
#pragma once

#include "choices.hpp"          // choices
#include "domains.hpp"          // domain_of
#include "random_programs.hpp"  // program_limits

#include <stg/codegen/interpreter.hpp>  // interpreter
#include <stg/ir/program.hpp>           // program
#include <stg/op/list.hpp>              // info_of, rule_is_broken
#include <stg/runtime/graph.hpp>        // graph

#include <cstdint>   // uint64_t
#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

namespace stg::test {

/// The oracle of a program that grows; `drops`: as in training, else as called plainly.
class growing_interpreter : public oracle::interpreter {
 public:
  using interpreter::numbers;

  growing_interpreter(const ir::program& p, const graph& g, const oracle::environment& env, bool drops)
      : interpreter(p, g, env), drops(drops) {}

  void accept(const ir::statement& s, numbers x) {
    shapes.push_back(dims_of(s.dims));
    values.push_back(std::move(x));
  }
  const numbers& at(ir::value_id i) const { return values[size(i)]; }
  std::int64_t rows(ir::domain where) const { return rows_of(where); }
  std::int64_t width(const ir::shape& dims) const { return count(dims_of(dims)); }
  std::int64_t extent(ir::extent e) const { return length(e); }

  bool suits(const ir::statement& s) const {
    const domain d = domain_of(s.code);
    const op::category kind = op::info_of(s.code).kind;
    if (kind == op::category::gather || s.code == ir::opcode::select) return true;  // ∞ may pass through
    if (kind == op::category::pointwise && may_be_over_nothing(s)) return true;
    bool ok = true;
    if (kind == op::category::pointwise) {
      const bool exact = !is_real(p.operand(s, 0).type);
      each(s, row_range{0, rows_of(s.where)}, [&](std::int64_t row, const dimensions& index) {
        bounded x[ir::statement::max_operands];
        for (int k = 0; k < s.arity(); ++k) x[k] = read(s, k, row, index);
        ok = ok && is_in_domain(d, exact, s.operands[0] == s.operands[1], x, s.arity());
        return bounded();
      });
      return ok;
    }
    for (int k = 0; k < s.arity(); ++k)
      for (const bounded& x : values[size(s.operands[k])]) ok = ok && d.of(0).contains(x.value);
    if (ok && d.at == kink::ties)
      each(s, row_range{0, rows_of(s.where)}, [&](std::int64_t row, const dimensions& index) {
        ok = ok && has_clear_maximum(terms(s, row, index));
        return bounded();
      });
    return ok;
  }

  /// The numbers of a statement that is not in the program yet; false where it has no business with its operands.
  bool computes(const ir::statement& s, numbers& x) const {
    if (!suits(s)) return false;
    ir::statement computed = s;
    if (!drops && s.code == ir::opcode::training) {  // the second operand, as wide as both
      computed.code = ir::opcode::broadcast_to;
      computed.operands[0] = s.operands[1];
      computed.operands[1] = ir::no_value;
    }
    x = evaluate(computed, row_range{0, rows_of(s.where)});
    if (adds_numbers(s)) mark_rows(s, x);
    for (const bounded& b : x) {
      const bool passes = op::info_of(s.code).kind == op::category::gather || may_be_over_nothing(s);
      const bool over_nothing = passes && std::isinf(b.value);
      if (!over_nothing && !(std::abs(b.value) <= most && b.magnitude <= most_magnitude)) return false;
    }
    return true;
  }

 private:
  /// A top_share is infinite over no edges, and so are its logarithm and what a log Σ exp makes of that.
  bool may_be_over_nothing(const ir::statement& s) const {
    const auto is_log = [&](const ir::statement& of) {
      return of.code == ir::opcode::log && p.operand(of, 0).code == ir::opcode::top_share_edges;
    };
    return s.code == ir::opcode::top_share_edges || is_log(s) || (s.code == ir::opcode::sub && is_log(p.operand(s, 1)));
  }
  static bool adds_numbers(const ir::statement& s) {
    return op::info_of(s.code).kind == op::category::aggregate && is_real(s.type) && domain_of(s.code).at == kink::none;
  }
  /// Makes the magnitude of a sum tell of which row it is, by less than a millionth: edges of two rows may come to the
  /// same here, and not where one row's are added in parts, so their sums are no tie (has_clear_maximum).
  void mark_rows(const ir::statement& s, numbers& x) const {
    std::size_t at = 0;
    each(s, row_range{0, rows_of(s.where)}, [&](std::int64_t row, const dimensions& index) {
      if (terms(s, row, index).size() > 1) x[at].magnitude *= 1 + static_cast<double>(row + 1) * 0x1p-40;
      ++at;
      return bounded();
    });
  }
  numbers source(const ir::statement& s, row_range rows) const override {
    if (drops || s.code != ir::opcode::keep_mask) return interpreter::source(s, rows);
    return each(s, rows, [](std::int64_t, const dimensions&) { return oracle::detail::exact(1); });
  }
  /// What one element of a maximum is taken of.
  numbers terms(const ir::statement& s, std::int64_t row, const dimensions& index) const {
    numbers all;
    switch (op::info_of(s.code).kind) {
      case op::category::aggregate:
        for (const std::int64_t e : owned(0, s.side(), row)) all.push_back(read(s, 0, e, index));
        break;
      case op::category::reduction:
        for (std::int64_t v = 0; v < vertices; ++v) all.push_back(read(s, 0, v, index));
        break;
      default: {
        const dimensions& from = operand_dims(s, 0);
        for (std::int64_t f = 0; f < count(from); ++f) {
          const dimensions other = index_of(f, from);
          bool mine = true;
          for (std::size_t i = 0; i < from.size(); ++i) mine = mine && (s.reduces(i) || other[i] == index[i]);
          if (mine) all.push_back(read(s, 0, row, f));
        }
      }
    }
    return all;
  }

  bool drops;
};

class program_builder {
 public:
  using id = ir::value_id;
  struct does_not_fit {};  // thrown: a statement that a phrase needs cannot be written

  program_builder(const graph& g, std::uint64_t seed, const program_limits& limits)
      : limits(limits), env(first_environment(seed)), trained(program, g, env, true), plain(program, g, env, false) {}
  program_builder(const program_builder&) = delete;

  /// Writes a statement if rules, domains and limits allow it.
  std::optional<id> attempt(ir::statement s) {
    if (program.size() >= limits.statements || !takes_types(s)) return std::nullopt;
    try {
      op::info_of(s.code).infer(program, s);
    } catch (const op::rule_is_broken&) {
      return std::nullopt;
    }
    if (s.dims.rank > limits.rank || trained.width(s.dims) > limits.width) return std::nullopt;
    const id known = program.find(s);
    if (known != ir::no_value) return known;
    growing_interpreter::numbers dropped, kept;
    if (!trained.computes(s, dropped)) return std::nullopt;
    const bool random = is_random(s);
    if (random && !plain.computes(s, kept)) return std::nullopt;
    plain.accept(s, random ? std::move(kept) : dropped);
    trained.accept(s, std::move(dropped));
    random_values.push_back(random);
    trains.push_back(is_trained(s));
    return program.emit(s);
  }
  id make(const ir::statement& s) {
    const std::optional<id> made = attempt(s);
    if (!made) throw does_not_fit();
    return *made;
  }

  ir::statement blank(ir::opcode code, id a = ir::no_value, id b = ir::no_value, id c = ir::no_value) const {
    ir::statement s;
    s.code = code;
    s.operands[0] = a;
    s.operands[1] = b;
    s.operands[2] = c;
    return s;
  }
  id apply(ir::opcode code, id a, id b = ir::no_value, id c = ir::no_value) { return make(blank(code, a, b, c)); }
  id constant(double number, scalar_type type = f64) {
    ir::statement s = blank(ir::opcode::constant);
    s.set_value(number);
    s.type = type;
    return make(s);
  }
  id reshape(id x, const ir::shape& dims) {
    ir::statement s = blank(ir::opcode::reshape, x);
    s.dims = dims;
    return make(s);
  }
  id reduce(ir::opcode code, id x, std::int64_t axes) {
    ir::statement s = blank(code, x);
    s.set_axes(axes);
    return make(s);
  }
  id aggregate(ir::opcode code, id x, ir::direction side) {
    ir::statement s = blank(code, x);
    s.set_side(side);
    return make(s);
  }
  id degree(ir::direction side, scalar_type type = f64) {
    ir::statement s = blank(ir::opcode::degree);
    s.where = ir::space::vertex;
    s.type = type;
    s.set_side(side);
    return make(s);
  }
  /// Probabilities tell masks apart: order numbers sites anew, and the site that was written is found again by them.
  id mask(ir::domain where, const ir::shape& dims, scalar_type type = f64) {
    ir::statement s = blank(ir::opcode::keep_mask);
    s.where = where;
    s.dims = dims;
    s.type = type;
    s.set_site(sites);
    s.set_drop_probability(probability_of(sites));
    const id made = make(s);
    ++sites;
    return made;
  }
  static double probability_of(std::int64_t site) { return 0.25 + static_cast<double>(site) / 64; }
  static std::int64_t site_of(double probability) { return static_cast<std::int64_t>((probability - 0.25) * 64); }

  /// A new input with numbers of its own.
  id input(ir::domain where, scalar_type type, const ir::shape& dims, bool trainable, bool sparse, choices& c) {
    ir::input in;
    in.name = text(std::string(type == boolean ? "m"
                               : type == i32   ? "n"
                               : sparse        ? "s"
                               : trainable     ? "w"
                                               : "x") +
                   std::to_string(program.inputs.size()));
    in.trainable = trainable;
    in.sparse = sparse;
    oracle::array& to = env.inputs[std::string(in.name.view())];
    to.clear();
    for (std::int64_t k = trained.rows(where) * trained.width(dims); k > 0; --k)
      to.push_back(type == boolean ? c.below(2) : type == i32 ? c.below(5) : sparse && c.one_in(2) ? 0 : c.number());
    ir::statement s = blank(ir::opcode::input);
    s.where = where;
    s.type = type;
    s.dims = dims;
    s.set_entry(program.inputs.size());
    program.inputs.push_back(in);
    const std::optional<id> made = attempt(s);
    if (made) return *made;
    program.inputs.pop_back();
    throw does_not_fit();
  }

  bool is_sparse(id i) const {
    return program[i].code == ir::opcode::input && program.inputs[program[i].entry()].sparse;
  }
  /// Whether a gradient of a trainable input passes through a value.
  bool is_trained(id i) const { return trains[static_cast<std::size_t>(i)] != 0; }

  /// A value that `fits`, rather one of the last; no_value where there is none. Masks are factors of a value of their
  /// own space and shape and nothing else: inference relies on it.
  template <class Fits> id pick(choices& c, Fits fits) const {
    std::vector<id> fitting;
    for (id i = 0; i < program.size(); ++i)
      if (!is_sparse(i) && program[i].code != ir::opcode::keep_mask && fits(program[i])) fitting.push_back(i);
    if (fitting.empty()) return ir::no_value;
    const int n = static_cast<int>(fitting.size()), back = std::min(c.below(n), c.below(n));
    return fitting[static_cast<std::size_t>(n - 1 - back)];
  }

  program_limits limits;
  ir::program program{};
  oracle::environment env;
  growing_interpreter trained, plain;

 private:
  static oracle::environment first_environment(std::uint64_t seed) {
    oracle::environment env;
    env.extents = {{"F", 3}, {"G", 2}};
    env.seed = seed;
    env.call = 3;
    return env;
  }
  bool takes_types(const ir::statement& s) const {
    for (int k = 0; k < s.arity(); ++k)
      if (!op::takes(domain_of(s.code).types, program.operand(s, k).type)) return false;
    return true;
  }
  /// Whether a value in training is another one than when called plainly.
  bool is_random(const ir::statement& s) const {
    bool random = s.code == ir::opcode::keep_mask || s.code == ir::opcode::training;
    for (int k = 0; k < s.arity(); ++k) random = random || random_values[static_cast<std::size_t>(s.operands[k])];
    return random;
  }
  bool is_trained(const ir::statement& s) const {
    if (s.code == ir::opcode::input) return program.inputs[s.entry()].trainable;
    bool any = false;
    for (int k = 0; k < s.arity(); ++k) any = any || trains[static_cast<std::size_t>(s.operands[k])];
    return any && op::info_of(s.code).differentiable && is_real(s.type);
  }

  ir::flags random_values{}, trains{};
  std::int64_t sites = 0;
};

}  // namespace stg::test
