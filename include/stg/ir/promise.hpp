// Promises about the memory of values: stored(x) and inlined(x) in a lambda, which the plan keeps or refuses.
#pragma once

#include <string_view>  // string_view

#include <stg/ir/fields.hpp>   // is_message
#include <stg/ir/program.hpp>  // program, tag

namespace stg::ir {

/// They are tags of the library's own, and go along as all tags do.
inline constexpr std::string_view stored_tag = "%stored", inlined_tag = "%inlined";

/// The promises that a program's tags make about its values. A plain program costs nothing.
class promises {
 public:
  constexpr explicit promises(const program& p) {
    for (const tag& t : p.tags)
      if (t.is_promise()) mark(t.name.view() == stored_tag ? stored : inlined, p, t.at);
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
  constexpr bool any() const { return !inlined.empty() || !stored.empty(); }

 private:
  static constexpr void mark(flags& of, const program& p, value_id at) {
    if (of.empty()) of.assign(p.size(), 0);
    of[at] = 1;
  }
  flags stored{}, inlined{};  // by value; empty without promises
};

/// Calls f(value) for every output, then for every value promised to be stored and every message to or from another
/// rank, which are as good as outputs to every pass.
template <class F> constexpr void each_output(const program& p, const F& f) {
  for (const output& o : p.outputs) f(o.at);
  promises(p).each_stored(f);
  for (value_id i = 0; i < p.size(); ++i)
    if (is_message(p[i].code)) f(i);
}

}  // namespace stg::ir
