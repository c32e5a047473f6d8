// Names as types: name<'e','r'> prints readably in the messages of every compiler.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstddef>      // size_t
#include <string_view>  // string_view
#include <utility>      // index_sequence

namespace stg {

/// A string literal as a template argument: vertex_feature<"h", 8>.
template <std::size_t N> struct fixed_string {
  char letters[N]{};
  static constexpr std::size_t size = N - 1;
  constexpr fixed_string(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) letters[i] = literal[i];
  }
  constexpr std::string_view view() const { return std::string_view(letters, size); }
};

template <char... C> struct name {
  static constexpr char letters[sizeof...(C) + 1] = {C..., 0};
  static constexpr std::string_view view() { return std::string_view(letters, sizeof...(C)); }
};

namespace detail {
// nvcc writes a type's arguments into its host file the way they were spelled. The detour over an int argument makes it
// print a number, and the deduced return type hides how it was made.
template <int C> constexpr char letter() { return static_cast<char>(C); }

template <fixed_string F, template <char...> class To> struct spell {
  template <std::size_t... I> static constexpr auto as(std::index_sequence<I...>) {
    return To<letter<F.letters[I]>()...>();
  }
  static constexpr auto value = as(std::make_index_sequence<F.size>());
};

// The same for a name that a constexpr function found: Text is a type with a static constexpr view().
template <class Text, template <char...> class To> struct spell_view {
  template <std::size_t... I> static constexpr auto as(std::index_sequence<I...>) {
    return To<letter<Text::view()[I]>()...>();
  }
  static constexpr auto value = as(std::make_index_sequence<Text::view().size()>());
};
}  // namespace detail

// What a finding is about, as the argument that compilers print: input_is_not_bound<fixed_string<3>{"er"}>. clang
// before 15 prints the letters of a string as numbers; there a finding has the name, letter by letter.
//
//   template <STG_WORD Input> struct input_is_not_bound {};
//   in_words<input_is_not_bound, name<'e', 'r'>>
#if defined(__clang__) && __clang_major__ < 15
#define STG_WORD class
template <template <class> class Finding, class Name> using in_words = Finding<Name>;
#else
#define STG_WORD ::stg::fixed_string
template <template <fixed_string> class Finding, class Name>
using in_words = Finding<fixed_string<Name::view().size() + 1>(Name::letters)>;
#endif

namespace detail {
/// An input, a vertex set or a relation, spelled; and a condition on it, so that compilers print which is meant:
/// holds_for<false, input<fixed_string<6>{"label"}>>.
template <STG_WORD Word> struct input {};
template <class X> struct spelled_input { using type = void; };  // of what has no name
template <class X>
  requires requires { typename X::name; }
struct spelled_input<X> {
  using type = in_words<input, typename X::name>;
};
template <class X> using input_of = typename spelled_input<X>::type;
template <bool Holds, class Of> inline constexpr bool holds_for = Holds;
/// In front of a condition: g++ prints the input beside the sentence. clang shows the user's line instead.
#if defined(__clang__)
#define STG_NAMES(holds, X)
#else
#define STG_NAMES(holds, X) detail::holds_for<(holds), detail::input_of<X>>&&
#endif

template <template <STG_WORD> class Finding, class T> inline constexpr bool is_not = true;
template <template <STG_WORD> class Finding, STG_WORD Word>
inline constexpr bool is_not<Finding, Finding<Word>> = false;
}  // namespace detail

}  // namespace stg
