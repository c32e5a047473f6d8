// The sets and relations of what is sampled, by number: of graphs of several kinds, or the one set and the one relation
// of a plain graph.
#pragma once

#include "batch_scratch.hpp"  // batch_scratch
#include "scratch_pool.hpp"   // pool_of

#include <stg/runtime/graphs.hpp>  // graph, graphs, relation_names

#include <cstddef>      // size_t
#include <cstdint>      // int64_t
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::detail {

struct sampled_set {
  std::string name{};
  std::int64_t vertices = 0;
};
struct sampled_relation {
  relation_names names{};
  std::size_t source = 0, destination = 0;  // numbers of its sets
  graph edges{};
};

/// The large graph or graphs. The set and the relation of a plain graph have no name.
class sampled_kinds {
 public:
  explicit sampled_kinds(const graph& g) : sets_{{"", g.vertices()}}, relations_{{{}, 0, 0, g}} {}
  /// Error, which `by` begins, for graphs on a device.
  sampled_kinds(const char* by, const graphs& g);

  const graphs& all() const { return all_; }
  const std::vector<sampled_set>& sets() const { return sets_; }
  const std::vector<sampled_relation>& relations() const { return relations_; }
  /// Errors: no such set to have seeds of, no such relation.
  std::size_t number_of_set(std::string_view name) const;
  std::size_t number_of_relation(std::string_view name) const;

  pool_of<batch_scratch>& pool() const { return pool_; }

 private:
  const char* by_ = "";
  graphs all_{};
  std::vector<sampled_set> sets_;
  std::vector<sampled_relation> relations_;
  mutable pool_of<batch_scratch> pool_{};
};

/// Numbers that are given by name, one for each hop.
struct named_hops {
  std::string_view name{};
  std::span<const std::int64_t> of_hops{};
};
/// Numbers of each set or relation for each hop.
struct numbers_by_hop {
  std::size_t hops = 0;
  std::vector<std::vector<std::int64_t>> of{};
};
/// Numbers of the one set or relation of a plain graph.
inline numbers_by_hop numbers_of_hops(std::vector<std::int64_t> numbers) {
  return {numbers.size(), {std::move(numbers)}};
}
/// Numbers of each of `all`: those that are given by name, for others `general`. what: "fan-outs of relation". Errors,
/// which `by` begins: a name that is none of all or given twice, and other numbers of hops.
numbers_by_hop numbers_of_hops(const std::string& by, const std::string& what, std::span<const std::string_view> all,
                               std::span<const std::int64_t> general, std::span<const named_hops> given);

}  // namespace stg::detail
