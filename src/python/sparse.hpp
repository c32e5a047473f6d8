// Sparse features of Python.
#pragma once

#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor

#include <nanobind/nanobind.h>  // module_

#include <variant>  // variant

namespace stg::python {

/// The class Sparse of a module: features with few entries, made once and used by any number of calls.
struct sparse_features {
  std::variant<sparse_tensor<float>, sparse_tensor<double>> entries{};
};
void add_sparse(nanobind::module_& m);

}  // namespace stg::python
