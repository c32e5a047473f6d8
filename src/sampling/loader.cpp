// Batches of one kind of vertices, with their rows.
#include "batch_writer.hpp"  // at
#include "loading.hpp"       // loading

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/loader.hpp>        // loader

#include <algorithm>  // copy, nth_element, sort
#include <array>      // array
#include <atomic>     // atomic
#include <numeric>    // iota
#include <string>     // to_string

namespace stg {

using detail::at;

struct loader::state : detail::loading<state, batch> {
  state(const graph& g, std::vector<std::int32_t> items, std::int64_t batches_of_epoch, maker how,
        const loader_options& with)
      : loading(std::move(items), batches_of_epoch, with), large(g.to(host)), make(std::move(how)) {}
  ~state() { ahead.stop(); }

  void draw(batch& b, std::span<const std::int32_t> items, std::uint64_t number) const { make(b, items, number); }
  std::int64_t vertices_of_seeds(const batch& b) const { return static_cast<std::int64_t>(b.vertices.size()); }
  detail::row_ids ids(const batch& b, std::size_t) const { return {b.vertices, b.edges}; }

  const graph large;
  const maker make;
};

namespace {

loader::maker made_by(std::shared_ptr<const sampler> from) {
  if (!from) throw error("loader: no sampler; give one");
  return [from = std::move(from)](batch& to, std::span<const std::int32_t> seeds, std::uint64_t number) {
    from->sample_into(to, seeds, number);
  };
}

}  // namespace

loader::loader(std::shared_ptr<const sampler> from, std::vector<std::int32_t> seeds,
               const loader_options& options) try {
  detail::check_options(options);
  const auto count = static_cast<std::int64_t>(seeds.size());
  maker make = made_by(from);
  state_ = std::make_unique<state>(from->of(), std::move(seeds), detail::batches_of(count, options), std::move(make),
                                   options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

loader::loader(no_seeds, std::shared_ptr<const sampler> from, std::int64_t batches, const loader_options& options) try {
  detail::check_options(options);
  if (batches < 0) throw error("loader: " + std::to_string(batches) + " batches of an epoch; give 0 or more");
  maker make = made_by(from);
  state_ = std::make_unique<state>(from->of(), std::vector<std::int32_t>(), batches, std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

loader::loader(const graph& of, std::int64_t items, maker make, const loader_options& options) try {
  detail::check_options(options);
  if (!make) throw error("loader: no function that makes batches; give one");
  state_ = std::make_unique<state>(of, detail::numbered_items(items), detail::batches_of(items, options),
                                   std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

loader::loader(loader&&) noexcept = default;
loader::~loader() = default;

std::int64_t loader::batches() const { return state_->batches; }
const graph& loader::of() const& { return state_->large; }

void loader::check_open() const { state_->check_open(); }

void loader::check_rows(const dimensions& shape) const {
  check_open();
  if (shape.rank() == 0 || shape[0] != of().vertices())
    throw error("loader: rows of shape " + to_string(shape) + " for a graph of " + std::to_string(of().vertices()) +
                " vertices; give one row for each");
}

detail::row_place loader::add(std::unique_ptr<detail::row_source> source) try {
  return state_->add(std::move(source));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
const loaded_batch* loader::take(std::int64_t number) try {
  return state_->take(number);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
loader::batches_of_epoch loader::epoch(std::int64_t epoch) & {
  return {*this, state_->first_of(epoch), state_->batches};
}

namespace detail {

std::uint64_t number_of_next_loader() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void rows_of_another_loader() {
  throw error("loader: a batch is asked for rows that another loader was asked for; ask each for its own: loader.rows");
}

void rows_are_assigned(const dimensions& given, const dimensions& found) {
  throw error("loader: a function of rows put a tensor " + to_string(found) + " in place of its " + to_string(given) +
              "; write to.assign(...)");
}

void check_vertices(std::span<const std::int32_t> of_batch, std::int64_t vertices) {
  for (std::size_t i = 0; i < of_batch.size(); ++i)
    if (of_batch[i] < 0 || of_batch[i] >= vertices)
      throw error("loader: vertex " + std::to_string(i) + " of a batch is " + std::to_string(of_batch[i]) +
                  "; it must be in [0, " + std::to_string(vertices) + ")");
}

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

std::vector<std::int32_t> most_reached(std::span<const std::int64_t> out_degrees, std::int64_t count) try {
  if (count < 0) throw error("loader: a cache of " + std::to_string(count) + " rows; give 0 or more");
  std::vector<std::int32_t> all(out_degrees.size());
  std::iota(all.begin(), all.end(), 0);
  const auto before = [&](std::int32_t a, std::int32_t b) {
    return out_degrees[at(a)] != out_degrees[at(b)] ? out_degrees[at(a)] > out_degrees[at(b)] : a < b;
  };
  if (count < static_cast<std::int64_t>(all.size())) {
    std::nth_element(all.begin(), all.begin() + count, all.end(), before);
    all.resize(at(count));
  }
  std::sort(all.begin(), all.end());
  return all;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
std::vector<std::int32_t> most_reached(const graph& g, std::int64_t count) try {
  const auto degrees = g.out_degrees();
  return most_reached(std::vector<std::int64_t>(degrees.begin(), degrees.end()), count);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
std::vector<std::int32_t> most_reached(const graphs& g, std::string_view set, std::int64_t count) try {
  std::vector<std::int64_t> degrees(at(g.vertices(set)), 0);
  for (const relation_names& r : g.relations()) {
    if (r.source != set) continue;
    const auto of_relation = g.relation(r.name).out_degrees();
    for (std::size_t v = 0; v < degrees.size(); ++v) degrees[v] += of_relation[v];
  }
  return most_reached(degrees, count);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace detail

}  // namespace stg
