// The oracle that backends are tested against: any program in double, with plain loops, one full array per value.
//
// Nothing is fused, shared or reordered, and no operation's `apply` is used, so that a mistake there cannot hide.
// i32 and boolean values are doubles too. With every number goes its magnitude: the sum of the absolute terms that it
// was made of, carried through elementary functions by their derivative. A backend is right when
// |backend - oracle| <= tolerance · magnitude.
#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // int64_t
#include <map>      // map
#include <vector>   // vector

#include <stg/codegen/oracle/bound_program.hpp>  // array, environment
#include <stg/codegen/oracle/evaluator.hpp>      // evaluator
#include <stg/ir/callees.hpp>                    // arguments_of
#include <stg/ir/program.hpp>                    // program
#include <stg/analysis/reads_edges.hpp>          // reads_edges
#include <stg/runtime/graph.hpp>                 // graph

namespace stg::oracle {

/// Every value of a program, one array per statement.
struct interpretation {
  std::vector<array> values{};
  std::vector<array> magnitudes{};
};

/// What detach gave in a run of a program, in the steps of its scans, too: in further runs it gives that again, though
/// what it is taken of has changed.
class held_values {
 public:
  /// From here on runs of the same program are further ones; each begins with this.
  void hold() {
    holds_ = true;
    next_ = 0;
  }
  void pass(std::vector<detail::bounded>& made) {
    if (holds_) made = all_.at(next_++);
    else all_.push_back(made);
  }

 private:
  std::vector<std::vector<detail::bounded>> all_{};  // in the order in which they are made
  std::size_t next_ = 0;
  bool holds_ = false;
};

/// Evaluates all statements, one after the other. Errors name the input: not bound, of another size, or an extent that
/// nothing determines.
class interpreter : public evaluator {
 public:
  using evaluator::evaluator;
  /// Of the step of a scan: what its inputs are, by their entries.
  interpreter(const ir::program& p, const graph& g, const environment& env,
              const std::vector<std::vector<detail::bounded>>& given)
      : evaluator(p, g, env), given_(&given) {}

  /// Evaluates the statements that the program has grown by.
  void follow() {
    find_shapes();
    while (std::ssize(values) < p.size()) {
      const ir::statement& s = p.statements[values.size()];
      values.push_back(evaluate(s, row_range{0, rows_of(s)}));
      const bool holds = s.code == ir::opcode::detach && !s.is_shifted();
      if (holds && env.held != nullptr) env.held->pass(values.back());
      if (ir::is_scan(s.code)) run_steps(s);
    }
  }

  interpretation run() {
    follow();
    interpretation result;
    for (const numbers& x : values) {
      array value, magnitude;
      for (const detail::bounded& b : x) {
        value.push_back(b.value);
        magnitude.push_back(b.magnitude);
      }
      result.values.push_back(value);
      result.magnitudes.push_back(magnitude);
    }
    return result;
  }

  const numbers& value(ir::value_id at) const { return values[size(at)]; }

 protected:
  numbers source(const ir::statement& s, row_range rows) const override {
    if (s.code == ir::opcode::input && given_ != nullptr) return (*given_)[size(s.entry())];
    return evaluator::source(s, rows);
  }
  numbers feature(const ir::statement& s, row_range rows) const override {
    if (s.is_sequence() || p.operand(s, 0).is_sequence()) return values[size(s.operands[0])];  // another view
    return evaluator::feature(s, rows);
  }
  numbers call(const ir::statement& s) const override {
    if (s.code == ir::opcode::result && p.operand(s, 0).code == ir::opcode::own_gradient)
      return values[size(ir::arguments_of(p, p.operand(s, 0))[s.output()])];
    if (s.code == ir::opcode::result) return results_.at(s.operands[0])[size(s.output())];
    return {};
  }

  using evaluator::read;
  bounded read(const ir::statement& s, int k, std::int64_t row, std::int64_t element) const override {
    if (p.operand(s, k).where == ir::space::graph) row = 0;
    return values[size(s.operands[k])][size(row * count(operand_dims(s, k)) + element)];
  }

  std::vector<numbers> values{};  // by statement

 private:
  void run_steps(const ir::statement& s) {
    const ir::program& step = p.callees[s.callee()];
    const std::int64_t steps = length(s.over);
    const std::size_t carried = size(s.carried());
    const sequence<ir::value_id> reads = ir::arguments_of(p, s);
    std::vector<bool> each(size(reads.size()));
    for (const ir::statement& in : step.statements)
      if (in.code == ir::opcode::input && size(in.entry()) >= carried)
        each[size(in.entry())] = p[reads[in.entry()]].is_sequence() && !in.is_sequence();
    const bool has_graphs = env.step_graphs != nullptr && pass::reads_edges(step);
    std::vector<numbers> given;
    for (const ir::value_id at : reads) given.push_back(values[size(at)]);
    const std::vector<numbers> all = given;
    std::vector<numbers> results(size(step.outputs.size()));
    environment inside;
    inside.extents = extents;
    inside.call = env.call;
    inside.first_site = env.first_site + (ir::is_call(s) ? ir::first_site(s) : 0);
    inside.held = env.held;
    std::vector<std::vector<numbers>> rows(results.size());  // of each result, of each step
    for (std::vector<numbers>& r : rows) r.resize(size(steps));
    for (std::int64_t nth = 0; nth < steps; ++nth) {
      const std::int64_t t = s.is_backwards() ? steps - 1 - nth : nth;
      inside.seed = ir::is_call(s) ? env.seed : seed_of_step(env.seed, t);
      for (std::size_t e = 0; e < given.size(); ++e) {
        if (!each[e]) continue;
        const ir::statement& read = p[reads[static_cast<int>(e)]];
        const bool of_edges = has_graphs && read.where == ir::space::edge;
        const std::int64_t rows = of_edges ? rows_of(read) : steps;
        const std::int64_t width = rows == 0 ? 0 : std::ssize(all[e]) / rows;
        const std::int64_t first = of_edges ? edges_before(t) : t, last = of_edges ? edges_before(t + 1) : t + 1;
        given[e].assign(all[e].begin() + first * width, all[e].begin() + last * width);
      }
      interpreter once(step, has_graphs ? (*env.step_graphs)[size(t)] : on, inside, given);
      once.follow();
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const numbers& made = once.value(step.outputs[static_cast<int>(k)].at);
        if (k < carried) given[k] = made;
        else rows[k][size(t)] = made;
      }
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (k < carried) results[k] = given[k];
      else
        for (const numbers& row : rows[k]) results[k].insert(results[k].end(), row.begin(), row.end());
    }
    results_[static_cast<ir::value_id>(&s - p.statements.begin())] = results;
  }

  const std::vector<numbers>* given_ = nullptr;
  std::map<ir::value_id, std::vector<numbers>> results_{};  // of each scan
};

/// Every value of a program on a graph.
inline interpretation interpret_all(const ir::program& p, const graph& g, const environment& env) {
  return interpreter(p, g, env).run();
}

/// The outputs of a program on a graph, in order; with their magnitudes when asked for.
///
///   stg::oracle::environment env;
///   env.inputs["x"] = {1, 2, 3};
///   auto y = stg::oracle::interpret(stg::trace(mean_of_neighbours), graph, env)[0];   // (vertices)
inline std::vector<array> interpret(const ir::program& p, const graph& g, const environment& env,
                                    std::vector<array>* magnitudes = nullptr) {
  const interpretation all = interpret_all(p, g, env);
  std::vector<array> outputs;
  if (magnitudes != nullptr) magnitudes->clear();
  for (const ir::output& o : p.outputs) {
    outputs.push_back(all.values[static_cast<std::size_t>(o.at)]);
    if (magnitudes != nullptr) magnitudes->push_back(all.magnitudes[static_cast<std::size_t>(o.at)]);
  }
  return outputs;
}

}  // namespace stg::oracle
