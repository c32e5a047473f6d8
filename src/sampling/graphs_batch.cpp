// What a batch of several kinds says of its sets and relations.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "batch_writer.hpp"                 // write_seed_mask

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/graphs_batch.hpp>  // graphs_batch

#include <algorithm>  // find_if

namespace stg {

namespace {

template <class Named> const Named& named(const std::vector<Named>& all, std::string_view name, const char* what) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  if (found == all.end()) throw error("graphs_batch: there is no " + std::string(what) + ' ' + detail::quote(name));
  return *found;
}

}  // namespace

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
  detail::write_seed_mask(seeds, static_cast<std::int64_t>(of_set(seed_set).vertices.size()), into);
}

edge_values<float> graphs_batch::weights(std::string_view relation) const {
  const std::vector<float>& of = of_relation(relation).edge_weights;
  return graph.relation(relation).edge_values(
      const_tensor<float>::view_of(of.data(), {static_cast<std::int64_t>(of.size())}));
}

}  // namespace stg
