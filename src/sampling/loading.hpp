// What loaders of all kinds of batches do alike: which seeds a batch has, and filling it ahead.
#pragma once

#include "epoch_orders.hpp"  // epoch_orders
#include "made_ahead.hpp"    // made_ahead

#include <stg/base/error.hpp>               // error
#include <stg/base/keep_mask.hpp>           // seed_of_step
#include <stg/sampling/graphs_batch.hpp>    // batch, graphs_batch
#include <stg/sampling/loader_of.hpp>       // loaded, loader_of, row_source
#include <stg/sampling/loader_options.hpp>  // loader_options

#include <algorithm>    // max, min
#include <cstdint>      // int64_t
#include <limits>       // numeric_limits
#include <memory>       // unique_ptr
#include <numeric>      // iota
#include <span>         // span
#include <string>       // string, to_string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg::detail {

/// The number of a loader, which no other of the process has.
std::uint64_t number_of_next_loader();

inline void check_options(const loader_options& o) {
  if (o.batch_size < 1) throw error("loader: batches of " + std::to_string(o.batch_size) + " seeds; give 1 or more");
  constexpr int most_threads = 1024, most_ahead = 1 << 16;
  if (o.threads < 0 || o.threads > most_threads)
    throw error("loader: " + std::to_string(o.threads) + " threads; give 0 to " + std::to_string(most_threads));
  if (o.threads > 0 && o.ahead > most_ahead)
    throw error("loader: " + std::to_string(o.ahead) + " batches ahead; give up to " + std::to_string(most_ahead));
  if (o.threads > 0 && o.ahead < 1)
    throw error("loader: " + std::to_string(o.ahead) + " batches ahead on " + std::to_string(o.threads) +
                (o.threads == 1 ? " thread" : " threads") + "; give 1 or more, or no threads");
}

inline std::int64_t batches_of(std::int64_t items, const loader_options& o) {
  return o.drop_last ? items / o.batch_size : items / o.batch_size + (items % o.batch_size != 0);
}

/// Items [0, items). Error for numbers of them that are none, or beyond 2^31 - 1.
inline std::vector<std::int32_t> numbered_items(std::int64_t items) {
  if (items < 0 || items > 0x7fffffff)
    throw error("loader: " + std::to_string(items) + " items; give 0 to " + std::to_string(0x7fffffff));
  std::vector<std::int32_t> all(static_cast<std::size_t>(items));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The out-edges of each vertex; of a set along all relations.
std::vector<std::int64_t> out_degrees_of(const graph& g, std::string_view set);
std::vector<std::int64_t> out_degrees_of(const graphs& g, std::string_view set);

/// How many epochs threads may be in at a time, and one more.
inline std::int64_t epochs_in_use(const loader_options& o, std::int64_t batches) {
  return 2 + (o.threads > 0 ? o.ahead / std::max<std::int64_t>(1, batches) : 0);
}

/// The mask of a batch's seeds, of so many vertices, in memory that is used again.
template <class Batch> void write_mask(Batch& b, std::int64_t vertices) {
  if (b.known_memory.size() < vertices) b.known_memory = tensor<bool>::for_overwrite({vertices + vertices / 4});
  b.known = tensor<bool>::view_of(b.known_memory.data(), {vertices});
  b.seed_mask(b.known);
}

/// Rows that batches come with, and the set or relation that they are of.
struct requested_rows {
  std::unique_ptr<row_source> source{};
  std::string of{};
  bool is_relation = false;
};

/// The vertices of a batch, of a set where it has several.
inline std::span<const std::int32_t> vertices_of(const batch& b, std::string_view) { return b.vertices; }
inline std::span<const std::int32_t> vertices_of(const graphs_batch& b, std::string_view set) {
  return b.of_set(set).vertices;
}
inline std::int64_t vertices_of_seeds(const batch& b) { return static_cast<std::int64_t>(b.vertices.size()); }
inline std::int64_t vertices_of_seeds(const graphs_batch& b) {
  return static_cast<std::int64_t>(b.of_set(b.seed_set).vertices.size());
}
inline row_ids ids_of(const batch& b, const requested_rows&) { return {b.vertices, b.edges}; }
inline row_ids ids_of(const graphs_batch& b, const requested_rows& rows) {
  if (rows.is_relation) return {{}, b.of_relation(rows.of).edges};
  return {b.of_set(rows.of).vertices, {}};
}

/// The state of a loader.
template <class Batch> struct loading {
  using large_graph = decltype(Batch::large);
  using maker = typename loader_of<Batch>::maker;

  loading(const large_graph& of, std::vector<std::int32_t> items, std::int64_t batches_of_epoch, maker how,
          const loader_options& with)
      : options(with),
        batches(batches_of_epoch),
        large(of),
        make(std::move(how)),
        orders(std::move(items), with.seed, with.shuffle, epochs_in_use(with, batches_of_epoch)),
        ahead(with.threads, with.ahead, [this](std::size_t slot, std::int64_t number) { fill(made[slot], number); }),
        made(ahead.slots()) {}
  ~loading() { ahead.stop(); }

  /// The batch of a number over all epochs.
  const loaded<Batch>* take(std::int64_t number) { return &made[ahead.take(number)].batch; }
  /// The number of an epoch's first batch. Errors: a negative epoch, and one whose batches have no number.
  std::int64_t first_of(std::int64_t epoch) const {
    if (epoch < 0) throw error("loader: epoch " + std::to_string(epoch) + "; they are counted from 0");
    const std::int64_t last = std::numeric_limits<std::int64_t>::max() / 2 / std::max<std::int64_t>(1, batches);
    if (epoch > last)  // batches ahead are counted on from there
      throw error("loader: epoch " + std::to_string(epoch) + " of " + std::to_string(batches) +
                  " batches each; the last one is " + std::to_string(last));
    return epoch * batches;
  }
  void check_open() const {
    if (!ahead.is_open()) throw error("loader: rows are asked for after the first epoch; ask before it");
  }
  row_place add(requested_rows rows) {
    check_open();
    sources.push_back(std::move(rows));
    return {id, sources.size() - 1};
  }

  const loader_options options;
  const std::int64_t batches;
  const std::uint64_t id = number_of_next_loader();
  const large_graph large;

 private:
  struct room {
    loaded<Batch> batch{};
    std::vector<std::int32_t> items{};
  };
  void fill(room& to, std::int64_t nth) {
    loaded<Batch>& b = to.batch;
    b.epoch = nth / batches;
    b.index = nth % batches;
    b.made_blocks.reset();  // whose graph's memory is the next one's
    if (orders.size() > 0)
      orders.copy(b.epoch, b.index * options.batch_size, std::min(orders.size(), (b.index + 1) * options.batch_size),
                  to.items);
    make(b, to.items, seed_of_step(options.seed, nth));
    write_mask(b, vertices_of_seeds(b));
    b.loader = id;
    if (b.rows.size() != sources.size()) {
      b.rows.clear();
      for (const requested_rows& rows : sources) b.rows.push_back(rows.source->make_room());
    }
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i].source->fill(ids_of(b, sources[i]), *b.rows[i]);
    if (options.blocks) b.made_blocks = b.Batch::blocks();
  }

  const maker make;
  epoch_orders orders;
  std::vector<requested_rows> sources{};
  made_ahead ahead;
  std::vector<room> made;
};

}  // namespace stg::detail
