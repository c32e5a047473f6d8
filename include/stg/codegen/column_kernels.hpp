// column_kernels: what computes a rank's share of a sweep's columns.
#pragma once

#include <stg/base/standard.hpp>  // C++20

namespace stg::codegen {

/// Kernels for shares of columns that run as fast as those of whole rows. A compiled program has none: the library's,
/// of drafts, serve its shares, and take several times as long.
struct column_kernels {};

/// Those of a draft, for any share.
inline constexpr column_kernels columns_of_drafts{};

/// A program's on a backend; null: none.
template <class Backend, class P> const column_kernels* column_kernels_of() {
  if constexpr (requires { Backend::template columns<P>(); }) return Backend::template columns<P>();
  else return nullptr;
}

}  // namespace stg::codegen
