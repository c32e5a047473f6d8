// What samplers of graphs of several kinds know of them, and a batch that one of them writes.
#pragma once

#include "batch_writer.hpp"  // batch_scratch
#include "graphs_room.hpp"   // room
#include "sampled_rows.hpp"  // sampled_rows
#include "scratch_pool.hpp"  // pool_of

#include <stg/sampling/graphs_sampler.hpp>  // graphs_batch, relation_fan_outs, set_seeds

#include <cstddef>      // size_t
#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::detail {

/// Of one thread at a time: what draws need, and marks of the vertices of each set.
struct graphs_scratch {
  batch_scratch draws{};
  std::vector<vertex_marks> marks{};
  std::vector<vertex_numbers> numbers{};              // by set, of the batch that is made
  std::vector<sampled_rows> rows{};                   // by relation
  std::vector<std::vector<std::int64_t>> excluded{};  // by relation: edges, ascending
};

/// A relation as it is sampled.
struct sampled_relation {
  relation_names names{};
  std::size_t source = 0, destination = 0;  // numbers of its sets
  graph edges{};
};

/// The large graphs by numbers of their sets and relations.
class graphs_parts {
 public:
  /// Error, which `by` begins, for graphs on a device.
  graphs_parts(const char* by, const graphs& g);

  const graphs& all() const { return all_; }
  const std::vector<std::string>& sets() const { return sets_; }
  const std::vector<sampled_relation>& relations() const { return relations_; }
  /// Errors: no such set to have seeds of, no such relation.
  std::size_t number_of_set(std::string_view name) const;
  std::size_t number_of_relation(std::string_view name) const;

  /// Calls body(writer) with scratch for a batch, and makes its graphs of what was written. After an error the batch is
  /// empty.
  template <class Body> void write(graphs_batch& to, const Body& body) const;

 private:
  const char* by_;
  graphs all_;
  std::vector<std::string> sets_{};
  std::vector<sampled_relation> relations_{};
  mutable pool_of<graphs_scratch> pool_{};
};

/// Takes vertices and rows of edges in the order of a batch. In each hop rows of every relation are written for the
/// vertices [first(set), last(set)) of the set that it ends in, one after another.
class graphs_writer {
 public:
  graphs_writer(graphs_batch& batch, graphs_scratch& scratch, const graphs_parts& parts);

  /// The seeds as the first vertices of their sets. Errors: a set that is not there or given twice, a seed that is none
  /// of its vertices or given twice, with its position.
  void begin(std::span<const set_seeds> seeds);
  /// The same of one set, where vertices may come several times: each is one of its own.
  void begin_apart(const set_seeds& seeds);

  /// The vertices of a set that the last hop reached.
  std::int64_t first(std::size_t set) const;
  std::int64_t last(std::size_t set) const;
  vertex_numbers& numbers(std::size_t set) { return scratch_.numbers[set]; }
  sampled_rows& rows(std::size_t relation) { return scratch_.rows[relation]; }
  /// A relation of which nothing is taken in this hop.
  void skip(std::size_t relation);
  /// The vertices that were added since are those of a hop, and so are the edges.
  void end_hop();
  /// Makes the graphs.
  void finish();

  graphs_batch& to() { return to_; }
  graphs_scratch& scratch() { return scratch_; }

 private:
  graphs_batch::room& room() const;
  void start(std::span<const set_seeds> seeds);

  graphs_batch& to_;
  graphs_scratch& scratch_;
  const graphs_parts& parts_;
};

template <class Body> void graphs_parts::write(graphs_batch& to, const Body& body) const {
  lent<graphs_scratch> scratch(pool_);
  try {
    graphs_writer writer(to, *scratch, *this);
    body(writer);
    writer.finish();
  } catch (...) {
    to = {};
    throw;
  }
}

/// What is given by name, a number for each hop.
struct named_hops {
  std::string_view name{};
  std::span<const std::int64_t> of_hops{};
};
/// Numbers of each set or relation for each hop.
struct numbers_by_hop {
  std::size_t hops = 0;
  std::vector<std::vector<std::int64_t>> of{};
};
/// Numbers of each of `all`: those that are given by name, for others `general`. what: "fan-outs of relation". Errors,
/// which `by` begins: a name that is none of all or given twice, and other numbers of hops.
numbers_by_hop numbers_of_hops(const std::string& by, const std::string& what, std::span<const std::string_view> all,
                               std::span<const std::int64_t> general, std::span<const named_hops> given);
/// Fan-outs by relation, checked. Errors are those of `graphs_sampler`.
numbers_by_hop fan_outs_of(const std::string& by, const graphs_parts& parts, std::span<const std::int64_t> general,
                           std::span<const relation_fan_outs> given, bool with_replacement);

}  // namespace stg::detail
