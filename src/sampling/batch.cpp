// What batches of a plain graph and of several kinds say of their rows.
#include "../runtime/graph/kind_table.hpp"  // quote

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/graphs_batch.hpp>  // batch, graphs_batch

#include <algorithm>  // fill, fill_n, find_if
#include <string>     // to_string

namespace stg {

namespace {

/// The first so many of `count`, which are a batch's seeds or true pairs. Error where there are not as many.
std::int64_t checked_first(std::int64_t first, const char* what, std::int64_t count) {
  if (first < 0 || first > count)
    throw error("batch: " + std::to_string(first) + ' ' + what + " of " + std::to_string(count) + "; give 0 to " +
                std::to_string(count));
  return first;
}

/// True at the first so many vertices, in the memory of a tensor of that shape. Error as above.
void write_seed_mask(std::int64_t seeds, std::size_t vertices, tensor<bool>& into) {
  const auto all = static_cast<std::int64_t>(vertices);
  checked_first(seeds, "seeds", all);
  if (into.shape() != dimensions{all}) into = tensor<bool>({all});
  std::fill(into.begin(), into.begin() + seeds, true);
  std::fill(into.begin() + seeds, into.end(), false);
}

/// 1 for the first so many pairs, else 0. Error as above.
tensor<float> targets_of_pairs(std::int64_t true_pairs, std::size_t pairs) {
  tensor<float> targets({static_cast<std::int64_t>(pairs)});
  std::fill_n(targets.begin(), checked_first(true_pairs, "true pairs", targets.size()), 1.0f);
  return targets;
}

edge_values<float> weights_of(const graph& edges, const std::vector<float>& weights) {
  return edges.edge_values(const_tensor<float>::view_of(weights.data(), {static_cast<std::int64_t>(weights.size())}));
}

template <class Named> const Named& named(const std::vector<Named>& all, std::string_view name, const char* what) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  if (found == all.end()) throw error("graphs_batch: there is no " + std::string(what) + ' ' + detail::quote(name));
  return *found;
}

/// Pairs between the first vertices of their sets: all of them, or the seeds.
graphs graphs_of_pairs(const graphs_batch& b, bool of_seeds) {
  const relation_names& r = b.pair_relation;
  if (r.name.empty())
    throw error("graphs_batch: pairs of a batch that is of no links; sample it by graphs_link_sampler");
  const auto count = [&](const std::string& set) {
    const std::vector<std::int64_t>& offsets = b.of_set(set).offsets;
    return of_seeds ? offsets[1] : offsets.back();
  };
  graphs g;
  g.add_vertices(r.source, count(r.source));
  if (r.destination != r.source) g.add_vertices(r.destination, count(r.destination));
  const std::vector<std::int64_t> src(b.pair_src.begin(), b.pair_src.end()), dst(b.pair_dst.begin(), b.pair_dst.end());
  return g.add_edges(r.name, r.source, r.destination, src, dst);
}

}  // namespace

blocks batch::blocks() const try {
  const bool has_no_hop = edge_offsets.size() == 1;  // so that no vertex was looked into
  if (seeds == graph.vertices() && !has_no_hop) return stg::blocks(graph);
  return {graph, vertex_offsets, vertices, large.in_degrees(), memory_of_blocks, earlier_degrees};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

tensor<bool> batch::seed_mask() const {
  tensor<bool> mask;
  seed_mask(mask);
  return mask;
}
void batch::seed_mask(tensor<bool>& into) const { write_seed_mask(seeds, vertices.size(), into); }

edge_values<float> batch::weights() const { return weights_of(graph, edge_weights); }

graph batch::pairs() const { return stg::graph::from_edges(graph.vertices(), pair_src, pair_dst); }
graph batch::seed_pairs() const { return stg::graph::from_edges(seeds, pair_src, pair_dst); }

edge_values<float> batch::pair_targets(const stg::graph& of_pairs) const {
  return of_pairs.edge_values(targets_of_pairs(true_pairs, pair_src.size()));
}

const graphs_batch::set_rows& graphs_batch::of_set(std::string_view name) const& {
  return named(sets, name, "vertex set");
}
const graphs_batch::relation_rows& graphs_batch::of_relation(std::string_view name) const& {
  return named(relations, name, "relation");
}

blocks graphs_batch::blocks() const try {
  sets_of_blocks.clear();
  for (const set_rows& s : sets) sets_of_blocks.push_back({s.name, s.offsets, s.vertices});
  degrees_of_blocks.clear();
  for (const relation_rows& r : relations) degrees_of_blocks.push_back(r.earlier_degrees);
  return {graph, seed_set, sets_of_blocks, large, memory_of_blocks, degrees_of_blocks};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

tensor<bool> graphs_batch::seed_mask() const {
  tensor<bool> mask;
  seed_mask(mask);
  return mask;
}
void graphs_batch::seed_mask(tensor<bool>& into) const {
  write_seed_mask(seeds, of_set(seed_set).vertices.size(), into);
}

edge_values<float> graphs_batch::weights(std::string_view relation) const {
  return weights_of(graph.relation(relation), of_relation(relation).edge_weights);
}

graphs graphs_batch::pairs() const try { return graphs_of_pairs(*this, false); } catch (const std::bad_alloc&) {
  detail::no_memory();
}
graphs graphs_batch::seed_pairs() const try { return graphs_of_pairs(*this, true); } catch (const std::bad_alloc&) {
  detail::no_memory();
}

edge_values<float> graphs_batch::pair_targets(const stg::graphs& of_pairs) const {
  return of_pairs.relation(pair_relation.name).edge_values(targets_of_pairs(true_pairs, pair_src.size()));
}

}  // namespace stg
