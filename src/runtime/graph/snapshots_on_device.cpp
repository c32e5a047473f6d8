// Bringing changes to a device, and making the steps of a sequence there.
#include "snapshots_on_device.hpp"

#include <stg/base/error.hpp>         // error
#include <stg/runtime/long_rows.hpp>  // find_long_rows, long_row_edges_of_device

#include <algorithm>  // max
#include <atomic>     // atomic_thread_fence
#include <utility>    // move, swap

namespace stg::detail {

namespace {

constexpr const char* what = "graph sequence";
constexpr gpu::purpose why{what};

template <class T> memory copy_of(location where, const std::vector<T>& array) {
  const auto bytes = static_cast<std::int64_t>(array.size() * sizeof(T));
  memory there = allocate_at(where, bytes, false, what);
  copy_memory(where, there.get(), host, array.data(), bytes);
  return there;
}

/// How many rows of a step are long on a device, and their parts; the most of any step is kept.
long_rows counted(const adjacency& rows, std::int32_t part_edges, long_rows& most) {
  const long_rows found = find_long_rows(rows, part_edges).view();
  most.count = std::max(most.count, found.count);
  most.parts = std::max(most.parts, found.parts);
  return {nullptr, nullptr, found.count, found.parts, part_edges};
}

}  // namespace

snapshots_on_device::snapshots_on_device(graph_sequence::state& from, location where,
                                         const gpu::snapshot_functions& functions)
    : where_(where),
      functions_(functions),
      vertices_(from.vertices),
      most_edges_(from.most_edges),
      weighted_(from.weighted),
      change_keys_(copy_of(where, from.changes.edges.keys)),
      change_weights_(copy_of(where, from.changes.edges.weights)),
      begin_(from.changes.begin) {
  from.move_to(0);
  reserve(now_);
  now_.size = from.now.view().size;
  copy_memory(where, now_.keys.get(), host, from.now.keys.data(), 8 * now_.size);
  if (weighted_) copy_memory(where, now_.weight_data(), host, from.now.view().weights, 4 * now_.size);
  for (std::int64_t t = 0; t < from.steps; ++t) {
    const graph& shown = static_cast<step_graphs&>(from).at(t);
    const std::int32_t part_edges = long_row_edges_of_device(shown.edges());
    in_long_.push_back(counted(shown.in_edges(), part_edges, most_in_));
    out_long_.push_back(counted(shown.out_edges(), part_edges, most_out_));
  }
  reserve(next_);
  kept_keys_ = allocate(8 * most_edges_);
  if (weighted_) kept_weights_ = allocate(4 * most_edges_);
  sorted_ = allocate(4 * most_edges_);
  degrees_ = allocate(4 * vertices_);
  bins_ = allocate(4 * vertices_);
}

memory snapshots_on_device::allocate(std::int64_t bytes) const { return allocate_at(where_, bytes, false, what); }

bool snapshots_on_device::reserve(room& r) const {
  const bool takes_keys = !r.keys, takes_weights = weighted_ && !(r.weights && r.weights->has_one_holder());
  if (takes_keys) r.keys = allocate(8 * most_edges_);
  if (takes_weights) {  // weights that somebody holds stay as they are
    r.weights.reset(new held_weights<memory>);
    r.weights->values = allocate(4 * most_edges_);
  }
  return takes_keys || takes_weights;
}

std::int64_t snapshots_on_device::lay_out(std::byte* base, gpu::snapshot_rows& r) const {
  std::int64_t bytes = 0;
  const auto add = [&]<class T>(T*& array, std::int64_t count) {
    array = base == nullptr ? nullptr : reinterpret_cast<T*>(base + bytes);
    bytes += (count * static_cast<std::int64_t>(sizeof(T)) + 255) / 256 * 256;
  };
  const auto add_side = [&](gpu::snapshot_rows::side& s, const long_rows& most) {
    add(s.offsets, vertices_ + 1);
    add(s.neighbours, most_edges_);
    add(s.order, vertices_);
    add(s.long_row, most.count);
    add(s.first_part, most.count + 1);
  };
  add_side(r.in, most_in_);
  add_side(r.out, most_out_);
  add(r.out.ids, most_edges_);
  r.in.ids = nullptr;
  return bytes;
}

void snapshots_on_device::make_graph(gpu::device& on, gpu::stream_handle stream, std::int64_t step, room& of) const {
  gpu::snapshot_rows r;
  if (of.made && of.made.use_count() == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
  } else {
    auto made = std::make_shared<graph::state>();
    made->on_device = allocate(lay_out(nullptr, r));
    if (stream != on.stream()) on.synchronize(why);  // memory is there for the device's own stream
    of.made = std::move(made);
  }
  graph::state& g = *of.made;
  lay_out(g.on_device.get(), r);
  const long_rows &in_long = in_long_[static_cast<std::size_t>(step)],
                  &out_long = out_long_[static_cast<std::size_t>(step)];
  r.vertices = vertices_;
  r.edges = of.view();
  r.part_edges = in_long.part_edges;
  r.in.long_rows = in_long.count;
  r.out.long_rows = out_long.count;
  r.sorted = reinterpret_cast<std::int32_t*>(sorted_.get());
  r.degrees = reinterpret_cast<std::int32_t*>(degrees_.get());
  r.bins = reinterpret_cast<std::int32_t*>(bins_.get());
  functions_.make_rows(on, stream, r);
  g.sources = g.destinations = vertices_;
  g.edges = of.size;
  g.place = where_;
  const auto rows_of = [&](const gpu::snapshot_rows::side& s, const long_rows& cut) {
    return adjacency(vertices_, s.offsets, s.neighbours, s.ids)
        .with(long_rows{s.long_row, s.first_part, cut.count, cut.parts, cut.part_edges})
        .with_row_order(s.order);
  };
  g.in = rows_of(r.in, in_long);
  g.out = rows_of(r.out, out_long);
}

void snapshots_on_device::show_room(std::int64_t step, graph_sequence::state& in) {
  now_.made->identity.store(in.identities[static_cast<std::size_t>(step)], std::memory_order_relaxed);
  in.shown = graph_access::of(now_.made);
  if (weighted_)
    in.shown_weights = edge_values<float>::in_id_order(now_.weights->shared(now_.weight_data(), now_.size, where_),
                                                       in.shown.edge_identity());
  in.step = step;
}

void snapshots_on_device::begin(graph_sequence::state& in) {
  const auto on = gpu::device::open(where_.device(), why);
  on->check_architectures(functions_.architectures, why);
  const gpu::current_device current(on->calls(), on->index(), why);
  in.in_long = most_in_;  // a device cuts shorter rows, and what joins their parts takes room in a call
  in.out_long = most_out_;
  make_graph(*on, on->stream(), 0, now_);
  show_room(0, in);
}

void snapshots_on_device::show(std::int64_t step, graph_sequence::state& in) {
  if (step == in.step) return;
  const auto on = gpu::device::open(where_.device(), why);
  if (on->is_captured())
    throw error("graph sequence makes its steps on " + to_string(where_) +
                " anew, which a captured step cannot; bring all of them there, "
                "sequence.to(stg::cuda(), stg::snapshot_store::resident)");
  const gpu::current_device current(on->calls(), on->index(), why);
  const gpu::stream_handle stream = in.stream != nullptr ? in.stream : on->stream();
  const edge_span all{reinterpret_cast<const std::uint64_t*>(change_keys_.get()),
                      reinterpret_cast<const float*>(change_weights_.get()), begin_.back()};
  const edge_room kept{reinterpret_cast<std::uint64_t*>(kept_keys_.get()),
                       reinterpret_cast<float*>(kept_weights_.get())};
  go_through_changes(in.step, step, now_, next_, between_,
                     [&](const room& from, std::int64_t change, bool forward, room& to) {
                       const edge_changes taken = changes_at(all, begin_, change, forward);
                       if (reserve(to) && stream != on->stream()) on->synchronize(why);  // as above
                       to.size = from.size - taken.removed.size + taken.added.size;
                       functions_.take(*on, stream, {from.view(), taken, kept, to.to()});
                     });
  make_graph(*on, stream, step, next_);
  std::swap(now_, next_);
  show_room(step, in);
}

std::int64_t snapshots_on_device::bytes() const {
  gpu::snapshot_rows r;
  const std::int64_t of_edge = weighted_ ? 12 : 8;
  std::int64_t bytes = of_edge * begin_.back() + (of_edge + 4) * most_edges_ + 8 * vertices_;
  for (const room* each : {&now_, &next_, &between_})
    bytes += (each->keys ? of_edge * most_edges_ : 0) + (each->made ? lay_out(nullptr, r) : 0);
  return bytes;
}

}  // namespace stg::detail
