// The store of changes on a device: one snapshot, and what differs between steps.
#pragma once

#include "graph_sequence_state.hpp"  // change_list, state

#include <stg/runtime/cuda/snapshots.hpp>  // snapshot_functions, snapshot_rows
#include <stg/runtime/tensor.hpp>          // memory

#include <cstdint>  // int64_t
#include <memory>   // shared_ptr
#include <vector>   // vector

namespace stg::detail {

/// Makes steps by the functions that the program has installed, on the stream of the call that asks for them. Three
/// rooms for edges take turns, two of them with a graph; what somebody still holds is left as it is.
class snapshots_on_device {
 public:
  /// Brings the first step and the changes of a sequence on the host, which ends at its last step.
  snapshots_on_device(graph_sequence::state& from, location where, const gpu::snapshot_functions& functions);

  /// Shows step 0 in a state of this place, which takes no change.
  void begin(graph_sequence::state& in);
  /// Shows a step: its graph, and its weights where edges have any. When it fails, what was shown stays.
  void show(std::int64_t step, graph_sequence::state& in);

  /// Of the device's memory.
  std::int64_t bytes() const;

 private:
  struct room {
    memory keys{};
    weights_holder<memory> weights{};
    std::shared_ptr<graph::state> made{};
    std::int64_t size = 0;

    void swap_edges(room& other) {
      std::swap(keys, other.keys);
      std::swap(weights, other.weights);
      std::swap(size, other.size);
    }
    float* weight_data() const { return weights ? reinterpret_cast<float*>(weights->values.get()) : nullptr; }
    edge_room to() const { return {reinterpret_cast<std::uint64_t*>(keys.get()), weight_data()}; }
    edge_span view() const { return {to().keys, to().weights, size}; }
  };

  /// Room for the edges of any step; whether memory was taken.
  bool reserve(room& r) const;
  void make_graph(gpu::device& on, gpu::stream_handle stream, std::int64_t step, room& of) const;
  void show_room(std::int64_t step, graph_sequence::state& in);
  /// Where the arrays of a graph lie in a block that begins at `base`, nowhere where that is null; returns the bytes of
  /// the block.
  std::int64_t lay_out(std::byte* base, gpu::snapshot_rows& r) const;
  memory allocate(std::int64_t bytes) const;

  location where_;
  const gpu::snapshot_functions& functions_;
  std::int64_t vertices_, most_edges_;
  bool weighted_;
  memory change_keys_{}, change_weights_{};
  std::vector<std::int64_t> begin_{};              // as change_list's
  std::vector<long_rows> in_long_{}, out_long_{};  // of each step: how many there are, and their parts
  long_rows most_in_{}, most_out_{};
  memory kept_keys_{}, kept_weights_{}, sorted_{}, degrees_{}, bins_{};  // scratch
  room now_{}, next_{}, between_{};
};

}  // namespace stg::detail
