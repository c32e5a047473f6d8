// Edge lists one behind another, with vertices numbered through.
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/graph_union.hpp>   // batch_graphs

#include <algorithm>  // fill

namespace stg {

graph_union batch_graphs(std::span<const graph> graphs, const union_options& options) try {
  graph_union all;
  all.vertex_offsets.push_back(0);
  all.edge_offsets.push_back(0);
  std::vector<std::int64_t> src, dst;
  for (const graph& g : graphs) {
    const std::int64_t before = all.vertex_offsets.back();
    const edge_list list = g.edge_list();
    for (const std::int32_t u : list.src) src.push_back(before + u);
    for (const std::int32_t v : list.dst) dst.push_back(before + v);
    all.vertex_offsets.push_back(before + g.vertices());
    all.edge_offsets.push_back(static_cast<std::int64_t>(src.size()));
  }
  const std::int64_t plain = all.vertex_offsets.back(), extra = options.readout ? all.graphs() : 0;
  if (options.readout)
    for (std::int64_t i = 0; i < all.graphs(); ++i)
      for (std::int64_t v = all.vertex_offsets[static_cast<std::size_t>(i)];
           v < all.vertex_offsets[static_cast<std::size_t>(i + 1)]; ++v)
        src.push_back(v), dst.push_back(all.readout(i));
  all.graph = graph::from_edges(plain + extra, src, dst);  // which refuses too many vertices
  all.graph_of = tensor<std::int32_t>({plain + extra});
  all.is_readout = tensor<bool>({plain + extra});
  std::fill(all.is_readout.begin() + plain, all.is_readout.end(), true);
  std::int32_t* const of = all.graph_of.data();
  for (std::int64_t i = 0; i < all.graphs(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    std::fill(of + all.vertex_offsets[static_cast<std::size_t>(i)],
              of + all.vertex_offsets[static_cast<std::size_t>(i + 1)], id);
    if (options.readout) of[all.readout(i)] = id;
  }
  return all;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
