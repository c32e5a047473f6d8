// Writing a batch: vertices of sets and rows of edges of relations, hop after hop, and the graph or graphs they make.
#pragma once

#include "sampled_kinds.hpp"  // batch_scratch, lent, sampled_kinds

#include <stg/runtime/out_of_memory.hpp>    // no_memory
#include <stg/sampling/batch.hpp>           // batch
#include <stg/sampling/graphs_sampler.hpp>  // graphs_batch, set_seeds

#include <cstddef>  // size_t
#include <cstdint>  // int32_t, int64_t
#include <span>     // span

namespace stg::detail {

/// Takes vertices and rows of edges in the order of a batch. In each hop rows of every relation are written for the
/// vertices [first(set), last(set)) of the set that it ends in, one after another. Of a plain graph there are set 0 and
/// relation 0.
class batch_writer {
 public:
  /// The seeds as the first vertices of their sets; the first hop may follow. Errors: a set that is not there or given
  /// twice, a seed that is none of its vertices or given twice, with its position.
  void begin(std::span<const set_seeds> seeds);
  void begin(std::span<const std::int32_t> seeds) {
    const set_seeds of_plain[] = {{"", seeds}};
    begin(of_plain);
  }
  /// The same of one set, where vertices may come several times: each is a vertex of its own, and a root.
  void begin_apart(const set_seeds& seeds);

  const sampled_kinds& kinds() const { return kinds_; }
  batch_scratch& scratch() { return scratch_; }
  written_set& set(std::size_t s = 0) { return scratch_.sets[s]; }
  written_relation& relation(std::size_t r = 0) { return scratch_.relations[r]; }

  /// The vertices of a set that the last hop reached.
  std::int64_t first(std::size_t set) const { return *(scratch_.sets[set].offsets.end() - 2); }
  std::int64_t last(std::size_t set) const { return scratch_.sets[set].offsets.back(); }
  /// Edges of a relation to be ignored, by id, in any order.
  void leave_out(std::size_t relation, std::span<const std::int64_t> edges);
  /// A relation of which nothing is taken in this hop.
  void skip(std::size_t relation);
  /// The vertices that were added since are those of a hop, and so are the edges.
  void end_hop();
  /// All vertices of a plain graph's batch become seeds, and rows follow for all of them. Returns their number.
  std::int64_t make_all_seeds();

 protected:
  batch_writer(const sampled_kinds& kinds, batch_scratch& scratch);
  ~batch_writer() = default;
  void add_set(std::vector<std::int32_t>& vertices, std::vector<std::int64_t>& offsets,
               std::vector<std::int32_t>& roots);
  void add_relation(graph::state& state, std::vector<std::int64_t>& edges, std::vector<std::int64_t>& offsets,
                    std::vector<float>& edge_weights, std::vector<std::int32_t>& earlier_degrees);
  /// Makes the graph of a relation. Vertices without a row have no in-edges.
  void finish_rows(std::size_t relation);

  const sampled_kinds& kinds_;
  batch_scratch& scratch_;
  std::size_t seed_set_ = 0;  // of seeds of several sets the first one that was given
  std::int64_t seeds_ = 0;    // of that set

 private:
  void check_seeds(std::span<const set_seeds> seeds);
  void end_seeds();
};

/// A batch of a plain graph.
class graph_writer final : public batch_writer {
 public:
  graph_writer(batch& to, const sampled_kinds& kinds, batch_scratch& scratch);
  void finish();

 private:
  batch& to_;
};

/// A batch of graphs of several kinds.
class graphs_writer final : public batch_writer {
 public:
  graphs_writer(graphs_batch& to, const sampled_kinds& kinds, batch_scratch& scratch);
  void finish();

 private:
  graphs_batch::room& room() const;

  graphs_batch& to_;
};

/// Calls body(writer) with scratch for a batch, and makes its graph of what was written. After an error the batch is
/// empty.
template <class Writer, class Batch, class Body>
void write(Batch& to, const sampled_kinds& kinds, const Body& body) try {
  lent<batch_scratch> scratch(kinds.pool());
  try {
    Writer writer(to, kinds, *scratch);
    body(writer);
    writer.finish();
  } catch (...) {
    to = {};
    throw;
  }
} catch (const std::bad_alloc&) {
  no_memory();
}

}  // namespace stg::detail
