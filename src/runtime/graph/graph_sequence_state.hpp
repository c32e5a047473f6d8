// The two stores of a sequence of graphs.
#pragma once

#include "graph_state.hpp"   // state
#include "sorted_edges.hpp"  // edge_changes, sorted_edges

#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/runtime/step_graphs.hpp>     // step_graphs
#include <stg/runtime/tensor.hpp>          // memory_owner, tensor

#include <atomic>    // atomic
#include <memory>    // shared_ptr, unique_ptr
#include <optional>  // optional
#include <vector>    // vector

namespace stg {

namespace detail {

/// Weights that a sequence and the tensors that it hands out hold together: whoever is last frees them.
class held_weights final : public memory_owner {
 public:
  std::vector<float> values{};

  bool share() noexcept override { return holders_.fetch_add(1, std::memory_order_relaxed) >= 0; }
  void free(std::byte*) noexcept override {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  bool has_one_holder() const { return holders_.load(std::memory_order_acquire) == 1; }
  /// The values as a tensor that holds them too.
  tensor<float> shared() {
    return tensor<float>::view_of(values.data(), {static_cast<std::int64_t>(values.size())}, host, share_of(this));
  }

 private:
  std::atomic<std::int64_t> holders_{1};
};

/// One holder of weights.
struct give_back_weights {
  void operator()(held_weights* weights) const { weights->free(nullptr); }
};
using weights_holder = std::unique_ptr<held_weights, give_back_weights>;

/// Memory of one snapshot: its edges in order, and the graph that is made of them.
struct snapshot_room {
  std::vector<std::uint64_t> keys{};
  weights_holder weights{};
  std::shared_ptr<graph::state> made{};

  edge_span view() const {
    return {keys.data(), weights && !weights->values.empty() ? weights->values.data() : nullptr,
            static_cast<std::int64_t>(keys.size())};
  }
};

/// All changes, step after step: of step t what is removed, then what is added.
struct change_list {
  sorted_edges edges{};
  std::vector<std::int64_t> begin{0};  // (2 · changes + 1)

  edge_changes at(std::int64_t change) const {
    const auto b = [&](std::int64_t i) { return begin[static_cast<std::size_t>(i)]; };
    const edge_span all = edges.view();
    return {all.part(b(2 * change), b(2 * change + 1)), all.part(b(2 * change + 1), b(2 * change + 2))};
  }
};

}  // namespace detail

struct graph_sequence::state : step_graphs {
  std::int64_t vertices = 0;
  bool weighted = false, resident = false;
  std::vector<std::int64_t> first_edge{0};  // (steps + 1), among those of all steps
  std::vector<std::uint64_t> identities;    // (steps)
  std::int64_t changed = 0;                 // edges
  std::shared_ptr<state> on_host{};         // of what lies on a device: what was brought there
  std::optional<graph> without_edges{};     // for what calls do outside of steps, once one is made

  // Resident: a graph of each step, and its weights.
  std::vector<graph> graphs{};
  std::vector<edge_values<float>> weights{};
  std::int64_t resident_bytes = 0;

  // Changes: those between steps, the step that is shown, and room for the next one.
  detail::change_list changes{};
  std::int64_t step = 0, room_edges = 0;  // of any step: arrays that grew by doubling would take twice as much
  graph shown{};
  edge_values<float> shown_weights{};
  detail::snapshot_room now{}, next{}, between{};
  detail::change_scratch scratch{};
  std::vector<std::int64_t> counts{};

  std::int64_t edges_of(std::int64_t at) const { return edges_before(at + 1) - edges_before(at); }
  const graph& outside();
  std::int64_t bytes_if_resident() const;
  /// Shows step 0, whose edges are given. Steps must be known.
  void begin(detail::sorted_edges first);
  void move_to(std::int64_t to);
  const edge_values<float>& weights_of(std::int64_t at);
  /// Shows all steps one after the other, and keeps them.
  void make_resident();
  /// All steps as resident ones of a device.
  std::shared_ptr<state> brought_to(location where);

 private:
  void take(const detail::snapshot_room& from, const detail::edge_changes& changes, detail::snapshot_room& to);
  void make_graph(detail::snapshot_room& of);
  void show(detail::snapshot_room& of, std::int64_t at);
};

}  // namespace stg
