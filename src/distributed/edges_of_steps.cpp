// Steps are merged one after the other: edges of each are in order.
#include "edges_of_steps.hpp"

#include <stg/runtime/edge_span.hpp>  // destination_of, edge_key, source_of
#include <stg/runtime/tensor.hpp>     // tensor

#include <utility>  // swap

namespace stg::detail {

namespace {

struct counted_edge {
  std::uint64_t key;
  std::int64_t times;
};

/// Adds an edge behind those that are there, or to the last one.
void append(std::vector<counted_edge>& to, const counted_edge& edge) {
  if (!to.empty() && to.back().key == edge.key) to.back().times += edge.times;
  else to.push_back(edge);
}

/// The edges of both, in order.
void merge(const std::vector<counted_edge>& known, const adjacency& in, std::vector<counted_edge>& to) {
  to.clear();
  std::size_t next = 0;
  for (std::int64_t v = 0; v < in.rows(); ++v)
    for (auto k = in.begin(v); k != in.end(v); ++k) {
      const std::uint64_t key = edge_key(in.neighbour(k), v);
      while (next < known.size() && known[next].key <= key) append(to, known[next++]);
      append(to, {key, 1});
    }
  while (next < known.size()) append(to, known[next++]);
}

}  // namespace

edges_of_steps::edges_of_steps(step_graphs& steps, std::int64_t vertices)
    : work_(static_cast<std::size_t>(vertices), steps.steps) {
  std::vector<counted_edge> known, merged;
  for (std::int64_t t = 0; t < steps.steps; ++t) {
    merge(known, steps.at(t).in_edges(), merged);
    std::swap(known, merged);
  }
  std::vector<std::int32_t> src, dst;
  tensor<std::int64_t> times({static_cast<std::int64_t>(known.size())});
  for (std::size_t e = 0; e < known.size(); ++e) {
    src.push_back(source_of(known[e].key));
    dst.push_back(destination_of(known[e].key));
    times.data()[e] = known[e].times;
    work_[static_cast<std::size_t>(src.back())] += known[e].times;
    work_[static_cast<std::size_t>(dst.back())] += known[e].times;
    all_times_ += known[e].times;
  }
  edges_ = graph::from_edges(vertices, src, dst);
  const tensor<std::int64_t> by_id = edges_.edge_values(times).values();
  times_.assign(by_id.data(), by_id.data() + by_id.size());
}

}  // namespace stg::detail
