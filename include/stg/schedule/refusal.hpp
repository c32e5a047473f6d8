// The sentences about a schedule that does not fit, with the path, its line, and what is there.
#pragma once

#include <type_traits>  // remove_const_t

#include <stg/base/name.hpp>         // in_words, spell_view
#include <stg/compile.hpp>           // letters_of
#include <stg/dsl/keep.hpp>          // STG_STORES_NO_TYPE
#include <stg/dsl/trace.hpp>         // in_line
#include <stg/schedule/finding.hpp>  // schedule_mistake

namespace stg {

namespace detail {

template <STG_WORD Path> struct scheduled_path {};
template <STG_WORD Paths> struct there_are {};
template <STG_WORD Why> struct because {};
template <STG_WORD Word> struct taken_by {};
template <text Letters>
using letters_as_name = std::remove_const_t<decltype(spell_view<letters_of<Letters>, name>::value)>;
/// The sentences about a schedule, with the path, its line in the user's file, and what is beside it.
template <schedule_mistake Why, class Path, class Beside> struct schedule_does_not_fit {
  static_assert(Why != schedule_mistake::no_such_path,
                "stg: a schedule names a scope or a value that is not there; there_are<...> lists those that are");
  static_assert(Why != schedule_mistake::finds_nothing,
                "stg: find(\"...\") of a schedule finds no value; examine::find shows what an expression finds");
  static_assert(
      Why != schedule_mistake::is_no_expression,
      "stg: find(\"...\") of a schedule takes a regular expression of paths; because<...> says what is wrong");
  static_assert(Why != schedule_mistake::was_taken,
                "stg: a schedule names what an earlier word of it took out of the program; taken_by<...> is that word");
  static_assert(Why != schedule_mistake::is_no_value,
                "stg: stored, inlined, one_sweep, apart and annotate are said of values; find them in the scope");
  static_assert(Why != schedule_mistake::is_no_scope,
                "stg: replace, merge_exchanges, must_overlap, find and [] of a schedule are about a scope, not values");
  static_assert(
      Why != schedule_mistake::is_input,
      "stg: a schedule's words are about computed values, not inputs or constants; annotate alone takes these");
  static_assert(Why != schedule_mistake::is_many_values,
                "stg: one_sweep and apart of a schedule are about two values; give one of each by its name");
  static_assert(
      Why != schedule_mistake::is_in_steps,
      "stg: one_sweep and apart pair values of one program; one of these is in a scan's step or a called layer");
  static_assert(Why != schedule_mistake::is_no_word,
                "stg: a path, an expression or a word of a schedule is empty, or longer than 62 letters");
  static_assert(Why != schedule_mistake::replaces_nothing,
                "stg: replace(rule) of a schedule replaces nothing there; examine::matches_of shows why");
  static_assert(Why != schedule_mistake::stores_no_type, STG_STORES_NO_TYPE);
};
template <schedule_mistake Why, text Path, text Beside, int Line> struct schedule_refusal {
  template <schedule_mistake, int = 0> struct beside { using type = in_words<there_are, letters_as_name<Beside>>; };
  template <int Any> struct beside<schedule_mistake::is_no_expression, Any> {
    using type = in_words<because, letters_as_name<Beside>>;
  };
  template <int Any> struct beside<schedule_mistake::was_taken, Any> {
    using type = in_words<taken_by, letters_as_name<Beside>>;
  };
  using type = schedule_does_not_fit<Why, in_line<Line, in_words<scheduled_path, letters_as_name<Path>>>,
                                     typename beside<Why>::type>;
};

}  // namespace detail

}  // namespace stg
