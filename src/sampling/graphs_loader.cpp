// Batches of several kinds of vertices, with the rows of their sets and relations.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "loading.hpp"                      // loading

#include <stg/runtime/out_of_memory.hpp>   // no_memory
#include <stg/sampling/graphs_loader.hpp>  // graphs_loader

namespace stg {

struct graphs_loader::state : detail::loading<state, graphs_batch> {
  state(const graphs& of, std::vector<std::int32_t> items, std::int64_t batches_of_epoch, maker how,
        const loader_options& with)
      : loading(std::move(items), batches_of_epoch, with), large(of), make(std::move(how)) {}
  ~state() { ahead.stop(); }

  void draw(graphs_batch& b, std::span<const std::int32_t> items, std::uint64_t number) const {
    make(b, items, number);
  }
  std::int64_t vertices_of_seeds(const graphs_batch& b) const {
    return static_cast<std::int64_t>(b.of_set(b.seed_set).vertices.size());
  }
  detail::row_ids ids(const graphs_batch& b, std::size_t source) const {
    const auto& [of, is_relation] = places[source];
    if (is_relation) return {{}, b.of_relation(of).edges};
    return {b.of_set(of).vertices, {}};
  }

  const graphs large;
  const maker make;
  /// The set or relation that a source's rows are of.
  struct place {
    std::string of{};
    bool is_relation = false;
  };
  std::vector<place> places{};
};

graphs_loader::graphs_loader(const graphs& of, std::string_view set, std::vector<std::int32_t> seeds, maker make,
                             const loader_options& options) try {
  detail::check_options(options);
  of.vertices(set);  // for its error
  const std::int64_t batches = detail::batches_of(static_cast<std::int64_t>(seeds.size()), options);
  state_ = std::make_unique<state>(of, std::move(seeds), batches, std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs_loader::graphs_loader(const graphs& of, std::int64_t items, maker make, const loader_options& options) try {
  detail::check_options(options);
  if (!make) throw error("graphs_loader: no function that makes batches; give one");
  if (!of.place().is_host())
    throw error("graphs_loader: the graphs lie on " + to_string(of.place()) + "; load from graphs.to(stg::host)");
  state_ = std::make_unique<state>(of, detail::numbered_items(items), detail::batches_of(items, options),
                                   std::move(make), options);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
graphs_loader::graphs_loader(graphs_loader&&) noexcept = default;
graphs_loader::~graphs_loader() = default;

std::int64_t graphs_loader::batches() const { return state_->batches; }
const graphs& graphs_loader::of() const& { return state_->large; }

void graphs_loader::check_open() const { state_->check_open(); }

void graphs_loader::check_rows(std::string_view set, const dimensions& shape) const {
  const std::int64_t vertices = of().vertices(set);
  if (shape.rank() == 0 || shape[0] != vertices)
    throw error("graphs_loader: rows of shape " + to_string(shape) + " for vertex set " + detail::quote(set) + " of " +
                std::to_string(vertices) + " vertices; give one row for each");
}

detail::row_place graphs_loader::add(std::string_view of, bool is_relation,
                                     std::unique_ptr<detail::row_source> source) try {
  state_->check_open();
  state_->places.push_back({std::string(of), is_relation});
  try {
    return state_->add(std::move(source));
  } catch (...) {
    state_->places.pop_back();
    throw;
  }
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
const loaded_graphs* graphs_loader::take(std::int64_t number) try {
  return state_->take(number);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
graphs_loader::batches_of_epoch graphs_loader::epoch(std::int64_t epoch) & {
  return {*this, state_->first_of(epoch), state_->batches};
}

}  // namespace stg
