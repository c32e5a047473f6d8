// Drawing pairs until one is none of the edges; where that takes long, one of those that are none.
#include "../runtime/graph/graph_state.hpp"  // graph_access
#include "draws.hpp"                         // draws

#include <stg/base/error.hpp>               // error
#include <stg/runtime/out_of_memory.hpp>    // no_memory
#include <stg/sampling/negative_edges.hpp>  // negative_edges

#include <algorithm>  // binary_search, upper_bound
#include <optional>   // optional
#include <string>     // to_string

namespace stg {

namespace {

/// Tries before the pairs that may be drawn are counted: where half of all pairs are edges, one in 2^64 comes to that.
constexpr int tries = 64;

/// The destinations that a source may be drawn with.
class allowed {
 public:
  allowed(const graph& g, const negative_options& options)
      : out_(g.out_edges()),
        destinations_(g.destinations()),
        loops_(options.loops || detail::graph_access::joins_two_sets(g)),  // where a number is two vertices
        existing_(options.existing) {}

  bool operator()(std::int32_t src, std::int32_t dst) const {
    if (src == dst && !loops_) return false;
    if (existing_) return true;
    const std::int32_t* const row = out_.neighbours();  // destinations ascend, as the ids of edges do
    return !std::binary_search(row + out_.begin(src), row + out_.end(src), dst);
  }

  /// Calls body(dst) for destinations that are not allowed, once each, ascending.
  template <class Body> void each_excluded(std::int32_t src, const Body& body) const {
    bool loop_is_due = !loops_;
    std::int32_t last = -1;
    const std::int64_t end = existing_ ? out_.begin(src) : out_.end(src);
    for (std::int64_t k = out_.begin(src); k < end; ++k) {
      const std::int32_t dst = out_.neighbour(k);
      if (loop_is_due && dst >= src) {
        loop_is_due = false;
        if (dst > src) body(src);
      }
      if (dst != last) body(last = dst);
    }
    if (loop_is_due) body(src);
  }

  std::int64_t count(std::int32_t src) const {
    std::int64_t left = destinations_;
    each_excluded(src, [&](std::int32_t) { --left; });
    return left;
  }

  /// The i-th destination that is allowed.
  std::int32_t at(std::int32_t src, std::int64_t i) const {
    each_excluded(src, [&](std::int32_t excluded) { i += excluded <= i; });
    return static_cast<std::int32_t>(i);
  }

 private:
  adjacency out_;
  std::int64_t destinations_;
  bool loops_, existing_;
};

std::int32_t below(detail::draws& random, std::int64_t n) {
  return static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
}

std::string ends_of(const graph& g) {
  if (!detail::graph_access::joins_two_sets(g)) return "the graph's " + std::to_string(g.vertices()) + " vertices";
  return "the relation's " + std::to_string(g.sources()) + " sources and " + std::to_string(g.destinations()) +
         " destinations";
}

void check_count(const char* what, std::int64_t count) {
  if (count < 0) throw error(std::string(what) + ": " + std::to_string(count) + " pairs; give 0 or more");
}

}  // namespace

edge_list negative_edges(const graph& g, std::int64_t count, std::uint64_t number,
                         const negative_options& options) try {
  check_count("negative_edges", count);
  const graph on_host = g.to(host);
  const allowed is_allowed(on_host, options);
  const std::int64_t sources = on_host.sources(), destinations = on_host.destinations();
  std::vector<std::int64_t> up_to;  // pairs of the sources so far, once they are needed
  edge_list drawn;
  for (std::int64_t i = 0; i < count; ++i) {
    detail::draws random(number, detail::purpose::negatives, 0, static_cast<std::uint64_t>(i));
    std::int32_t src = 0, dst = 0;
    bool found = false;
    for (int t = 0; t < tries && !found && sources > 0 && destinations > 0; ++t) {
      src = below(random, sources), dst = below(random, destinations);
      found = is_allowed(src, dst);
    }
    if (!found) {
      if (up_to.empty()) {
        std::int64_t sum = 0;
        for (std::int64_t u = 0; u < sources; ++u)
          up_to.push_back(sum += is_allowed.count(static_cast<std::int32_t>(u)));
        if (sum == 0)
          throw error("negative_edges: all pairs of " + ends_of(on_host) +
                      " are edges, or left out; allow existing ones, or ask for none");
      }
      const std::int64_t pair = static_cast<std::int64_t>(random.below_many(static_cast<std::uint64_t>(up_to.back())));
      src = static_cast<std::int32_t>(std::upper_bound(up_to.begin(), up_to.end(), pair) - up_to.begin());
      dst = is_allowed.at(src, pair - (src == 0 ? 0 : up_to[static_cast<std::size_t>(src - 1)]));
    }
    drawn.src.push_back(src);
    drawn.dst.push_back(dst);
  }
  return drawn;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::int32_t> negative_destinations(const graph& g, std::span<const std::int32_t> sources,
                                                std::int64_t each, std::uint64_t number,
                                                const negative_options& options, std::int64_t first) try {
  check_count("negative_destinations", each);
  const graph on_host = g.to(host);
  const allowed is_allowed(on_host, options);
  const std::int64_t destinations = on_host.destinations();
  std::vector<std::int32_t> drawn;
  drawn.reserve(sources.size() * static_cast<std::size_t>(each));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::int32_t src = sources[i];
    const std::int64_t place = first + static_cast<std::int64_t>(i);
    if (src < 0 || src >= on_host.sources())
      throw error("negative_destinations: source " + std::to_string(place) + " is vertex " + std::to_string(src) +
                  "; it must be in [0, " + std::to_string(on_host.sources()) + ")");
    detail::draws random(number, detail::purpose::negatives, 1, static_cast<std::uint64_t>(place));
    for (std::int64_t k = 0; k < each; ++k) {
      std::int32_t dst = 0;
      bool found = false;
      for (int t = 0; t < tries && !found && destinations > 0; ++t)
        found = is_allowed(src, dst = below(random, destinations));
      if (!found) {
        const std::int64_t left = is_allowed.count(src);
        if (left == 0)
          throw error("negative_destinations: vertex " + std::to_string(src) + ", source " + std::to_string(place) +
                      ", has an edge to every vertex that it may be drawn with; leave it out");
        dst = is_allowed.at(src, below(random, left));
      }
      drawn.push_back(dst);
    }
  }
  return drawn;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
