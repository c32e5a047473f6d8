// training(a, b): a in a training step, b in a plain call, each as wide as both; and gradients that pass b by.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/compile.hpp>

namespace stg {
namespace {

constexpr ir::program ordered(const ir::program& p) { return pass::order(pass::dce(p)); }

// a and b read the same inputs in the same order, so that programs are equal when they compute the same.
constexpr auto both = [](auto v) { return outputs(v(x), v(y), stg::exp(training(v(x), v(y)))); };
constexpr auto first = [](auto v) { return outputs(v(x), v(y), stg::exp(v(x))); };
constexpr auto second = [](auto v) { return outputs(v(x), v(y), stg::exp(v(y))); };
static_assert(ordered(pass::training(trace(both))) == ordered(trace(first)));
static_assert(ordered(pass::inference(trace(both))) == ordered(trace(second)));
static_assert(pass::training(trace(second)) == trace(second));

// A number in the place of a row is as wide as the row, so that whoever reads it finds the shape that it was promised.
constexpr auto number = [](auto v) { return outputs(sum(training(1.0, v(x)), axis<0>), training(v(y), 2.0)); };
static_assert(pass::verify(pass::training(trace(number))) == pass::finding());
static_assert(pass::verify(pass::inference(trace(number))) == pass::finding());
static_assert(count_of(pass::training(trace(number)), ir::opcode::broadcast_to) == 1);
static_assert(count_of(pass::inference(trace(number)), ir::opcode::broadcast_to) == 1);

// The gradient is that of a: what only b reads has none.
constexpr bool has_gradient(std::string_view input) {
  const ir::program p = trace([](auto v) { return training(v(x), v(y)); });
  return pass::depends_on(p, {input_named(p, input)})[p.outputs[0].at];
}
static_assert(has_gradient("x") && !has_gradient("y"));

// A prologue that runs once for all training steps computes what a step does, though it is called plainly itself.
constexpr auto of_fixed = [](auto v) { return training(sum(v.in_edges().src(x)), v(x) * 2.0) * v(y); };
template <bool Training> constexpr int sweeps_of_prologue() {
  using form = with_fixed<ref<of_fixed>, Training, 0>;
  return count_of(canonical<prologue_of<form>>::value.thaw(), ir::opcode::sum_edges);
}
static_assert(canonical<ref<of_fixed>>::value.inputs[0].name.view() == "x");
static_assert(sweeps_of_prologue<true>() == 1 && sweeps_of_prologue<false>() == 0);

}  // namespace
}  // namespace stg
