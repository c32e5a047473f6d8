// The sentences about a schedule that does not fit, with the path, its line, and what is there.
#pragma once

#include <type_traits>  // remove_const_t

#include <stg/base/name.hpp>         // in_words, spell_view
#include <stg/compile.hpp>           // letters_of
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
#define STG_MISTAKE(name, sentence) static_assert(Why != schedule_mistake::name, sentence);
  STG_SCHEDULE_MISTAKES(STG_MISTAKE)
#undef STG_MISTAKE
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
