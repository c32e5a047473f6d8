// Slots in a ring: threads make the batches whose slots are free, one after another, and one thread takes them.
#include "batch_writer.hpp"  // at
#include "epoch_orders.hpp"  // epoch_orders

#include <stg/base/error.hpp>       // error
#include <stg/base/keep_mask.hpp>   // seed_of_step
#include <stg/sampling/loader.hpp>  // loader

#include <algorithm>           // copy, max, min, none_of, nth_element, sort
#include <array>               // array
#include <condition_variable>  // condition_variable
#include <exception>           // exception_ptr
#include <mutex>               // mutex, unique_lock
#include <numeric>             // iota
#include <string>              // to_string
#include <thread>              // thread

namespace stg {

namespace {

using detail::at;

void check_options(const loader_options& o) {
  if (o.batch_size < 1) throw error("loader: batches of " + std::to_string(o.batch_size) + " seeds; give 1 or more");
  if (o.threads < 0) throw error("loader: " + std::to_string(o.threads) + " threads; give 0 or more");
  if (o.threads > 0 && o.ahead < 1)
    throw error("loader: " + std::to_string(o.ahead) + " batches ahead on " + std::to_string(o.threads) +
                (o.threads == 1 ? " thread" : " threads") + "; give 1 or more, or no threads");
}

std::int64_t batches_of(std::int64_t items, const loader_options& o) {
  return o.drop_last ? items / o.batch_size : (items + o.batch_size - 1) / o.batch_size;
}

}  // namespace

struct loader::state {
  state(const graph& g, std::vector<std::int32_t> items, std::int64_t batches_of_epoch, maker how,
        const loader_options& with)
      : large(g.to(host)),
        make(std::move(how)),
        options(with),
        batches(batches_of_epoch),
        orders(std::move(items), with.seed, with.shuffle,
               2 + (with.threads > 0 ? with.ahead / std::max<std::int64_t>(1, batches_of_epoch) : 0)),
        slots(at(with.threads > 0 ? with.ahead + 1 : 1)) {}
  ~state() {
    {
      const std::lock_guard hold(lock);
      stops = true;
    }
    changed.notify_all();
    for (std::thread& t : threads) t.join();
  }

  /// A batch and where it is: whoever changes `is` from free or to it holds the lock.
  struct slot {
    enum { free, being_made, ready } is = free;
    loaded_batch batch{};
    std::vector<std::int32_t> items{};
    std::exception_ptr failure{};
  };
  slot& slot_of(std::int64_t number) { return slots[at(number % static_cast<std::int64_t>(slots.size()))]; }

  void fill(slot& s, std::int64_t number);
  void fill_or_keep_failure(slot& s, std::int64_t number);
  void work();
  void start();
  void go_to(std::int64_t number, std::unique_lock<std::mutex>& hold);
  const loaded_batch* take(std::int64_t number);

  const graph large;
  const maker make;
  const loader_options options;
  const std::int64_t batches;
  detail::epoch_orders orders;
  std::vector<std::unique_ptr<detail::row_source>> sources{};

  // Batches have numbers over all epochs. [oldest, next) are being made or made; `oldest` may be in use.
  std::mutex lock{};
  std::condition_variable changed{};
  std::vector<slot> slots;
  std::int64_t oldest = 0, next = 0;
  bool in_use = false, stops = false, waits = false, is_open = true;
  std::vector<std::thread> threads{};
};

void loader::state::fill(slot& s, std::int64_t number) {
  const std::int64_t index = number % batches;
  s.batch.epoch = number / batches;
  s.batch.index = index;
  if (orders.size() > 0)
    orders.copy(s.batch.epoch, index * options.batch_size, std::min(orders.size(), (index + 1) * options.batch_size),
                s.items);
  make(s.batch, s.items, seed_of_step(options.seed, number));
  loaded_batch& b = s.batch;
  const auto vertices = static_cast<std::int64_t>(b.vertices.size());
  if (b.known_memory.size() < vertices) b.known_memory = tensor<bool>::for_overwrite({vertices + vertices / 4});
  b.known = tensor<bool>::view_of(b.known_memory.data(), {vertices});
  b.seed_mask(b.known);
  if (b.rows.size() != sources.size()) {
    b.rows.clear();
    for (const auto& source : sources) b.rows.push_back(source->make_room());
  }
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i]->fill(b, *b.rows[i]);
}

void loader::state::fill_or_keep_failure(slot& s, std::int64_t number) {
  s.failure = nullptr;
  try {
    fill(s, number);
  } catch (...) {
    s.failure = std::current_exception();
  }
}

void loader::state::work() {
  std::unique_lock hold(lock);
  for (;;) {
    changed.wait(hold, [&] {
      return stops ||
             (!waits && next - oldest < static_cast<std::int64_t>(slots.size()) && slot_of(next).is == slot::free);
    });
    if (stops) return;
    const std::int64_t number = next++;
    slot& mine = slot_of(number);
    mine.is = slot::being_made;
    hold.unlock();
    fill_or_keep_failure(mine, number);
    hold.lock();
    mine.is = slot::ready;
    changed.notify_all();
  }
}

void loader::state::start() {
  is_open = false;
  while (static_cast<int>(threads.size()) < options.threads) threads.emplace_back([this] { work(); });
}

/// Lets go of what is made, and begins with another batch once nobody makes one any more.
void loader::state::go_to(std::int64_t number, std::unique_lock<std::mutex>& hold) {
  waits = true;
  changed.wait(hold, [&] {
    return std::none_of(slots.begin(), slots.end(), [](const slot& s) { return s.is == slot::being_made; });
  });
  for (slot& s : slots) s.is = slot::free;
  oldest = next = number;
  in_use = waits = false;
  changed.notify_all();
}

const loaded_batch* loader::state::take(std::int64_t number) {
  if (is_open) {
    oldest = next = number;
    start();
  }
  if (options.threads == 0) {
    fill(slots[0], number);
    return &slots[0].batch;
  }
  std::unique_lock hold(lock);
  if (in_use) {
    slot_of(oldest).is = slot::free;
    ++oldest;
    in_use = false;
    changed.notify_all();
  }
  if (oldest != number) go_to(number, hold);
  slot& wanted = slot_of(number);
  changed.wait(hold, [&] { return wanted.is == slot::ready; });
  in_use = true;
  if (wanted.failure) std::rethrow_exception(wanted.failure);
  return &wanted.batch;
}

namespace {

loader::maker made_by(std::shared_ptr<const sampler> from) {
  if (!from) throw error("loader: no sampler; give one");
  return [from = std::move(from)](batch& to, std::span<const std::int32_t> seeds, std::uint64_t number) {
    from->sample_into(to, seeds, number);
  };
}

std::vector<std::int32_t> numbered(std::int64_t items) {
  if (items < 0 || items > 0x7fffffff)
    throw error("loader: " + std::to_string(items) + " items; give 0 to " + std::to_string(0x7fffffff));
  std::vector<std::int32_t> all(at(items));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

loader::loader(std::shared_ptr<const sampler> from, std::vector<std::int32_t> seeds, const loader_options& options) {
  check_options(options);
  const auto count = static_cast<std::int64_t>(seeds.size());
  maker make = made_by(from);
  state_ = std::make_unique<state>(from->of(), std::move(seeds), batches_of(count, options), std::move(make), options);
}

loader::loader(no_seeds, std::shared_ptr<const sampler> from, std::int64_t batches, const loader_options& options) {
  check_options(options);
  if (batches < 0) throw error("loader: " + std::to_string(batches) + " batches of an epoch; give 0 or more");
  maker make = made_by(from);
  state_ = std::make_unique<state>(from->of(), std::vector<std::int32_t>(), batches, std::move(make), options);
}

loader::loader(const graph& of, std::int64_t items, maker make, const loader_options& options) {
  check_options(options);
  if (!make) throw error("loader: no function that makes batches; give one");
  state_ = std::make_unique<state>(of, numbered(items), batches_of(items, options), std::move(make), options);
}

loader::loader(loader&&) noexcept = default;
loader::~loader() = default;

std::int64_t loader::batches() const { return state_->batches; }
const graph& loader::of() const { return state_->large; }

void loader::check_open() const {
  if (!state_->is_open) throw error("loader: rows are asked for after the first epoch; ask before it");
}

void loader::check_rows(const dimensions& shape) const {
  check_open();
  if (shape.rank() == 0 || shape[0] != of().vertices())
    throw error("loader: rows of shape " + to_string(shape) + " for a graph of " + std::to_string(of().vertices()) +
                " vertices; give one row for each");
}

std::size_t loader::add(std::unique_ptr<detail::row_source> source) {
  check_open();
  state_->sources.push_back(std::move(source));
  return state_->sources.size() - 1;
}

const loaded_batch* loader::take(std::int64_t number) { return state_->take(number); }

loader::batches_of_epoch loader::epoch(std::int64_t epoch) {
  if (epoch < 0) throw error("loader: epoch " + std::to_string(epoch) + "; they are counted from 0");
  return {this, epoch * state_->batches};
}

namespace detail {

dimensions with_rows(const dimensions& shape, std::int64_t rows) { return shape_of_gathered(shape, host, rows); }

dimensions one_row(const dimensions& row) {
  if (row.rank() == max_rank)
    throw error("loader: rows of shape " + to_string(row) + "; a tensor has up to " + std::to_string(max_rank) +
                " axes, one of which is that of the vertices");
  std::array<std::int64_t, max_rank> shape{};
  shape[0] = 1;
  std::copy(row.begin(), row.end(), shape.begin() + 1);
  return std::span<const std::int64_t>(shape.data(), static_cast<std::size_t>(row.rank()) + 1);
}

dimensions without_rows(const dimensions& shape) {
  return std::span<const std::int64_t>(shape.begin() + 1, shape.end());
}

std::vector<std::int32_t> most_reached(const graph& g, std::int64_t count) {
  if (count < 0) throw error("loader: a cache of " + std::to_string(count) + " rows; give 0 or more");
  std::vector<std::int32_t> all(at(g.vertices()));
  std::iota(all.begin(), all.end(), 0);
  const auto degrees = g.out_degrees();
  const auto before = [&](std::int32_t a, std::int32_t b) {
    return degrees[at(a)] != degrees[at(b)] ? degrees[at(a)] > degrees[at(b)] : a < b;
  };
  if (count < g.vertices()) {
    std::nth_element(all.begin(), all.begin() + count, all.end(), before);
    all.resize(at(count));
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace detail

}  // namespace stg
