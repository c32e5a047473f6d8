// Shares of batches, made ahead, and the rows of other ranks that they come with.
#include <stg/distributed/distributed_graphs_loader.hpp>  // distributed_graphs_loader
#include <stg/distributed/distributed_loader.hpp>         // distributed_loader

#include <stg/base/error.hpp>             // error
#include <stg/base/keep_mask.hpp>         // seed_of_step
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // min, nth_element
#include <string>     // to_string
#include <utility>    // move

#include "../runtime/graph/graph_state.hpp"  // mixed
#include "../runtime/graph/kind_table.hpp"   // quote
#include "cut_state.hpp"                     // cut_access
#include "distributed_loading.hpp"           // distributed_loading

namespace stg {

namespace detail {

namespace {

loader_options plain_options(const distributed_loader_options& how, int ranks) {
  const loader_options plain{.batch_size = how.batch_size,
                             .shuffle = how.shuffle,
                             .drop_last = how.drop_last,
                             .seed = how.seed,
                             .ahead = how.ahead,
                             .threads = how.threads,
                             .blocks = how.blocks};
  check_options(plain);
  constexpr int most = 1 << 16;
  if (how.micro_batches < 1 || how.micro_batches > most)
    throw error("distributed_loader: batches of " + std::to_string(how.micro_batches) + " micro batches; give 1 to " +
                std::to_string(most));
  if (how.micro_batches < ranks)
    throw error("distributed_loader: batches of " + std::to_string(how.micro_batches) + " micro batches on " +
                std::to_string(ranks) + " ranks; give {.micro_batches = " + std::to_string(ranks) + "} or more");
  if (how.cache_bytes < 0)
    throw error("distributed_loader: a cache of " + std::to_string(how.cache_bytes) + " bytes; give 0 or more");
  return plain;
}

std::uint64_t hash_of(const std::vector<std::int32_t>& numbers) {
  std::uint64_t hash = numbers.size();
  for (const std::int32_t n : numbers) hash = mixed(hash + static_cast<std::uint64_t>(n));
  return hash;
}
std::uint64_t number_of_edges(const graph& g) { return static_cast<std::uint64_t>(g.edges()); }
std::uint64_t number_of_edges(const graphs& g) {
  std::uint64_t all = 0;
  for (const relation_names& r : g.relations())
    all = mixed(all + static_cast<std::uint64_t>(g.relation(r.name).edges()));
  return all;
}

/// The vertices of other ranks with most out-edges, at most `count`, ties by id.
std::vector<std::int32_t> most_reached_of_others(const vertex_owners& owners, const std::vector<std::int64_t>& degrees,
                                                 std::int64_t count) {
  std::vector<std::int32_t> all;
  for (std::int32_t v = 0; v < owners.all_vertices() && count > 0; ++v)
    if (owners.rank_of(v) != owners.ranks().rank() && degrees[at(v)] > 0) all.push_back(v);
  if (count >= static_cast<std::int64_t>(all.size())) return all;
  std::nth_element(all.begin(), all.begin() + count, all.end(), [&](std::int32_t a, std::int32_t b) {
    return degrees[at(a)] != degrees[at(b)] ? degrees[at(a)] > degrees[at(b)] : a < b;
  });
  all.resize(at(count));
  return all;
}

}  // namespace

template <class Batch>
distributed_loading<Batch>::distributed_loading(std::vector<owners_of_set> owners, const large_graph& of,
                                                std::vector<std::int32_t> items, maker how,
                                                const distributed_loader_options& with)
    : options(with),
      batches(
          batches_of(static_cast<std::int64_t>(items.size()), plain_options(with, owners[0].owners.ranks().size()))),
      large(of),
      id_(number_of_next_loader()),
      hash_of_items_(hash_of(items)),
      make_(std::move(how)),
      orders_(std::move(items), with.seed, with.shuffle,
              epochs_in_use(plain_options(with, owners[0].owners.ranks().size()), batches)),
      ahead_(with.threads, with.ahead, [this](std::size_t slot, std::int64_t number) { fill(made_[slot], number); }),
      made_(ahead_.slots()) {
  for (owners_of_set& o : owners) exchanges_.push_back({std::move(o.set), row_exchange(o.owners)});
  for (share_room<Batch>& room : made_) room.make_room(last_micro() - first_micro(), exchanges_.size());
}

/// Lets the rows come that were asked for, so that no message is left for others to wait with.
template <class Batch> distributed_loading<Batch>::~distributed_loading() {
  try {
    if (!is_broken_ && std::uncaught_exceptions() == exceptions_) drain();
    else
      for (share_room<Batch>& room : made_)
        for (auto& rows : room.of_set) ranks().hold(rows.asked.in);
  } catch (const std::exception& e) {
    ranks().fail(e.what());
  }
  ahead_.stop();
}

template <class Batch> std::int64_t distributed_loading<Batch>::first_micro() const {
  return std::int64_t{options.micro_batches} * ranks().rank() / ranks().size();
}
template <class Batch> std::int64_t distributed_loading<Batch>::last_micro() const {
  return std::int64_t{options.micro_batches} * (ranks().rank() + 1) / ranks().size();
}

template <class Batch> std::int64_t distributed_loading<Batch>::first_of(std::int64_t epoch) const {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  if (epoch < 0 || epoch >= most)
    throw error("distributed_loader: epoch " + std::to_string(epoch) + "; give 0 to " + std::to_string(most - 1));
  return epoch * batches;
}

template <class Batch> std::size_t distributed_loading<Batch>::number_of(std::string_view set) const {
  for (std::size_t s = 0; s < exchanges_.size(); ++s)
    if (exchanges_[s].set == set) return s;
  throw error("distributed_loader: the graphs have no vertex set " + quote(set));
}
template <class Batch> row_exchange& distributed_loading<Batch>::exchange_of(std::string_view set) {
  return exchanges_[number_of(set)].rows;
}

template <class Batch> void distributed_loading<Batch>::check_open() const {
  if (!ahead_.is_open()) throw error("distributed_loader: rows are asked for after the first epoch; ask before it");
}
template <class Batch> row_place distributed_loading<Batch>::add(requested_rows plain) {
  check_open();
  sources_.push_back({std::move(plain), nullptr, 0});
  return {id_, sources_.size() - 1};
}
template <class Batch>
row_place distributed_loading<Batch>::add(std::unique_ptr<owned_source> owned, std::string_view set) {
  check_open();
  const std::size_t of = number_of(set);
  exchanges_[of].rows.add(*owned);
  sources_.push_back({{}, std::move(owned), of});
  return {id_, sources_.size() - 1};
}

template <class Batch> bool distributed_loading<Batch>::is_needed() const {
  for (const exchange_of_set& e : exchanges_)
    if (e.rows.is_needed()) return true;
  return false;
}

/// Errors, on all ranks, where they were told different things.
template <class Batch> void distributed_loading<Batch>::agree() {
  const auto number = [](auto n) { return static_cast<std::uint64_t>(n); };
  std::uint64_t cuts = 0, bytes = 0;
  for (const exchange_of_set& e : exchanges_) {
    cuts = mixed(cuts + e.rows.owners().number_of_cut());
    bytes = mixed(bytes + 2 * number(e.rows.bytes_of_vertex()) + number(e.rows.is_needed()));
  }
  const std::vector<std::uint64_t> said = {cuts,
                                           number_of_edges(large),
                                           hash_of_items_,
                                           options.seed,
                                           number(options.batch_size),
                                           number(options.micro_batches),
                                           number(options.shuffle) * 2 + number(options.drop_last),
                                           number(options.threads > 0 ? options.ahead : 0),
                                           bytes};
  constexpr const char* what[] = {"cuts",
                                  "edges",
                                  "seeds",
                                  "{.seed = …}",
                                  "{.batch_size = …}",
                                  "{.micro_batches = …}",
                                  "{.shuffle = …, .drop_last = …}",
                                  "{.ahead = …, .threads = …}",
                                  "own_rows"};
  const int differs = first_difference(ranks(), said);
  if (differs >= 0)
    throw error(std::string("distributed_loader: ranks load batches with different ") + what[differs] +
                "; give all ranks the same");
  fill_caches();
  has_agreed_ = true;
}

/// Sets with rows of other ranks have equal shares of the bytes.
template <class Batch> void distributed_loading<Batch>::fill_caches() {
  std::int64_t sets = 0;
  for (const exchange_of_set& e : exchanges_) sets += e.rows.is_needed();
  exchanging([&](std::size_t s, row_exchange& rows) {
    const std::int64_t row = std::max<std::int64_t>(1, rows.bytes_of_vertex());
    rows.fill_cache(most_reached_of_others(rows.owners(), out_degrees_of(large, exchanges_[s].set),
                                           options.cache_bytes / sets / row));
  });
}

template <class Batch> void distributed_loading<Batch>::fill(share_room<Batch>& to, std::int64_t number) {
  to.epoch = number / batches;
  to.index = number % batches;
  const std::int64_t first = to.index * options.batch_size;
  orders_.copy(to.epoch, first, std::min(orders_.size(), first + options.batch_size), to.items);
  to.seeds = static_cast<std::int64_t>(to.items.size());
  std::int64_t count = 0;
  for (auto& rows : to.of_set) rows.asked.vertices.clear();
  for (std::int64_t m = first_micro(); m < last_micro(); ++m) {
    const std::int64_t begin = to.seeds * m / options.micro_batches, end = to.seeds * (m + 1) / options.micro_batches;
    if (begin == end) continue;
    micro_batch_of<Batch>& b = to.nth(count);
    b.epoch = to.epoch;
    b.index = to.index;
    b.micro = static_cast<int>(m);
    b.number = seed_of_step(options.seed, number);
    b.made_blocks.reset();  // whose graph's memory is the next one's
    make_(b, {to.items, begin, end}, b.number);
    fill(to, b, count++);
  }
  to.set_count(count);
  for (std::size_t s = 0; s < exchanges_.size(); ++s)
    if (exchanges_[s].rows.is_needed()) exchanges_[s].rows.sort(to.of_set[s].asked, at(count));
}

/// Rows of a micro batch, those that this rank has.
template <class Batch>
void distributed_loading<Batch>::fill(share_room<Batch>& to, micro_batch_of<Batch>& b, std::int64_t i) {
  write_mask(b, vertices_of_seeds(b));
  b.loader = id_;
  if (b.rows.size() != sources_.size()) {
    b.rows.clear();
    for (const requested& r : sources_) b.rows.push_back(r.owned ? r.owned->make_room() : r.plain.source->make_room());
  }
  for (auto& rows : to.of_set) {
    if (rows.owned.size() <= at(i)) rows.owned.resize(at(i) + 1);
    rows.owned[at(i)].clear();
  }
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const requested& r = sources_[k];
    if (!r.owned) {
      r.plain.source->fill(ids_of(b, r.plain), *b.rows[k]);
      continue;
    }
    const std::size_t vertices = vertices_of(b, exchanges_[r.set].set).size();
    to.of_set[r.set].owned[at(i)].push_back(r.owned->make(*b.rows[k], static_cast<std::int64_t>(vertices)));
  }
  for (std::size_t s = 0; s < exchanges_.size(); ++s)
    if (const auto& owned = to.of_set[s].owned[at(i)]; !owned.empty())
      exchanges_[s].rows.write_local(vertices_of(b, exchanges_[s].set), owned, to.of_set[s].asked, at(i));
  if (options.blocks) b.made_blocks = b.Batch::blocks();
}

template <class Batch> const batch_share_of<Batch>* distributed_loading<Batch>::take(std::int64_t number) {
  if (is_broken_) throw error("distributed_loader: rows of an earlier batch did not come; make another loader");
  if (!has_agreed_) agree();
  if (number != next_) {
    drain();
    asked_ = answered_ = complete_ = number;
  }
  const share_room<Batch>* share = &made_[ahead_.take(number)];
  if (is_needed()) bring(number);
  next_ = number + 1;
  return share;
}

template <class Batch> void distributed_loading<Batch>::bring(std::int64_t number) {
  const std::int64_t end = (number / batches + 1) * batches;  // of the epoch
  const std::int64_t early = options.threads > 0 ? std::min(options.ahead, 2) : 0;
  for (; asked_ < std::min(end, number + early + 1); ++asked_) {
    auto& rows = room_of(asked_).of_set;
    exchanging([&](std::size_t s, row_exchange& exchange) { exchange.ask(rows[s].asked); });
  }
  for (; answered_ < std::min(asked_, number + std::max<std::int64_t>(early, 1)); ++answered_) answer(answered_);
  for (; complete_ <= number; ++complete_) {
    share_room<Batch>& room = complete(complete_);
    for (std::size_t s = 0; s < exchanges_.size(); ++s) {
      const auto& rows = room.of_set[s];
      if (!exchanges_[s].rows.is_needed()) continue;
      for (std::int64_t i = 0; i < room.size(); ++i)
        exchanges_[s].rows.write_arrived(rows.asked, at(i), rows.owned[at(i)]);
    }
  }
}

template <class Batch> void distributed_loading<Batch>::answer(std::int64_t number) {
  auto& rows = room_of(number).of_set;
  exchanging([&](std::size_t s, row_exchange& exchange) { exchange.answer(rows[s].asked); });
}
template <class Batch> share_room<Batch>& distributed_loading<Batch>::complete(std::int64_t number) {
  share_room<Batch>& room = room_of(number);
  exchanging([&](std::size_t s, row_exchange& exchange) { exchange.complete(room.of_set[s].asked); });
  return room;
}

/// Brings to an end what was begun for batches that nobody takes.
template <class Batch> void distributed_loading<Batch>::drain() {
  for (; answered_ < asked_; ++answered_) answer(answered_);
  for (; complete_ < asked_; ++complete_) complete(complete_);
}

// ---- the loader ----

template <class Batch>
distributed_loader_of<Batch>::distributed_loader_of(std::vector<owners_of_set> owners, const large& of,
                                                    std::vector<std::int32_t> items, maker make,
                                                    const distributed_loader_options& options) try
    : state_(std::make_unique<distributed_loading<Batch>>(std::move(owners), of, std::move(items), std::move(make),
                                                          options)) {
} catch (const std::bad_alloc&) {
  no_memory();
}
template <class Batch> distributed_loader_of<Batch>::distributed_loader_of(distributed_loader_of&&) noexcept = default;
template <class Batch> distributed_loader_of<Batch>::~distributed_loader_of() = default;

template <class Batch> std::int64_t distributed_loader_of<Batch>::batches() const { return state_->batches; }
template <class Batch> int distributed_loader_of<Batch>::micro_batches() const { return state_->options.micro_batches; }
template <class Batch> communicator& distributed_loader_of<Batch>::ranks() const { return state_->ranks(); }
template <class Batch> auto distributed_loader_of<Batch>::of() const& -> const large& { return state_->large; }
template <class Batch> const vertex_owners& distributed_loader_of<Batch>::owners_of(std::string_view set) const {
  return state_->exchange_of(set).owners();
}

template <class Batch> auto distributed_loader_of<Batch>::epoch(std::int64_t epoch) & -> batches_of_epoch {
  return {*this, state_->first_of(epoch), state_->batches};
}

template <class Batch> const batch_share_of<Batch>* distributed_loader_of<Batch>::take(std::int64_t number) try {
  return state_->take(number);
} catch (const std::bad_alloc&) {
  no_memory();
}

template <class Batch>
void distributed_loader_of<Batch>::check_rows(std::string_view set, const dimensions& shape, location lies,
                                              bool are_own) const {
  const vertex_owners& owners = owners_of(set);
  const std::int64_t rows = are_own ? static_cast<std::int64_t>(owners.own_vertices().size()) : owners.all_vertices();
  if (lies.is_host() && shape.rank() > 0 && shape[0] == rows) return;
  throw error("distributed_loader: rows of shape " + to_string(shape) + (lies.is_host() ? "" : " on a device") +
              " for " + std::to_string(rows) + (are_own ? " own" : "") + " vertices" +
              (set.empty() ? "" : " of set " + quote(set)) + "; give one on the host for each");
}

template <class Batch>
row_place distributed_loader_of<Batch>::add(std::unique_ptr<row_source> source, std::string_view of,
                                            bool is_relation) try {
  return state_->add({std::move(source), std::string(of), is_relation});
} catch (const std::bad_alloc&) {
  no_memory();
}
template <class Batch>
row_place distributed_loader_of<Batch>::add(std::unique_ptr<owned_source> source, std::string_view set) try {
  return state_->add(std::move(source), set);
} catch (const std::bad_alloc&) {
  no_memory();
}

template class distributed_loader_of<batch>;
template class distributed_loader_of<graphs_batch>;

}  // namespace detail

namespace {

using detail::owners_of_set;

/// Error for another graph than the one that is cut.
std::vector<owners_of_set> owners_beside(const vertex_owners& owners, const graph& sampled) {
  if (sampled.vertices() != owners.all_vertices())
    throw error("distributed_loader: a sampler of " + std::to_string(sampled.vertices()) +
                " vertices beside a cut of " + std::to_string(owners.all_vertices()) +
                "; sample the graph that is cut");
  return {{"", owners}};
}
std::vector<owners_of_set> owners_beside(const cut& of, communicator& ranks, const graphs& sampled) {
  if (!of.whole().has_kinds())
    throw error("distributed_graphs_loader: the cut is of a plain graph; write distributed_loader");
  std::vector<owners_of_set> all;
  const graphs whole = detail::graphs_access::of(of.whole());
  for (const std::string& set : whole.vertex_sets()) {
    if (sampled.vertices(set) != whole.vertices(set))
      throw error("distributed_graphs_loader: a sampler of " + std::to_string(sampled.vertices(set)) +
                  " vertices of set " + detail::quote(set) + " beside a cut of " + std::to_string(whole.vertices(set)) +
                  "; sample the graphs that are cut");
    all.push_back({set, vertex_owners(of, set, ranks)});
  }
  return all;
}

template <class Batch, class Sampler>
typename detail::distributed_loader_of<Batch>::maker made_of_links(std::shared_ptr<const Sampler> by) {
  return [by = std::move(by)](Batch& to, const items_of_batch& edges, std::uint64_t number) {
    by->sample_share_into(to, edges.all, edges.first, edges.last, number);
  };
}
distributed_loader::maker made_by(std::shared_ptr<const sampler> by) {
  return [by = std::move(by)](batch& to, const items_of_batch& seeds, std::uint64_t number) {
    by->sample_into(to, seeds.mine(), number);
  };
}
const std::shared_ptr<const sampler>& checked(const std::shared_ptr<const sampler>& from) {
  if (!from) throw error("distributed_loader: no sampler; give one");
  return from;
}
template <class Maker> Maker checked(Maker make) {
  if (!make) throw error("distributed_loader: no function that makes micro batches; give one");
  return make;
}

}  // namespace

distributed_loader::distributed_loader(const vertex_owners& owners, std::shared_ptr<const sampler> from,
                                       std::vector<std::int32_t> seeds, const distributed_loader_options& options)
    : distributed_loader_of(owners_beside(owners, checked(from)->of()), from->of(), std::move(seeds), made_by(from),
                            options) {}
distributed_loader::distributed_loader(const vertex_owners& owners, link_sampler from, std::vector<std::int32_t> edges,
                                       const distributed_loader_options& options)
    : distributed_loader(owners, detail::shared_sampler(std::move(from)), std::move(edges), options) {}
distributed_loader::distributed_loader(const vertex_owners& owners, const std::shared_ptr<const link_sampler>& from,
                                       std::vector<std::int32_t> edges, const distributed_loader_options& options)
    : distributed_loader_of(owners_beside(owners, from->of()), from->of(), std::move(edges), made_of_links<batch>(from),
                            options) {}
distributed_loader::distributed_loader(const vertex_owners& owners, const graph& of, std::int64_t items, maker make,
                                       const distributed_loader_options& options)
    : distributed_loader_of(owners_beside(owners, of), of.to(host), detail::numbered_items(items),
                            checked(std::move(make)), options) {}

distributed_graphs_loader::distributed_graphs_loader(const cut& cut_graphs, communicator& ranks, const graphs& of,
                                                     std::string_view set, std::vector<std::int32_t> seeds, maker make,
                                                     const distributed_loader_options& options)
    : distributed_loader_of(owners_beside(cut_graphs, ranks, of), of, std::move(seeds), std::move(make), options) {
  of.vertices(set);  // for its error
}
distributed_graphs_loader::distributed_graphs_loader(const cut& cut_graphs, communicator& ranks,
                                                     graphs_link_sampler from, std::vector<std::int32_t> edges,
                                                     const distributed_loader_options& options)
    : distributed_graphs_loader(cut_graphs, ranks, detail::shared_sampler(std::move(from)), std::move(edges), options) {
}
distributed_graphs_loader::distributed_graphs_loader(const cut& cut_graphs, communicator& ranks,
                                                     const std::shared_ptr<const graphs_link_sampler>& from,
                                                     std::vector<std::int32_t> edges,
                                                     const distributed_loader_options& options)
    : distributed_loader_of(owners_beside(cut_graphs, ranks, from->of()), from->of(), std::move(edges),
                            made_of_links<graphs_batch>(from), options) {}
distributed_graphs_loader::distributed_graphs_loader(const cut& cut_graphs, communicator& ranks, const graphs& of,
                                                     std::int64_t items, maker make,
                                                     const distributed_loader_options& options)
    : distributed_loader_of(owners_beside(cut_graphs, ranks, of), of.to(host), detail::numbered_items(items),
                            checked(std::move(make)), options) {}

}  // namespace stg
