// Batches of one kind of vertices, with their rows.
#include "batch_writer.hpp"  // at
#include "loading.hpp"       // epoch_orders, made_ahead, write_mask

#include <stg/base/error.hpp>       // error
#include <stg/base/keep_mask.hpp>   // seed_of_step
#include <stg/sampling/loader.hpp>  // loader

#include <algorithm>  // copy, min, nth_element, sort
#include <array>      // array
#include <numeric>    // iota
#include <string>     // to_string

namespace stg {

using detail::at;

struct loader::state {
  state(const graph& g, std::vector<std::int32_t> items, std::int64_t batches_of_epoch, maker how,
        const loader_options& with)
      : large(g.to(host)),
        make(std::move(how)),
        options(with),
        batches(batches_of_epoch),
        orders(std::move(items), with.seed, with.shuffle, detail::epochs_in_use(with, batches_of_epoch)),
        ahead(with.threads, with.ahead, [this](std::size_t slot, std::int64_t number) { fill(made[slot], number); }),
        made(ahead.slots()) {}
  ~state() { ahead.stop(); }

  struct room {
    loaded_batch batch{};
    std::vector<std::int32_t> items{};
  };
  void fill(room& to, std::int64_t number);

  const graph large;
  const maker make;
  const loader_options options;
  const std::int64_t batches;
  detail::epoch_orders orders;
  std::vector<std::unique_ptr<detail::row_source>> sources{};
  detail::made_ahead ahead;  // batches have numbers over all epochs
  std::vector<room> made;
};

void loader::state::fill(room& to, std::int64_t number) {
  loaded_batch& b = to.batch;
  b.epoch = number / batches;
  b.index = number % batches;
  b.made_blocks.reset();  // whose graph's memory is the next one's
  if (orders.size() > 0)
    orders.copy(b.epoch, b.index * options.batch_size, std::min(orders.size(), (b.index + 1) * options.batch_size),
                to.items);
  make(b, to.items, seed_of_step(options.seed, number));
  detail::write_mask(b, static_cast<std::int64_t>(b.vertices.size()));
  if (b.rows.size() != sources.size()) {
    b.rows.clear();
    for (const auto& source : sources) b.rows.push_back(source->make_room());
  }
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i]->fill({b.vertices, b.edges}, *b.rows[i]);
  if (options.blocks) b.made_blocks = b.batch::blocks();
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
  detail::check_options(options);
  const auto count = static_cast<std::int64_t>(seeds.size());
  maker make = made_by(from);
  state_ = std::make_unique<state>(from->of(), std::move(seeds), detail::batches_of(count, options), std::move(make),
                                   options);
}

loader::loader(no_seeds, std::shared_ptr<const sampler> from, std::int64_t batches, const loader_options& options) {
  detail::check_options(options);
  if (batches < 0) throw error("loader: " + std::to_string(batches) + " batches of an epoch; give 0 or more");
  maker make = made_by(from);
  state_ = std::make_unique<state>(from->of(), std::vector<std::int32_t>(), batches, std::move(make), options);
}

loader::loader(const graph& of, std::int64_t items, maker make, const loader_options& options) {
  detail::check_options(options);
  if (!make) throw error("loader: no function that makes batches; give one");
  state_ = std::make_unique<state>(of, numbered(items), detail::batches_of(items, options), std::move(make), options);
}

loader::loader(loader&&) noexcept = default;
loader::~loader() = default;

std::int64_t loader::batches() const { return state_->batches; }
const graph& loader::of() const { return state_->large; }

void loader::check_open() const {
  if (!state_->ahead.is_open()) throw error("loader: rows are asked for after the first epoch; ask before it");
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

const loaded_batch* loader::take(std::int64_t number) { return &state_->made[state_->ahead.take(number)].batch; }

loader::batches_of_epoch loader::epoch(std::int64_t epoch) {
  if (epoch < 0) throw error("loader: epoch " + std::to_string(epoch) + "; they are counted from 0");
  return {*this, epoch * state_->batches, state_->batches};
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
