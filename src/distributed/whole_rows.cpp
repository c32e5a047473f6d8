// The rows of all ranks, in the order in which each has its own.
#include "whole_rows.hpp"

#include <memory>   // make_shared
#include <utility>  // move

#include "../runtime/graph/graph_state.hpp"  // graph::state, mixed
#include "../sampling/vertex_numbers.hpp"    // at
#include "cut_state.hpp"                     // cut_access, cut_set

namespace stg::distributed {

namespace {

using detail::at;

sizes_of_parts sizes_in(const cut& of) {
  const graph& all = of.whole();
  const detail::cut_set& set = detail::cut_access::state_of(of).plain();
  sizes_of_parts n{std::vector<std::int64_t>(at(of.parts())), std::vector<std::int64_t>(at(of.parts())), 0, 0};
  std::vector<std::int32_t> halo_of(at(all.vertices()), -1);  // the last part that has the vertex beside its own
  for (const std::int32_t v : set.by_block) {                 // part after part
    const std::int32_t mine = set.part_of[at(v)];
    ++n.vertices[at(mine)];
    n.edges[at(mine)] += all.in_edges().degree(v);
    const auto look_at = [&](const adjacency& edges, std::int64_t& crossing) {
      for (std::int64_t k = edges.begin(v); k < edges.end(v); ++k) {
        const auto other = at(edges.neighbour(k));
        if (set.part_of[other] == mine) continue;
        ++crossing;
        n.halo_rows += halo_of[other] != mine;
        halo_of[other] = mine;
      }
    };
    std::int64_t out = 0;  // each is counted where it ends
    look_at(all.in_edges(), n.cut_edges);
    look_at(all.out_edges(), out);
  }
  return n;
}

}  // namespace

void add_whole_rows(const cut& of, cut_by by, graph_part& part) {
  const graph& all = of.whole();
  const detail::cut_set& set = detail::cut_access::state_of(of).plain();
  auto whole = std::make_shared<whole_rows>();
  whole->way = by;
  if (by == cut_by::cheapest) whole->parts = sizes_in(of);
  whole->in = all.in_edges();
  whole->out = all.out_edges();
  whole->vertices = all.vertices();
  whole->edges = all.edges();
  whole->by_rank = set.by_block;
  for (const int block : part.rows->first_block) whole->first_of_rank.push_back(set.block_offsets[at(block)]);
  whole->graph = std::make_shared<const graph>(all);
  part.rows->cut = detail::mixed(part.rows->cut + static_cast<std::uint64_t>(by));  // others are told so
  part.rows->whole = std::move(whole);
}

}  // namespace stg::distributed
