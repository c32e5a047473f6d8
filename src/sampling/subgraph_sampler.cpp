// Vertices of a subgraph, drawn three ways, and how often they are.
#include "draws.hpp"    // draws
#include "induced.hpp"  // write_induced

#include <stg/base/error.hpp>                 // error
#include <stg/runtime/out_of_memory.hpp>      // no_memory
#include <stg/sampling/subgraph_sampler.hpp>  // subgraph_sampler

#include <algorithm>  // max, min, upper_bound
#include <cmath>      // nextafter
#include <string>     // to_string

namespace stg {

namespace {

using detail::at;

/// One over the in-degree, of which 0 counts as 1.
double share_of(const adjacency& in, std::int64_t v) {
  return 1 / static_cast<double>(std::max<std::int64_t>(1, in.degree(v)));
}

/// Which of things whose sums these are, in proportion to what each adds.
std::int64_t pick(detail::draws& random, const std::vector<double>& up_to) {
  const double total = up_to.back();
  const double share = std::min(random.uniform() * total, std::nextafter(total, 0.0));
  return std::upper_bound(up_to.begin(), up_to.end(), share) - up_to.begin();
}

}  // namespace

subgraph_sampler::subgraph_sampler(const graph& g, kind how, std::int64_t draws, std::int64_t steps)
    : sampler(g), how_(how), draws_(draws), steps_(steps) {
  if (draws < 0 || steps < 0)
    throw error("subgraph_sampler: " + std::to_string(draws < 0 ? draws : steps) +
                (draws < 0 ? " draws" : " steps of a walk") + "; give 0 or more");
}

subgraph_sampler subgraph_sampler::by_walks(const graph& g, std::int64_t roots, std::int64_t steps) {
  return {g, kind::walks, roots, steps};
}

subgraph_sampler subgraph_sampler::by_vertices(const graph& g, std::int64_t draws) try {
  subgraph_sampler s(g, kind::vertices, draws, 0);
  const adjacency in = s.of().in_edges(), out = s.of().out_edges();
  double sum = 0;
  for (std::int64_t u = 0; u < out.rows(); ++u) {
    for (std::int64_t k = out.begin(u); k < out.end(u); ++k) {
      const double share = share_of(in, out.neighbour(k));
      sum += share * share;
    }
    s.up_to_.push_back(sum);
  }
  return s;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

subgraph_sampler subgraph_sampler::by_edges(const graph& g, std::int64_t draws) try {
  subgraph_sampler s(g, kind::edges, draws, 0);
  const adjacency in = s.of().in_edges();
  double sum = 0;
  for (std::int64_t v = 0; v < in.rows(); ++v)
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k) {
      s.up_to_.push_back(sum += share_of(in, v) + share_of(in, in.neighbour(k)));
      s.destination_.push_back(static_cast<std::int32_t>(v));
    }
  return s;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void subgraph_sampler::walk(detail::batch_writer& writer, std::int32_t from, std::uint64_t walk,
                            std::uint64_t number) const {
  const adjacency in = of().in_edges();
  detail::vertex_numbers& numbers = writer.set().numbers;
  detail::draws random(number, detail::purpose::walk, 0, walk);
  numbers.local_of(from);
  for (std::int64_t step = 0; step < steps_ && in.degree(from) > 0; ++step) {
    from = in.neighbour(in.begin(from) + random.below(static_cast<std::uint32_t>(in.degree(from))));
    numbers.local_of(from);
  }
}

void subgraph_sampler::draw(detail::batch_writer& writer, std::span<const std::int32_t> seeds,
                            std::uint64_t number) const {
  if (how_ != kind::walks && !seeds.empty())
    throw error("subgraph_sampler: " + std::to_string(seeds.size()) +
                " seeds, but vertices are drawn; give none, or draw by walks");
  const adjacency in = of().in_edges();
  detail::draws random(number, detail::purpose::subgraph, 0, 0);
  writer.begin(seeds);
  detail::vertex_numbers& numbers = writer.set().numbers;
  const bool has_any = how_ == kind::walks ? of().vertices() > 0 : !up_to_.empty() && up_to_.back() > 0;
  const std::int64_t count = !seeds.empty() ? static_cast<std::int64_t>(seeds.size()) : has_any ? draws_ : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (how_ == kind::walks) {
      const std::int32_t root =
          seeds.empty() ? static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(in.rows()))) : seeds[at(i)];
      walk(writer, root, static_cast<std::uint64_t>(i), number);
      continue;
    }
    const std::int64_t drawn = pick(random, up_to_);
    if (how_ == kind::vertices) {
      numbers.local_of(static_cast<std::int32_t>(drawn));
    } else {
      numbers.local_of(in.neighbour(drawn));
      numbers.local_of(destination_[at(drawn)]);
    }
  }
  detail::write_induced(writer);
}

subgraph_norms estimate_norms(const sampler& of, std::int64_t subgraphs, std::uint64_t number) try {
  if (subgraphs < 1)
    throw error("estimate_norms: " + std::to_string(subgraphs) + " subgraphs; give 1 at least, better hundreds");
  const graph& g = of.of();
  std::vector<std::int64_t> vertices(at(g.vertices()), 0), edges(at(g.edges()), 0);
  batch b;
  for (std::int64_t s = 0; s < subgraphs; ++s) {
    of.sample_into(b, {}, number + static_cast<std::uint64_t>(s));
    for (const std::int32_t v : b.vertices) ++vertices[at(v)];
    for (const std::int64_t e : b.edges) ++edges[at(e)];
  }
  const auto seen = [](std::int64_t count) { return static_cast<double>(std::max<std::int64_t>(1, count)); };
  auto of_vertex = tensor<float>::for_overwrite({g.vertices()});
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    of_vertex(v) = static_cast<float>(static_cast<double>(subgraphs) /
                                      (static_cast<double>(g.vertices()) * seen(vertices[at(v)])));
  auto of_edge = tensor<float>::for_overwrite({g.edges()});
  const adjacency in = g.in_edges();
  for (std::int64_t v = 0; v < in.rows(); ++v)
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k)
      of_edge(k) = static_cast<float>(seen(vertices[at(v)]) / seen(edges[at(k)]));
  return {std::move(of_vertex), edge_values<float>::in_id_order(std::move(of_edge), g.edge_identity())};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

batch subgraph(const graph& g, std::span<const std::int32_t> vertices) try {
  batch b;
  const detail::sampled_kinds kinds(detail::of_one_kind(g).to(host));
  detail::write<detail::graph_writer>(b, kinds, [&](detail::batch_writer& writer) {
    writer.begin(vertices);
    detail::write_induced(writer);
  });
  return b;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
