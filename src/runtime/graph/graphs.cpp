// Graphs of several kinds: vertex sets and relations added, and relations changed.
#include <algorithm>  // max
#include <limits>     // numeric_limits
#include <memory>     // make_shared
#include <string>     // string, to_string
#include <utility>    // move, swap

#include <stg/base/error.hpp>             // error
#include <stg/runtime/graphs.hpp>         // graphs
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include "../memory/copied_arrays.hpp"  // copied_arrays
#include "graph_state.hpp"              // graph_access, state
#include "kind_table.hpp"               // kind_table, named_kind, quote

namespace stg {

namespace detail {

const named_kind& set_of(const kind_table& table, std::string_view name, const std::string& by) {
  const named_kind* k = table.find(name);
  if (k == nullptr || k->is_relation())
    throw error("graphs: " + by + "there is no vertex set " + quote(name) + "; add_vertices(" + std::string(name) +
                ", ...) adds it");
  return *k;
}

const named_kind& relation_of(const kind_table& table, std::string_view name) {
  const named_kind* k = table.find(name);
  if (k == nullptr || !k->is_relation())
    throw error("graphs: there is no relation " + quote(name) + "; add_edges(" + std::string(name) + ", ...) adds it");
  return *k;
}

std::shared_ptr<graph::state> state_carrying(std::shared_ptr<const kind_table> table) {
  auto s = std::make_shared<graph::state>();
  s->resize(0, 0);
  s->finish();
  s->kinds = std::move(table);
  return s;
}

void write_set(named_kind& set, std::int64_t count) {
  set.no_edges.resize(std::max(set.no_edges.size(), static_cast<std::size_t>(count) + 1));
  set.rows.rows = count;
  set.rows.in = set.rows.out =
      adjacency(count, set.no_edges.data(), nullptr, nullptr).within_larger(graph::state::ids_of(set.larger), nullptr);
}

void write_relation(named_kind& relation, graph edges) {
  relation.edges = std::move(edges);
  relation.rows = {relation.edges.edges(), relation.edges.in_edges(), relation.edges.out_edges()};
}

}  // namespace detail

namespace {

using detail::kind_table;
using detail::named_kind;
using detail::quote;

graph carrying(std::shared_ptr<const kind_table> table) {
  return detail::graph_access::of(detail::state_carrying(std::move(table)));
}

/// A copy of a table with one kind more, or with another in the place of the one of its name.
graph carrying(const kind_table& before, std::shared_ptr<const named_kind> k) {
  auto table = std::make_shared<kind_table>(before);
  table->put(std::move(k));
  return carrying(std::move(table));
}

/// The table of graphs that are about to change.
const kind_table& changed(const graph& carrier) {
  detail::graph_access::check_whole(carrier, "a change of graphs");
  if (!carrier.place().is_host())
    throw error("graphs: they lie on " + to_string(carrier.place()) +
                ", where nothing is added; change graphs.to(stg::host), then bring it there");
  return *carrier.kinds();
}

void check_new(const kind_table& table, std::string_view name, const char* what) {
  if (name.empty()) throw error(std::string("graphs: a ") + what + " without a name; give it one");
  if (table.find(name) != nullptr)
    throw error(std::string("graphs: ") + what + ' ' + quote(name) + " has the name of one that is there; use another");
}

/// The ends of edges on one side, each a vertex of a set.
std::vector<std::int32_t> checked_ends(std::string_view relation, const char* side, const named_kind& set,
                                       std::span<const std::int64_t> ends) {
  std::vector<std::int32_t> narrow(ends.size());
  for (std::size_t e = 0; e < ends.size(); ++e) {
    if (ends[e] < 0 || ends[e] >= set.rows.rows)
      throw error("relation " + quote(relation) + " edge " + std::to_string(e) + " has " + side + ' ' +
                  std::to_string(ends[e]) + "; vertex set " + quote(set.name) + " has " +
                  std::to_string(set.rows.rows) + " vertices");
    narrow[e] = static_cast<std::int32_t>(ends[e]);
  }
  return narrow;
}

std::shared_ptr<const named_kind> relation_with(std::string_view name, std::string_view source,
                                                std::string_view destination, graph edges) {
  auto k = std::make_shared<named_kind>();
  k->name = name;
  k->source = source;
  k->destination = destination;
  detail::write_relation(*k, std::move(edges));
  return k;
}

/// A set elsewhere: as many rows, whose edges nobody asks for, and what they are in a larger graph.
std::shared_ptr<const named_kind> set_of_rows(const named_kind& set, location where) {
  auto k = std::make_shared<named_kind>();
  k->name = set.name;
  k->rows.rows = set.rows.rows;
  const std::int32_t* ids = nullptr;
  if (!set.larger.empty()) {
    detail::copied_arrays arrays;
    arrays.add(set.larger, &ids);
    k->ids_on_device = arrays.copy(where, "graph");
  }
  k->rows.in = k->rows.out = adjacency(set.rows.rows, nullptr, nullptr, nullptr).within_larger(ids, nullptr);
  return k;
}

/// Edges that are a graph already, as those of a relation.
void check_edges(const graph& edges, std::string_view relation, const named_kind& from, const named_kind& into) {
  detail::graph_access::check_whole(edges, "a relation");
  if (edges.has_kinds())
    throw error("relation " + quote(relation) + " takes the edges of one relation; give a graph, or graphs.relation()");
  const bool two_sets = from.name != into.name, of_two = detail::graph_access::joins_two_sets(edges);
  if (edges.sources() == from.rows.rows && edges.destinations() == into.rows.rows && of_two == two_sets) return;
  throw error("relation " + quote(relation) + " joins " + std::to_string(from.rows.rows) + " vertices of " +
              quote(from.name) + " to " + std::to_string(into.rows.rows) + " of " + quote(into.name) +
              "; the edges given join " + std::to_string(edges.sources()) + " to " +
              std::to_string(edges.destinations()) + (of_two ? " of another set" : " of the same set"));
}

/// A relation from a vertex set to itself, for what needs one.
const named_kind& loop_relation_of(const kind_table& table, std::string_view name, const char* what) {
  const named_kind& k = detail::relation_of(table, name);
  if (k.source != k.destination)
    throw error("relation " + quote(name) + " goes from " + quote(k.source) + " to " + quote(k.destination) + "; " +
                what + " takes a relation from a vertex set to itself");
  return k;
}

}  // namespace

std::shared_ptr<const graph::state> detail::kinds_at(location where, const std::shared_ptr<const graph::state>& from) {
  auto table = std::make_shared<kind_table>();
  for (const auto& k : from->kinds->all())
    table->put(k->is_relation() ? relation_with(k->name, k->source, k->destination, k->edges.to(where))
                                : set_of_rows(*k, where));
  const auto there = detail::state_carrying(std::move(table));
  there->place = where;
  there->on_host = from;
  return there;
}

graphs::graphs() try : carrier_(carrying(std::make_shared<kind_table>())) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs& graphs::add_vertices(std::string_view set, std::int64_t count) try {
  const kind_table& before = changed(carrier_);
  check_new(before, set, "vertex set");
  if (count < 0 || count > std::numeric_limits<std::int32_t>::max())
    throw error("vertex set " + quote(set) + " of " + std::to_string(count) + " vertices; use 0 to " +
                std::to_string(std::numeric_limits<std::int32_t>::max()));
  auto k = std::make_shared<named_kind>();
  k->name = set;
  detail::write_set(*k, count);
  carrier_ = carrying(before, std::move(k));
  return *this;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs& graphs::add_edges(std::string_view relation, std::string_view source, std::string_view destination,
                          std::span<const std::int64_t> src, std::span<const std::int64_t> dst) try {
  const kind_table& before = changed(carrier_);
  check_new(before, relation, "relation");
  const std::string by = "relation " + quote(relation) + " joins vertex sets, and ";
  const named_kind &from = set_of(before, source, by), &into = set_of(before, destination, by);
  if (src.size() != dst.size())
    throw error("relation " + quote(relation) + " has " + std::to_string(src.size()) + " sources and " +
                std::to_string(dst.size()) + " destinations; give one of each per edge");
  graph edges = detail::graph_access::between(
      from.rows.rows, into.rows.rows, source != destination,
      {checked_ends(relation, "source", from, src), checked_ends(relation, "destination", into, dst)});
  carrier_ = carrying(before, relation_with(relation, source, destination, std::move(edges)));
  return *this;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs& graphs::add_reverse(std::string_view reverse, std::string_view of) try {
  const kind_table& before = changed(carrier_);
  const named_kind& k = detail::relation_of(before, of);
  check_new(before, reverse, "relation");
  edge_list list = k.edges.edge_list();
  std::swap(list.src, list.dst);
  graph edges =
      detail::graph_access::between(k.edges.destinations(), k.edges.sources(), k.source != k.destination, list);
  carrier_ = carrying(before, relation_with(reverse, k.destination, k.source, std::move(edges)));
  return *this;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs& graphs::add_edges(std::string_view relation, std::string_view source, std::string_view destination,
                          const graph& edges) try {
  const kind_table& before = changed(carrier_);
  check_new(before, relation, "relation");
  const std::string by = "relation " + quote(relation) + " joins vertex sets, and ";
  check_edges(edges, relation, set_of(before, source, by), set_of(before, destination, by));
  carrier_ = carrying(before, relation_with(relation, source, destination, edges.to(host)));
  return *this;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs& graphs::replace_edges(std::string_view relation, const graph& edges) try {
  const kind_table& before = changed(carrier_);
  const named_kind& k = detail::relation_of(before, relation);
  check_edges(edges, relation, detail::set_of(before, k.source), detail::set_of(before, k.destination));
  carrier_ = carrying(before, relation_with(k.name, k.source, k.destination, edges.to(host)));
  return *this;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs& graphs::coalesce(std::string_view relation) {
  return replace_edges(relation, this->relation(relation).coalesce());
}
graphs& graphs::add_self_loops(std::string_view relation) {
  return replace_edges(relation,
                       loop_relation_of(*carrier_.kinds(), relation, "add_self_loops").edges.add_self_loops());
}
graphs& graphs::add_remaining_self_loops(std::string_view relation) {
  const named_kind& k = loop_relation_of(*carrier_.kinds(), relation, "add_remaining_self_loops");
  return replace_edges(relation, k.edges.add_remaining_self_loops());
}
graphs& graphs::remove_self_loops(std::string_view relation) {
  const named_kind& k = loop_relation_of(*carrier_.kinds(), relation, "remove_self_loops");
  return replace_edges(relation, k.edges.remove_self_loops());
}
graphs& graphs::to_undirected(std::string_view relation) {
  return replace_edges(relation, loop_relation_of(*carrier_.kinds(), relation, "to_undirected").edges.to_undirected());
}

location graphs::place() const { return carrier_.place(); }
graphs graphs::to(location where) const try {
  graphs there;
  there.carrier_ = carrier_.to(where);
  return there;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::int64_t graphs::vertices(std::string_view set) const { return detail::set_of(*carrier_.kinds(), set).rows.rows; }
const graph& graphs::relation(std::string_view name) const& {
  return detail::relation_of(*carrier_.kinds(), name).edges;
}

std::vector<std::string> graphs::vertex_sets() const try {
  std::vector<std::string> names;
  for (const auto& k : carrier_.kinds()->all())
    if (!k->is_relation()) names.push_back(k->name);
  return names;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<relation_names> graphs::relations() const try {
  std::vector<relation_names> names;
  for (const auto& k : carrier_.kinds()->all())
    if (k->is_relation()) names.push_back({k->name, k->source, k->destination});
  return names;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
