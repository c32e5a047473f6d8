// The values that a gradient reads and those that it computes again, said in a lambda: saved(x) and recomputed(x) of a
// value, keep<"conv1">(v, way) of a scope or a named value, keep(v, way) of all.
#pragma once

#include <stg/dsl/build.hpp>     // expr
#include <stg/dsl/vertex.hpp>    // vertex_view
#include <stg/dsl/written.hpp>   // here
#include <stg/ir/decisions.hpp>  // of_whole, of_scope, kept

namespace stg {

namespace detail {

/// Says of a value how it is kept, once.
constexpr void keep_value(ir::program& p, ir::value_id at, keeping way) {
  for (const ir::decision& d : p.decisions) {
    if (d.what != ir::decided::keep || !d.is_of_values() || d.at != at || ir::way_of(d) == way) continue;
    if (p.wrong == ir::mistake::none) p.wrong = ir::mistake::kept_in_two_ways;
    return;
  }
  p.decide(ir::kept(at, way));
}

/// Writes a lambda's words about scopes, and about values by name, into its program and its callees.
class keep_marking {
 public:
  constexpr explicit keep_marking(const sequence<kept_scope>& all) : asked(all), is_found(all.size(), 0) {}

  constexpr void mark(ir::program& p) {
    const int scopes = p.scopes.size();
    for (int k = 0; k < asked.size(); ++k) {
      const kept_scope& word = asked[k];
      bool is_here = false;
      for (int s = 0; s < scopes; ++s) is_here = is_here || ir::is_within(p.scopes[s].view(), word.path.view());
      const auto way = static_cast<std::int64_t>(word.way);
      if (word.path.length == 0) p.decide(ir::of_whole(ir::decided::keep, way));
      else if (is_here) p.decide(ir::of_scope(ir::decided::keep, p.scope_number(word.path), way));
      for (const ir::label& l : p.names) {
        if (!(l.name == word.path)) continue;
        is_here = true;
        if (word.way != keeping::chosen) keep_value(p, l.at, word.way);
      }
      is_found[k] = is_found[k] || is_here;
    }
    for (ir::program& c : p.callees) mark(c);
  }
  /// Notes the first name without a scope or value.
  constexpr void note_unfound(tracer& t) const {
    for (int k = 0; k < asked.size(); ++k)
      if (!is_found[k] && asked[k].path.length > 0)
        return t.note(ir::mistake::keeps_nothing, asked[k].path, asked[k].line);
  }

 private:
  const sequence<kept_scope>& asked;
  ir::flags is_found;
};

/// After a lambda was traced: applies its words about scopes and names.
constexpr void keep_as_asked(tracer& t) {
  if (t.kept_scopes.empty()) return;
  keep_marking all(t.kept_scopes);
  all.mark(t.program);
  all.note_unfound(t);
}

template <class X> constexpr X kept_as(X x, keeping way) {
  constexpr bool is_computed = TracedValue<X> || is_mistake<X>;
  static_assert(is_computed,
                "stg: saved and recomputed take a value that is computed from a vertex's; inputs are there anyway");
  if constexpr (TracedValue<X>) keep_value(x.trace->program, x.id, way);
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
  text path = v.trace->scope;
  v.trace->enter(path, Name.view());
  v.trace->keep_scope(path, way, called.line);
}
/// Keeps all values this way, unless the lambda says otherwise.
///
///   keep(v, keeping::everything);
constexpr void keep(vertex_view v, keeping way, here called = here()) { v.trace->keep_scope(text(), way, called.line); }

}  // namespace stg
