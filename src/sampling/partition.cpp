// METIS, loaded by the first call: programs that never ask for parts neither link it nor need it.
#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/clusters.hpp>      // partition

#include "../runtime/graph/graph_state.hpp"  // graph_access
#include "weighted_partition.hpp"            // partition_by

#include <algorithm>  // is_sorted, max, sort
#include <string>     // to_string

#if defined(STG_METIS)
#include <dlfcn.h>  // dlopen, dlsym
#include <metis.h>  // types of its functions

#include <mutex>    // mutex
#include <queue>    // priority_queue
#include <utility>  // pair
#include <vector>   // vector
#endif

namespace stg {

namespace {

void check(const graph& g, std::int64_t parts) {
  detail::graph_access::check_whole(g, "partition");
  if (g.has_kinds())
    throw error("partition: this graph stands for several vertex sets; write cut::by_metis(graphs, 4)");
  if (detail::graph_access::joins_two_sets(g))
    throw error("partition: this relation joins two sets of vertices; give a graph of one");
  if (parts < 1 || parts > std::max<std::int64_t>(1, g.vertices()))
    throw error("partition: " + std::to_string(parts) + " parts of a graph of " + std::to_string(g.vertices()) +
                " vertices; ask for 1 part at least, and for no more than there are vertices");
}

#if defined(STG_METIS)

static_assert(sizeof(idx_t) == sizeof(std::int32_t), "stg internal: METIS of 32-bit indices is called");

struct metis {
  decltype(&METIS_SetDefaultOptions) set_defaults = nullptr;
  decltype(&METIS_PartGraphKway) part = nullptr;

  static constexpr const char* file = "libmetis.so.5";

  static const metis& loaded() {
    static const metis all = [] {
      metis m;
      if (void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
        m.set_defaults = reinterpret_cast<decltype(m.set_defaults)>(dlsym(library, "METIS_SetDefaultOptions"));
        m.part = reinterpret_cast<decltype(m.part)>(dlsym(library, "METIS_PartGraphKway"));
      }
      return m;
    }();
    return all;
  }
  bool is_there() const { return set_defaults != nullptr && part != nullptr; }
};

/// Parts of a few vertices each, as METIS makes them, may be empty: an empty one takes half of the largest. There are
/// no more parts than vertices, so the largest has two.
void fill_empty_parts(tensor<std::int32_t>& of, std::int64_t parts) {
  std::vector<std::vector<std::int64_t>> members(static_cast<std::size_t>(parts));
  for (std::int64_t v = 0; v < of.size(); ++v) members[static_cast<std::size_t>(of(v))].push_back(v);
  std::priority_queue<std::pair<std::size_t, std::size_t>> largest;  // vertices and number of a part
  for (std::size_t p = 0; p < members.size(); ++p) largest.emplace(members[p].size(), p);
  for (std::size_t p = 0; p < members.size(); ++p) {
    if (!members[p].empty()) continue;
    const auto [size, from] = largest.top();
    largest.pop();
    const auto half = members[from].end() - static_cast<std::ptrdiff_t>(size / 2);
    members[p].assign(half, members[from].end());
    members[from].erase(half, members[from].end());
    for (const std::int64_t v : members[p]) of(v) = static_cast<std::int32_t>(p);
    for (const std::size_t q : {from, p}) largest.emplace(members[q].size(), q);
  }
}

/// The work of each vertex, as METIS weighs it.
std::vector<idx_t> work_of(const graph& g) {
  std::vector<idx_t> work;
  const std::span<const std::int32_t> in = g.in_degrees(), out = g.out_degrees();
  for (std::size_t v = 0; v < in.size(); ++v) work.push_back(1 + in[v] + out[v]);
  return work;
}

/// Weights as METIS takes them, whose sum is no more than it holds.
std::vector<idx_t> scaled(std::span<const std::int64_t> weights) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  std::int64_t all = 0;
  for (const std::int64_t w : weights) all += w;
  const std::int64_t by = (all + most - 1) / most;
  std::vector<idx_t> made;
  for (const std::int64_t w : weights) made.push_back(static_cast<idx_t>(by > 1 ? 1 + w / by : w));
  return made;
}

/// The neighbours of each vertex by edges of both directions, ascending, without itself and each once.
struct neighbours_both_ways {
  std::vector<idx_t> offsets{0}, neighbours{};  // (vertices + 1), (offsets.back())

  neighbours_both_ways(const adjacency& in, const adjacency& out) {
    std::vector<std::int64_t> seen_by(static_cast<std::size_t>(in.rows()), -1);
    neighbours.reserve(static_cast<std::size_t>(in.edges()) + 1);  // an address, where there is no edge
    for (std::int64_t v = 0; v < in.rows(); ++v) {
      for (const adjacency* rows : {&in, &out})
        for (auto k = rows->begin(v); k != rows->end(v); ++k) {
          const std::int32_t u = rows->neighbour(k);
          std::int64_t& by = seen_by[static_cast<std::size_t>(u)];
          if (u == v || by == v) continue;
          by = v;
          neighbours.push_back(u);
        }
      if (neighbours.size() > 2 * most_edges - 1)
        throw error(
            "partition: a graph of more than 2^30 edges, which are the most that METIS takes; write "
            "partition_on_ranks, of the library stg::scotch");
      const auto row = neighbours.begin() + offsets.back();
      if (!std::is_sorted(row, neighbours.end())) std::sort(row, neighbours.end());
      offsets.push_back(static_cast<idx_t>(neighbours.size()));
    }
  }

 private:
  static constexpr std::size_t most_edges = std::size_t{1} << 30;
};

/// The weights of the edges of `all`, in its order: of an edge and its way back together.
std::vector<idx_t> edge_weights(const adjacency& in, const adjacency& out, const neighbours_both_ways& all,
                                std::span<const std::int64_t> by_id) {
  std::vector<std::int64_t> of(static_cast<std::size_t>(in.rows()), 0), weights;
  for (std::int64_t v = 0; v < in.rows(); ++v) {
    for (const adjacency* rows : {&in, &out})
      for (auto k = rows->begin(v); k != rows->end(v); ++k)
        of[static_cast<std::size_t>(rows->neighbour(k))] += by_id[static_cast<std::size_t>(rows->edge_id(k))];
    const auto at = static_cast<std::size_t>(v);
    for (auto k = static_cast<std::size_t>(all.offsets[at]); k < static_cast<std::size_t>(all.offsets[at + 1]); ++k)
      weights.push_back(of[static_cast<std::size_t>(all.neighbours[k])]);
    for (const adjacency* rows : {&in, &out})
      for (auto k = rows->begin(v); k != rows->end(v); ++k) of[static_cast<std::size_t>(rows->neighbour(k))] = 0;
  }
  return scaled(weights);
}

/// work: of vertices; empty: they are equal. by_id: of edges, likewise.
tensor<std::int32_t> parts_of(const graph& g, idx_t parts, std::uint64_t number, std::vector<idx_t> work,
                              std::span<const std::int64_t> by_id) {
  const graph here = g.to(host);
  const adjacency in = here.in_edges(), out = here.out_edges();
  neighbours_both_ways all(in, out);
  std::vector<idx_t> weights;
  if (!by_id.empty()) weights = edge_weights(in, out, all, by_id);
  idx_t options[METIS_NOPTIONS];
  const metis& library = metis::loaded();
  library.set_defaults(options);
  options[METIS_OPTION_SEED] = static_cast<idx_t>(number & 0x7fffffff);
  tensor<std::int32_t> of({g.vertices()});
  idx_t vertices = static_cast<idx_t>(g.vertices()), constraints = 1, cut = 0;
  static std::mutex one_at_a_time;  // its random numbers are the process's
  const std::lock_guard lock(one_at_a_time);
  const int status = library.part(
      &vertices, &constraints, all.offsets.data(), all.neighbours.data(), work.empty() ? nullptr : work.data(), nullptr,
      weights.empty() ? nullptr : weights.data(), &parts, nullptr, nullptr, options, &cut, of.data());
  if (status != METIS_OK)
    throw error("partition: METIS ended with " + std::to_string(status) +
                (status == METIS_ERROR_MEMORY ? ", it has no memory; ask for it on a larger machine"
                                              : "; look at the graph, or ask for fewer parts"));
  fill_empty_parts(of, parts);
  return of;
}

#endif

}  // namespace

#if defined(STG_METIS)

bool has_partition() { return metis::loaded().is_there(); }

static void check_metis() {
  if (!has_partition())
    throw error(std::string("partition: ") + metis::file +
                " cannot be loaded; install libmetis5, or give parts of your own");
}

tensor<std::int32_t> partition(const graph& g, std::int64_t parts, std::uint64_t number, part_weights equal) try {
  check(g, parts);
  if (parts == 1) return tensor<std::int32_t>({g.vertices()});
  check_metis();
  return parts_of(g, static_cast<idx_t>(parts), number,
                  equal == part_weights::work ? work_of(g.to(host)) : std::vector<idx_t>(), {});
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

tensor<std::int32_t> detail::partition_by(const graph& g, std::int64_t parts, std::uint64_t number,
                                          std::span<const std::int64_t> work, std::span<const std::int64_t> edges) try {
  check(g, parts);
  if (parts == 1) return tensor<std::int32_t>({g.vertices()});
  check_metis();
  return parts_of(g, static_cast<idx_t>(parts), number, scaled(work), edges);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

#else

bool has_partition() { return false; }

tensor<std::int32_t> partition(const graph& g, std::int64_t parts, std::uint64_t, part_weights) try {
  check(g, parts);
  if (parts == 1) return tensor<std::int32_t>({g.vertices()});
  throw error(
      "partition: stg was built without METIS; install libmetis-dev and build it again, or give parts of your own");
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

tensor<std::int32_t> detail::partition_by(const graph& g, std::int64_t parts, std::uint64_t number,
                                          std::span<const std::int64_t>, std::span<const std::int64_t>) {
  return partition(g, parts, number);
}

#endif

}  // namespace stg
