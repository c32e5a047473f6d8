// The two stores of a sequence of graphs.
#pragma once

#include "graph_state.hpp"   // state
#include "sorted_edges.hpp"  // edge_changes, sorted_edges

#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/runtime/mutex.hpp>           // mutex
#include <stg/runtime/step_graphs.hpp>     // step_graphs
#include <stg/runtime/tensor.hpp>          // memory_keeper, tensor

#include <atomic>    // atomic
#include <memory>    // shared_ptr, unique_ptr
#include <optional>  // optional
#include <utility>   // swap
#include <vector>    // vector

namespace stg {

namespace detail {

/// Weights that a sequence and the tensors that it hands out hold together: whoever is last frees them. Storage: of
/// floats, on the host or a device.
template <class Storage> class held_weights final : public memory_keeper {
 public:
  Storage values{};

  bool share() noexcept override { return holders_.fetch_add(1, std::memory_order_relaxed) >= 0; }
  void free(std::byte*) noexcept override {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  bool has_one_holder() const { return holders_.load(std::memory_order_acquire) == 1; }
  /// The first of them as a tensor that holds them too.
  tensor<float> shared(float* data, std::int64_t size, location where) {
    return tensor<float>::view_of(data, {size}, where, share_of(this));
  }

 private:
  std::atomic<std::int64_t> holders_{1};
};

/// One holder of weights.
struct give_back_weights {
  template <class Storage> void operator()(held_weights<Storage>* weights) const { weights->free(nullptr); }
};
template <class Storage> using weights_holder = std::unique_ptr<held_weights<Storage>, give_back_weights>;

/// Memory of one snapshot: its edges in order, and the graph that is made of them.
struct snapshot_room {
  std::vector<std::uint64_t> keys{};
  weights_holder<std::vector<float>> weights{};
  std::shared_ptr<graph::state> made{};

  void swap_edges(snapshot_room& other) {
    std::swap(keys, other.keys);
    std::swap(weights, other.weights);
  }
  edge_span view() const {
    return {keys.data(), weights && !weights->values.empty() ? weights->values.data() : nullptr,
            static_cast<std::int64_t>(keys.size())};
  }
};

/// Of all changes, step after step, of step t what is removed, then what is added: those of one, or what takes them
/// back. begin: (2 · changes + 1).
inline edge_changes changes_at(const edge_span& all, const std::vector<std::int64_t>& begin, std::int64_t change,
                               bool forward) {
  const auto b = [&](std::int64_t i) { return begin[static_cast<std::size_t>(i)]; };
  const edge_span removed = all.part(b(2 * change), b(2 * change + 1));
  const edge_span added = all.part(b(2 * change + 1), b(2 * change + 2));
  return forward ? edge_changes{removed, added} : edge_changes{added, removed};
}
struct change_list {
  sorted_edges edges{};
  std::vector<std::int64_t> begin{0};

  edge_changes at(std::int64_t change, bool forward) const { return changes_at(edges.view(), begin, change, forward); }
};

/// Makes the edges of another step in `next`, of those of `step` in `now`, by one change after the other:
/// take(from, change, whether forward, to). `now` is read alone, and the other two are written in turn; `between` never
/// has a graph.
template <class Room, class Take>
void go_through_changes(std::int64_t step, std::int64_t to, const Room& now, Room& next, Room& between,
                        const Take& take) {
  const Room* from = &now;
  Room* into = &next;
  for (std::int64_t at = step; at != to; at += at < to ? 1 : -1) {
    if (at != step) {
      from = into;
      into = into == &next ? &between : &next;
    }
    take(*from, at < to ? at : at - 1, at < to, *into);
  }
  if (into == &between) next.swap_edges(between);
}

class snapshots_on_device;

}  // namespace detail

struct graph_sequence::state : step_graphs {
  std::int64_t vertices = 0;
  bool weighted = false, resident = false;
  std::vector<std::int64_t> first_edge{0};  // (steps + 1), among those of all steps
  std::vector<std::uint64_t> identities;    // (steps)
  std::int64_t changed = 0;                 // edges
  std::shared_ptr<state> on_host{};         // of what lies on a device: what was brought there
  std::optional<graph> without_edges{};     // for what calls do outside of steps, once one is made
  detail::mutex making_without_edges{}, cutting{};

  // Resident: a graph of each step, and its weights.
  std::vector<graph> graphs{};
  std::vector<edge_values<float>> weights{};
  std::int64_t resident_bytes = 0;

  // Changes: those between steps, the step that is shown, and room for the next one.
  std::atomic<bool> being_shown{false};
  detail::change_list changes{};
  std::int64_t step = 0, room_edges = 0;  // of any step: arrays that grew by doubling would take twice as much
  graph shown{};
  edge_values<float> shown_weights{};
  detail::snapshot_room now{}, next{}, between{};
  detail::change_scratch scratch{};
  std::vector<std::int64_t> counts{};

  // Changes on a device, which has all of these there.
  std::shared_ptr<detail::snapshots_on_device> made_there{};

  std::int64_t edges_of(std::int64_t at) const { return edges_before(at + 1) - edges_before(at); }
  const graph& outside();
  std::int64_t bytes_if_resident() const;
  /// Shows step 0, whose edges are given. Steps must be known.
  void begin(detail::sorted_edges first);
  void move_to(std::int64_t to);
  const edge_values<float>& weights_of(std::int64_t at);
  /// Shows all steps one after the other, and keeps them.
  void make_resident();
  /// All steps on a device, as resident ones or as changes.
  std::shared_ptr<state> brought_to(location where, snapshot_store store);

 private:
  void take(const detail::snapshot_room& from, const detail::edge_changes& changes, detail::snapshot_room& to);
  void make_graph(detail::snapshot_room& of);
  void show(detail::snapshot_room& of, std::int64_t at);
};

}  // namespace stg
