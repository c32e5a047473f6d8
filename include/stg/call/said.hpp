// The messages about a program, once, whatever it is asked for first: stg::compile, stg::parameters, stg::explain.
#pragma once

#include <string_view>  // string_view

#include <stg/analysis/verify.hpp>  // verify
#include <stg/call/bindings.hpp>    // input_name
#include <stg/call/with.hpp>        // WithPasses, find_change
#include <stg/compile.hpp>          // canonical
#include <stg/dsl/trace.hpp>        // traced, has_no_mistake

namespace stg {

namespace detail {

/// The rule that a program breaks; if there is no program, nothing more is said.
template <class Ref> constexpr pass::finding find_broken_rule() {
  if constexpr (is_program<Ref>) return pass::verify(canonical<Ref>::value.thaw());
  else return {};
}
template <class Ref> inline constexpr pass::finding found = find_broken_rule<Ref>();
/// Whether nothing was said of a program, so that it can be asked.
template <class Ref> constexpr bool find_right() {
  if constexpr (!is_program<Ref> || found<Ref>.what != op::rule::none) return false;
  else return find_change<Ref>() == changed::nothing;
}
template <class Ref> inline constexpr bool is_right = find_right<Ref>();

/// One name for two inputs, which compilers print beside the sentence.
template <STG_WORD Input> struct one_name_two_inputs {};
template <class Ref> constexpr auto find_shared_name() {
  constexpr bool is_shared = found<Ref>.what == op::rule::one_name_has_one_shape;
  if constexpr (is_shared && canonical<Ref>::value[is_shared ? found<Ref>.at : 0].code == ir::opcode::input)
    return std::type_identity<
        in_words<one_name_two_inputs, input_name<Ref, canonical<Ref>::value[found<Ref>.at].entry()>>>();
  else return std::type_identity<std::conditional_t<is_shared, in_words<one_name_two_inputs, name<'?'>>, void>>();
}
template <class Ref> using shared_name = typename decltype(find_shared_name<Ref>())::type;

#define STG_NAMES_TWO_SHAPES "stg: one name is used with two shapes in a program; give the inputs two names"
#define STG_NAMES_TWO_VALUES "stg: named<\"...\"> gives one name to two values; use two names or a scope"
#define STG_HAS_AN_ODD_NUMBER \
  "stg: a number is none of the type that it meets, as 0.5 beside an i32; write cast<f32>(x) > 0.5"
#define STG_NAMES_TWO_KINDS "stg: one name is used for two vertex sets or relations; give them two names"
#define STG_MIXES_GRAPHS \
  "stg: a program reads vertices of sets or those of a plain graph, not both; read all through g(set)"

/// Says the broken rule of a lambda's program, then the mistakes of passes. auto: instantiated at the call.
template <class Ref, class Name> constexpr auto keeps_rules() {
  constexpr op::rule rule = found<Ref>.what;
  if constexpr (!WithPasses<Ref>) {
#include <stg/call/check_rules.inc>
  } else if constexpr (keeps_rules<typename Ref::plain, shared_name<typename Ref::plain>>(),
                       is_right<typename Ref::plain>) {
    if constexpr (Ref::are_known && Ref::refused::is_there) {
      [[maybe_unused]] typename Ref::refused::sentence said;
    } else {
      constexpr changed change = find_change<Ref>();
#include <stg/call/check_passes.inc>
    }
  }
  return true;
}

}  // namespace detail

/// The program of a lambda in an alias, where no function says the mistake.
template <const auto& F, bool Checked = stage::traced<F>::check(),
          bool Right = detail::has_no_mistake<ref<F>, detail::place_of_mistake<F>>()>
using program_of = ref<F>;

}  // namespace stg
