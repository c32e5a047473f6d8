// Graphs of several kinds, and what programs find in them.
#include <limits>   // numeric_limits
#include <memory>   // make_shared
#include <string>   // string, to_string
#include <utility>  // move

#include <stg/base/error.hpp>      // error
#include <stg/runtime/graphs.hpp>  // graphs
#include <stg/runtime/kinds.hpp>   // check_kinds, find_kinds

#include "graph_state.hpp"  // graph_access, state
#include "kind_table.hpp"   // kind_table, named_kind

namespace stg {

namespace {

using detail::kind_table;
using detail::named_kind;

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

/// A graph that carries a table.
graph carrying(std::shared_ptr<const kind_table> table) {
  auto s = std::make_shared<graph::state>();
  s->resize(0, 0);
  s->finish();
  s->kinds = std::move(table);
  return detail::graph_access::of(std::move(s));
}

std::shared_ptr<const kind_table> with(const kind_table& before, std::shared_ptr<const named_kind> added) {
  auto table = std::make_shared<kind_table>(before);
  table->add(std::move(added));
  return table;
}

void check_new(const kind_table& table, std::string_view name, const char* what) {
  if (name.empty()) throw error(std::string("graphs: a ") + what + " without a name; give it one");
  if (table.find(name) != nullptr)
    throw error(std::string("graphs: ") + what + ' ' + quoted(name) +
                " has the name of one that is there; use another");
}

const named_kind& set_of(const kind_table& table, std::string_view name, const std::string& by) {
  const named_kind* k = table.find(name);
  if (k == nullptr || k->is_relation())
    throw error("graphs: " + by + "there is no vertex set " + quoted(name) + "; add_vertices(" + std::string(name) +
                ", ...) adds it");
  return *k;
}
const named_kind& relation_of(const kind_table& table, std::string_view name) {
  const named_kind* k = table.find(name);
  if (k == nullptr || !k->is_relation())
    throw error("graphs: there is no relation " + quoted(name) + "; add_edges(" + std::string(name) + ", ...) adds it");
  return *k;
}

/// The ends of edges on one side, each a vertex of a set.
std::vector<std::int32_t> checked_ends(std::string_view relation, const char* side, const named_kind& set,
                                       std::span<const std::int64_t> ends) {
  std::vector<std::int32_t> narrow(ends.size());
  for (std::size_t e = 0; e < ends.size(); ++e) {
    if (ends[e] < 0 || ends[e] >= set.rows.rows)
      throw error("relation " + quoted(relation) + " edge " + std::to_string(e) + " has " + side + ' ' +
                  std::to_string(ends[e]) + "; vertex set " + quoted(set.name) + " has " +
                  std::to_string(set.rows.rows) + " vertices");
    narrow[e] = static_cast<std::int32_t>(ends[e]);
  }
  return narrow;
}

const named_kind& known(const ir::kind& wanted, const graph& on) { return *on.kinds()->find(wanted.name.view()); }

}  // namespace

graphs::graphs() : carrier_(carrying(std::make_shared<kind_table>())) {}

graphs& graphs::add_vertices(std::string_view set, std::int64_t count) {
  const kind_table& before = *carrier_.kinds();
  check_new(before, set, "vertex set");
  if (count < 0 || count > std::numeric_limits<std::int32_t>::max())
    throw error("vertex set " + quoted(set) + " of " + std::to_string(count) + " vertices; use 0 to " +
                std::to_string(std::numeric_limits<std::int32_t>::max()));
  auto k = std::make_shared<named_kind>();
  k->name = set;
  k->no_edges.resize(static_cast<std::size_t>(count) + 1);
  k->rows.rows = count;
  k->rows.in = k->rows.out = adjacency(count, k->no_edges.data(), nullptr, nullptr);
  carrier_ = carrying(with(before, std::move(k)));
  return *this;
}

graphs& graphs::add_edges(std::string_view relation, std::string_view source, std::string_view destination,
                          std::span<const std::int64_t> src, std::span<const std::int64_t> dst) {
  const kind_table& before = *carrier_.kinds();
  check_new(before, relation, "relation");
  const std::string by = "relation " + quoted(relation) + " joins vertex sets, and ";
  const named_kind &from = set_of(before, source, by), &into = set_of(before, destination, by);
  if (src.size() != dst.size())
    throw error("relation " + quoted(relation) + " has " + std::to_string(src.size()) + " sources and " +
                std::to_string(dst.size()) + " destinations; give one of each per edge");
  auto k = std::make_shared<named_kind>();
  k->name = relation;
  k->source = source;
  k->destination = destination;
  k->edges = detail::graph_access::between(
      from.rows.rows, into.rows.rows,
      {checked_ends(relation, "source", from, src), checked_ends(relation, "destination", into, dst)});
  k->rows = {k->edges.edges(), k->edges.in_edges(), k->edges.out_edges()};
  carrier_ = carrying(with(before, std::move(k)));
  return *this;
}

std::int64_t graphs::vertices(std::string_view set) const { return set_of(*carrier_.kinds(), set, "").rows.rows; }
const graph& graphs::relation(std::string_view name) const { return relation_of(*carrier_.kinds(), name).edges; }

void check_kinds(ir::kind_list wanted, const graph& on) {
  if (wanted.count == 0) {
    if (on.has_kinds())
      throw error("the program is of one kind of vertices and runs over a graph; this one has vertex sets: graphs");
    if (on.sources() != on.destinations())
      throw error("the graph is a relation between two vertex sets; a program reads both by their sets, over graphs");
    return;
  }
  if (!on.has_kinds())
    throw error("the program reads vertex set " + quoted(wanted[0].name.view()) +
                "; the graph has one kind of vertices; call it with graphs");
  const kind_table& table = *on.kinds();
  const auto name_of = [&](int number) { return wanted[number - 1].name.view(); };
  for (const ir::kind& k : wanted) {
    if (!k.is_relation()) {
      set_of(table, k.name.view(), "");
      continue;
    }
    const named_kind& there = relation_of(table, k.name.view());
    if (there.source != name_of(k.source) || there.destination != name_of(k.destination))
      throw error("relation " + quoted(there.name) + " goes from " + quoted(there.source) + " to " +
                  quoted(there.destination) + " in the graph, and from " + quoted(name_of(k.source)) + " to " +
                  quoted(name_of(k.destination)) + " in the program");
  }
}

std::int64_t rows_of_kind(const ir::kind& wanted, const graph& on) { return known(wanted, on).rows.rows; }

edge_identity identity_of_kind(const ir::kind& wanted, const graph& on) {
  return known(wanted, on).edges.edge_identity();
}

std::int64_t most_edges(const graph& on) { return on.has_kinds() ? on.kinds()->most_edges() : on.edges(); }

void find_kinds(ir::kind_list wanted, const graph& on, kind_rows* found) {
  for (int k = 0; k < wanted.count; ++k) found[k + 1] = known(wanted[k], on).rows;
}

}  // namespace stg
