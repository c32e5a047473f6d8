// What a schedule has done to a program, and what does not fit.
#pragma once

#include <cstddef>      // size_t
#include <string_view>  // string_view

#include <stg/base/sequence.hpp>  // sequence
#include <stg/base/text.hpp>      // text
#include <stg/ir/decisions.hpp>   // is_within
#include <stg/ir/program.hpp>     // program

namespace stg {

/// Why a schedule does not fit a program.
enum class schedule_mistake : int {
  none,
  no_such_path,  // neither a scope nor a value is called so
  finds_nothing,
  was_taken,  // by an earlier word of the schedule
  is_no_expression,
  is_no_value,     // a word about values is said of a scope
  is_no_scope,     // a word about scopes is said of what was found
  is_input,        // a word about computed values is said of an input
  is_many_values,  // a word about two values is said of one, or of several
  is_in_steps,     // of two values one is in the step of a scan, or in a called layer
  replaces_nothing,
  stores_no_type,
  is_no_word  // a path or a word that is empty, or too long
};

/// A word of a schedule, as it was applied.
struct applied_primitive {
  text word{};     // keep, stored, …
  text path{};     // of the scope or the value, empty: of the whole
  int places = 0;  // decisions that were made, or matches that were replaced
  constexpr bool operator==(const applied_primitive&) const = default;
  /// `keep conv1`.
  constexpr text in_words() const {
    text all = word;
    if (path.length == 0 || word.length + path.length + 1 > text::capacity) return all;
    all.append(' ');
    all.append(path.view());
    return all;
  }
};

namespace detail {

/// What is wrong with a schedule, for a sentence in the user's line.
struct schedule_finding {
  schedule_mistake what = schedule_mistake::none;
  text path{};
  text beside{};  // paths that are there; the word that took the place; what is wrong with an expression
  int line = 0;
};

/// The program before a word that may take places out of it, and the place of that word in the log.
struct before_word {
  ir::program p;
  int word;
};

struct schedule_state {
  ir::program p;
  schedule_finding wrong{};
  sequence<applied_primitive> log{};
  sequence<before_word> taking{};

  constexpr bool fits() const { return wrong.what == schedule_mistake::none; }
};

/// A path with the line that it was written in.
struct written_path {
  std::string_view path;
  int line;
  constexpr written_path(const char* letters, int called = __builtin_LINE()) : path(letters), line(called) {}
  constexpr written_path(std::string_view letters, int called = __builtin_LINE()) : path(letters), line(called) {}
};

/// Calls f(program) for a program, its steps and its callees, which may change them.
template <class F> constexpr void each_program_of(ir::program& p, const F& f) {
  f(p);
  for (ir::program& c : p.callees) each_program_of(c, f);
}

/// A text that ends with dots where it would be too long.
constexpr text shortened(std::string_view letters) {
  if (letters.size() <= text::capacity) return text(letters);
  text t(letters.substr(0, text::capacity - 3));
  t.append("...");
  return t;
}

/// Paths of scopes, named values and inputs that stand beside a wrong one: in the innermost scope that is there.
class paths_beside {
 public:
  constexpr paths_beside(ir::program& of, std::string_view wrong) : within_(wrong) {
    do {
      const std::size_t slash = within_.rfind('/');
      within_ = slash == std::string_view::npos ? std::string_view() : within_.substr(0, slash);
      each_program_of(of, [&](ir::program& p) { look(p); });
    } while (all_.empty() && !within_.empty());
  }
  /// As many as there is room for.
  constexpr text listed() const {
    text found;
    for (const text& one : all_) {
      if (found.length + one.length + 2 > text::capacity - 5) {
        found.append(", ...");
        break;
      }
      if (found.length > 0) found.append(", ");
      found.append(one.view());
    }
    return found;
  }

 private:
  constexpr void look(const ir::program& p) {
    for (const text& s : p.scopes) add(s.view());
    for (const ir::label& l : p.names) add(l.name.view());
    for (const ir::input& i : p.inputs) add(i.name.view());
  }
  /// What of a path lies in the scope at hand, without what lies deeper.
  constexpr void add(std::string_view path) {
    if (!ir::is_within(path, within_) || path.size() <= within_.size()) return;
    const std::size_t from = within_.empty() ? 0 : within_.size() + 1, slash = path.find('/', from);
    const text one = shortened(slash == std::string_view::npos ? path : path.substr(0, slash));
    for (const text& known : all_)
      if (known == one) return;
    all_.push_back(one);
  }

  std::string_view within_;
  sequence<text> all_{};
};

}  // namespace detail

}  // namespace stg
