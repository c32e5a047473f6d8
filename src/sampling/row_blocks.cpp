// Blocks of rows as batches of one hop, of graphs of one kind of vertices and of several.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "cut_rows.hpp"                     // cut_rows

#include <stg/base/error.hpp>                  // error
#include <stg/runtime/out_of_memory.hpp>       // no_memory
#include <stg/sampling/graphs_row_blocks.hpp>  // graphs_row_blocks
#include <stg/sampling/row_blocks.hpp>         // row_blocks

#include <algorithm>  // find
#include <numeric>    // iota
#include <string>     // to_string

namespace stg {

namespace {

/// Error unless there are so many blocks and more.
void check_block(const char* by, std::int64_t block, std::int64_t count) {
  if (block < 0 || block >= count)
    throw error(std::string(by) + ": no block " + std::to_string(block) + "; there are " + std::to_string(count));
}

/// The row that a block begins with; of the one behind the last, the number of rows.
std::int64_t first_row_of(const char* by, std::span<const std::int64_t> first, std::int64_t block) {
  const std::int64_t count = static_cast<std::int64_t>(first.size()) - 1;
  if (block != count) check_block(by, block, count);
  return first[static_cast<std::size_t>(block)];
}

/// The rows of a block as seeds.
std::vector<std::int32_t> rows_of_block(const char* by, std::span<const std::int64_t> first, std::int64_t block) {
  check_block(by, block, static_cast<std::int64_t>(first.size()) - 1);
  const auto b = static_cast<std::size_t>(block);
  std::vector<std::int32_t> rows(static_cast<std::size_t>(first[b + 1] - first[b]));
  std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(first[b]));
  return rows;
}

}  // namespace

row_blocks::row_blocks(const graph& g, const block_limit& limit) try : all_(g, {.fan_outs = {all_neighbours}}) {
  const adjacency in = all_.of().in_edges();
  const detail::sized_set vertices[] = {{in.rows(), limit.vertex_bytes}};
  const detail::sized_relation edges[] = {{in, 0, limit.edge_bytes}};
  first_ = detail::cut_rows("row_blocks", limit.bytes, vertices, edges, 0);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::int64_t row_blocks::first_row(std::int64_t block) const { return first_row_of("row_blocks", first_, block); }

void row_blocks::block(std::int64_t block, batch& to) const try {
  all_.sample_into(to, rows_of_block("row_blocks", first_, block), 0);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

namespace {

std::size_t number_of(const std::string& what, std::span<const std::string> all, std::string_view name) {
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end())
    throw error("graphs_row_blocks: " + what + detail::quote(name) + ", which the graphs do not have");
  return static_cast<std::size_t>(found - all.begin());
}

/// Bytes of each of `all`: as they are given by name, or those of all others.
std::vector<std::int64_t> bytes_of(const char* what, std::span<const std::string> all,
                                   std::span<const bytes_by_name> given, std::int64_t others) {
  std::vector<std::int64_t> bytes(all.size(), others);
  for (std::size_t k = 0; k < given.size(); ++k) {
    for (std::size_t i = 0; i < k; ++i)
      if (given[i].name == given[k].name)
        throw error("graphs_row_blocks: " + std::string(what) + detail::quote(given[k].name) +
                    " are given twice; give them once");
    bytes[number_of(what, all, given[k].name)] = given[k].bytes;
  }
  return bytes;
}

}  // namespace

graphs_row_blocks::graphs_row_blocks(const graphs& g, std::string_view set, const graphs_block_limit& limit) try
    : all_(g, {.fan_outs = {all_neighbours}}), set_(set) {
  const std::vector<std::string> sets = g.vertex_sets();
  const std::vector<relation_names> relations = g.relations();
  std::vector<std::string> names;
  for (const relation_names& r : relations) names.push_back(r.name);
  const std::size_t rows = number_of("rows of vertex set ", sets, set);
  const auto of_vertices = bytes_of("bytes of vertex set ", sets, limit.vertex_bytes, 0);
  const auto of_edges = bytes_of("bytes of relation ", names, limit.edge_bytes, block_limit().edge_bytes);
  std::vector<detail::sized_set> cut_sets;
  for (std::size_t s = 0; s < sets.size(); ++s) cut_sets.push_back({g.vertices(sets[s]), of_vertices[s]});
  std::vector<detail::sized_relation> into;
  for (std::size_t r = 0; r < relations.size(); ++r)
    if (relations[r].destination == set)
      into.push_back({g.relation(relations[r].name).in_edges(),
                      number_of("relations from vertex set ", sets, relations[r].source), of_edges[r]});
  first_ = detail::cut_rows("graphs_row_blocks", limit.bytes, cut_sets, into, rows);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::int64_t graphs_row_blocks::first_row(std::int64_t block) const {
  return first_row_of("graphs_row_blocks", first_, block);
}

void graphs_row_blocks::block(std::int64_t block, graphs_batch& to) const try {
  all_.sample_into(to, set_, rows_of_block("graphs_row_blocks", first_, block), 0);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
