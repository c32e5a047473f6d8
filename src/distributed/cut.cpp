// Parts of a graph, and the blocks that sums are taken by.
#include <stg/distributed/cut.hpp>

#include <algorithm>  // find, max, min, stable_sort
#include <limits>     // numeric_limits
#include <map>        // map
#include <ostream>    // ostream
#include <string>     // string, to_string
#include <vector>     // vector

#include <stg/base/error.hpp>         // error
#include <stg/sampling/clusters.hpp>  // partition

#include "../runtime/graph/graph_sequence_state.hpp"  // graph_access, graph_sequence::state, mixed
#include "../runtime/graph/kind_table.hpp"            // kind_table, quote, set_of
#include "../sampling/weighted_partition.hpp"         // partition_by
#include "cut_state.hpp"                              // cut::state

namespace stg {

namespace {

std::size_t nth(std::int64_t i) { return static_cast<std::size_t>(i); }

void check_parts(std::int64_t parts) {
  if (parts < 1 || parts > cut::blocks)
    throw error("cut: " + std::to_string(parts) + " parts; ask for 1 to " + std::to_string(cut::blocks));
}

/// Writes the parts of vertices [first, last), consecutive ranges of equal work.
template <class Work>
void write_ranges(std::int64_t first, std::int64_t last, int parts, const Work& work, std::vector<std::int32_t>& to) {
  std::int64_t all = 0, before = 0;
  for (std::int64_t v = first; v < last; ++v) all += work(v);
  for (std::int64_t v = first; v < last; ++v) {
    to.push_back(static_cast<std::int32_t>(before * parts / std::max<std::int64_t>(all, 1)));
    before += work(v);
  }
}
template <class Work> std::vector<std::int32_t> ranges_of(std::int64_t vertices, int parts, const Work& work) {
  std::vector<std::int32_t> part_of;
  write_ranges(0, vertices, parts, work, part_of);
  return part_of;
}

/// One more than the largest part. Error for a negative one, and for too many.
int checked_parts(const const_tensor<std::int32_t>& parts, const std::string& set) {
  std::int32_t most = 0;
  for (std::int64_t v = 0; v < parts.size(); ++v) {
    if (parts(v) < 0)
      throw error("cut: vertex " + std::to_string(v) + set + " is in part " + std::to_string(parts(v)) +
                  "; parts are numbered from 0");
    most = std::max(most, parts(v));
  }
  check_parts(std::int64_t{most} + 1);
  return most + 1;
}

/// The same of a graph without sets, of so many vertices.
int checked_parts(const const_tensor<std::int32_t>& parts, std::int64_t vertices) {
  if (parts.shape().rank() != 1 || parts.size() != vertices)
    throw error("cut: parts of shape " + to_string(parts.shape()) + " for a graph of " + std::to_string(vertices) +
                " vertices; give the part of each");
  return checked_parts(parts, "");
}

/// The place of each vertex in its part, by the kinds of edges along which it has neighbours in other parts: none comes
/// first, and neighbouring sets of kinds differ in one kind, as in Gray's code. So the vertices without edges of a kind
/// to other parts lie together, in few ranges.
std::vector<std::uint64_t> groups_of(std::span<const detail::edges_of_set> kinds,
                                     std::span<const std::int32_t> part_of) {
  constexpr std::size_t most = 64;  // further ones count as the last
  std::vector<std::uint64_t> group(part_of.size(), 0);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const auto& [edges, part_of_neighbour] = kinds[k];
    const std::uint64_t bit = std::uint64_t{1} << (std::min(kinds.size(), most) - 1 - std::min(k, most - 1));
    for (std::int64_t v = 0; v < edges.rows(); ++v)
      for (auto e = edges.begin(v); e != edges.end(v); ++e) {
        if (part_of_neighbour[nth(edges.neighbour(e))] == part_of[nth(v)]) continue;
        group[nth(v)] |= bit;
        break;
      }
  }
  for (std::uint64_t& g : group)
    for (int shift = 1; shift < 64; shift *= 2) g ^= g >> shift;
  return group;
}

/// Vertices of all sets one after the other, with the edges of all relations.
struct joined_sets {
  std::vector<std::int64_t> first{0};  // (sets + 1) of each set, in the order of vertex_sets()
  graph edges{};

  explicit joined_sets(const graphs& g) {
    const std::vector<std::string> sets = g.vertex_sets();
    for (const std::string& set : sets) first.push_back(first.back() + g.vertices(set));
    if (first.back() > std::numeric_limits<std::int32_t>::max())
      throw error("cut: " + std::to_string(first.back()) + " vertices of all sets; a cut takes up to 2^31 - 1");
    const auto first_of = [&](const std::string& set) {
      return static_cast<std::int32_t>(first[nth(std::find(sets.begin(), sets.end(), set) - sets.begin())]);
    };
    std::vector<std::int32_t> src, dst;
    for (const relation_names& r : g.relations()) {
      const graph& relation = g.relation(r.name);
      const adjacency in = relation.in_edges();
      const std::int32_t from = first_of(r.source), into = first_of(r.destination);
      for (std::int64_t v = 0; v < in.rows(); ++v)
        for (auto k = in.begin(v); k != in.end(v); ++k) {
          src.push_back(from + in.neighbour(k));
          dst.push_back(into + static_cast<std::int32_t>(v));
        }
    }
    edges = graph::from_edges(first.back(), src, dst);
  }
};

}  // namespace

detail::cut_set::cut_set(std::string_view name_of_set, std::span<const std::int32_t> part_of_each, int parts,
                         std::span<const edges_of_set> edges)
    : name(name_of_set), part_of(part_of_each.begin(), part_of_each.end()), block_offsets{0} {
  const std::vector<std::uint64_t> group = groups_of(edges, part_of);
  std::vector<std::vector<std::int32_t>> members(nth(parts));
  for (std::size_t v = 0; v < part_of.size(); ++v) members[nth(part_of[v])].push_back(static_cast<std::int32_t>(v));
  for (int part = 0; part < parts; ++part) {
    auto& mine = members[nth(part)];
    std::stable_sort(mine.begin(), mine.end(),
                     [&](std::int32_t a, std::int32_t b) { return group[nth(a)] < group[nth(b)]; });
    const int first = cut::blocks * part / parts, count = cut::blocks * (part + 1) / parts - first;
    for (int b = 0; b < count; ++b) {
      const std::size_t from = mine.size() * nth(b) / nth(count), to = mine.size() * nth(b + 1) / nth(count);
      by_block.insert(by_block.end(), mine.begin() + static_cast<std::ptrdiff_t>(from),
                      mine.begin() + static_cast<std::ptrdiff_t>(to));
      block_offsets.push_back(static_cast<std::int64_t>(by_block.size()));
    }
  }
}

const detail::cut_set& cut::state::set_of(std::string_view name) const {
  for (const detail::cut_set& s : sets)
    if (s.name == name) return s;
  if (name.empty()) throw error("cut: it is of several vertex sets; name one, as in part_of(paper)");
  throw error("cut: there is no vertex set " + detail::quote(name));
}

cut cut::made(const graph& g, std::vector<std::int32_t> part_of, int parts) {
  detail::graph_access::check_whole(g, "a cut");
  if (g.has_kinds()) throw error("cut: this graph stands for several vertex sets; cut the stg::graphs itself");
  auto made = std::make_shared<state>();
  made->whole = g.to(host);
  made->vertices = g.vertices();
  made->edges = g.edges();
  made->edge_identity = static_cast<std::uint64_t>(g.edge_identity());
  made->number = detail::mixed_with_parts(made->edge_identity, part_of);
  made->parts = parts;
  const detail::edges_of_set edges[] = {{made->whole.in_edges(), part_of}, {made->whole.out_edges(), part_of}};
  made->sets.emplace_back("", part_of, parts, edges);
  return cut(std::move(made));
}

cut cut::made_of_sets(const graphs& g, std::span<const std::int32_t> part_of, int parts) {
  auto made = std::make_shared<state>();
  made->whole = detail::graphs_access::carrier_of(g);
  made->parts = parts;
  std::map<std::string, std::span<const std::int32_t>> of_set;
  for (const std::string& set : g.vertex_sets()) {
    const std::size_t count = nth(g.vertices(set));
    of_set[set] = part_of.first(count);
    part_of = part_of.subspan(count);
  }
  for (const std::string& set : g.vertex_sets()) {
    std::vector<detail::edges_of_set> edges;
    for (const relation_names& r : g.relations()) {
      const graph& relation = g.relation(r.name);
      if (r.destination == set) edges.push_back({relation.in_edges(), of_set[r.source]});
      if (r.source == set) edges.push_back({relation.out_edges(), of_set[r.destination]});
    }
    made->sets.emplace_back(set, of_set[set], parts, edges);
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
cut cut::by_metis(const graphs& g, int parts, std::uint64_t number) {
  check_parts(parts);
  detail::graph_access::check_whole(g, "a cut");
  const graphs here = g.to(host);
  const joined_sets all(here);
  const tensor<std::int32_t> of = partition(all.edges, parts, number, part_weights::work);
  return made_of_sets(here, {of.data(), nth(of.size())}, parts);
}

cut cut::by_ranges(const graphs& g, int parts) {
  check_parts(parts);
  detail::graph_access::check_whole(g, "a cut");
  const graphs here = g.to(host);
  const joined_sets all(here);
  std::vector<std::int32_t> part_of;
  const auto work = [&](std::int64_t v) { return detail::work_of(all.edges, v); };
  for (std::size_t s = 0; s + 1 < all.first.size(); ++s)
    write_ranges(all.first[s], all.first[s + 1], parts, work, part_of);
  return made_of_sets(here, part_of, parts);
}

cut cut::of(const graphs& g, std::initializer_list<parts_of_set> parts) {
  detail::graph_access::check_whole(g, "a cut");
  const graphs here = g.to(host);
  int count = 1;
  std::vector<std::int32_t> part_of;
  for (const parts_of_set& p : parts)
    (void)detail::set_of(*detail::graphs_access::carrier_of(here).kinds(), p.set, "a cut names it, and ");
  for (const std::string& set : here.vertex_sets()) {
    const const_tensor<std::int32_t>* given = nullptr;
    for (const parts_of_set& p : parts) {
      if (p.set != set) continue;
      if (given != nullptr) throw error("cut: vertex set " + detail::quote(set) + " has two lists of parts; give one");
      given = p.parts;
    }
    if (given == nullptr)
      throw error("cut: vertex set " + detail::quote(set) + " has no parts; give the part of each vertex");
    if (given->shape().rank() != 1 || given->size() != here.vertices(set))
      throw error("cut: parts of shape " + to_string(given->shape()) + " for vertex set " + detail::quote(set) +
                  " of " + std::to_string(here.vertices(set)) + " vertices; give the part of each");
    count = std::max(count, checked_parts(*given, " of " + detail::quote(set)));
    part_of.insert(part_of.end(), given->data(), given->data() + given->size());
  }
  return made_of_sets(here, part_of, count);
}

const graph& cut::whole() const { return state_->whole; }
int cut::parts() const { return state_->parts; }
std::span<const std::int32_t> cut::part_of() const { return part_of(""); }
std::span<const std::int32_t> cut::block(int number) const { return block("", number); }
std::span<const std::int32_t> cut::part_of(std::string_view set) const { return state_->set_of(set).part_of; }
std::span<const std::int32_t> cut::block(std::string_view set, int number) const {
  return state_->set_of(set).block(number);
}

cut::costs cut::cost() const {
  const graph& g = state_->whole;
  if (g.has_kinds()) {  // those of a graph of all their vertices
    std::vector<std::int32_t> part_of;
    for (const detail::cut_set& s : state_->sets) part_of.insert(part_of.end(), s.part_of.begin(), s.part_of.end());
    return made(joined_sets(detail::graphs_access::of(g)).edges, std::move(part_of), parts()).cost();
  }
  const auto& part = state_->sets[0].part_of;
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
