// column_kernels: what computes a rank's share of a sweep's columns.
#pragma once

#include <stg/base/standard.hpp>  // C++20

namespace stg::cpu {
struct column_kernel;
}

namespace stg::codegen {

/// Kernels for shares of columns that run as fast as those of whole rows: of a draft the library's, for any share; of a
/// compiled program, where it asks for them in its type, kernels for one of a number of equal groups of columns. A rank
/// has some groups and computes one after the other, so the number of ranks does not decide how a row is added up.
/// Other compiled programs have none: the library's kernels of drafts serve their shares, and take several times as
/// long.
struct column_kernels {
  int groups = 0;                               // 0: those of drafts
  const cpu::column_kernel* of_unit = nullptr;  // (units), of a plan with groups
};

/// Those of a draft.
inline constexpr column_kernels columns_of_drafts{};

/// A program's on a backend; null: none.
template <class Backend, class P> const column_kernels* column_kernels_of() {
  if constexpr (requires { Backend::template columns<P>(); }) return Backend::template columns<P>();
  else return nullptr;
}

}  // namespace stg::codegen
