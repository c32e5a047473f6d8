// What loaders of all kinds of batches do alike.
#pragma once

#include "epoch_orders.hpp"  // epoch_orders
#include "made_ahead.hpp"    // made_ahead

#include <stg/base/error.hpp>               // error
#include <stg/sampling/loader_options.hpp>  // loader_options

#include <algorithm>  // max
#include <cstdint>    // int64_t
#include <string>     // to_string

namespace stg::detail {

inline void check_options(const loader_options& o) {
  if (o.batch_size < 1) throw error("loader: batches of " + std::to_string(o.batch_size) + " seeds; give 1 or more");
  if (o.threads < 0) throw error("loader: " + std::to_string(o.threads) + " threads; give 0 or more");
  if (o.threads > 0 && o.ahead < 1)
    throw error("loader: " + std::to_string(o.ahead) + " batches ahead on " + std::to_string(o.threads) +
                (o.threads == 1 ? " thread" : " threads") + "; give 1 or more, or no threads");
}

inline std::int64_t batches_of(std::int64_t items, const loader_options& o) {
  return o.drop_last ? items / o.batch_size : items / o.batch_size + (items % o.batch_size != 0);
}

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

}  // namespace stg::detail
