// Functions and members under other libraries' names, or with the arguments of a newcomer: each use is a compile error,
// and one sentence says the right call.
#pragma once

#include <initializer_list>  // initializer_list

#include <stg/base/config.hpp>  // STG_SAYS_AT_CALLS

namespace stg::detail {

/// Any one argument, in braces or not, of a call that is an error anyhow.
struct any {
  constexpr any() = default;
  template <class X> constexpr any(const X&) {}
  template <class X> constexpr any(std::initializer_list<X>) {}
};
/// What such a call gives where a set is assigned to, or an element or a copy is asked for.
struct nothing {
  int item() const { return 0; }
  nothing clone() const { return {}; }
};

}  // namespace stg::detail

/// Defines what nobody may call, with the sentence about it at the user's line; `{}` makes what it returns:
///
///   STG_INSTEAD("stg: a graph's vertices are counted by graph.vertices()", std::int64_t num_nodes() const)
///
/// That is for members of classes that are no templates. Others have their own, since compilers would say the sentence
/// twice of a function that is none, and g++ that of a template behind all its arguments: STG_INSTEAD_FREE for
/// functions, STG_INSTEAD_IN(never, ...) for members of a class template, STG_INSTEAD_FOR((class X), never, ...) for
/// function templates, where `never` depends on the template and is false. STG_INSTEAD_MADE is for constructors. A
/// constructor template has a static_assert of its own, since clang does not look at its attributes, and so has what
/// symbols are declared by, since clang forgets a variable whose initialiser says something.
#if defined(__CUDACC__)  // nvcc knows no such attribute, and says itself what there is not
#define STG_INSTEAD(sentence, ...)
#define STG_INSTEAD_FREE(sentence, ...)
#define STG_INSTEAD_IN(never, sentence, ...)
#define STG_INSTEAD_FOR(parameters, never, sentence, ...)
#define STG_INSTEAD_MADE(sentence, ...)
#elif STG_SAYS_AT_CALLS
#define STG_INSTEAD(sentence, ...) \
  __attribute__((diagnose_if(true, sentence, "error"))) __VA_ARGS__ { return {}; }
#define STG_INSTEAD_FREE(sentence, ...) \
  template <int Calls = 0> __attribute__((diagnose_if(Calls == 0, sentence, "error"))) __VA_ARGS__ { return {}; }
#define STG_INSTEAD_IN(never, sentence, ...) \
  __attribute__((diagnose_if(true, sentence, "error"))) __VA_ARGS__ { return {}; }
#define STG_INSTEAD_FOR(parameters, never, sentence, ...)                                                              \
  template <STG_INSTEAD_PARAMETERS parameters> __attribute__((diagnose_if(!(never), sentence, "error"))) __VA_ARGS__ { \
    return {};                                                                                                         \
  }
#define STG_INSTEAD_MADE(sentence, ...) \
  __attribute__((diagnose_if(true, sentence, "error"))) __VA_ARGS__ {}
#else
#define STG_INSTEAD(sentence, ...) \
  __attribute__((unavailable(sentence))) __VA_ARGS__ { return {}; }
#define STG_INSTEAD_FREE(sentence, ...)  \
  template <int Calls = 0> __VA_ARGS__ { \
    static_assert(Calls < 0, sentence);  \
    return {};                           \
  }
#define STG_INSTEAD_IN(never, sentence, ...) \
  __VA_ARGS__ {                              \
    static_assert(never, sentence);          \
    return {};                               \
  }
#define STG_INSTEAD_FOR(parameters, never, sentence, ...)    \
  template <STG_INSTEAD_PARAMETERS parameters> __VA_ARGS__ { \
    static_assert(never, sentence);                          \
    return {};                                               \
  }
#define STG_INSTEAD_MADE(sentence, ...) \
  __attribute__((unavailable(sentence))) __VA_ARGS__ {}
#endif
#define STG_INSTEAD_PARAMETERS(...) __VA_ARGS__

/// A field of options under another library's name, behind those that there are: STG_INSTEAD_FIELD(lr, "stg: ...").
/// It takes no room; what is given to it, a number or a list, is the error.
#if defined(__CUDACC__)
#define STG_INSTEAD_FIELD(name, sentence)
#else
#define STG_INSTEAD_FIELD(name, sentence)              \
  struct no_##name {                                   \
    constexpr no_##name() = default;                   \
    STG_INSTEAD_MADE(sentence, no_##name(double, ...)) \
  };                                                   \
  [[no_unique_address]] no_##name name{};
#endif
