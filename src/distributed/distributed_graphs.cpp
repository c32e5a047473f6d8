// The part of a rank in graphs of several vertex sets: each set with a halo of all relations that touch it.
#include <stg/distributed/distributed_graphs.hpp>

#include <cstring>     // memcpy
#include <functional>  // less
#include <map>         // map
#include <memory>      // make_shared, make_unique
#include <string>      // string, to_string
#include <utility>     // move
#include <vector>      // vector

#include <stg/base/error.hpp>  // error

#include "../runtime/graph/kind_table.hpp"  // graphs_access, kind_table, named_kind
#include "cut_state.hpp"                    // check_ranks, mixed_with_parts
#include "part_edges.hpp"                   // part_of_edges
#include "part_rows.hpp"                    // edges_of_all, gather_rows, part_rows

namespace stg {

namespace {

using detail::kind_table;
using detail::named_kind;
using distributed::part_rows;

/// Makes the part of a rank.
class graphs_part_builder {
 public:
  graphs_part_builder(const cut& of, communicator& ranks)
      : cut_(of), ranks_(ranks), whole_(detail::graphs_access::of(of.whole())) {
    if (!of.whole().has_kinds())
      throw error("distributed_graphs: the cut is of a plain graph; write distributed_graph");
    detail::check_ranks("distributed_graphs", of, ranks);
  }

  graphs build() {
    find_rows();
    std::uint64_t number = 0;
    for (const std::string& set : whole_.vertex_sets()) number = detail::mixed_with_parts(number, cut_.part_of(set));
    for (const relation_names& r : whole_.relations())
      number = detail::mixed(number + static_cast<std::uint64_t>(whole_.relation(r.name).edge_identity()));
    auto table = std::make_shared<kind_table>();
    std::map<std::string, std::shared_ptr<const named_kind>> relations;  // first: they say which rows are exchanged
    for (const auto& k : whole_table().all())
      if (k->is_relation()) relations.emplace(k->name, relation_part(*k));
    for (const auto& k : whole_table().all()) table->put(k->is_relation() ? relations.at(k->name) : set_part(*k));
    const auto carrier = detail::state_carrying(std::move(table));
    auto mine = std::make_unique<rank_rows>();
    mine->ranks = &ranks_;
    mine->cut = number;
    mine->in = carrier->in;
    mine->out = carrier->out;
    carrier->ranks = std::move(mine);
    return detail::graphs_access::of(detail::graph_access::of(carrier));
  }

 private:
  const kind_table& whole_table() const { return *cut_.whole().kinds(); }
  part_rows& rows_of(const std::string& set) { return rows_.at(set); }

  void find_rows() {
    for (const std::string& set : whole_.vertex_sets()) rows_.try_emplace(set, cut_, set, ranks_);
    for (const relation_names& r : whole_.relations()) {
      part_rows &from = rows_of(r.source), &into = rows_of(r.destination);
      from.add_ends(into, whole_.relation(r.name).in_edges(), false);
      into.add_ends(from, whole_.relation(r.name).out_edges(), false);
    }
    for (auto& [name, rows] : rows_) rows.number_halo();
  }

  std::shared_ptr<const named_kind> set_part(const named_kind& whole) {
    const part_rows& rows = rows_of(whole.name);
    auto mine = std::make_unique<rank_rows>();
    rows.write_sizes(*mine);
    rows.write_exchanged(*mine);
    auto k = std::make_shared<named_kind>();
    k->name = whole.name;
    k->larger = rows.global_rows();
    detail::write_set(*k, rows.rows());
    const adjacency own = k->rows.in.first_rows(rows.own_rows(), {});
    k->rows = {rows.rows(), own, own, mine.get(), rows.own_rows(), mine->all_vertices};
    k->part = std::move(mine);
    return k;
  }
  std::shared_ptr<const named_kind> relation_part(const named_kind& whole) {
    part_rows &from = rows_of(whole.source), &into = rows_of(whole.destination);
    auto k = std::make_shared<named_kind>();
    k->name = whole.name;
    k->source = whole.source;
    k->destination = whole.destination;
    k->edges = distributed::part_of_edges(distributed::edges_of_all(whole.edges), from, into,
                                          detail::graph_access::joins_two_sets(whole.edges),
                                          " of relation " + detail::quote(whole.name))
                   .take();
    const rank_rows& part = *k->edges.ranks();
    k->rows = {k->edges.edges(),    part.in,     part.out,   &part, part.own_edges,
               whole.edges.edges(), from.rows(), into.rows()};
    return k;
  }

  const cut& cut_;
  communicator& ranks_;
  graphs whole_;
  std::map<std::string, part_rows, std::less<>> rows_{};
};

}  // namespace

distributed_graphs::distributed_graphs(const cut& of, communicator& ranks)
    : graphs(graphs_part_builder(of, ranks).build()), cut_(of) {}

communicator& distributed_graphs::ranks() const { return *detail::graphs_access::carrier_of(*this).ranks()->ranks; }

const named_kind& distributed_graphs::set_of(std::string_view name) const {
  return detail::set_of(*detail::graphs_access::carrier_of(*this).kinds(), name);
}
std::int64_t distributed_graphs::own_vertices(std::string_view set) const { return set_of(set).rows.own_rows; }
std::int64_t distributed_graphs::all_vertices(std::string_view set) const { return set_of(set).rows.all_rows; }
std::span<const std::int32_t> distributed_graphs::global_vertices(std::string_view set) const& {
  return set_of(set).larger;
}

// ---- rows ----

namespace {

std::string described(const dimensions& shape, location lies) {
  return "a tensor of shape " + to_string(shape) + (lies.is_host() ? "" : " on a device");
}

}  // namespace

dimensions distributed_graphs::with_rows(const dimensions& of, std::int64_t rows, int axis) {
  std::vector<std::int64_t> extents(of.begin(), of.end());
  extents[static_cast<std::size_t>(axis)] = rows;
  return dimensions(extents);
}

distributed_graphs::place distributed_graphs::place_of_rows(std::string_view set, const dimensions& shape,
                                                            location lies, int axis) const {
  const named_kind& k = set_of(set);
  if (!lies.is_host() || shape.rank() <= axis || shape[axis] != k.rows.all_rows)
    throw error("distributed_graphs: " + std::string(axis == 0 ? "rows" : "rows of steps") + " of " +
                described(shape, lies) + "; give one on the host, " + (axis == 0 ? "" : "(steps, vertices, ...), ") +
                "with a row for each of the " + std::to_string(k.rows.all_rows) + " vertices of set " +
                detail::quote(set) + " in the whole graphs");
  return {k.larger.data(), nullptr, k.rows.rows, k.rows.all_rows};
}

distributed_graphs::place distributed_graphs::place_in_part(std::string_view set, const dimensions& shape,
                                                            location lies) const {
  const named_kind& k = set_of(set);
  if (!lies.is_host() || shape.rank() == 0 || shape[0] != k.rows.rows)
    throw error("distributed_graphs: gathered takes a result on the host with a row for each of the " +
                std::to_string(k.rows.rows) + " vertices of set " + detail::quote(set) + " in the part; this is " +
                described(shape, lies));
  return {k.larger.data(), nullptr, k.rows.rows, k.rows.all_rows};
}

distributed_graphs::place distributed_graphs::place_of_edges(std::string_view name, stg::edge_identity of_all) const {
  const graph& mine = relation(name);
  const graph& whole = detail::relation_of(*cut_.whole().kinds(), name).edges;
  if (of_all != whole.edge_identity())
    throw error("distributed_graphs: edge_rows takes values of the edges of relation " + detail::quote(name) +
                " in the whole graphs; these are of other edges");
  return {nullptr, mine.in_edges().global_edges(), mine.edges(), whole.edges()};
}

void distributed_graphs::take(const place& in, const std::byte* from, std::int64_t bytes_of_all, std::byte* to,
                              std::int64_t bytes, std::int64_t steps) {
  if (in.count == 0 || steps == 0) return;
  const std::int64_t row = bytes / steps / in.count;
  for (std::int64_t t = 0; t < steps; ++t, from += bytes_of_all / steps)
    for (std::int64_t r = 0; r < in.count; ++r, to += row)
      std::memcpy(to, from + (in.vertices != nullptr ? in.vertices[r] : in.edges[r]) * row,
                  static_cast<std::size_t>(row));
}

void distributed_graphs::gather(std::string_view set, const std::byte* from, std::int64_t row, std::byte* to) const {
  distributed::gather_rows(cut_, set, *set_of(set).part, from, row, to);
}

}  // namespace stg
