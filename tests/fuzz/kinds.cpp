// Bytes as graphs of several kinds: what is done to one, step by step, and folders that hold one.
#include "readers.hpp"  // fuzz_kinds

#include "records.hpp"  // byte_stream, demand, folder, may_refuse, numbers_of_edges, odd_number, write_records

#include <stg/data/graphs_folder.hpp>                // read_graphs, write_graphs
#include <stg/runtime/graphs.hpp>                    // graphs
#include <stg/sampling/graphs_layer_sampler.hpp>     // graphs_layer_sampler
#include <stg/sampling/graphs_link_sampler.hpp>      // graphs_link_sampler
#include <stg/sampling/graphs_row_blocks.hpp>        // graphs_row_blocks
#include <stg/sampling/graphs_sampler.hpp>           // graphs_sampler
#include <stg/sampling/graphs_temporal_sampler.hpp>  // graphs_temporal_sampler
#include <stg/sampling/graphs_union.hpp>             // unite

#include <algorithm>    // count, count_if, min, sort, unique
#include <array>        // array
#include <cstdint>      // int32_t, int64_t
#include <filesystem>   // create_directories
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // pair, swap
#include <vector>       // vector

namespace stg::test {

namespace {

using pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

pairs edges_of(const graphs& g, std::string_view relation) {
  const edge_list list = g.relation(relation).edge_list();
  pairs all;
  for (std::size_t e = 0; e < list.src.size(); ++e) all.emplace_back(list.src[e], list.dst[e]);
  return all;
}

/// Each edge once, ascending.
pairs distinct(pairs all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}
pairs both_ways(pairs all) {
  const std::size_t edges = all.size();
  for (std::size_t e = 0; e < edges; ++e) all.emplace_back(all[e].second, all[e].first);
  return all;
}
std::int64_t loops(const pairs& all) {
  return std::count_if(all.begin(), all.end(), [](const auto& e) { return e.first == e.second; });
}

/// Changes a relation, and looks at what its edges are then.
void change(graphs& g, int how, std::string_view relation) {
  const pairs before = edges_of(g, relation);
  const std::int64_t edges = static_cast<std::int64_t>(before.size());
  const std::int64_t vertices = g.relation(relation).destinations();
  if (how == 0) {
    g.coalesce(relation);
    demand(edges_of(g, relation) == distinct(before), "each edge once");
  } else if (how == 1) {
    g.add_self_loops(relation);
    demand(g.relation(relation).edges() == edges + vertices, "a loop more for each vertex");
  } else if (how == 2) {
    g.add_remaining_self_loops(relation);
    demand(loops(distinct(edges_of(g, relation))) == vertices, "a loop of each vertex");
  } else if (how == 3) {
    g.remove_self_loops(relation);
    demand(g.relation(relation).edges() == edges - loops(before), "all edges but loops");
  } else {
    g.to_undirected(relation);
    demand(edges_of(g, relation) == distinct(both_ways(before)), "both directions of each edge");
  }
}

void add_reverse(graphs& g, std::string_view reverse, std::string_view of) {
  g.add_reverse(reverse, of);
  pairs turned = edges_of(g, of);
  for (auto& e : turned) std::swap(e.first, e.second);
  demand(edges_of(g, reverse) == turned, "edges in their order, turned round");
}

void check(const graphs& g) {
  for (const relation_names& r : g.relations()) {
    const graph& edges = g.relation(r.name);
    demand(edges.sources() == g.vertices(r.source) && edges.destinations() == g.vertices(r.destination), "its sets");
    std::int64_t in = 0, out = 0;
    for (const std::int32_t d : edges.in_degrees()) in += d;
    for (const std::int32_t d : edges.out_degrees()) out += d;
    demand(in == edges.edges() && out == edges.edges(), "each edge at both of its ends");
    for (const auto& [s, d] : edges_of(g, r.name))
      demand(s >= 0 && s < edges.sources() && d >= 0 && d < edges.destinations(), "ends that are vertices");
  }
}

/// Graphs side by side have the edges of each, numbered on.
void unite(const std::vector<graphs>& all, std::string_view read_out) {
  const relation_names readout[] = {{"of", std::string(read_out), "graphs"}};
  const graphs_union together = detail::unite(all, readout);
  check(together.graph);
  demand(together.graph.vertices("graphs") == static_cast<std::int64_t>(all.size()), "a vertex of each graph");
  demand(together.graph.relation("of").edges() == together.graph.vertices(read_out), "a graph of each vertex");
  for (const relation_names& r : all[0].relations()) {
    const pairs edges = edges_of(together.graph, r.name);
    const auto sources = together.offsets(r.source), destinations = together.offsets(r.destination);
    std::size_t e = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const auto& [s, d] : edges_of(all[i], r.name)) {
        demand(edges[e].first == sources[i] + s && edges[e].second == destinations[i] + d, "the edges of each graph");
        ++e;
      }
    demand(e == edges.size(), "no other edges");
  }
}

/// A batch is a part of the graphs.
void check(const graphs_batch& b, const graphs& g) {
  check(b.graph);
  for (const graphs_batch::set_rows& s : b.sets)
    for (const std::int32_t v : s.vertices) demand(v >= 0 && v < g.vertices(s.name), "vertices of the set");
  for (const relation_names& r : g.relations()) {
    const pairs part = edges_of(b.graph, r.name), whole = edges_of(g, r.name);
    const auto &source = b.of_set(r.source).vertices, &destination = b.of_set(r.destination).vertices;
    for (const auto& [s, d] : part)
      demand(std::count(whole.begin(), whole.end(),
                        std::pair(source[static_cast<std::size_t>(s)], destination[static_cast<std::size_t>(d)])) > 0,
             "edges of the relation");
  }
  demand(b.blocks().seeds() == b.seeds, "a row for each seed");
}

/// Batches around any seeds, in the memory of one another: each is sound, or refused. Odd ones are of other samplers.
void sample(const graphs& g, byte_stream from) {
  graphs_options options;
  for (int hops = from.next() % 4; hops > 0; --hops)
    options.fan_outs.push_back(static_cast<signed char>(from.next()) % 8);
  options.with_replacement = from.next() % 2 == 0;
  if (from.next() % 4 == 0) options.of.push_back({std::string(from.name()), options.fan_outs});
  const graphs_sampler sampler(g, options);
  graphs_temporal_sampler timed(g,
                                {.fan_outs = options.fan_outs, .of = options.of, .latest = options.with_replacement});
  for (const relation_names& r : g.relations())
    may_refuse([&] {
      tensor<double> times({g.relation(r.name).edges()});
      for (double& t : times) t = from.next() % 8;
      timed.set_times(r.name, g.relation(r.name).edge_values(times));
    });
  graphs_batch b;
  for (std::uint64_t number = 0; number < 6; ++number)
    may_refuse([&] {
      const std::string_view set = from.name();
      const std::vector<std::int64_t> wide = from.ends(from.next() % 6);
      const std::vector<std::int32_t> seeds(wide.begin(), wide.end());
      if (number % 2 == 0) {
        sampler.sample_into(b, set, seeds, number);
      } else if (number == 1) {
        std::vector<double> times;
        for (int k = from.next() % 8; k > 0; --k) times.push_back(from.next() % 8);
        timed.sample_into(b, set, seeds, times, number);
        for (const graphs_batch::set_rows& s : b.sets)
          for (const std::int32_t root : s.roots) demand(root >= 0 && root < b.seeds, "a seed of each vertex");
      } else if (number == 3) {
        graphs_layer_sampler(g, {.draws = options.fan_outs}).sample_into(b, set, seeds, number);
        for (const graphs_batch::relation_rows& r : b.relations)
          demand(r.edge_weights.size() == r.edges.size(), "a weight of each edge");
      } else {
        const std::int64_t bytes = from.next();
        const graphs_row_blocks blocks(g, set, {.bytes = bytes, .vertex_bytes = {{std::string(set), 1}}});
        std::int64_t rows = 0;
        for (std::int64_t i = 0; i < blocks.count(); ++i) {
          blocks.block(i, b);
          demand(blocks.first_row(i) == rows, "one block after another");
          rows += b.seeds;
        }
        demand(rows == g.vertices(set), "every row in one block");
        return;
      }
      check(b, g);
    });
}

/// What weighs a relation by its name: the one that most inputs have.
struct weighed_set {
  struct name {
    static constexpr std::string_view view() { return "a"; }
  };
};
struct weighed_relation {
  struct name {
    static constexpr std::string_view view() { return "r"; }
  };
  using source = weighed_set;
  using destination = weighed_set;
};

std::vector<std::int32_t> seeds_of(byte_stream& from) {
  const std::vector<std::int64_t> wide = from.ends(from.next() % 8);
  return {wide.begin(), wide.end()};
}

/// Seeds of two sets without some edges, weights, times and moments of seeds that are no numbers, any numbers of draws.
void sample_oddly(const graphs& g, byte_stream from) {
  const std::vector<std::int64_t> of_hops = from.ends(from.next() % 4);
  const std::string_view sets[] = {from.name(), from.name()};
  graphs_batch b;
  const auto sample_weighed = [&](const auto& make) {
    may_refuse([&] {
      auto weights = numbers_of_edges<float>(g.relation("r"), from);
      const auto sampler = make().by_weight(weighed_relation(), weights);
      for (std::uint64_t number = 0; number < 2; ++number)
        may_refuse([&] {
          const std::vector<std::int32_t> seeds = seeds_of(from);
          sampler.sample_into(b, sets[number], seeds, number);
          check(b, g);
          for (const graphs_batch::relation_rows& r : b.relations)
            demand(r.edge_weights.empty() || r.edge_weights.size() == r.edges.size(), "a weight of each edge or none");
          for (const float w : b.of_relation("r").edge_weights) demand(w >= 0, "weights");
        });
    });
  };
  sample_weighed([&] { return graphs_sampler(g, {.fan_outs = of_hops, .with_replacement = from.next() % 2 == 0}); });
  sample_weighed([&] { return graphs_layer_sampler(g, {.draws = of_hops, .of = {{std::string(sets[1]), of_hops}}}); });
  may_refuse([&] {
    const std::vector<std::int32_t> one = seeds_of(from), other = seeds_of(from);
    const std::vector<std::int64_t> hidden = from.ends(from.next() % 8);
    const set_seeds seeds[] = {{sets[0], one}, {sets[1], other}};
    const edges_left_out without[] = {{from.name(), hidden}};
    graphs_sampler(g, {.fan_outs = of_hops}).sample_into(b, seeds, 1, without);
    check(b, g);
    const std::vector<std::int64_t>& taken = b.of_relation(without[0].relation).edges;
    for (const std::int64_t e : hidden)
      demand(std::count(taken.begin(), taken.end(), e) == 0, "no edge that is hidden");
    demand(b.of_set(sets[1]).offsets[1] == static_cast<std::int64_t>(other.size()), "seeds of both");
  });
  may_refuse([&] {
    graphs_temporal_sampler timed(g, {.fan_outs = of_hops, .latest = from.next() % 2 == 0});
    for (const relation_names& r : g.relations())
      may_refuse([&] { timed.set_times(r.name, numbers_of_edges<double>(g.relation(r.name), from)); });
    const std::vector<std::int32_t> seeds = seeds_of(from);
    std::vector<double> moments;
    for (std::size_t k = from.next() % 8 == 0 ? 1 : 0; k < seeds.size(); ++k)
      moments.push_back(odd_number<double>(from.next()));
    timed.sample_into(b, sets[0], seeds, moments, 1);
    check(b, g);
    for (const graphs_batch::relation_rows& r : b.relations)
      for (const std::int32_t d : r.earlier_degrees) demand(d >= 0, "a degree");
  });
  may_refuse([&] {
    const auto size = [&] { return odd_number<std::int64_t>(from.next()); };
    const graphs_block_limit limit{.bytes = size(),
                                   .vertex_bytes = {{std::string(sets[0]), size()}, {std::string(sets[1]), size()}},
                                   .edge_bytes = {{std::string(from.name()), size()}}};
    const graphs_row_blocks blocks(g, sets[0], limit);
    for (std::int64_t i = 0; i < blocks.count(); ++i) {
      blocks.block(i, b);
      check(b, g);
      long double bytes = 0;
      for (const bytes_by_name& of : limit.vertex_bytes)
        bytes += static_cast<long double>(of.bytes) * static_cast<long double>(b.of_set(of.name).vertices.size());
      for (const graphs_batch::relation_rows& r : b.relations)
        bytes += static_cast<long double>(r.name == limit.edge_bytes[0].name ? limit.edge_bytes[0].bytes : 28) *
                 static_cast<long double>(r.edges.size());
      demand(bytes <= static_cast<long double>(limit.bytes), "room for all");
    }
    may_refuse([&] { blocks.block(size(), b); });
  });
}

/// Batches of links of each relation that is there: pairs of its sets, edges first, which the batch does not show.
void sample_links(const graphs& g, byte_stream from) {
  const int how = from.next();
  for (const relation_names& r : g.relations())
    may_refuse([&] {
      const graphs_link_sampler links(graphs_sampler(g, {.fan_outs = {all_neighbours, 2}}), r.name,
                                      {.negatives = how % 8 - 1,
                                       .which = {.existing = (how & 8) != 0, .loops = (how & 16) != 0},
                                       .leave_out_edges = (how & 32) == 0,
                                       .leave_out_reverse = (how & 64) == 0});
      graphs_batch b;
      for (std::uint64_t number = 0; number < 2; ++number)
        may_refuse([&] {
          const std::vector<std::int64_t> ids = from.ends(from.next() % 4);
          links.sample_into(b, ids, number);
          check(b.graph);
          const auto &source = b.of_set(r.source).vertices, &destination = b.of_set(r.destination).vertices;
          const auto of_large = [&](std::int64_t s, std::int64_t d) {
            return std::pair(source[static_cast<std::size_t>(s)], destination[static_cast<std::size_t>(d)]);
          };
          const pairs whole = edges_of(g, r.name), part = edges_of(b.graph, r.name);
          for (std::size_t i = 0; i < b.pair_src.size(); ++i) {
            const auto pair = of_large(b.pair_src[i], b.pair_dst[i]);
            const bool is_there = std::count(whole.begin(), whole.end(), pair) > 0;
            const bool is_asked = i < static_cast<std::size_t>(b.true_pairs);
            demand(is_there || !is_asked, "edges that are asked for");
            demand(!is_there || is_asked || (how & 8) != 0, "negatives that are no edges");
            for (const auto& [s, d] : part)
              demand(!is_asked || (how & 32) != 0 || of_large(s, d) != pair, "no edge that is asked for");
          }
          const graphs of_pairs = b.pairs(), of_seeds = b.seed_pairs();
          check(of_pairs), check(of_seeds);
          demand(of_pairs.relation(r.name).edges() == of_seeds.relation(r.name).edges(), "an edge of each pair");
          demand(b.blocks().seeds() == b.seeds, "a row for each seed");
        });
      const graph& edges = g.relation(r.name);
      const edge_list none = negative_edges(edges, how % 16, 1);
      for (std::size_t i = 0; i < none.src.size(); ++i)
        demand(
            none.src[i] >= 0 && none.src[i] < edges.sources() && none.dst[i] >= 0 && none.dst[i] < edges.destinations(),
            "pairs of its sets");
    });
}

constexpr std::array kind_files = {"a/x", "b/x", "a/y", "r/edges", "r/w", "s/edges", "s/w", "t/edges"};

}  // namespace

void fuzz_kinds(std::string_view bytes) {
  byte_stream from(bytes);
  std::vector<graphs> all(1);
  while (!from.ended() && all.size() < 5) {
    graphs& g = all.back();
    const int what = from.next();
    const std::string_view name = from.name();
    may_refuse([&] {
      switch (what % 6) {
        case 0:
          g.add_vertices(name, static_cast<signed char>(from.next()));
          break;
        case 1: {
          const std::string_view source = from.name(), destination = from.name();
          const int edges = from.next() % 16;
          const std::vector<std::int64_t> src = from.ends(edges), dst = from.ends(what == 7 ? edges + 1 : edges);
          g.add_edges(name, source, destination, src, dst);
          break;
        }
        case 2:
          change(g, what / 6 % 5, name);
          break;
        case 3:
          add_reverse(g, name, from.name());
          break;
        case 4: {
          const graphs before = g;
          g.replace_edges(name, before.relation(from.name()));
          break;
        }
        default:
          all.push_back(g);  // which goes on as another graph
      }
    });
  }
  for (const graphs& g : all) check(g);
  may_refuse([&] { unite(all, "a"); });
  may_refuse([&] { sample(all.back(), byte_stream(bytes)); });
  sample_oddly(all.back(), byte_stream(bytes));
  sample_links(all.back(), byte_stream(bytes));
}

void fuzz_kinds_folder(std::string_view bytes) {
  const std::size_t line = std::min(bytes.find('\n'), bytes.size());
  const std::string_view manifest = bytes.substr(0, line);
  for (const char* name : {"a", "b", "r", "s", "t"}) std::filesystem::create_directories(folder().file(name));
  folder().write("graph.json", manifest);
  write_records(bytes.substr(std::min(line + 1, bytes.size())), kind_files, 4);
  may_refuse([&] {
    const graphs_folder data = read_graphs(folder().path());
    check(data.graph());
    for (const std::string& set : data.graph().vertex_sets())
      for (const std::string& array : data.arrays(set)) {
        may_refuse([&] {
          const auto x = data.vertex_values<double>(set, array);
          demand(x.shape()[0] == data.graph().vertices(set), "a row of each vertex");
        });
        may_refuse([&] { data.mapped_vertex_values<float>(set, array); });
      }
    for (const relation_names& r : data.graph().relations())
      for (const std::string& array : data.arrays(r.name))
        may_refuse([&] {
          const auto w = data.edge_values<double>(r.name, array);
          demand(w.values().shape()[0] == data.graph().relation(r.name).edges(), "a row of each edge");
        });
    const std::string copy = folder().file("copy");
    may_refuse([&] {
      write_graphs(copy, data.graph());
      const graphs_folder again = read_graphs(copy);
      demand(again.graph().relations() == data.graph().relations(), "what was written");
      for (const relation_names& r : data.graph().relations())
        demand(edges_of(again.graph(), r.name) == edges_of(data.graph(), r.name), "the edges that were written");
    });
  });
}

}  // namespace stg::test
