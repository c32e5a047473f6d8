// What a layer's reference is given: a graph as its list of edges, inputs by name, and the graph's matrices.
#pragma once

#include "dense_matrix.hpp"  // matrix

#include <cmath>    // sqrt, tanh
#include <map>      // map
#include <string>   // string
#include <utility>  // pair
#include <vector>   // vector

namespace stg::references {

using numbers = std::vector<double>;
using pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Inputs by name, as matrices.
struct named_matrices {
  const std::map<std::string, numbers>& inputs;

  matrix operator()(const char* name, int rows, int columns) const { return matrix(rows, columns, inputs.at(name)); }
  double number(const char* name) const { return inputs.at(name)[0]; }
};

/// What a layer is given: a graph as its list of (source, destination), sorted by destination, and inputs by name.
struct given {
  int n;
  pairs edges;
  std::map<std::string, numbers> inputs;

  matrix get(const std::string& name, int rows, int columns) const { return matrix(rows, columns, inputs.at(name)); }
  matrix operator()(const std::string& name) const { return get(name, 3, 4); }  // the most frequent shape
  matrix x() const { return get("x", n, 3); }
  matrix row(const std::string& name, int columns) const { return get(name, 1, columns); }
  double number(const std::string& name) const { return inputs.at(name)[0]; }

  /// A(i, j): how many edges lead from j to i; or the sum of their weights.
  matrix adjacency(bool weights = false) const {
    matrix A(n, n);
    for (std::size_t e = 0; e < edges.size(); ++e)
      A(static_cast<int>(edges[e].second), static_cast<int>(edges[e].first)) +=
          weights ? inputs.at("positive_w")[e] : 1;
    return A;
  }
  /// D^-1/2 A D^-1/2 with D the row sums of A.
  matrix normalised(bool weights = false) const {
    const matrix A = adjacency(weights);
    const matrix D = each(A.sum_of_columns(), [](double d) { return d == 0 ? 0 : 1 / std::sqrt(d); }).diagonal();
    return D * A * D;
  }
  matrix u() const { return get("u", static_cast<int>(edges.size()), 3); }
  /// (edges, n): 1 where an edge ends, and where it begins.
  matrix incidence(bool at_source = false) const {
    matrix B(static_cast<int>(edges.size()), n);
    for (std::size_t e = 0; e < edges.size(); ++e)
      B(static_cast<int>(e), static_cast<int>(at_source ? edges[e].first : edges[e].second)) = 1;
    return B;
  }
  matrix at_sources(const matrix& y) const { return incidence(true) * y; }
  matrix degree() const { return adjacency().sum_of_columns(); }  // (n, 1)
  /// D^-1 with D the degrees, 0 for a degree of 0.
  matrix share() const {
    return each(degree(), [](double d) { return d == 0 ? 0 : 1 / d; }).diagonal();
  }
  matrix affine(const matrix& y) const { return with_row(y * (*this)("W"), row("b", 4)); }
  matrix perceptron(const matrix& y) const {
    return each(affine(y), [](double x) { return std::tanh(x); }) * get("H", 4, 4);
  }
};

}  // namespace stg::references
