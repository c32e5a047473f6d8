// gradient(y, x) inside a lambda: a derivative as a value of the program, which can be used and differentiated again.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/dsl/build.hpp>      // expr, on_values
#include <stg/dsl/written.hpp>    // here
#include <stg/pass/autodiff.hpp>  // differentiate

namespace stg {

/// dy/dx of a number y of the graph for any value x that it is computed from; space, shape and type as x's. A
/// gradient penalty, for instance, whose training differentiates it once more:
///
///   auto critic  = sum(score(v, h), all_vertices);
///   auto slope   = gradient(critic, h);
///   auto penalty = mean(square(sqrt(sum(square(slope), axis<0>)) - 1.0), all_vertices);
///
/// A compile error where y does not depend on x, and where the way leads through floor or its like.
template <scalar_type T, class S, class Sh, scalar_type X>
constexpr auto gradient(expr<space::graph, shape<>, T> y, expr<S, Sh, X> x, here called = here()) {
  static_assert(is_real(T) && is_real(X),
                "stg: gradient(y, x) takes real values; write cast<f32>(x) before y is computed");
  ir::program& p = y.trace->program;
  const sequence<ir::value_id> required{x.id};
  ir::flags from(p.statements.size(), false);
  from[y.id] = true;
  if (p.size() >= y.trace->most) return x;
  if (pass::refused_from(p, from, required) != ir::no_value) {
    y.trace->note(ir::mistake::gradient_has_no_way, text("gradient"), called.line);
    return x;
  }
  sequence<ir::value_id> gradients(p.statements.size(), ir::no_value);
  const ir::flags wanted = pass::depends_on(p, required);
  gradients[y.id] = pass::constant(p, settled(T), 1).id;
  pass::differentiate(p, wanted, gradients);
  if (gradients[x.id] == ir::no_value) {
    y.trace->note(ir::mistake::gradient_of_another_value, text("gradient"), called.line);
    return x;
  }
  return expr<S, Sh, X>{y.trace, pass::gradient_of(p, gradients, x.id).id};
}
/// Of a parameter or scalar; of anything else what to write.
template <class Y, class X> constexpr auto gradient(Y y, X x, here called = here()) {
  constexpr bool of_symbol = Expression<Y> && detail::is_graph_symbol<X>;
  static_assert(of_symbol,
                "stg: gradient(y, x) takes one number of the graph and a value: gradient(sum(y, all_vertices), h)");
  if constexpr (of_symbol)
    return detail::on_values([called](const auto& left, const auto& right) { return gradient(left, right, called); }, y,
                             x);
  else return x;
}

}  // namespace stg
