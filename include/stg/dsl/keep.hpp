// How values are kept, said in a lambda: those that a gradient reads and those that it computes again by saved(x) and
// recomputed(x) of a value, keep<"conv1">(v, way) of a scope or a named value, keep(v, way) of all; the type of stored
// rows by stored_as<bf16>(x), stored_as<bf16, "conv1">(v), stored_as<bf16>(v).
#pragma once

#include <cstdint>      // int64_t
#include <string_view>  // string_view
#include <type_traits>  // is_convertible_v

#include <stg/dsl/build.hpp>     // expr
#include <stg/dsl/vertex.hpp>    // vertex_view
#include <stg/dsl/written.hpp>   // here
#include <stg/ir/decisions.hpp>  // of_whole, of_scope, of_value, kept

namespace stg {

namespace detail {

/// Decides about a value, once.
constexpr void decide_value(ir::program& p, const ir::decision& word) {
  for (const ir::decision& d : p.decisions) {
    if (d.what != word.what || !d.is_of_values() || d.at != word.at || d.number == word.number) continue;
    if (p.wrong == ir::mistake::none) p.wrong = ir::mistake::kept_in_two_ways;
    return;
  }
  p.decide(word);
}

/// Writes a lambda's words about scopes, and about values by name, into its program and its callees.
class scope_marking {
 public:
  constexpr explicit scope_marking(const sequence<decided_scope>& all) : asked(all), is_found(all.size(), 0) {}

  constexpr void mark(ir::program& p) {
    const int scopes = p.scopes.size();
    for (int k = 0; k < asked.size(); ++k) {
      const decided_scope& word = asked[k];
      bool is_here = false;
      for (int s = 0; s < scopes; ++s) is_here = is_here || ir::is_within(p.scopes[s].view(), word.path.view());
      if (word.path.length == 0) p.decide(ir::of_whole(word.what, word.number));
      else if (is_here) p.decide(ir::of_scope(word.what, p.scope_number(word.path), word.number));
      for (const ir::label& l : p.names) {
        if (!can_be_of_value(word.what) || !(l.name == word.path)) continue;
        is_here = true;
        if (word.what == ir::decided::width || word.number != 0)
          decide_value(p, ir::of_value(word.what, l.at, word.number));
      }
      is_found[k] = is_found[k] || is_here;
    }
    for (ir::program& c : p.callees) mark(c);
  }
  /// Notes the first name without a scope or value.
  constexpr void note_unfound(tracer& t) const {
    for (int k = 0; k < asked.size(); ++k)
      if (!is_found[k] && asked[k].path.length > 0)
        return t.note(can_be_of_value(asked[k].what) ? ir::mistake::keeps_nothing : ir::mistake::exchanges_nothing,
                      asked[k].path, asked[k].line);
  }

 private:
  static constexpr bool can_be_of_value(ir::decided what) {
    return what == ir::decided::keep || what == ir::decided::width;
  }
  const sequence<decided_scope>& asked;
  ir::flags is_found;
};

/// After a lambda was traced: applies its words about scopes and names.
constexpr void decide_as_asked(tracer& t) {
  if (t.decided_scopes.empty()) return;
  scope_marking all(t.decided_scopes);
  all.mark(t.program);
  all.note_unfound(t);
}

/// A word about the scope of this name within the open one, or the value; without a name, about the whole.
constexpr void decide_scope(vertex_view v, std::string_view name, ir::decided what, std::int64_t number, here called) {
  text path;
  if (!name.empty()) {
    path = v.trace->scope;
    v.trace->enter(path, name);
  }
  v.trace->decide_of_scope({path, what, number, called.line});
}

template <class X> constexpr X kept_as(X x, keeping way) {
  constexpr bool is_computed = TracedValue<X> || is_mistake<X>;
  static_assert(is_computed,
                "stg: saved and recomputed take a value that is computed from a vertex's; inputs are there anyway");
  if constexpr (TracedValue<X>) decide_value(x.trace->program, ir::kept(x.id, way));
  return x;
}

}  // namespace detail

/// x, saved for the gradient if the gradient reads it, whatever it costs: an edge value, too.
///
///   auto score = saved(leaky_relu(e.src(el) + e.dst(er)));
template <class X> constexpr X saved(X x) { return detail::kept_as(x, keeping::everything); }
/// x, not saved: a gradient that reads it computes it again from the nearest saved values.
///
///   auto h = recomputed(matmul(v(x), W));
template <class X> constexpr X recomputed(X x) { return detail::kept_as(x, keeping::results); }

/// Keeps the values of a scope, with the scopes in it, or the value of this name, this way; wherever it stands in the
/// lambda. Among nested scopes the innermost decides, and a word about a value before all of them.
///
///   keep<"conv1">(v, keeping::inputs);
template <fixed_string Name> constexpr void keep(vertex_view v, keeping way, here called = here()) {
  detail::decide_scope(v, Name.view(), ir::decided::keep, static_cast<std::int64_t>(way), called);
}
/// Keeps all values this way, unless the lambda says otherwise.
///
///   keep(v, keeping::everything);
constexpr void keep(vertex_view v, keeping way, here called = here()) {
  detail::decide_scope(v, {}, ir::decided::keep, static_cast<std::int64_t>(way), called);
}

namespace detail {
#define STG_STORES_NO_TYPE "stg: stored_as takes bf16, f16, or f32 for what stays as it is: stored_as<bf16>(x)"
template <scalar_type As> constexpr std::int64_t type_of_rows() {
  constexpr bool is_of_rows = ir::is_width(static_cast<std::int64_t>(As));
  static_assert(is_of_rows, STG_STORES_NO_TYPE);
  return is_of_rows ? static_cast<std::int64_t>(As) : 0;
}
}  // namespace detail

/// x, whose rows are bf16 or f16 wherever the plan stores them: half the memory and half the bandwidth, with 3 digits.
/// Registers compute in f32, and where no row of x lies in memory nothing is rounded. Readers of other rows, and in
/// other passes over vertices or edges, get the rounded numbers. The gradient is that of x as it is, of rounded saved
/// values. stored_as<f32>(x) leaves x as it is within a scope of narrow rows. Compile refuses what cannot be narrow,
/// and says why. explain shows the bytes.
///
///   auto h = stored_as<bf16>(matmul(v(x), W));
template <scalar_type As, class X>
  requires(!std::is_convertible_v<X, vertex_view>)
constexpr auto stored_as(X x) {
  constexpr bool is_computed = detail::is_expr<X> || is_mistake<X>;
  static_assert(is_computed,
                "stg: stored_as takes a value that is computed from a vertex's; inputs have their own type");
  const std::int64_t type = detail::type_of_rows<As>();
  if constexpr (detail::is_expr<X>)
    detail::decide_value(x.trace->program, ir::of_value(ir::decided::width, x.id, type));
  if constexpr (is_computed) return x;
  else return mistake();
}
/// The rows of all values of a scope, with the scopes in it, or of the value of this name, wherever it stands in the
/// lambda; among nested scopes the innermost decides, and a word about a value before all of them. Rows of up to 8
/// numbers a vertex stay as they are, unless a word about the value says otherwise: scores, norms and maxima. So do
/// inputs, outputs and values that cannot be narrow.
///
///   stored_as<bf16, "conv1">(v);
template <scalar_type As, fixed_string Name> constexpr void stored_as(vertex_view v, here called = here()) {
  detail::decide_scope(v, Name.view(), ir::decided::width, detail::type_of_rows<As>(), called);
}
/// The rows of all values, unless the lambda says otherwise.
///
///   stored_as<bf16>(v);
template <scalar_type As> constexpr void stored_as(vertex_view v, here called = here()) {
  detail::decide_scope(v, {}, ir::decided::width, detail::type_of_rows<As>(), called);
}

}  // namespace stg
