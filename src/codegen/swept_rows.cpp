// Cutting the rows of a sweep into parts of equal work.
#include <stg/codegen/cpu/swept_rows.hpp>

namespace stg::cpu {

using codegen::graph_view;
using codegen::plan_data;

swept_rows::swept_rows(const plan_data& plan, int unit, const graph_view& graph)
    : plan_(plan), unit_(unit), graph_(graph) {
  int relations = 0;
  codegen::for_each_relation(plan, unit, [&](int) { ++relations; });
  goes_over_several_ = relations > 1;
}

std::int64_t swept_rows::edges_before(std::int64_t row) const {
  std::int64_t n = 0;
  codegen::for_each_relation(plan_, unit_, [&](int loop) {
    const adjacency& edges = codegen::edges_of(plan_.loops[loop], graph_);
    n += edges.begin(row) - edges.begin(0);
  });
  return n;
}

std::int64_t swept_rows::parts() const {
  constexpr std::int64_t large = 1 << 18;
  const std::int64_t edges = goes_over_several_ ? edges_before(graph_.vertices) : graph_.in.edges();
  const std::int64_t work = graph_.vertices + edges;
  return work / (work < large ? 2048 : 16384) + 1;
}

std::int64_t swept_rows::split(std::int64_t part, std::int64_t parts) const {
  if (!goes_over_several_)
    return (plan_.units[unit_].side == pass::sweep_side::out ? graph_.out : graph_.in).split(part, parts);
  return first_row_of_part(graph_.vertices, edges_before(graph_.vertices), part, parts,
                           [&](std::int64_t row) { return edges_before(row); });
}

}  // namespace stg::cpu
