// What to write in place of a call that there is not: a function or member under another library's name, or with
// arguments that a newcomer gives, whose use is a compile error with one sentence.
#pragma once

#include <initializer_list>  // initializer_list

#include <stg/base/config.hpp>  // STG_SAYS_AT_CALLS

namespace stg {

/// Any one argument, in braces or not, of a call that is an error anyhow.
struct any {
  constexpr any() = default;
  template <class X> constexpr any(const X&) {}
  template <class X> constexpr any(std::initializer_list<X>) {}
};

}  // namespace stg

/// Defines what nobody may call, with the sentence about it at the user's line:
///
///   STG_INSTEAD("stg: a graph's vertices are counted by graph.vertices()", std::int64_t num_nodes() const)
///
/// g++ takes it as an attribute, and says it once more where a template names such a function before it is
/// instantiated, and behind the arguments of a template. STG_INSTEAD_IN(never, ...) is for members of a template,
/// STG_INSTEAD_FOR((class X), never, ...) for a function template; `never` depends on the template and is false. `{}`
/// makes what is returned.
#if defined(__CUDACC__)  // nvcc knows no such attribute, and says itself what there is not
#define STG_INSTEAD(sentence, ...)
#define STG_INSTEAD_IN(never, sentence, ...)
#define STG_INSTEAD_FOR(parameters, never, sentence, ...)
#elif STG_SAYS_AT_CALLS
#define STG_INSTEAD(sentence, ...) \
  __attribute__((diagnose_if(true, sentence, "error"))) __VA_ARGS__ { return {}; }
#define STG_INSTEAD_IN(never, sentence, ...) \
  __attribute__((diagnose_if(true, sentence, "error"))) __VA_ARGS__ { return {}; }
#define STG_INSTEAD_FOR(parameters, never, sentence, ...) \
  template <STG_INSTEAD_PARAMETERS parameters>            \
  __attribute__((diagnose_if(!(never), sentence, "error"))) __VA_ARGS__ { return {}; }
#else
#define STG_INSTEAD(sentence, ...) \
  __attribute__((unavailable(sentence))) __VA_ARGS__ { return {}; }
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
#endif
#define STG_INSTEAD_PARAMETERS(...) __VA_ARGS__
