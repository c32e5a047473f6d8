// Showing the steps of a sequence: from memory, or by taking changes to the step that was shown before.
#include "graph_sequence_state.hpp"  // state
#include "snapshots_on_device.hpp"   // snapshots_on_device

#include <stg/base/error.hpp>             // error
#include <stg/runtime/call_graph.hpp>     // call_graph
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // max
#include <atomic>     // atomic_thread_fence
#include <string>     // to_string
#include <utility>    // move, swap

namespace stg {

namespace {

template <class T> std::int64_t bytes_of(const std::vector<T>& array) {
  return static_cast<std::int64_t>(array.capacity() * sizeof(T));
}

std::int64_t bytes_of(const graph::state& s) {
  return bytes_of(s.in_offsets) + bytes_of(s.out_offsets) + bytes_of(s.in_neighbours) + bytes_of(s.out_neighbours) +
         bytes_of(s.out_ids) + bytes_of(s.in_degrees) + bytes_of(s.out_degrees);
}

std::int64_t bytes_of(const detail::snapshot_room& room) {
  return bytes_of(room.keys) + (room.weights ? bytes_of(room.weights->values) : 0) +
         (room.made ? bytes_of(*room.made) : 0);
}

/// Of a graph without a reader: both directions' offsets and degrees, neighbours, ids of out-edges; and weights.
std::int64_t bytes_of_snapshot(std::int64_t vertices, std::int64_t edges, bool weighted) {
  return 16 * (vertices + 1) + 8 * vertices + (weighted ? 20 : 16) * edges;
}

void check_step(std::int64_t step, std::int64_t steps) {
  if (step < 0 || step >= steps)
    throw error("graph sequence has no step " + std::to_string(step) + "; it has " + std::to_string(steps) +
                (steps == 1 ? " step" : " steps, from 0 on"));
}

constexpr const char* no_weights = "graph sequence has no weights; give one for each edge of each step";

}  // namespace

void graph_sequence::state::take(const detail::snapshot_room& from, const detail::edge_changes& taken,
                                 detail::snapshot_room& to) {
  const auto size = static_cast<std::size_t>(from.view().size - taken.removed.size + taken.added.size);
  const auto most = static_cast<std::size_t>(room_edges);
  to.keys.reserve(most);
  to.keys.resize(size);
  scratch.keys.reserve(most);
  float* to_weights = nullptr;
  if (weighted) {
    // Weights that somebody holds stay as they are.
    if (!to.weights || !to.weights->has_one_holder()) to.weights.reset(new detail::held_weights<std::vector<float>>);
    to.weights->values.reserve(most);
    to.weights->values.resize(size);
    scratch.weights.reserve(most);
    to_weights = to.weights->values.data();
  }
  detail::take_changes(from.view(), taken, scratch, to.keys.data(), to_weights);
}

void graph_sequence::state::make_graph(detail::snapshot_room& of) {
  if (of.made && of.made.use_count() == 1)
    std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
  else of.made = std::make_shared<graph::state>();
  detail::build_rows(vertices, of.view(), room_edges, counts, *of.made);
}

void graph_sequence::state::show(detail::snapshot_room& of, std::int64_t at) {
  of.made->identity.store(identities[static_cast<std::size_t>(at)], std::memory_order_relaxed);
  shown = detail::graph_access::of(of.made);
  if (weighted && of.weights)
    shown_weights = edge_values<float>::in_id_order(of.weights->shared(of.weights->values.data(), of.view().size, host),
                                                    shown.edge_identity());
  step = at;
}

void graph_sequence::state::begin(detail::sorted_edges first) {
  now.keys = std::move(first.keys);
  if (weighted) {
    now.weights.reset(new detail::held_weights<std::vector<float>>);
    now.weights->values = std::move(first.weights);
  }
  make_graph(now);
  show(now, 0);
}

void graph_sequence::state::move_to(std::int64_t to) {
  if (to == step) return;
  if (made_there) return made_there->show(to, *this);
  detail::go_through_changes(step, to, now, next, between,
                             [&](const detail::snapshot_room& from, std::int64_t change, bool forward,
                                 detail::snapshot_room& into) { take(from, changes.at(change, forward), into); });
  make_graph(next);
  std::swap(now, next);
  show(now, to);
}

void graph_sequence::state::make_resident() {
  graphs.reserve(identities.size());
  weights.reserve(identities.size());
  for (std::int64_t t = 0; t < steps; ++t) {
    move_to(t);
    graphs.push_back(shown);
    if (weighted) weights.push_back(std::move(shown_weights));
    resident_bytes += bytes_of(*now.made) + (now.weights ? bytes_of(now.weights->values) : 0);
  }
  resident = true;
  changes = {};
  shown = graph();
  shown_weights = {};
  now = {}, next = {}, between = {};
  scratch = {};
  counts = {};
}

const graph& graph_sequence::state::outside() {
  const detail::lock one(making_without_edges);
  if (!without_edges) without_edges = graph::from_edges(vertices, std::span<const std::int32_t>(), {}).to(place);
  return *without_edges;
}

std::shared_ptr<graph_sequence::state> graph_sequence::state::brought_to(location where, snapshot_store store) {
  const gpu::snapshot_functions* const functions = gpu::installed_snapshots();
  if (store == snapshot_store::changes && resident && steps > 0)
    throw error("graph sequence has all its snapshots, and no changes that could be brought to " + to_string(where) +
                "; make it with {.store = stg::snapshot_store::changes}");
  if (store == snapshot_store::changes && functions == nullptr)
    throw error("graph sequence cannot make snapshots on " + to_string(where) +
                "; include <stg/snapshots_on_gpu.hpp> in a file of stg_add_program(target file.cpp)");
  auto there = std::make_shared<state>();
  static_cast<step_graphs&>(*there) = *this;
  there->place = where;
  there->vertices = vertices, there->changed = changed;
  there->weighted = weighted;
  there->first_edge = first_edge, there->identities = identities;
  if (!resident && functions != nullptr && store != snapshot_store::resident) {
    there->made_there = std::make_shared<detail::snapshots_on_device>(*this, where, *functions);
    there->made_there->begin(*there);
    return there;
  }
  there->resident = true;
  there->in_long = there->out_long = {};  // a device cuts shorter rows
  const auto widen = [](long_rows& most, const long_rows& of_step) {
    most.count = std::max(most.count, of_step.count);
    most.parts = std::max(most.parts, of_step.parts);
  };
  for (std::int64_t t = 0; t < steps; ++t) {
    there->graphs.push_back(at(t).to(where));
    if (weighted) there->weights.push_back(weights_of(t).to(where));
    widen(there->in_long, there->graphs.back().in_edges().long_rows());
    widen(there->out_long, there->graphs.back().out_edges().long_rows());
    there->resident_bytes += bytes_of_snapshot(vertices, edges_of(t), weighted);
  }
  return there;
}

const edge_values<float>& graph_sequence::state::weights_of(std::int64_t at) {
  if (resident) return weights[static_cast<std::size_t>(at)];
  move_to(at);
  return shown_weights;
}

std::int64_t step_graphs::edges_before(std::int64_t at) const {
  return static_cast<const graph_sequence::state&>(*this).first_edge[static_cast<std::size_t>(at)];
}
const graph& step_graphs::at(std::int64_t step) {
  auto& s = static_cast<graph_sequence::state&>(*this);
  if (s.resident) return s.graphs[static_cast<std::size_t>(step)];
  s.move_to(step);
  return s.shown;
}
const std::byte* step_graphs::weights_at(std::int64_t step) {
  if (all_edges == 0) return nullptr;  // nobody knows whether edges would have any
  return reinterpret_cast<const std::byte*>(
      static_cast<graph_sequence::state&>(*this).weights_of(step).values().data());
}

shown_by_one::shown_by_one(step_graphs* graphs) : graphs_(graphs) {
  if (graphs_ == nullptr) return;
  auto& s = static_cast<graph_sequence::state&>(*graphs_);
  if (s.resident) graphs_ = nullptr;
  else if (s.being_shown.exchange(true, std::memory_order_acquire))
    throw error("graph sequence of changes is in use by another thread; give each thread its own, or a resident one");
}
shown_by_one::~shown_by_one() {
  if (graphs_ == nullptr) return;
  static_cast<graph_sequence::state&>(*graphs_).being_shown.store(false, std::memory_order_release);
}

call_graph::call_graph(const graph_sequence& on) try
    : outside_(on.state_->outside()), sequence_(on.state_), steps_(on.state_.get()) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::int64_t graph_sequence::state::bytes_if_resident() const {
  std::int64_t bytes = bytes_of(first_edge) + bytes_of(identities);
  for (std::int64_t t = 0; t < steps; ++t) bytes += bytes_of_snapshot(vertices, edges_of(t), weighted);
  return bytes;
}

graph_sequence::graph_sequence(std::shared_ptr<state> s) : state_(std::move(s)) {}
graph_sequence::graph_sequence(graph_sequence&&) noexcept = default;
graph_sequence& graph_sequence::operator=(graph_sequence&&) noexcept = default;
graph_sequence::~graph_sequence() = default;

location graph_sequence::place() const { return state_->place; }
graph_sequence graph_sequence::to(location where, snapshot_store store) try {
  if (where == place()) return graph_sequence(state_);
  const std::shared_ptr<state>& from = state_->on_host ? state_->on_host : state_;
  if (where.is_host()) return graph_sequence(from);
  const shown_by_one brought(from.get());
  auto there = from->brought_to(where, store);
  there->on_host = from;
  return graph_sequence(std::move(there));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::int64_t graph_sequence::vertices() const { return state_->vertices; }
std::int64_t graph_sequence::steps() const { return state_->steps; }
std::int64_t graph_sequence::edges() const { return state_->all_edges; }
sizes graph_sequence::sizes() const {
  return {.vertices = state_->vertices, .edges = state_->most_edges, .all_edges = state_->all_edges};
}
edge_identity graph_sequence::edge_identity() const { return state_->edges_of_all; }
bool graph_sequence::has_weights() const { return state_->weighted; }
bool graph_sequence::is_resident() const { return state_->resident; }
std::int64_t graph_sequence::changed_edges() const { return state_->changed; }

std::int64_t graph_sequence::edges_at(std::int64_t step) const {
  check_step(step, steps());
  return state_->edges_of(step);
}

edge_identity graph_sequence::edge_identity_at(std::int64_t step) const {
  check_step(step, steps());
  return static_cast<stg::edge_identity>(state_->identities[static_cast<std::size_t>(step)]);
}

std::int64_t graph_sequence::edges_before(std::int64_t step) const {
  if (step != steps()) check_step(step, steps());
  return state_->edges_before(step);
}

const graph& graph_sequence::at(std::int64_t step) & try {
  check_step(step, steps());
  const shown_by_one shown(state_.get());
  return state_->at(step);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

const edge_values<float>& graph_sequence::weights_at(std::int64_t step) & try {
  check_step(step, steps());
  if (!state_->weighted) throw error(no_weights);
  const shown_by_one shown(state_.get());
  return state_->weights_of(step);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

sequence_weights graph_sequence::weights() const try {
  if (!state_->weighted && edges() > 0) throw error(no_weights);
  return sequence_weights(state_, state_.get());
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graph_sequence::check_values(const dimensions& shape, location lies) const {
  if (!lies.is_host())
    throw error("values per edge of each step lie on " + to_string(lies) + "; give them on the host");
  if (shape.rank() == 0 || shape[0] != edges())
    throw error("values per edge of each step have shape " + to_string(shape) + "; the graph sequence has " +
                std::to_string(edges()) + " edges in all its steps; give (edges of all steps, ...)");
}

std::int64_t graph_sequence::bytes() const {
  state& s = *state_;
  const detail::lock one(s.making_without_edges);
  const std::int64_t known =
      bytes_of(s.first_edge) + bytes_of(s.identities) + (s.without_edges ? bytes_of_snapshot(s.vertices, 0, false) : 0);
  if (s.resident) return known + s.resident_bytes;
  if (s.made_there) return known + s.made_there->bytes();
  return known + bytes_of(s.changes.edges.keys) + bytes_of(s.changes.edges.weights) + bytes_of(s.changes.begin) +
         bytes_of(s.now) + bytes_of(s.next) + bytes_of(s.between) + bytes_of(s.scratch.keys) +
         bytes_of(s.scratch.weights) + bytes_of(s.counts);
}

std::int64_t graph_sequence::bytes_if_resident() const { return state_->bytes_if_resident(); }

}  // namespace stg
