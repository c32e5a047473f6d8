// The part of a rank of a graph that changes: the same rows at every step, and the step's edges over them.
#include <stg/distributed/distributed_sequence.hpp>

#include <algorithm>  // max, sort, unique
#include <cstring>    // memcpy
#include <limits>     // numeric_limits
#include <string>     // to_string

#include <stg/base/error.hpp>             // error
#include <stg/runtime/mutex.hpp>          // lock
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include "../runtime/graph/graph_sequence_state.hpp"  // graph_sequence::state
#include "part_builder.hpp"                           // build_part, neighbours_of_part

namespace stg {

struct distributed_sequence::parts {
  std::shared_ptr<graph_sequence::state> steps;
  stg::edge_identity whole;
  std::vector<std::int64_t> edges_before_step;
};

namespace {

std::size_t to_size(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Adds what two ranks exchange at a step to what they exchange at any; row r of the step is first + r of all.
void add_rows(const std::vector<exchanged_rows>& of_step, std::int32_t first, std::vector<exchanged_rows>& to) {
  for (const exchanged_rows& rows : of_step) {
    exchanged_rows& all = to[to_size(rows.with)];
    for (const std::int32_t r : rows.sent) all.sent.push_back(first + r);
    for (const std::int32_t r : rows.taken) all.taken.push_back(first + r);
  }
}

template <class T> std::int64_t bytes_of_array(const std::vector<T>& array) {
  return static_cast<std::int64_t>(array.capacity() * sizeof(T));
}

/// Makes the part of a rank, step by step.
class sequence_part_builder {
 public:
  sequence_part_builder(graph_sequence::state& whole, const cut& of, communicator& ranks)
      : whole_(whole), cut_(of), ranks_(ranks), all_(to_size(ranks.size())), in_(all_), out_(all_) {}

  std::shared_ptr<graph_sequence::state> build() {
    find_halo();
    to_->steps = whole_.steps;
    to_->weighted = whole_.weighted;
    to_->resident = true;
    to_->graphs.resize(to_size(whole_.steps));
    if (to_->weighted) to_->weights.resize(to_size(whole_.steps));
    std::vector<graph_part> parts(to_size(whole_.steps));
    for (std::int64_t t = whole_.steps; t-- > 0;) {  // from the last one, which the halo was found at
      parts[to_size(t)] = distributed::build_part(cut_, ranks_, distributed::edges_of_all(whole_.at(t)), &halo_);
      if (to_->weighted) take_weights(parts[to_size(t)], t);
    }
    for (std::int64_t t = 0; t < whole_.steps; ++t) add_step(*parts[to_size(t)].edges, *parts[to_size(t)].rows);
    const graph none = graph::from_edges(whole_.vertices, {}, {});
    graph_part outside = distributed::build_part(cut_, ranks_, distributed::edges_of_all(none), &halo_);
    finish(outside);
    for (std::int64_t t = 0; t < whole_.steps; ++t) {
      parts[to_size(t)].rows->vertices_of_steps = of_any_step_;
      to_->graphs[to_size(t)] = parts[to_size(t)].take();
      to_->identities.push_back(static_cast<std::uint64_t>(to_->graphs[to_size(t)].edge_identity()));
      if (to_->weighted)
        to_->weights[to_size(t)] = edge_values<float>::in_id_order(std::move(to_->weights[to_size(t)]).values(),
                                                                   to_->graphs[to_size(t)].edge_identity());
    }
    to_->edges_of_all = detail::identity_of_steps(to_->identities);
    to_->without_edges = outside.take();
    return std::move(to_);
  }

 private:
  /// The neighbours of own vertices at any step.
  void find_halo() {
    std::vector<unsigned char> is_there(to_size(whole_.vertices), 0);
    for (std::int64_t t = 0; t < whole_.steps; ++t)
      for (const std::int32_t v :
           distributed::neighbours_of_part(cut_, ranks_, distributed::edges_of_all(whole_.at(t)))) {
        if (is_there[to_size(v)] == 0) halo_.push_back(v);
        is_there[to_size(v)] = 1;
      }
  }
  void take_weights(const graph_part& part, std::int64_t t) {
    const std::vector<std::int64_t>& ids = part.edges->larger_edges;
    auto mine = tensor<float>::for_overwrite({static_cast<std::int64_t>(ids.size())});
    const float* const all = whole_.weights_of(t).values().data();
    for (std::size_t e = 0; e < ids.size(); ++e) mine.data()[e] = all[ids[e]];
    to_->weights[to_size(t)] = edge_values<float>::in_id_order(std::move(mine));
    to_->resident_bytes += to_->weights[to_size(t)].values().bytes();
  }
  void add_step(const graph::state& step, const rank_rows& rows) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (to_->all_edges + step.edges > most)
      throw error("part of a graph sequence: rank " + std::to_string(ranks_.rank()) +
                  " has 2^31 edges or more in its steps together; use more ranks");
    const auto before = static_cast<std::int32_t>(to_->all_edges);
    add_rows(rows.vertices, 0, all_);
    add_rows(rows.edges_made_in, before, in_);
    add_rows(rows.edges_made_out, before, out_);
    to_->all_edges += step.edges;
    to_->most_edges = std::max(to_->most_edges, step.edges);
    to_->first_edge.push_back(to_->all_edges);
    widen(to_->in_long, step.in.long_rows());
    widen(to_->out_long, step.out.long_rows());
    to_->resident_bytes +=
        bytes_of_array(step.in_offsets) + bytes_of_array(step.out_offsets) + bytes_of_array(step.in_neighbours) +
        bytes_of_array(step.out_neighbours) + bytes_of_array(step.out_ids) + bytes_of_array(step.in_degrees) +
        bytes_of_array(step.out_degrees) + bytes_of_array(step.larger_vertices) + bytes_of_array(step.larger_edges) +
        bytes_of_array(step.known_degrees) + bytes_of_array(step.known_out_degrees);
  }
  static void widen(long_rows& most, const long_rows& of_step) {
    most.part_edges = of_step.part_edges;
    most.count = std::max(most.count, of_step.count);
    most.parts = std::max(most.parts, of_step.parts);
  }
  /// The exchange outside of steps: rows read by any step, and the edges of all steps, one step behind the other.
  void finish(graph_part& outside) {
    to_->vertices = outside.edges->destinations;
    for (exchanged_rows& rows : all_)
      for (std::vector<std::int32_t>* each : {&rows.sent, &rows.taken}) {
        std::sort(each->begin(), each->end(), [&](std::int32_t a, std::int32_t b) {
          return outside.edges->larger_vertices[to_size(a)] < outside.edges->larger_vertices[to_size(b)];
        });
        each->erase(std::unique(each->begin(), each->end()), each->end());
      }
    rank_rows& rows = *outside.rows;
    distributed::keep_those_with_any(all_, rows.vertices);
    distributed::keep_those_with_any(in_, rows.edges_made_in);
    distributed::keep_those_with_any(out_, rows.edges_made_out);
    of_any_step_ = std::make_shared<const std::vector<exchanged_rows>>(rows.vertices);
    rows.cut = detail::mixed(rows.cut + static_cast<std::uint64_t>(whole_.edges_of_all));
  }
  graph_sequence::state& whole_;
  const cut& cut_;
  communicator& ranks_;
  std::vector<std::int32_t> halo_{};
  std::vector<exchanged_rows> all_, in_, out_;  // by the other rank
  std::shared_ptr<const std::vector<exchanged_rows>> of_any_step_{};
  std::shared_ptr<graph_sequence::state> to_ = std::make_shared<graph_sequence::state>();
};

}  // namespace

distributed_sequence::distributed_sequence(const graph_sequence& whole, const cut& of, communicator& ranks) try
    : distributed_sequence(of, [&] {
        graph_sequence::state& from = *whole.state_;
        if (!from.place.is_host())
          throw error("part of a graph sequence: the sequence lies on " + to_string(from.place) +
                      "; cut it on the host");
        detail::graph_access::check_whole(from.outside(), "cutting a sequence");
        if (of.whole().vertices() != from.vertices)
          throw error("part of a graph sequence: a cut of " + std::to_string(of.whole().vertices()) +
                      " vertices for a sequence of " + std::to_string(from.vertices) +
                      "; cut the sequence, or a graph of its vertices");
        const detail::lock one_at_a_time(from.cutting);
        const shown_by_one shown(&from);
        return parts{sequence_part_builder(from, of, ranks).build(), from.edges_of_all, from.first_edge};
      }()) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

distributed_sequence::distributed_sequence(const cut& of, parts all)
    : graph_sequence(all.steps),
      rows_(of, *all.steps->without_edges),
      whole_(all.whole),
      edges_before_step_(std::move(all.edges_before_step)) {}

void distributed_sequence::check_edges_of_all(stg::edge_identity of) const {
  if (of != whole_) throw error("part of a graph sequence: edge values of another sequence than the one that is cut");
}

void distributed_sequence::take_edges(const std::byte* from, std::byte* to, std::int64_t bytes) const {
  if (bytes == 0) return;
  const std::int64_t row = bytes / edges();
  for (std::int64_t t = 0; t < steps(); ++t) {
    const graph& step = state_->graphs[to_size(t)];
    for (std::int64_t e = 0; e < step.edges(); ++e, to += row)
      std::memcpy(to, from + (edges_before_step_[to_size(t)] + step.in_edges().global_edge(e)) * row, to_size(row));
  }
}

}  // namespace stg
