// The programs of the Python package, file by file.
#pragma once

#include <stg/python.hpp>  // python_module

namespace stg::package {

/// Sums, means and maxima of neighbours' rows of any width.
void add_aggregates(python_module& m);
/// GAT: scores are sums of two numbers per edge.
void add_gat(python_module& m);
/// GATv2: scores are of the sum of two rows.
void add_gatv2(python_module& m);
/// Transformer: scores are inner products.
void add_transformer(python_module& m);

}  // namespace stg::package
