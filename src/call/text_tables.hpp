// What a text calls by name: vertex sets and relations, extents and scopes.
#pragma once

#include "text_line.hpp"  // text_line

#include <stg/ir/program.hpp>   // program
#include <stg/ir/spelling.hpp>  // spelled

#include <cstdint>      // int64_t
#include <functional>   // less
#include <limits>       // numeric_limits
#include <map>          // map
#include <optional>     // optional
#include <string>       // string
#include <string_view>  // string_view

namespace stg::ir::detail {

// No text makes more than so many of what takes much memory for a few letters.
inline constexpr int most_programs = 1 << 16, most_depth = 64, most_kinds = 1 << 12, most_copied_kinds = 1 << 20,
                     most_extents = 1 << 12, most_extents_in_all = 1 << 16, most_scopes = 1 << 12,
                     most_scope_sets = 1 << 13;

/// A word of an enumeration by its name: the first of `words` that is called so.
template <class Word> std::optional<Word> word_named(std::string_view name, int words) {
  using stg::ir::detail::name_of;
  for (int k = 0; k < words; ++k)
    if (name_of(static_cast<Word>(k)) == name) return static_cast<Word>(k);
  return std::nullopt;
}

/// The vertex sets and relations of a text, by name: all of its programs know the same.
struct kind_names {
  sequence<kind> all{};
  std::map<std::string, int, std::less<>> numbers{};

  int number_of(text_line& line) const {
    text_line before = line;
    const text name = line.name();
    const auto found = numbers.find(name.view());
    if (found == numbers.end())
      before.refuse("no vertex set or relation is called " + spelled(name) +
                    "; its line, as `set paper`, stands behind the outputs");
    return found->second;
  }
};

/// Reads extents and scopes into the tables of a program.
class table_reader {
 public:
  /// extents_left: how many may still be written, in all programs of the text.
  table_reader(const kind_names& known, int& extents_left) : kinds(known), extents_left(extents_left) {
    p.kinds = known.all;
  }

 protected:
  /// Lines that say a table, which is read before the statements.
  void read_tables(text_line& line) {
    if (line.takes("extents")) {
      do {
        text_line before = line;
        const polynomial e = sum(line);
        if (e.is_integer()) before.refuse("an extent of this list has a name in it");
        p.extents.push_back(e);
        count_extent(before);
      } while (line.takes(','));
      line.end();
    } else if (line.takes("scopes")) {
      do {
        refuse_more_scopes(line);
        p.scopes.push_back(line.name());
      } while (line.takes(','));
      line.end();
    }
  }

  /// Sets are looked for one after the other, so no text makes many.
  void refuse_more_scopes(const text_line& at) const {
    if (p.scopes.size() == most_scopes || p.scope_sets.size() > most_scope_sets)
      at.refuse("the text of a program has at most " + std::to_string(most_scopes) + " scopes");
  }

  int scope(text_line& line) {
    const text_line begin = line;
    const text name = line.name();
    if (line.takes_at_once('@')) {
      const int at = line.count();
      if (at >= p.scopes.size() || !(p.scopes[at] == name))
        begin.refuse("the line of scopes has another one in this place, or none");
      return at;
    }
    for (int at = 0; at < p.scopes.size(); ++at)
      if (p.scopes[at] == name) return at;
    refuse_more_scopes(begin);
    p.scopes.push_back(name);
    return p.scopes.size() - 1;
  }

  extent length(text_line& line) {
    text_line before = line;
    const polynomial e = sum(line);
    if (e.is_integer()) {
      if (e.integer() < 0) before.refuse("an extent is not negative");
      return extent(e.integer());
    }
    if (line.takes_at_once('@')) {
      const std::int64_t entry = line.count();
      if (entry >= p.extents.size() || !(p.extents[entry] == e))
        before.refuse("the line of extents has another one in this place, or none");
      return extent(-1 - entry);
    }
    const int known = p.extents.size();
    const extent made = p.intern(e);
    if (p.extents.size() > known) count_extent(before);
    return made;
  }
  /// 2*F+3
  polynomial sum(text_line& line) {
    const text_line begin = line;
    polynomial e;
    bool is_negative = line.takes('-');
    while (true) {
      term t = product(line);
      if (is_negative) t.coefficient = -t.coefficient;
      e.add(t);
      if (!e.fits()) begin.refuse("an extent has at most " + std::to_string(polynomial::max_terms) + " terms");
      is_negative = line.takes_at_once('-');
      if (!is_negative && !line.takes_at_once('+')) return e;
    }
  }
  term product(text_line& line) {
    const text_line begin = line;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    term t;
    t.coefficient = 1;
    const char next = line.next();
    if (next >= '0' && next <= '9') {
      t.coefficient = line.integer(0, most);
      if (!line.takes_at_once('*')) return t;
    }
    do {
      if (t.degree == term::max_factors)
        begin.refuse("a product of extents has at most " + std::to_string(term::max_factors) + " names");
      const text factor = line.name();
      int at = t.degree++;
      for (; at > 0 && factor.view() < t.factors[at - 1].view(); --at) t.factors[at] = t.factors[at - 1];
      t.factors[at] = factor;
    } while (line.takes_at_once('*'));
    return t;
  }

  program p{};
  const kind_names& kinds;

 private:
  void count_extent(const text_line& at) {
    if (p.extents.size() > most_extents || --extents_left < 0)
      at.refuse("a program has at most " + std::to_string(most_extents) + " extents, and a text " +
                std::to_string(most_extents_in_all));
  }

  int& extents_left;
};

}  // namespace stg::ir::detail
