// Names for printouts, words about keeping, and errors: scope<"conv1">(…) around a layer, named<"score">(x) on a value,
// outputs(y, s = x).
#pragma once

#include <stg/dsl/build.hpp>   // expr
#include <stg/dsl/vertex.hpp>  // vertex_view

namespace stg {

/// Everything written while it lives belongs to the scope: `stg::scope_guard<"loss"> in(v);`. Scopes nest:
/// "conv1/norm".
template <fixed_string Name> struct scope_guard {
  constexpr explicit scope_guard(vertex_view v) : trace(v.trace), outer(v.trace->scope.length) {
    trace->enter_scope(Name.view());
  }
  constexpr ~scope_guard() { trace->leave_scope(outer); }
  scope_guard(const scope_guard&) = delete;
  scope_guard& operator=(const scope_guard&) = delete;

 private:
  tracer* trace;
  int outer;
};

/// layer(v, args…) inside a scope: `auto h = scope<"conv1">(v, gcn_conv, v(x), W1);`.
template <fixed_string Name, class Layer, class... Args>
constexpr auto scope(vertex_view v, Layer layer, Args... args) {
  scope_guard<Name> in(v);
  return layer(v, args...);
}

/// Gives a value the name that explain and errors use: named<"score">(leaky_relu(s)).
template <fixed_string Name, TracedValue X> constexpr auto named(X x) {
  x.trace->name(Name.view(), x.id);
  return x;
}

}  // namespace stg
