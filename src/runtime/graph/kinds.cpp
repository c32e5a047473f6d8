// What programs of several kinds find in a graph: whether it has their vertex sets and relations, and the rows of each.
#include <string>  // string

#include <stg/base/error.hpp>     // error
#include <stg/runtime/kinds.hpp>  // check_kinds, find_kinds

#include "graph_state.hpp"  // graph_access
#include "kind_table.hpp"   // kind_table, named_kind

namespace stg {

namespace {

using detail::kind_table;
using detail::named_kind;
using detail::quote;

const named_kind& known(const ir::kind& wanted, const graph& on) { return *on.kinds()->find(wanted.name.view()); }

}  // namespace

void check_kinds(ir::kind_list wanted, const graph& on) {
  if (wanted.count == 0) {
    if (on.has_kinds())
      throw error("the program is of one kind of vertices and runs over a graph; this one has vertex sets: graphs");
    if (detail::graph_access::joins_two_sets(on))
      throw error("the graph is a relation between two vertex sets; a program reads both by their sets, over graphs");
    return;
  }
  if (!on.has_kinds())
    throw error("the program reads vertex set " + quote(wanted[0].name.view()) +
                "; the graph has one kind of vertices; call it with graphs");
  const kind_table& table = *on.kinds();
  const auto name_of = [&](int number) { return wanted[number - 1].name.view(); };
  for (const ir::kind& k : wanted) {
    if (!k.is_relation()) {
      detail::set_of(table, k.name.view());
      continue;
    }
    const named_kind& there = detail::relation_of(table, k.name.view());
    if (there.source != name_of(k.source) || there.destination != name_of(k.destination))
      throw error("relation " + quote(there.name) + " goes from " + quote(there.source) + " to " +
                  quote(there.destination) + " in the graph, and from " + quote(name_of(k.source)) + " to " +
                  quote(name_of(k.destination)) + " in the program");
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
