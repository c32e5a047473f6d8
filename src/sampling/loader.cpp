// Batches of loaders, with the rows of their graph, or of their sets and relations.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "batch_writer.hpp"                 // at
#include "loading.hpp"                      // loading

#include <stg/base/error.hpp>              // error
#include <stg/runtime/out_of_memory.hpp>   // no_memory
#include <stg/sampling/graphs_loader.hpp>  // graphs_loader
#include <stg/sampling/loader.hpp>         // loader

#include <algorithm>    // copy, nth_element, sort
#include <array>        // array
#include <atomic>       // atomic
#include <numeric>      // iota
#include <string>       // to_string
#include <type_traits>  // is_same_v

namespace stg {

using detail::at;

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
  start(from->of(), std::move(seeds), detail::batches_of(count, options), std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

loader::loader(no_seeds, std::shared_ptr<const sampler> from, std::int64_t batches, const loader_options& options) try {
  detail::check_options(options);
  if (batches < 0) throw error("loader: " + std::to_string(batches) + " batches of an epoch; give 0 or more");
  maker make = made_by(from);
  start(from->of(), {}, batches, std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

loader::loader(const graph& of, std::int64_t items, maker make, const loader_options& options) try {
  detail::check_options(options);
  if (!make) throw error("loader: no function that makes batches; give one");
  start(of.to(host), detail::numbered_items(items), detail::batches_of(items, options), std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs_loader::graphs_loader(const graphs& of, std::string_view set, std::vector<std::int32_t> seeds, maker make,
                             const loader_options& options) try {
  detail::check_options(options);
  of.vertices(set);  // for its error
  const std::int64_t batches = detail::batches_of(static_cast<std::int64_t>(seeds.size()), options);
  start(of, std::move(seeds), batches, std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs_loader::graphs_loader(const graphs& of, std::int64_t items, maker make, const loader_options& options) try {
  detail::check_options(options);
  if (!make) throw error("graphs_loader: no function that makes batches; give one");
  if (!of.place().is_host())
    throw error("graphs_loader: the graphs lie on " + to_string(of.place()) + "; load from graphs.to(stg::host)");
  start(of, detail::numbered_items(items), detail::batches_of(items, options), std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

namespace detail {

namespace {

template <class Batch> constexpr bool is_plain = std::is_same_v<Batch, batch>;

}  // namespace

template <class Batch> loader_of<Batch>::loader_of() = default;
template <class Batch> loader_of<Batch>::loader_of(loader_of&&) noexcept = default;
template <class Batch> loader_of<Batch>::~loader_of() = default;

template <class Batch>
void loader_of<Batch>::start(const large& of, std::vector<std::int32_t> items, std::int64_t batches, maker make,
                             const loader_options& options) {
  state_ = std::make_unique<loading<Batch>>(of, std::move(items), batches, std::move(make), options);
}

template <class Batch> std::int64_t loader_of<Batch>::batches() const { return state_->batches; }
template <class Batch> auto loader_of<Batch>::of() const& -> const large& { return state_->large; }
template <class Batch> std::int64_t loader_of<Batch>::vertices(std::string_view set) const {
  if constexpr (is_plain<Batch>) return of().vertices();
  else return of().vertices(set);
}
template <class Batch>
std::vector<std::int32_t> loader_of<Batch>::most_reached(std::string_view set, std::int64_t count) const {
  if constexpr (is_plain<Batch>) return detail::most_reached(of(), count);
  else return detail::most_reached(of(), set, count);
}

template <class Batch> void loader_of<Batch>::check_open() const { state_->check_open(); }

template <class Batch> void loader_of<Batch>::check_rows(std::string_view set, const dimensions& shape) const {
  check_open();
  if (shape.rank() > 0 && shape[0] == vertices(set)) return;
  const std::string by = is_plain<Batch> ? "loader" : "graphs_loader";
  const std::string whose = is_plain<Batch> ? "a graph" : "vertex set " + quote(set);
  throw error(by + ": rows of shape " + to_string(shape) + " for " + whose + " of " + std::to_string(vertices(set)) +
              " vertices; give one row for each");
}

template <class Batch>
row_place loader_of<Batch>::add(std::unique_ptr<row_source> source, std::string_view of, bool is_relation) try {
  return state_->add({std::move(source), std::string(of), is_relation});
} catch (const std::bad_alloc&) {
  no_memory();
}
template <class Batch> const loaded<Batch>* loader_of<Batch>::take(std::int64_t number) try {
  return state_->take(number);
} catch (const std::bad_alloc&) {
  no_memory();
}
template <class Batch> auto loader_of<Batch>::epoch(std::int64_t epoch) & -> batches_of_epoch {
  return {*this, state_->first_of(epoch), state_->batches};
}

template class loader_of<batch>;
template class loader_of<graphs_batch>;

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
std::vector<std::int64_t> out_degrees_of(const graph& g, std::string_view) {
  const auto degrees = g.out_degrees();
  return {degrees.begin(), degrees.end()};
}
std::vector<std::int64_t> out_degrees_of(const graphs& g, std::string_view set) {
  std::vector<std::int64_t> degrees(at(g.vertices(set)), 0);
  for (const relation_names& r : g.relations()) {
    if (r.source != set) continue;
    const auto of_relation = g.relation(r.name).out_degrees();
    for (std::size_t v = 0; v < degrees.size(); ++v) degrees[v] += of_relation[v];
  }
  return degrees;
}

std::vector<std::int32_t> most_reached(const graph& g, std::int64_t count) try {
  return most_reached(out_degrees_of(g, {}), count);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
std::vector<std::int32_t> most_reached(const graphs& g, std::string_view set, std::int64_t count) try {
  return most_reached(out_degrees_of(g, set), count);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace detail

}  // namespace stg
