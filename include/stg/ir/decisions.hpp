// Questions to a program's table of decisions (decision.hpp).
#pragma once

#include <string_view>  // string_view

#include <stg/ir/fields.hpp>   // is_message
#include <stg/ir/keeping.hpp>  // more_saving
#include <stg/ir/program.hpp>  // program, decision

namespace stg::ir {

constexpr decision of_whole(decided what, std::int64_t number = 0) {
  return decision{what, decided_of::whole, -1, -1, number};
}
constexpr decision of_scope(decided what, int scope, std::int64_t number = 0) {
  return decision{what, decided_of::scope, scope, -1, number};
}
constexpr decision of_value(decided what, value_id at, std::int64_t number = 0) {
  return decision{what, decided_of::value, at, -1, number};
}
constexpr decision of_pair(decided what, value_id a, value_id b) {
  return decision{what, decided_of::pair, a < b ? a : b, a < b ? b : a, 0};
}
constexpr decision kept(value_id at, keeping way) {
  return of_value(decided::keep, at, static_cast<std::int64_t>(way));
}
constexpr keeping way_of(const decision& d) { return static_cast<keeping>(d.number); }

/// What is asked of each decision: a lambda without captures. A template would be one more in every file for each.
using decision_test = bool (*)(const decision&);
/// Drops the decisions that `which` is true of.
constexpr void drop_decisions(program& p, decision_test which) {
  if (p.decisions.empty()) return;
  sequence<decision> rest;
  for (const decision& d : p.decisions)
    if (!which(d)) rest.push_back(d);
  p.decisions.swap(rest);
}

/// Says how a scope is kept; where it is said already, the way that saves more counts.
constexpr void keep_scope(program& p, int scope, keeping way) {
  for (decision& d : p.decisions) {
    if (d.what != decided::keep || d.whom != decided_of::scope || d.at != scope) continue;
    d.number = static_cast<std::int64_t>(more_saving(way_of(d), way));
    return;
  }
  p.decisions.push_back(of_scope(decided::keep, scope, static_cast<std::int64_t>(way)));
}

/// Whether the scan of a step is to be cut into parts.
constexpr bool is_split(const program& step) {
  bool is = false;
  for (const decision& d : step.decisions) is = is || d.what == decided::splits;
  return is;
}
constexpr void leave_whole(program& step) {
  drop_decisions(step, [](const decision& d) { return d.what == decided::splits; });
}

/// The decisions about the memory of values: stored(x) and inlined(x) in a lambda, which the plan keeps or refuses, as
/// it does those about pairs. A plain program costs nothing.
class promises {
 public:
  constexpr explicit promises(const program& p) {
    for (const decision& d : p.decisions)
      if (is_promise(d)) mark(d.what == decided::stored ? stored : inlined, p, d.at);
      else has_pairs = has_pairs || is_of_pairs(d.what);
  }
  static constexpr bool is_promise(const decision& d) {
    return d.what == decided::stored || d.what == decided::inlined;
  }
  /// All rows of it lie in memory.
  constexpr bool is_stored(value_id i) const { return !stored.empty() && stored[i]; }
  /// It has no rows in memory: every reader computes it.
  constexpr bool is_inlined(value_id i) const { return !inlined.empty() && inlined[i]; }

  /// Calls f(value) for values that are promised to be stored, in the order of the program.
  template <class F> constexpr void each_stored(const F& f) const {
    for (value_id i = 0; i < stored.size(); ++i)
      if (stored[i]) f(i);
  }
  constexpr bool any_inlined() const { return !inlined.empty(); }
  constexpr bool any() const { return !inlined.empty() || !stored.empty() || has_pairs; }

 private:
  static constexpr void mark(flags& of, const program& p, value_id at) {
    if (of.empty()) of.assign(p.size(), 0);
    of[at] = 1;
  }
  flags stored{}, inlined{};  // by value; empty without promises
  bool has_pairs = false;
};

/// Calls f(value) for the first `outputs` outputs, then for every value promised to be stored and every message to or
/// from another rank, which are as good as outputs to every pass.
template <class F> constexpr void each_output(const program& p, int outputs, const F& f) {
  for (int k = 0; k < outputs; ++k) f(p.outputs[k].at);
  promises(p).each_stored(f);
  each_message(p.statements.first, p.size(), f);
}
/// The same for every output.
template <class F> constexpr void each_output(const program& p, const F& f) { each_output(p, p.outputs.size(), f); }

/// The pairs of which this is decided, together or apart, by what makes the rows of their values: a view's is the value
/// that it shows.
constexpr sequence<decision> pairs_of(const program& p, decided what) {
  sequence<decision> found;
  for (const decision& d : p.decisions)
    if (d.what == what) found.push_back(of_pair(what, root_of(p, d.at), root_of(p, d.other)));
  return found;
}

/// Whether a path of scopes lies in another one, or is it.
constexpr bool is_within(std::string_view path, std::string_view scope) {
  if (scope.empty()) return true;
  return path.substr(0, scope.size()) == scope && (path.size() == scope.size() || path[scope.size()] == '/');
}

/// How the values of scopes are kept for the gradient. A program in which nothing is decided about it costs nothing.
class scope_ways {
 public:
  constexpr explicit scope_ways(const program& of) : p(of) {
    for (const decision& d : p.decisions) is_said = is_said || (d.what == decided::keep && !d.is_of_values());
    if (!is_said) return;
    for (const decision& d : p.decisions)
      if (d.what == decided::keep && d.whom == decided_of::whole) of_whole = way_of(d);
    for (const text& path : p.scopes) ways.push_back(innermost(path.view()));
  }
  /// Of a statement. Where equal statements of several scopes are one, the way that saves most.
  constexpr keeping of(const statement& s) const {
    if (!is_said || s.scopes == 0) return of_whole;
    keeping way = keeping::chosen;
    each_scope(p, s, [&](int scope) { way = more_saving(way, ways[scope]); });
    return way;
  }

 private:
  /// The way of the innermost scope around, or of the whole.
  constexpr keeping innermost(std::string_view path) const {
    keeping way = of_whole;
    std::size_t longest = 0;
    for (const decision& d : p.decisions) {
      if (d.what != decided::keep || d.whom != decided_of::scope) continue;
      const std::string_view scope = p.scopes[d.at].view();
      if (scope.size() < longest || !is_within(path, scope)) continue;
      longest = scope.size();
      way = way_of(d);
    }
    return way;
  }

  const program& p;
  bool is_said = false;
  keeping of_whole = keeping::chosen;
  sequence<keeping> ways{};  // of each scope; empty where nothing is said
};

}  // namespace stg::ir
