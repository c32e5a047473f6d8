// Parts of a graph, and the blocks that sums are taken by.
#include <stg/distributed/cut.hpp>

#include <algorithm>  // max
#include <ostream>    // ostream
#include <string>     // to_string
#include <vector>     // vector

#include <stg/base/error.hpp>         // error
#include <stg/sampling/clusters.hpp>  // partition

#include "../runtime/graph/graph_state.hpp"  // graph_access

namespace stg {

struct cut::state {
  graph whole{};
  int parts = 1;
  std::vector<std::int32_t> part_of{};        // (vertices)
  std::vector<std::int32_t> by_block{};       // (vertices) block after block
  std::vector<std::int64_t> block_offsets{};  // (blocks + 1)
};

namespace {

std::size_t nth(std::int64_t i) { return static_cast<std::size_t>(i); }

void check_parts(std::int64_t parts) {
  if (parts < 1 || parts > cut::blocks)
    throw error("cut: " + std::to_string(parts) + " parts; ask for 1 to " + std::to_string(cut::blocks));
}

/// Vertices without neighbours in other parts come first, those with neighbours at both kinds of edges between those
/// with some at one kind: so the vertices whose in-edges stay in the part lie together, and those whose out-edges do.
class rows_of_parts {
 public:
  rows_of_parts(const graph& g, const std::vector<std::int32_t>& part_of, int parts) : members_(nth(parts)) {
    const adjacency in = g.in_edges(), out = g.out_edges();
    const auto leave = [&](const adjacency& edges, std::int64_t v) {
      for (auto k = edges.begin(v); k != edges.end(v); ++k)
        if (part_of[nth(edges.neighbour(k))] != part_of[nth(v)]) return true;
      return false;
    };
    std::vector<unsigned char> group(part_of.size());  // by vertex
    for (std::int64_t v = 0; v < g.vertices(); ++v)
      group[nth(v)] = leave(in, v) ? (leave(out, v) ? 2 : 3) : (leave(out, v) ? 1 : 0);
    for (const unsigned char at : {0, 1, 2, 3})
      for (std::size_t v = 0; v < part_of.size(); ++v)
        if (group[v] == at) members_[nth(part_of[v])].push_back(static_cast<std::int32_t>(v));
  }
  const std::vector<std::int32_t>& of(int part) const { return members_[nth(part)]; }

 private:
  std::vector<std::vector<std::int32_t>> members_;
};

/// Rows, and edges of both directions.
std::int64_t work_of(const graph& g, std::int64_t v) { return 1 + g.in_degrees()[nth(v)] + g.out_degrees()[nth(v)]; }

}  // namespace

cut cut::made(const graph& g, std::vector<std::int32_t> part_of, int parts) {
  detail::graph_access::check_whole(g, "a cut");
  if (g.has_kinds()) throw error("cut: a graph of several vertex sets cannot be cut yet; cut a plain graph");
  auto made = std::make_shared<state>();
  made->whole = g.to(host);
  made->parts = parts;
  const rows_of_parts members(made->whole, part_of, parts);
  made->part_of = std::move(part_of);
  made->block_offsets.push_back(0);
  for (int part = 0; part < parts; ++part) {
    const auto& mine = members.of(part);
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

cut cut::by_metis(const graph& g, int parts, std::uint64_t number) {
  check_parts(parts);
  const tensor<std::int32_t> of = partition(g, parts, number, part_weights::work);
  return made(g, {of.data(), of.data() + of.size()}, parts);
}

cut cut::by_ranges(const graph& g, int parts) {
  check_parts(parts);
  std::int64_t all = 0, before = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v) all += work_of(g, v);
  std::vector<std::int32_t> part_of;
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    part_of.push_back(static_cast<std::int32_t>(before * parts / std::max<std::int64_t>(all, 1)));
    before += work_of(g, v);
  }
  return made(g, std::move(part_of), parts);
}

cut cut::of(const graph& g, const const_tensor<std::int32_t>& parts) {
  if (parts.shape().rank() != 1 || parts.size() != g.vertices())
    throw error("cut: parts of shape " + to_string(parts.shape()) + " for a graph of " + std::to_string(g.vertices()) +
                " vertices; give the part of each");
  std::int32_t most = 0;
  for (std::int64_t v = 0; v < parts.size(); ++v) {
    if (parts(v) < 0)
      throw error("cut: vertex " + std::to_string(v) + " is in part " + std::to_string(parts(v)) +
                  "; parts are numbered from 0");
    most = std::max(most, parts(v));
  }
  check_parts(std::int64_t{most} + 1);
  return made(g, {parts.data(), parts.data() + parts.size()}, most + 1);
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
    work[nth(mine)] += work_of(g, v);
    bool inside = true;
    for (auto k = in.begin(v); k != in.end(v); ++k)
      if (part[nth(in.neighbour(k))] != mine) ++cut_edges, inside = false;
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
  return {share(cut_edges, g.edges()), share(halo, g.vertices()), share(interior, g.vertices()),
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
