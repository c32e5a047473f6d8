// embedding: a table of rows that training changes. Each vertex or edge reads one row.
#pragma once

#include <stg/dsl/initialized.hpp>  // initialized, init::normal

namespace stg {

namespace detail {
template <class X> constexpr auto table_of(X x) {
  constexpr bool has_width = X::dims::rank > 1;
  static_assert(STG_NAMES(has_width, X)(has_width),
                "stg: an embedding has a number of rows and their width: embedding<\"E\", 1000, 16>");
  if constexpr (has_width) return initialized(x, init::normal(0, 1));
  else return mistake();
}
}  // namespace detail

/// A parameter whose first axis has a row for each word, user or relation; the other axes are a row's. It begins with
/// Gaussian numbers of mean 0 and deviation 1, as PyTorch's nn.Embedding. A row is read by its number, an i32 value of
/// the vertex or edge. Its gradient is the sum of its readers' cotangents, in time and memory of the rows read and the
/// rows of the table. Errors: as in parameter; a bound index that names no row is an error of the call.
///
///   inline constexpr auto E = stg::embedding<"E", stg::extent<"N">, 64>;
///   inline constexpr auto id = stg::vertex_feature<"id", stg::i32>;
///   inline constexpr auto model = [](auto v) { return E[v(id)]; };   // (vertices, 64)
template <fixed_string Name, auto... Extents>
inline constexpr auto embedding = detail::table_of(parameter<Name, Extents...>);

}  // namespace stg
