// Edge values of calls through a door: callers have edges in the order of their lists, programs in the order of ids.
#pragma once

#include <stg/door/program.hpp>  // any_tensor, called_with, value

namespace stg::door {

/// A copy of an edge input in the order of edge ids; of a sequence, in the order of its steps' edges. Errors: those of
/// graph::edge_values.
any_tensor in_id_order(const any_tensor& given, const called_with& on, const value& v);
/// A result of edges in the order of the list that the graph was made from; other results, and those of a sequence, as
/// they are.
any_tensor in_list_order(any_tensor result, const called_with& on, const value& v);

}  // namespace stg::door
