// What a schedule has done to a program, and what does not fit.
#pragma once

#include <cstddef>      // size_t
#include <string>       // string, to_string
#include <string_view>  // string_view

#include <stg/base/sequence.hpp>     // sequence
#include <stg/base/text.hpp>         // text
#include <stg/dsl/keep.hpp>          // STG_STORES_NO_TYPE
#include <stg/ir/decisions.hpp>      // is_within
#include <stg/ir/program.hpp>        // program
#include <stg/analysis/choices.hpp>  // choices

namespace stg {

// Why a schedule does not fit a program, with the sentences: word(mistake, sentence).
// clang-format off
#define STG_SCHEDULE_MISTAKES(word)                                                                                     \
  /* neither a scope nor a value is called so */                                                                        \
  word(no_such_path,                                                                                                    \
       "stg: a schedule names a scope or a value that is not there; there_are<...> lists those that are")               \
  word(finds_nothing,                                                                                                   \
       "stg: find(\"...\") of a schedule finds no value; examine::find shows what an expression finds")                 \
  word(was_taken,                                                                                                       \
       "stg: a schedule names what an earlier word of it took out of the program; taken_by<...> is that word")          \
  word(is_no_expression,                                                                                                \
       "stg: find(\"...\") of a schedule takes a regular expression of paths; because<...> says what is wrong")         \
  /* a word about values is said of a scope */                                                                          \
  word(is_no_value,                                                                                                     \
       "stg: stored, inlined, one_sweep, apart and annotate are said of values; find them in the scope")                \
  /* a word about scopes is said of what was found */                                                                   \
  word(is_no_scope,                                                                                                     \
       "stg: replace, merge_exchanges, must_overlap, find and [] of a schedule are about a scope, not values")           \
  /* a word about computed values is said of an input */                                                                \
  word(is_input,                                                                                                        \
       "stg: a schedule's words are about computed values, not inputs or constants; annotate alone takes these")        \
  /* a word about two values is said of one, or of several */                                                           \
  word(is_many_values,                                                                                                  \
       "stg: one_sweep and apart of a schedule are about two values; give one of each by its name")                     \
  /* of two values one is in the step of a scan, or in a called layer */                                                \
  word(is_in_steps,                                                                                                     \
       "stg: one_sweep and apart pair values of one program; one of these is in a scan's step or a called layer")       \
  word(replaces_nothing,                                                                                                \
       "stg: replace(rule) of a schedule replaces nothing there; examine::matches_of shows why")                        \
  word(stores_no_type, STG_STORES_NO_TYPE)                                                                              \
  /* a path or a word that is empty, or too long */                                                                     \
  word(is_no_word,                                                                                                      \
       "stg: a path, an expression or a word of a schedule is empty, or longer than 62 letters")                        \
  /* of a schedule that is a text */                                                                                    \
  word(is_no_line,                                                                                                      \
       "stg: a line of a schedule's text is none of its words; stg::schedule_text shows how each is written")           \
  word(is_of_cplusplus,                                                                                                 \
       "stg: replace and apply of a schedule's text have their rules in C++; write that schedule with stg::scheduled")  \
  word(is_of_another_program,                                                                                           \
       "stg: the text of a schedule was written for another program; leave out its line `of`, and see what fits")
// clang-format on

enum class schedule_mistake : int {
  none,
#define STG_MISTAKE(name, sentence) name,
  STG_SCHEDULE_MISTAKES(STG_MISTAKE)
#undef STG_MISTAKE
};

/// A place as it was written: a scope or a value, and an expression of values in it.
struct written_place {
  text path{}, expression{};
  constexpr bool operator==(const written_place&) const = default;
  /// With what was looked for in it.
  constexpr text joined() const {
    if (expression.length == 0) return path;
    if (path.length == 0 || path.length + expression.length + 1 > text::capacity) return expression;
    text whole = path;
    whole.append('/');
    whole.append(expression.view());
    return whole;
  }
};

/// A word of a schedule, as it was applied.
struct applied_primitive {
  text word{};            // keep, stored, …
  written_place place{};  // empty: the whole
  int places = 0;         // decisions that were made, or matches that were replaced
  text argument{};        // the way of keeping, the type, the tag
  written_place other{};  // of one_sweep and apart
  pass::choices by{};     // of choose
  constexpr bool operator==(const applied_primitive&) const = default;
  /// `keep conv1`.
  constexpr text in_words() const {
    text all = word, path = place.joined();
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

/// The sentence about it at run time.
inline std::string sentence_of(const schedule_finding& found) {
  constexpr std::string_view sentences[] = {"",
#define STG_MISTAKE(name, sentence) sentence,
                                            STG_SCHEDULE_MISTAKES(STG_MISTAKE)
#undef STG_MISTAKE
  };
  std::string all(sentences[static_cast<int>(found.what)].substr(5));  // without `stg: `
  if (const std::size_t place = all.find("; there_are<...>"); place != std::string::npos) all.erase(place);
  if (const std::size_t place = all.find("; taken_by<...>"); place != std::string::npos) all.erase(place);
  if (const std::size_t place = all.find("; because<...>"); place != std::string::npos) all.erase(place);
  all += " (line " + std::to_string(found.line) + ", " + std::string(found.path.view());
  if (found.beside.length > 0) all += "; " + std::string(found.beside.view());
  return all + ')';
}

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
