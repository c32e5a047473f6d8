// Reading edges and events whose vertices are words.
#pragma once

#include <stg/data/edge_list.hpp>  // edge_list_text
#include <stg/data/events.hpp>     // event_list
#include <stg/data/table.hpp>      // vertex_names

#include <string>  // string

namespace stg {

/// Edges, and the name of each vertex.
struct named_edges {
  edge_list_text edges;
  vertex_names names;
};
/// Reads `src dst [weight]` per line as read_edge_list does, with any words for vertices, which are numbered in the
/// order of the file. Errors: as its, but for words; a file of Matrix Market, whose sizes would be an edge.
///
///   auto e = stg::read_named_edge_list("follows.txt");           // ann bob
///   auto g = stg::graph::from_edges(e.names.size(), e.edges.src, e.edges.dst);
///   e.names.names()[0];                                          // "ann"
named_edges read_named_edge_list(const std::string& path);

/// Events, and the name of each vertex.
struct named_events {
  event_list events;
  vertex_names names;
};
/// Members of an event that is an object of JSON; without a name for the value events have none.
struct event_members {
  std::string src = "src", dst = "dst", time = "time", value{};
};
/// Reads a file with an object of JSON on each line (ndjson), sorted by time as read_events does. Ids are texts or
/// integers, numbered in the order of the file. Errors name the file, the line and the member: no JSON, a missing
/// member, one of another kind, a time that is not finite.
///
///   auto e = stg::read_events_ndjson("log.ndjson", {.src = "user", .dst = "item", .time = "ts", .value = "rating"});
named_events read_events_ndjson(const std::string& path, const event_members& members = {});

}  // namespace stg
