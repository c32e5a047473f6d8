// Words about the exchanges of a scope on a cut graph: merge_exchanges<"towers">(v) sends them together, and
// must_overlap<"towers">(v) demands that something runs meanwhile.
#pragma once

#include <stg/dsl/keep.hpp>     // decide_scope
#include <stg/dsl/vertex.hpp>   // vertex_view
#include <stg/dsl/written.hpp>  // here

namespace stg {

/// What ranks of a cut graph exchange of the values of a scope, with the scopes in it, is one message to each rank
/// where that is possible: a value waits for later ones of the scope until one of them is read. Among nested scopes the
/// innermost is a value's. No bit of a result changes, and on a whole graph nothing does. explain_exchanges has the
/// unit behind which a value is sent.
///
///   merge_exchanges<"towers">(v);
template <fixed_string Name> constexpr void merge_exchanges(vertex_view v, here called = here()) {
  detail::decide_scope(v, Name.view(), ir::decided::merged_exchanges, 1, called);
}
/// The same of all values that are in no such scope.
///
///   merge_exchanges(v);
constexpr void merge_exchanges(vertex_view v, here called = here()) {
  detail::decide_scope(v, {}, ir::decided::merged_exchanges, 1, called);
}

/// Demands that something runs while a value of a scope, or of the scopes in it, is exchanged: interior rows, or units
/// that do not read it. A cut is needed to know: verify_overlap<loss>(cut, ranks) looks, and throws an error that names
/// the value and the unit that reads it at once.
///
///   must_overlap<"towers">(v);
template <fixed_string Name> constexpr void must_overlap(vertex_view v, here called = here()) {
  detail::decide_scope(v, Name.view(), ir::decided::overlaps, 1, called);
}

}  // namespace stg
