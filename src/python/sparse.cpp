// Sparse features of Python: a matrix of SciPy as a sparse tensor.
#include "sparse.hpp"

#include "arrays.hpp"  // integers, seen

#include <stg/base/error.hpp>  // error

#include <nanobind/stl/string.h>  // casters

#include <cstdint>  // int32_t, int64_t
#include <limits>   // numeric_limits
#include <span>     // span
#include <string>   // string, to_string
#include <variant>  // get, visit
#include <vector>   // vector

namespace stg::python {

namespace {

std::vector<std::int32_t> columns_of(nb::handle indices, std::int64_t columns) {
  if (columns > std::numeric_limits<std::int32_t>::max()) throw error("a sparse matrix has at most 2^31 - 1 columns");
  std::vector<std::int32_t> all;
  for (const std::int64_t c : integers(indices, "indices")) {
    if (c < 0 || c >= columns)
      throw error("indices has column " + std::to_string(c) + "; the matrix has " + std::to_string(columns));
    all.push_back(static_cast<std::int32_t>(c));
  }
  return all;
}

sparse_features entries_of(nb::handle matrix) {
  if (!nb::hasattr(matrix, "tocsr")) throw error("Sparse.from_scipy takes a sparse matrix of SciPy, which has tocsr()");
  const nb::object rows = matrix.attr("tocsr")();
  const nb::object shape = rows.attr("shape"), data = rows.attr("data");
  const auto height = nb::cast<std::int64_t>(shape[nb::int_(0)]), width = nb::cast<std::int64_t>(shape[nb::int_(1)]);
  const std::vector<std::int64_t> offsets = integers(rows.attr("indptr"), "indptr");
  const std::vector<std::int32_t> columns = columns_of(rows.attr("indices"), width);
  const nb::object dtype = data.attr("dtype");  // of torch: torch.float64
  const bool is_double = nb::cast<std::string>(nb::str(nb::handle(dtype))).ends_with("float64");
  const seen_array values = seen(data, is_double ? f64 : f32, "data of the matrix");
  const std::int64_t extents[] = {height, width};
  const auto made = [&](const auto& numbers) -> sparse_features {
    using T = typename std::remove_cvref_t<decltype(numbers)>::value_type;
    const std::span<const T> all(numbers.data(), static_cast<std::size_t>(numbers.extent(0)));
    return {sparse_tensor<T>::from_rows(dimensions(std::span<const std::int64_t>(extents)), offsets, columns, all)};
  };
  if (is_double) return made(std::get<tensor<double>>(values.tensor));
  return made(std::get<tensor<float>>(values.tensor));
}

}  // namespace

void add_sparse(nb::module_& m) {
  nb::class_<sparse_features>(m, "Sparse", "Features with few entries, made once and used by any number of calls.")
      .def_static("from_scipy", &entries_of, nb::arg("matrix"),
                  "From a sparse matrix of SciPy with a row for each vertex, of float32 or float64.")
      .def_prop_ro("shape",
                   [](const sparse_features& s) {
                     return std::visit([](const auto& t) { return nb::make_tuple(t.shape()[0], t.shape()[1]); },
                                       s.entries);
                   })
      .def_prop_ro("entries", [](const sparse_features& s) {
        return std::visit([](const auto& t) { return t.entries(); }, s.entries);
      });
}

}  // namespace stg::python
