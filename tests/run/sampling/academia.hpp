// Graphs of several kinds that tests of samplers share, and what holds of every batch of them.
#pragma once

#include "support.hpp"  // destinations_of, drawn_ids

#include <stg/sampling/graphs_batch.hpp>  // graphs, graphs_batch

#include <cstddef>      // size_t
#include <cstdint>      // int32_t, int64_t
#include <iterator>     // ssize
#include <random>       // mt19937
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::test {

/// What has a name alone, as the language's sets and relations have.
template <int N> struct kind_name;
template <> struct kind_name<0> {
  static constexpr std::string_view view() { return "author"; }
};
template <> struct kind_name<1> {
  static constexpr std::string_view view() { return "paper"; }
};
template <> struct kind_name<2> {
  static constexpr std::string_view view() { return "writes"; }
};
template <> struct kind_name<3> {
  static constexpr std::string_view view() { return "cites"; }
};
template <> struct kind_name<4> {
  static constexpr std::string_view view() { return "written by"; }
};
template <> struct kind_name<5> {
  static constexpr std::string_view view() { return "venue"; }
};
template <> struct kind_name<6> {
  static constexpr std::string_view view() { return "reviews"; }
};
template <int N> struct named_set {
  using name = kind_name<N>;
  using is_vertex_set = void;
};
template <int N, class Source, class Destination> struct named_relation {
  using name = kind_name<N>;
  using source = Source;
  using destination = Destination;
};
inline constexpr named_set<0> author;
inline constexpr named_set<1> paper;
inline constexpr named_set<5> venue;
inline constexpr named_relation<2, named_set<0>, named_set<1>> writes;
inline constexpr named_relation<6, named_set<0>, named_set<1>> reviews;
inline constexpr named_relation<3, named_set<1>, named_set<1>> cites;
inline constexpr named_relation<4, named_set<1>, named_set<0>> written_by;

inline tensor<double> moments(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  auto t = tensor<double>::for_overwrite({count});
  for (double& n : t) n = static_cast<double>(random() % 50);  // many edges of one moment
  return t;
}

/// Sets of different sizes, one of no vertices; a relation without edges, and one from a set to itself.
struct academia {
  graphs g;
  edge_values<double> of_writes, of_cites;
  academia() {
    g.add_vertices(author, 70).add_vertices(paper, 200).add_vertices(venue, 0);
    g.add_edges(writes, drawn_ids(700, 70, 5), drawn_ids(700, 200, 6)).add_reverse(written_by, writes);
    g.add_edges(cites, drawn_ids(900, 200, 7), drawn_ids(900, 200, 8)).add_edges(reviews, {}, {});
    of_writes = g.edge_values(writes, moments(700, 1));
    of_cites = g.edge_values(cites, moments(900, 2));
  }
};

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// What holds of every batch: each relation's edges are the large one's, row by row, and offsets fit.
inline void expect_sound(const graphs_batch& b, const graphs& large) {
  for (const graphs_batch::set_rows& s : b.sets) {
    ASSERT_EQ(b.graph.vertices(s.name), std::ssize(s.vertices));
    ASSERT_EQ(s.offsets.back(), std::ssize(s.vertices));
    ASSERT_EQ(std::ssize(s.offsets), b.hops() + 2);
    ASSERT_TRUE(s.roots.empty() || s.roots.size() == s.vertices.size());
  }
  for (const relation_names& r : large.relations()) {
    const graphs_batch::relation_rows& rows = b.of_relation(r.name);
    const graph &part = b.graph.relation(r.name), &all = large.relation(r.name);
    const std::vector<std::int32_t>&from = b.of_set(r.source).vertices, &into = b.of_set(r.destination).vertices;
    ASSERT_EQ(part.edges(), std::ssize(rows.edges));
    ASSERT_EQ(rows.offsets.back(), part.edges());
    ASSERT_TRUE(rows.edge_weights.empty() || rows.edge_weights.size() == rows.edges.size());
    const auto dst = destinations_of(part), large_dst = destinations_of(all);
    for (std::int64_t e = 0; e < part.edges(); ++e) {
      const std::int64_t id = rows.edges[at(e)];
      ASSERT_EQ(from[at(part.in_edges().neighbour(e))], all.in_edges().neighbour(id));
      ASSERT_EQ(into[at(dst[at(e)])], large_dst[at(id)]);
    }
    std::int64_t out = 0;
    for (const std::int32_t d : part.out_degrees()) out += d;
    ASSERT_EQ(out, part.edges());
  }
  ASSERT_EQ(b.blocks().seeds(), b.seeds);
}

}  // namespace stg::test
