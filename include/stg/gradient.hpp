// gradient(y, x) inside a lambda: a derivative as a value of the program, which can be used and differentiated again.
#pragma once

#include <vector>  // vector

#include <stg/dsl/expr.hpp>       // expr
#include <stg/pass/autodiff.hpp>  // differentiate

namespace stg {

/// dy/dx of a number y of the graph for any value x that it is computed from; space, shape and type as x's. A
/// gradient penalty, for instance, whose training differentiates it once more:
///
///   auto critic  = sum(score(v, h), all_vertices);
///   auto slope   = gradient(critic, h);
///   auto penalty = mean(square(sqrt(sum(square(slope), axis<0>)) - 1.0), all_vertices);
///
/// Thrown while the lambda is traced, and so a compile error: pass::input_has_no_gradient where y does not depend on x,
/// and pass::operation_has_no_gradient where the way leads through floor or its like.
template <scalar_type T, class S, class Sh, scalar_type X>
constexpr auto gradient(expr<space::graph, shape<>, T> y, expr<S, Sh, X> x) {
  static_assert(is_real(T) && is_real(X),
                "stg: gradient(y, x) takes real values; write cast<f32>(x) before y is computed");
  ir::program& p = y.trace->program;
  const std::vector<ir::value_id> required{x.id};
  ir::flags from(p.statements.size(), false);
  from[static_cast<std::size_t>(y.id)] = true;
  if (pass::refused_from(p, from, required) != ir::no_value) throw pass::operation_has_no_gradient();
  std::vector<ir::value_id> gradients(p.statements.size(), ir::no_value);
  const ir::flags wanted = pass::detail::depends_on(p, required);
  gradients[static_cast<std::size_t>(y.id)] = pass::constant(p, T, 1).id;
  pass::differentiate(p, wanted, gradients);
  return expr<S, Sh, X>{y.trace, pass::gradient_of(p, gradients, x.id).id};
}
/// Of anything else: what to write.
template <class Y, class X> constexpr auto gradient(Y, X x) {
  static_assert(sizeof(Y) == 0,
                "stg: gradient(y, x) takes one number of the graph and a value: gradient(sum(y, all_vertices), h)");
  return x;
}

}  // namespace stg
