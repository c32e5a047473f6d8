// The oracle that backends are tested against: any program in double, with plain loops, one full array per value.
//
// Nothing is fused, shared or reordered, and no operation's `apply` is used, so that a mistake there cannot hide.
// i32 and boolean values are doubles too. With every number goes its magnitude: the sum of the absolute terms that it
// was made of, carried through elementary functions by their derivative. A backend is right when
// |backend - oracle| <= tolerance · magnitude.
#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/codegen/oracle/bound_program.hpp>  // array, environment
#include <stg/codegen/oracle/evaluator.hpp>      // evaluator
#include <stg/ir/program.hpp>                    // program
#include <stg/runtime/graph.hpp>                 // graph

namespace stg::oracle {

/// Every value of a program, one array per statement.
struct interpretation {
  std::vector<array> values{};
  std::vector<array> magnitudes{};
};

/// Evaluates all statements, one after the other. Errors name the input: not bound, of another size, or an extent that
/// nothing determines.
class interpreter : public evaluator {
 public:
  using evaluator::evaluator;

  /// Evaluates the statements that the program has grown by.
  void follow() {
    find_shapes();
    while (std::ssize(values) < p.size()) {
      const ir::statement& s = p.statements[values.size()];
      values.push_back(evaluate(s, row_range{0, rows_of(s.where)}));
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

 protected:
  using evaluator::read;
  bounded read(const ir::statement& s, int k, std::int64_t row, std::int64_t element) const override {
    if (p.operand(s, k).where == ir::space::graph) row = 0;
    return values[size(s.operands[k])][size(row * count(operand_dims(s, k)) + element)];
  }

  std::vector<numbers> values{};  // by statement
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
