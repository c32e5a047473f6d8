// Batches of several kinds of vertices, with the rows of their sets and relations.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "loading.hpp"                      // epoch_orders, made_ahead, write_mask

#include <stg/base/keep_mask.hpp>          // seed_of_step
#include <stg/sampling/graphs_loader.hpp>  // graphs_loader

#include <algorithm>  // min

namespace stg {

struct graphs_loader::state {
  state(graphs_sampler by, std::string_view of_set, std::vector<std::int32_t> seeds, const loader_options& with)
      : from(std::move(by)),
        set(of_set),
        options(with),
        batches(detail::batches_of(static_cast<std::int64_t>(seeds.size()), with)),
        orders(std::move(seeds), with.seed, with.shuffle, detail::epochs_in_use(with, batches)),
        ahead(with.threads, with.ahead, [this](std::size_t slot, std::int64_t number) { fill(made[slot], number); }),
        made(ahead.slots()) {}
  ~state() { ahead.stop(); }

  struct room {
    loaded_graphs batch{};
    std::vector<std::int32_t> items{};
  };
  /// Rows, and the set or relation that they are of.
  struct source {
    std::string of{};
    bool is_relation = false;
    std::unique_ptr<detail::row_source> rows{};
  };
  void fill(room& to, std::int64_t number);

  const graphs_sampler from;
  const std::string set;
  const loader_options options;
  const std::int64_t batches;
  detail::epoch_orders orders;
  std::vector<source> sources{};
  detail::made_ahead ahead;  // batches have numbers over all epochs
  std::vector<room> made;
};

void graphs_loader::state::fill(room& to, std::int64_t number) {
  loaded_graphs& b = to.batch;
  b.epoch = number / batches;
  b.index = number % batches;
  b.made_blocks.reset();  // whose graph's memory is the next one's
  orders.copy(b.epoch, b.index * options.batch_size, std::min(orders.size(), (b.index + 1) * options.batch_size),
              to.items);
  from.sample_into(b, set, to.items, seed_of_step(options.seed, number));
  detail::write_mask(b, static_cast<std::int64_t>(b.of_set(set).vertices.size()));
  if (b.rows.size() != sources.size()) {
    b.rows.clear();
    for (const source& s : sources) b.rows.push_back(s.rows->make_room());
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const source& s = sources[i];
    if (s.is_relation) s.rows->fill({{}, b.of_relation(s.of).edges}, *b.rows[i]);
    else s.rows->fill({b.of_set(s.of).vertices, {}}, *b.rows[i]);
  }
  if (options.blocks) b.made_blocks = b.graphs_batch::blocks();
}

graphs_loader::graphs_loader(graphs_sampler from, std::string_view set, std::vector<std::int32_t> seeds,
                             const loader_options& options) {
  detail::check_options(options);
  from.of().vertices(set);  // for its error
  state_ = std::make_unique<state>(std::move(from), set, std::move(seeds), options);
}
graphs_loader::graphs_loader(graphs_loader&&) noexcept = default;
graphs_loader::~graphs_loader() = default;

std::int64_t graphs_loader::batches() const { return state_->batches; }
const graphs& graphs_loader::of() const { return state_->from.of(); }

void graphs_loader::check_rows(std::string_view set, const dimensions& shape) const {
  const std::int64_t vertices = of().vertices(set);
  if (shape.rank() == 0 || shape[0] != vertices)
    throw error("graphs_loader: rows of shape " + to_string(shape) + " for vertex set " + detail::quote(set) + " of " +
                std::to_string(vertices) + " vertices; give one row for each");
}

std::size_t graphs_loader::add(std::string_view of, bool is_relation, std::unique_ptr<detail::row_source> source) {
  if (!state_->ahead.is_open()) throw error("graphs_loader: rows are asked for after the first epoch; ask before it");
  state_->sources.push_back({std::string(of), is_relation, std::move(source)});
  return state_->sources.size() - 1;
}

const loaded_graphs* graphs_loader::take(std::int64_t number) {
  return &state_->made[state_->ahead.take(number)].batch;
}

graphs_loader::batches_of_epoch graphs_loader::epoch(std::int64_t epoch) {
  if (epoch < 0) throw error("graphs_loader: epoch " + std::to_string(epoch) + "; they are counted from 0");
  return {*this, epoch * state_->batches, state_->batches};
}

}  // namespace stg
