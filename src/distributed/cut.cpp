// Parts of a graph, and the blocks that sums are taken by.
#include <stg/distributed/cut.hpp>

#include <algorithm>  // max
#include <optional>   // optional
#include <ostream>    // ostream
#include <string>     // to_string
#include <vector>     // vector

#include <stg/base/error.hpp>         // error
#include <stg/sampling/clusters.hpp>  // partition

#include "../runtime/graph/graph_sequence_state.hpp"  // graph_access, graph_sequence::state, mixed
#include "../sampling/weighted_partition.hpp"         // partition_by
#include "cut_state.hpp"                              // cut::state

namespace stg {

namespace {

std::size_t nth(std::int64_t i) { return static_cast<std::size_t>(i); }

void check_parts(std::int64_t parts) {
  if (parts < 1 || parts > cut::blocks)
    throw error("cut: " + std::to_string(parts) + " parts; ask for 1 to " + std::to_string(cut::blocks));
}

/// Consecutive vertices of equal work.
template <class Work> std::vector<std::int32_t> ranges_of(std::int64_t vertices, int parts, const Work& work) {
  std::int64_t all = 0, before = 0;
  for (std::int64_t v = 0; v < vertices; ++v) all += work(v);
  std::vector<std::int32_t> part_of;
  for (std::int64_t v = 0; v < vertices; ++v) {
    part_of.push_back(static_cast<std::int32_t>(before * parts / std::max<std::int64_t>(all, 1)));
    before += work(v);
  }
  return part_of;
}

/// How many parts the user's are.
int checked_parts(const const_tensor<std::int32_t>& parts, std::int64_t vertices) {
  if (parts.shape().rank() != 1 || parts.size() != vertices)
    throw error("cut: parts of shape " + to_string(parts.shape()) + " for a graph of " + std::to_string(vertices) +
                " vertices; give the part of each");
  std::int32_t most = 0;
  for (std::int64_t v = 0; v < parts.size(); ++v) {
    if (parts(v) < 0)
      throw error("cut: vertex " + std::to_string(v) + " is in part " + std::to_string(parts(v)) +
                  "; parts are numbered from 0");
    most = std::max(most, parts(v));
  }
  check_parts(std::int64_t{most} + 1);
  return most + 1;
}

}  // namespace

cut cut::made(const graph& g, std::vector<std::int32_t> part_of, int parts) {
  detail::graph_access::check_whole(g, "a cut");
  if (g.has_kinds()) throw error("cut: a graph of several vertex sets cannot be cut yet; cut a plain graph");
  auto made = std::make_shared<state>();
  made->whole = g.to(host);
  made->vertices = g.vertices();
  made->edges = g.edges();
  made->edge_identity = static_cast<std::uint64_t>(g.edge_identity());
  made->number = made->edge_identity;
  for (const std::int32_t part : part_of) made->number = detail::mixed(made->number + static_cast<std::uint64_t>(part));
  made->parts = parts;
  std::vector<std::vector<std::int32_t>> members(nth(parts));
  for (std::size_t v = 0; v < part_of.size(); ++v) members[nth(part_of[v])].push_back(static_cast<std::int32_t>(v));
  made->part_of = std::move(part_of);
  made->block_offsets.push_back(0);
  for (int part = 0; part < parts; ++part) {
    const auto& mine = members[nth(part)];
    const int first = blocks * part / parts, count = blocks * (part + 1) / parts - first;
    for (int b = 0; b < count; ++b) {
      const std::size_t from = mine.size() * nth(b) / nth(count), to = mine.size() * nth(b + 1) / nth(count);
      made->by_block.insert(made->by_block.end(), mine.begin() + static_cast<std::ptrdiff_t>(from),
                            mine.begin() + static_cast<std::ptrdiff_t>(to));
      made->block_offsets.push_back(static_cast<std::int64_t>(made->by_block.size()));
    }
  }
  return cut(std::move(made));
}

cut cut::made(detail::edges_of_steps all, std::vector<std::int32_t> part_of, int parts) {
  const cut of_edges = made(all.edges(), std::move(part_of), parts);
  auto made = std::make_shared<state>(*of_edges.state_);
  made->steps.emplace(std::move(all));
  return cut(std::move(made));
}

detail::edges_of_steps cut::edges_of(const graph_sequence& s) {
  if (!s.place().is_host())
    throw error("cut: a graph sequence lies on " + to_string(s.place()) + "; cut it on the host");
  detail::graph_access::check_whole(s.state_->outside(), "a cut");
  const detail::lock one_at_a_time(s.state_->cutting);
  const shown_by_one shown(s.state_.get());
  return detail::edges_of_steps(*s.state_, s.vertices());
}

cut cut::by_metis(const graph& g, int parts, std::uint64_t number) {
  check_parts(parts);
  const tensor<std::int32_t> of = partition(g, parts, number, part_weights::work);
  return made(g, {of.data(), of.data() + of.size()}, parts);
}

cut cut::by_metis(const graph_sequence& s, int parts, std::uint64_t number) {
  check_parts(parts);
  detail::edges_of_steps all = edges_of(s);
  const tensor<std::int32_t> of = detail::partition_by(all.edges(), parts, number, all.work(), all.times());
  return made(std::move(all), {of.data(), of.data() + of.size()}, parts);
}

cut cut::by_ranges(const graph& g, int parts) {
  check_parts(parts);
  return made(g, ranges_of(g.vertices(), parts, [&](std::int64_t v) { return detail::work_of(g, v); }), parts);
}
cut cut::by_ranges(const graph_sequence& s, int parts) {
  check_parts(parts);
  detail::edges_of_steps all = edges_of(s);
  std::vector<std::int32_t> of = ranges_of(s.vertices(), parts, [&](std::int64_t v) { return all.work(v); });
  return made(std::move(all), std::move(of), parts);
}

cut cut::of(const graph& g, const const_tensor<std::int32_t>& parts) {
  const int count = checked_parts(parts, g.vertices());
  return made(g, {parts.data(), parts.data() + parts.size()}, count);
}
cut cut::of(const graph_sequence& s, const const_tensor<std::int32_t>& parts) {
  const int count = checked_parts(parts, s.vertices());
  return made(edges_of(s), {parts.data(), parts.data() + parts.size()}, count);
}
const graph& cut::whole() const { return state_->whole; }
int cut::parts() const { return state_->parts; }
std::span<const std::int32_t> cut::part_of() const { return state_->part_of; }
std::span<const std::int32_t> cut::block(int number) const {
  const auto& offsets = state_->block_offsets;
  const std::int64_t first = offsets[nth(number)];
  return {state_->by_block.data() + first, nth(offsets[nth(number + 1)] - first)};
}

cut::costs cut::cost() const {
  const graph& g = state_->whole;
  const auto& part = state_->part_of;
  const adjacency in = g.in_edges(), out = g.out_edges();
  std::vector<std::int64_t> work(nth(parts()), 0);
  std::vector<std::int32_t> seen_by(nth(g.vertices()), -1);
  std::vector<std::vector<std::int32_t>> members(nth(parts()));
  std::int64_t cut_edges = 0, halo = 0, interior = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    const std::int32_t mine = part[nth(v)];
    members[nth(mine)].push_back(static_cast<std::int32_t>(v));
    work[nth(mine)] += state_->work_of(v);
    bool inside = true;
    for (auto k = in.begin(v); k != in.end(v); ++k)
      if (part[nth(in.neighbour(k))] != mine) cut_edges += state_->times_of(in.edge_id(k)), inside = false;
    for (auto k = out.begin(v); k != out.end(v); ++k) inside = inside && part[nth(out.neighbour(k))] == mine;
    interior += inside;
  }
  for (int p = 0; p < parts(); ++p)
    for (const std::int32_t v : members[nth(p)])
      for (const adjacency* rows : {&in, &out})
        for (auto k = rows->begin(v); k != rows->end(v); ++k) {
          const std::int32_t u = rows->neighbour(k);
          if (part[nth(u)] == p || seen_by[nth(u)] == p) continue;
          seen_by[nth(u)] = p;
          ++halo;
        }
  const auto share = [](std::int64_t of, std::int64_t all) {
    return all == 0 ? 0.0 : static_cast<double>(of) / static_cast<double>(all);
  };
  std::int64_t most = 0, total = 0;
  for (const std::int64_t w : work) most = std::max(most, w), total += w;
  const std::int64_t edges = state_->steps ? state_->steps->all_times() : g.edges();
  return {share(cut_edges, edges), share(halo, g.vertices()), share(interior, g.vertices()),
          share(most * parts(), total)};
}

std::ostream& operator<<(std::ostream& to, const cut& c) {
  const cut::costs cost = c.cost();
  const auto percent = [](double share) {
    const std::string tenths = std::to_string(static_cast<std::int64_t>(share * 1000 + 0.5));
    return (tenths.size() < 2 ? "0" : tenths.substr(0, tenths.size() - 1)) + "." + tenths.back() + " %";
  };
  return to << c.parts() << " parts: " << percent(cost.cut_edges) << " of edges are cut, "
            << percent(cost.interior_rows) << " of rows are interior, halos have " << percent(cost.halo_rows)
            << " of the graph's rows, the largest part has " << percent(cost.largest_work)
            << " of an even share of work";
}

}  // namespace stg
