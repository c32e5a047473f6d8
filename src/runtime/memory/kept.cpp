// The store of what fixed inputs let calls reuse: finding it, and making room for other values.
#include <stg/runtime/kept.hpp>

#include <algorithm>  // equal
#include <atomic>     // atomic_thread_fence
#include <mutex>      // mutex, scoped_lock
#include <utility>    // move
#include <vector>     // vector

#include <stg/runtime/arena.hpp>          // arena
#include <stg/runtime/communicator.hpp>   // all_say
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/runtime/rank_rows.hpp>      // rank_rows
#include <stg/runtime/tensor.hpp>         // memory, allocate_at

namespace stg {

namespace {

/// Kept values in one block of memory, and their key. The graph is a copy, so that no other takes its place in memory.
struct values {
  const void* form;
  graph on;
  std::vector<fixed_input> inputs;
  std::vector<std::int64_t> extents;
  arena memory;  // of a graph on the host
  detail::memory on_device{};
  location device{};
  std::int64_t device_bytes = 0;

  /// Room where the graph lies.
  void reserve(std::int64_t bytes) {
    if (on.place().is_host()) return memory.reserve(bytes);
    if (device == on.place() && bytes <= device_bytes) return;
    on_device.reset();
    device_bytes = 0;
    on_device = detail::allocate_at(on.place(), bytes, false, "kept values");
    device = on.place();
    device_bytes = bytes;
  }
  std::byte* data() { return on.place().is_host() ? memory.data() : on_device.get(); }

  bool are_those_of(const kept_key& key) const {
    return on.is_same_as(*key.on) &&
           std::equal(inputs.begin(), inputs.end(), key.inputs, key.inputs + key.input_count) &&
           std::equal(extents.begin(), extents.end(), key.extents, key.extents + key.extent_count);
  }
};

struct store {
  std::mutex mutex;
  std::vector<std::shared_ptr<values>> all;  // one per form
  std::uint64_t runs = 0;

  std::shared_ptr<values> find(const kept_key& key) const {
    for (const std::shared_ptr<values>& v : all)
      if (v->form == key.form) return v->are_those_of(key) ? v : nullptr;
    return nullptr;
  }

  /// Takes the values of the key's form out and gives room for others: the same memory unless somebody holds it.
  std::shared_ptr<values> take_place(const kept_key& key, std::int64_t bytes) {
    std::shared_ptr<values> place;
    for (std::size_t i = 0; i < all.size() && !place; ++i) {
      if (all[i]->form != key.form) continue;
      place = std::move(all[i]);
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (place && place.use_count() == 1)
      std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
    else place = std::make_shared<values>(values{key.form, *key.on, {}, {}, arena()});
    place->on = *key.on;
    place->inputs.assign(key.inputs, key.inputs + key.input_count);
    place->extents.assign(key.extents, key.extents + key.extent_count);
    place->reserve(bytes);
    return place;
  }
};

store& of(const std::shared_ptr<void>& state) { return *static_cast<store*>(state.get()); }

std::shared_ptr<void> memory_of(std::shared_ptr<values> v) {
  void* const memory = v->data();
  return {std::move(v), memory};
}

}  // namespace

kept_store::kept_store() try : state_(std::make_shared<store>()) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::shared_ptr<void> kept_store::get(const kept_key& key, std::int64_t bytes, const kept_computation& compute) const {
  store& s = of(state_);
  const std::scoped_lock lock(s.mutex);
  std::shared_ptr<values> known = s.find(key);
  const rank_rows* const part = key.on->ranks();
  const bool is_known = part == nullptr ? known != nullptr : all_say(*part->ranks, known != nullptr);
  if (is_known) return memory_of(std::move(known));
  known.reset();
  std::shared_ptr<values> made = s.take_place(key, bytes);
  compute(made->data());
  ++s.runs;
  s.all.push_back(made);
  return memory_of(std::move(made));
}

std::uint64_t kept_store::runs() const {
  const std::scoped_lock lock(of(state_).mutex);
  return of(state_).runs;
}

void kept_store::forget() const {
  const std::scoped_lock lock(of(state_).mutex);
  of(state_).all.clear();
}

}  // namespace stg
