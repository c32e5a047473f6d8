// Bytes as a graph and what is asked of its samplers: whatever is not refused is a part of the graph, and each batch is
// written into the memory of the one before it.
#include "readers.hpp"  // fuzz_sampling

#include "records.hpp"  // byte_stream, demand, drawn_ids, may_refuse, numbers_of_edges

#include <stg/sampling/clusters.hpp>           // cluster_sampler
#include <stg/sampling/layer_sampler.hpp>      // layer_sampler
#include <stg/sampling/link_sampler.hpp>       // link_sampler
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/sampling/row_blocks.hpp>         // row_blocks
#include <stg/sampling/subgraph_sampler.hpp>   // subgraph_sampler
#include <stg/sampling/temporal_sampler.hpp>   // temporal_sampler

#include <algorithm>    // is_sorted
#include <cstdint>      // int32_t, int64_t
#include <iterator>     // ssize
#include <optional>     // optional
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::test {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int64_t> counts(byte_stream& from) { return from.ends(from.next() % 4); }

void check(const batch& b, const graph& large) {
  const adjacency in = b.graph.in_edges(), of = large.in_edges();
  demand(b.graph.vertices() == std::ssize(b.vertices) && b.graph.edges() == std::ssize(b.edges), "an id of each row");
  demand(b.seeds >= 0 && b.seeds <= b.graph.vertices(), "seeds among the vertices");
  for (const std::int32_t v : b.vertices) demand(v >= 0 && v < large.vertices(), "vertices of the graph");
  for (std::int64_t v = 0; v < b.graph.vertices(); ++v)
    for (std::int64_t e = in.begin(v); e < in.end(v); ++e) {
      const std::int64_t id = b.edges[at(e)], owner = b.vertices[at(v)];
      demand(id >= of.begin(owner) && id < of.end(owner), "an edge into the same vertex");
      demand(of.neighbour(id) == b.vertices[at(in.neighbour(e))], "from the same vertex");
    }
  demand(std::is_sorted(b.vertex_offsets.begin(), b.vertex_offsets.end()) &&
             std::is_sorted(b.edge_offsets.begin(), b.edge_offsets.end()),
         "hops one after another");
  demand(b.edge_weights.empty() || std::ssize(b.edge_weights) == b.graph.edges(), "a weight of each edge or none");
  demand(b.blocks().seeds() == b.seeds, "a row for each seed");
  may_refuse([&] { demand(b.seed_mask().size() == b.graph.vertices(), "a mark of each vertex"); });
}

void check_pairs(const batch& b, const graph& large) {
  check(b, large);
  demand(b.pair_src.size() == b.pair_dst.size() && b.true_pairs <= std::ssize(b.pair_src), "pairs, edges first");
  demand(b.pairs().edges() == std::ssize(b.pair_src), "an edge of each pair");
}

/// Batches of one sampler, each in the memory of the last.
void sample(const sampler& s, byte_stream& from) {
  batch b;
  for (std::uint64_t number = 0; number < 3; ++number) {
    const ids seeds = drawn_ids(from);
    may_refuse([&] {
      s.sample_into(b, seeds, number);
      check(b, s.of());
      demand(s.sample(seeds, number).edges == b.edges, "the same batch in memory of its own");
    });
  }
}

void cut(const graph& g, byte_stream& from) {
  block_limit limit;
  limit.bytes = from.next();
  limit.vertex_bytes = static_cast<signed char>(from.next());
  limit.edge_bytes = static_cast<signed char>(from.next());
  const row_blocks blocks(g, limit);
  std::int64_t edges = 0;
  batch b;
  for (std::int64_t i = 0; i < blocks.count(); ++i) {
    blocks.block(i, b);
    check(b, g);
    demand(b.graph.vertices() * limit.vertex_bytes + b.graph.edges() * limit.edge_bytes <= limit.bytes, "room for all");
    edges += b.graph.edges();
  }
  demand(edges == g.edges(), "every edge in one block");
  may_refuse([&] { blocks.block(static_cast<signed char>(from.next()), b); });
}

/// What blocks are told of a sample.
void make_blocks(const graph& g, byte_stream& from) {
  const std::vector<std::int64_t> offsets = from.ends(from.next() % 6);
  const ids vertices = drawn_ids(from), degrees(at(from.next() % 16), 1);
  const blocks made(g, offsets, vertices, degrees);
  demand(made.seeds() <= g.vertices(), "seeds among the vertices");
}

void sample_links(const graph& g, byte_stream& from) {
  const int how = from.next();
  const link_sampler links(neighbour_sampler(g, {.fan_outs = counts(from)}),
                           {.negatives = static_cast<signed char>(from.next()) % 8,
                            .which = {.existing = (how & 1) != 0, .loops = (how & 2) != 0},
                            .leave_out_edges = (how & 4) == 0,
                            .leave_out_reverse = (how & 8) == 0});
  batch b;
  for (std::uint64_t number = 0; number < 2; ++number)
    may_refuse([&] {
      links.sample_into(b, drawn_ids(from), number);
      check_pairs(b, g);
    });
  may_refuse([&] {  // shares have the pairs of the whole, one behind the other
    const ids edges = drawn_ids(from);
    const std::int64_t middle = static_cast<signed char>(from.next()) % (std::ssize(edges) + 2);
    links.sample_into(b, edges, 5);
    const std::int64_t pairs = std::ssize(b.pair_src);
    batch share;
    links.sample_share_into(share, edges, 0, middle, 5);
    check_pairs(share, g);
    const std::int64_t first = std::ssize(share.pair_src);
    links.sample_share_into(share, edges, middle, std::ssize(edges), 5);
    check_pairs(share, g);
    demand(first + std::ssize(share.pair_src) == pairs, "all pairs in two shares");
  });
  may_refuse([&] {
    const int count = from.next() % 32;
    const edge_list pairs = negative_edges(g, count, 1);
    demand(std::ssize(pairs.src) == count && std::ssize(pairs.dst) == count, "as many pairs as were asked for");
  });
  may_refuse([&] { (void)negative_destinations(g, drawn_ids(from), static_cast<signed char>(from.next()) % 8, 1); });
}

}  // namespace

void fuzz_sampling(std::string_view bytes) {
  byte_stream from(bytes);
  const int what = from.next();
  const std::optional<graph> made = drawn_graph(from, (what & 128) != 0);
  if (!made) return;
  const graph& g = *made;
  may_refuse([&] {
    switch (what % 12) {
      case 0:
        return sample(neighbour_sampler(g, {.fan_outs = counts(from), .with_replacement = false}), from);
      case 1:
        return sample(neighbour_sampler(g, {.fan_outs = counts(from), .with_replacement = true}), from);
      case 2: {
        const edge_values<float> weights = numbers_of_edges<float>(g, from);
        return sample(
            neighbour_sampler(g, {.fan_outs = counts(from), .with_replacement = from.next() % 2 == 0}, weights), from);
      }
      case 3: {
        const edge_values<double> times = numbers_of_edges<double>(g, from);
        const temporal_sampler s(g, {.fan_outs = counts(from), .latest = from.next() % 2 == 0}, times);
        const ids seeds = drawn_ids(from);
        std::vector<double> of_seeds;
        for (int k = from.next() % 8; k > 0; --k) of_seeds.push_back(odd_number<double>(from.next()));
        const batch b = s.sample(seeds, of_seeds, 1);
        check(b, g);
        demand(b.roots.size() == b.vertices.size(), "a root of each vertex");
        return sample(s, from);
      }
      case 4:
        return sample(layer_sampler(g, counts(from)), from);
      case 5: {
        const edge_values<float> weights = numbers_of_edges<float>(g, from);
        return sample(layer_sampler(g, counts(from), weights), from);
      }
      case 6: {
        const std::int64_t walks = static_cast<signed char>(from.next());
        return sample(subgraph_sampler::by_walks(g, walks, static_cast<signed char>(from.next())), from);
      }
      case 7:
        return sample(subgraph_sampler::by_vertices(g, static_cast<signed char>(from.next())), from);
      case 8: {
        const auto s = subgraph_sampler::by_edges(g, static_cast<signed char>(from.next()));
        const subgraph_norms norms = estimate_norms(s, static_cast<signed char>(from.next()), 1);
        demand(norms.vertices.size() == g.vertices(), "a number of each vertex");
        return sample(s, from);
      }
      case 9: {
        tensor<std::int32_t> parts({from.next() % 4 == 0 ? from.next() % 16 : g.vertices()});
        for (std::int32_t& p : parts) p = static_cast<signed char>(from.next()) % 8;
        const cluster_sampler s(g, parts);
        sample(s, from);
        const ids some = drawn_ids(from);
        return check(subgraph(g, some), g);
      }
      case 10:
        return sample_links(g, from);
      default:
        may_refuse([&] { make_blocks(g, from); });
        return cut(g, from);
    }
  });
}

}  // namespace stg::test
