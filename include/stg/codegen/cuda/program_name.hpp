// What a user called a program, for profiles and errors.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <string_view>  // string_view

namespace stg::gpu {

namespace detail {
template <class P> constexpr std::string_view spelled_type() { return __PRETTY_FUNCTION__; }
}  // namespace detail

/// "app::gat" for whatever is made of ref<app::gat>; "a program" where the compiler spells it otherwise.
template <class P> constexpr std::string_view program_name() {
  constexpr std::string_view all = detail::spelled_type<P>(), before = "ref<";
  const std::size_t at = all.find(before);
  if (at == std::string_view::npos) return "a program";
  const std::string_view rest = all.substr(at + before.size());
  int depth = 1;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    depth += rest[k] == '<' ? 1 : rest[k] == '>' ? -1 : 0;
    if (depth == 0) return rest.substr(0, k);
  }
  return "a program";
}

}  // namespace stg::gpu
