// The values that a gradient reads and those that it computes again, said in a lambda: saved(x) and recomputed(x) of a
// value, keep<"conv1">(v, way) of a scope or a named value, keep(v, way) of all.
#pragma once

#include <stg/dsl/build.hpp>    // expr
#include <stg/dsl/vertex.hpp>   // vertex_view
#include <stg/dsl/written.hpp>  // here

namespace stg {

namespace detail {

constexpr std::string_view word_of(keeping way) {
  if (way == keeping::everything) return "saved";
  if (way == keeping::all_but_edges) return "saved but for edges";
  return way == keeping::results ? "recomputed" : "recomputed from inputs";
}
/// Says of a value how it is kept, once.
constexpr void keep_value(ir::program& p, ir::value_id at, keeping way) {
  for (const ir::label& l : p.names) {
    if (l.at != at || l.is_name() || l.keep == way) continue;
    if (p.wrong == ir::mistake::none) p.wrong = ir::mistake::kept_in_two_ways;
    return;
  }
  ir::label l;
  l.name.append(word_of(way));
  l.at = at;
  l.keep = way;
  p.names.push_back(l);
}

/// Whether a path of scopes lies in another one, or is it.
constexpr bool is_within(std::string_view path, std::string_view scope) {
  if (scope.empty()) return true;
  return path.substr(0, scope.size()) == scope && (path.size() == scope.size() || path[scope.size()] == '/');
}

/// Applies a lambda's words about scopes and values by name, in its program and its callees: among several scopes of a
/// statement, the innermost decides.
class keep_marking {
 public:
  constexpr explicit keep_marking(const sequence<kept_scope>& all) : asked(all), is_found(all.size(), 0) {}

  constexpr void mark(ir::program& p) {
    for (ir::statement& s : p.statements) s.scopes |= ir::keeping_bit(way_of(p, s));
    const int names = p.names.size();
    for (int k = 0; k < asked.size(); ++k)
      for (int l = 0; l < names; ++l) {
        if (!p.names[l].is_name() || !(p.names[l].name == asked[k].path)) continue;
        is_found[k] = 1;
        if (asked[k].way != keeping::chosen) keep_value(p, p.names[l].at, asked[k].way);
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
  constexpr keeping way_of(const ir::program& p, const ir::statement& s) {
    keeping way = keeping::chosen;
    int longest = -1;
    for (int k = 0; k < asked.size(); ++k) {
      if (!is_in(p, s, asked[k].path.view())) continue;
      is_found[k] = 1;
      if (static_cast<int>(asked[k].path.length) <= longest) continue;
      longest = static_cast<int>(asked[k].path.length);
      way = asked[k].way;
    }
    return way;
  }
  static constexpr bool is_in(const ir::program& p, const ir::statement& s, std::string_view scope) {
    if (scope.empty()) return true;
    bool found = false;
    ir::each_scope(p, s, [&](int at) { found = found || is_within(p.scopes[at].view(), scope); });
    return found;
  }

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
