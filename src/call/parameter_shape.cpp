// Shapes of parameters from the sizes that a user gives.
#include <stg/call/parameter_shape.hpp>

#include <cstddef>  // size_t
#include <span>     // span
#include <string>   // string, to_string

#include <stg/base/error.hpp>     // error
#include <stg/runtime/kinds.hpp>  // rows_of_kind, identity_of_kind

namespace stg::detail {

trained_rows rows_on(const ir::statement& trained, ir::kind_list kinds, const graph& on) {
  const ir::domain& where = trained.where;
  const bool of_edges = where == ir::space::edge;
  if (where == ir::space::graph) return {};
  if (where.set == 0)
    return {of_edges ? on.edges() : on.vertices(), of_edges ? on.edge_identity() : edge_identity::unknown};
  const ir::kind& kind = kinds[where.set - 1];
  return {rows_of_kind(kind, on), of_edges ? identity_of_kind(kind, on) : edge_identity::unknown};
}

dimensions parameter_shape(const ir::statement& parameter, const ir::polynomial* extents,
                           std::initializer_list<extent_size> sizes, std::int64_t rows) {
  const auto size_of = [&](const text& wanted) {
    for (const extent_size& given : sizes)
      if (given.name == wanted) return given.size;
    throw error("stg internal: an extent without a size");
  };
  std::int64_t list[ir::shape::max_rank + 2];  // the steps and the rows before it
  int rank = 0;
  const auto add = [&](ir::extent e) {
    list[rank++] = e.is_static() ? e.code : ir::evaluate(extents[-1 - e.code], size_of);
  };
  if (parameter.is_sequence()) add(parameter.over);
  if (rows != trained_rows::no_rows) list[rank++] = rows;
  for (int a = 0; a < parameter.dims.rank; ++a) add(parameter.dims.axes[a]);
  return dimensions(std::span<const std::int64_t>(list, static_cast<std::size_t>(rank)));
}

void check_size(const extent_size& given, bool counts_steps) {
  if (given.size < (counts_steps ? 0 : 1))
    throw error("extent '" + std::string(given.name.view()) + "' is " + std::to_string(given.size) +
                (counts_steps ? "; a number of steps is 0 or more" : "; an extent is 1 or more"));
}

}  // namespace stg::detail
