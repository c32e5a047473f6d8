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
constexpr decision wide_as(value_id at, scalar_type type) {
  return of_value(decided::width, at, static_cast<std::int64_t>(type));
}
constexpr scalar_type width_of(const decision& d) { return static_cast<scalar_type>(d.number); }
/// Whether values that are computed in f32 can lie in memory in this type.
constexpr bool is_width(std::int64_t type) {
  return type == static_cast<int>(scalar_type::f32) ||
         (type >= 0 && type < static_cast<int>(scalar_type::real) && is_storage(static_cast<scalar_type>(type)));
}

/// Whether a program, frozen or not, decides about the width of stored rows.
template <class Program> constexpr bool decides_width(const Program& p) {
  bool any = false;
  for (const decision& d : p.decisions) any = any || d.what == decided::width;
  return any;
}

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

/// Decides about a scope; where it is decided already, the way of keeping that saves more counts, the wider type, or
/// the region that it is in.
constexpr void decide_of_scope(program& p, int scope, decided what, std::int64_t number) {
  for (decision& d : p.decisions) {
    if (d.what != what || d.whom != decided_of::scope || d.at != scope) continue;
    if (what == decided::keep)
      d.number = static_cast<std::int64_t>(more_saving(way_of(d), static_cast<keeping>(number)));
    else if (d.number != number && what == decided::width) d.number = 0;
    return;
  }
  p.decisions.push_back(of_scope(what, scope, number));
}
constexpr void keep_scope(program& p, int scope, keeping way) {
  decide_of_scope(p, scope, decided::keep, static_cast<std::int64_t>(way));
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
      else if (d.what == decided::width && d.whom == decided_of::value) mark(width, p, d.at);
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
  /// The f32 form of rows that lie in memory as bf16 or f16 by a decision: each reader widens them for itself.
  constexpr bool is_widened(const program& p, value_id i) const {
    if (width.empty() || p[i].code != opcode::cast || p[i].where != space::vertex) return false;
    const value_id rows = root_of(p, p[i].operands[0]);
    return width[rows] && is_storage(p[rows].type);
  }

 private:
  static constexpr void mark(flags& of, const program& p, value_id at) {
    if (of.empty()) of.assign(p.size(), 0);
    of[at] = 1;
  }
  flags stored{}, inlined{}, width{};  // by value; empty without such decisions
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

/// The numbers that a word of the table has for the scopes of a program and for the whole, by statement. A program in
/// which the word does not stand costs nothing.
class scope_numbers {
 public:
  /// Which of two numbers counts.
  using choice_of_two = std::int64_t (*)(std::int64_t, std::int64_t);
  constexpr scope_numbers(const program& of, decided what, choice_of_two choose) : p(of), word(what), better(choose) {
    for (const decision& d : p.decisions) is_said = is_said || (d.what == word && !d.is_of_values());
    if (!is_said) return;
    for (const decision& d : p.decisions)
      if (d.what == word && d.whom == decided_of::whole) of_whole = d.number;
    for (const text& path : p.scopes) numbers.push_back(innermost(path.view()));
  }
  /// Of a statement. Where equal statements of several scopes are one, the better number; 0 if nothing is said.
  constexpr std::int64_t of(const statement& s) const {
    if (!is_said || s.scopes == 0) return of_whole;
    std::int64_t number = -1;
    each_scope(p, s, [&](int scope) { number = number < 0 ? numbers[scope] : better(number, numbers[scope]); });
    return number;
  }

 private:
  /// The number of the innermost scope around, or of the whole.
  constexpr std::int64_t innermost(std::string_view path) const {
    std::int64_t number = of_whole;
    std::size_t longest = 0;
    for (const decision& d : p.decisions) {
      if (d.what != word || d.whom != decided_of::scope) continue;
      const std::string_view scope = p.scopes[d.at].view();
      if (scope.size() < longest || !is_within(path, scope)) continue;
      longest = scope.size();
      number = d.number;
    }
    return number;
  }

  const program& p;
  decided word;
  choice_of_two better;
  bool is_said = false;
  std::int64_t of_whole = 0;
  sequence<std::int64_t> numbers{};  // of each scope; empty where nothing is said
};

/// How the values of scopes are kept for the gradient: the way that saves most.
class scope_ways {
 public:
  constexpr explicit scope_ways(const program& of)
      : ways(of, decided::keep, [](std::int64_t a, std::int64_t b) {
          return static_cast<std::int64_t>(more_saving(static_cast<keeping>(a), static_cast<keeping>(b)));
        }) {}
  constexpr keeping of(const statement& s) const { return static_cast<keeping>(ways.of(s)); }

 private:
  scope_numbers ways;
};

/// The regions of a program whose exchanges are sent together (decided::merged_exchanges), by number; 0: none. A
/// statement of several scopes is in the first of their regions.
class scope_regions {
 public:
  constexpr explicit scope_regions(const program& of)
      : numbers(of, decided::merged_exchanges,
                [](std::int64_t a, std::int64_t b) { return a == 0 || (b != 0 && b < a) ? b : a; }) {}
  constexpr std::int64_t of(const statement& s) const { return numbers.of(s); }

 private:
  scope_numbers numbers;
};
/// The number of a region that is none yet, of a program and of all that it calls.
constexpr std::int64_t unused_region(const program& p) {
  std::int64_t unused = 1;
  for (const decision& d : p.decisions)
    if (d.what == decided::merged_exchanges && d.number >= unused) unused = d.number + 1;
  for (const program& c : p.callees)
    if (const std::int64_t there = unused_region(c); there > unused) unused = there;
  return unused;
}

/// The statements of scopes with the decision `overlaps`: something has to run while ranks exchange their values.
class overlapped_scopes {
 public:
  constexpr explicit overlapped_scopes(const program& of)
      : said(of, decided::overlaps, [](std::int64_t a, std::int64_t b) { return a < b ? b : a; }) {}
  constexpr bool have(const statement& s) const { return said.of(s) != 0; }

 private:
  scope_numbers said;
};

/// The types that values of scopes are stored in: f32 for a statement that stands in a scope of f32, too.
class scope_widths {
 public:
  constexpr explicit scope_widths(const program& of)
      : types(of, decided::width, [](std::int64_t a, std::int64_t b) { return a == b ? a : 0; }) {}
  constexpr scalar_type of(const statement& s) const { return static_cast<scalar_type>(types.of(s)); }

 private:
  scope_numbers types;
};

}  // namespace stg::ir
