// Weights that samplers are given, checked.
#pragma once

#include <stg/runtime/graph.hpp>  // graph, edge_values

#include <vector>  // vector

namespace stg::detail {

/// Weights by edge id. Errors that begin with `what`: values of another graph, not one number per edge, and with the
/// edge, counted in input order, a weight that is negative or not finite.
std::vector<float> checked_weights(const char* what, const graph& of, const edge_values<float>& weights);

}  // namespace stg::detail
