// Shares of batches, made ahead, and the rows of other ranks that they come with.
#include <stg/distributed/distributed_loader.hpp>

#include <stg/base/error.hpp>             // error
#include <stg/base/keep_mask.hpp>         // seed_of_step
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // min, nth_element, sort
#include <string>     // to_string
#include <utility>    // move

#include "../runtime/graph/graph_state.hpp"  // mixed
#include "../sampling/loading.hpp"           // batches_of, check_options, number_of_next_loader, write_mask
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

std::shared_ptr<const sampler> checked_sampler(std::shared_ptr<const sampler> from, const vertex_owners& owners) {
  if (!from) throw error("distributed_loader: no sampler; give one");
  if (from->of().vertices() != owners.all_vertices())
    throw error("distributed_loader: a sampler of " + std::to_string(from->of().vertices()) +
                " vertices beside a cut of " + std::to_string(owners.all_vertices()) +
                "; sample the graph that is cut");
  return from;
}

std::uint64_t hash_of(const std::vector<std::int32_t>& numbers) {
  std::uint64_t hash = numbers.size();
  for (const std::int32_t n : numbers) hash = mixed(hash + static_cast<std::uint64_t>(n));
  return hash;
}

/// The vertices of other ranks with most out-edges, at most `count`, ties by id.
std::vector<std::int32_t> most_reached_of_others(const vertex_owners& owners, const graph& g, std::int64_t count) {
  const auto degrees = g.out_degrees();
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

distributed_loading::distributed_loading(const vertex_owners& owners, std::shared_ptr<const sampler> from,
                                         std::vector<std::int32_t> seeds, const distributed_loader_options& how)
    : options(how),
      batches(batches_of(static_cast<std::int64_t>(seeds.size()), plain_options(how, owners.ranks().size()))),
      exchange(owners),
      id_(number_of_next_loader()),
      hash_of_seeds_(hash_of(seeds)),
      from_(checked_sampler(std::move(from), owners)),
      orders_(std::move(seeds), how.seed, how.shuffle,
              epochs_in_use(plain_options(how, owners.ranks().size()), batches)),
      ahead_(how.threads, how.ahead, [this](std::size_t slot, std::int64_t number) { fill(made_[slot], number); }),
      made_(ahead_.slots()) {
  for (share_room& room : made_) room.make_room(last_micro() - first_micro());
}

/// Lets the rows come that were asked for, so that no message is left for others to wait with.
distributed_loading::~distributed_loading() {
  try {
    if (!is_broken_ && std::uncaught_exceptions() == exceptions_) drain();
    else
      for (share_room& room : made_) exchange.ranks().hold(room.asked.in);
  } catch (const std::exception& e) {
    exchange.ranks().fail(e.what());
  }
  ahead_.stop();
}

std::int64_t distributed_loading::first_micro() const {
  return std::int64_t{options.micro_batches} * exchange.ranks().rank() / exchange.ranks().size();
}
std::int64_t distributed_loading::last_micro() const {
  return std::int64_t{options.micro_batches} * (exchange.ranks().rank() + 1) / exchange.ranks().size();
}

std::int64_t distributed_loading::first_of(std::int64_t epoch) const {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  if (epoch < 0 || epoch >= most)
    throw error("distributed_loader: epoch " + std::to_string(epoch) + "; give 0 to " + std::to_string(most - 1));
  return epoch * batches;
}

row_place distributed_loading::add(std::unique_ptr<row_source> plain, std::unique_ptr<owned_source> owned) {
  if (!ahead_.is_open()) throw error("distributed_loader: rows are asked for after the first epoch; ask before it");
  if (owned) exchange.add(*owned);
  sources_.push_back({std::move(plain), std::move(owned)});
  return {id_, sources_.size() - 1};
}

/// Errors, on all ranks, where they were told different things.
void distributed_loading::agree() {
  const auto number = [](auto n) { return static_cast<std::uint64_t>(n); };
  const std::vector<std::uint64_t> said = {exchange.owners().number_of_cut(),
                                           number(from_->of().edges()),
                                           hash_of_seeds_,
                                           options.seed,
                                           number(options.batch_size),
                                           number(options.micro_batches),
                                           number(options.shuffle) * 2 + number(options.drop_last),
                                           number(options.threads > 0 ? options.ahead : 0),
                                           number(exchange.bytes_of_vertex()),
                                           number(exchange.is_needed())};
  constexpr const char* what[] = {"cuts",
                                  "edges",
                                  "seeds",
                                  "{.seed = …}",
                                  "{.batch_size = …}",
                                  "{.micro_batches = …}",
                                  "{.shuffle = …, .drop_last = …}",
                                  "{.ahead = …, .threads = …}",
                                  "own_rows",
                                  "own_rows"};
  const int differs = first_difference(exchange.ranks(), said);
  if (differs >= 0)
    throw error(std::string("distributed_loader: ranks load batches with different ") + what[differs] +
                "; give all ranks the same");
  if (exchange.is_needed()) {
    const std::int64_t row = std::max<std::int64_t>(1, exchange.bytes_of_vertex());
    const auto most = most_reached_of_others(exchange.owners(), from_->of(), options.cache_bytes / row);
    exchanging([&] { exchange.fill_cache(most); });
  }
  has_agreed_ = true;
}

void distributed_loading::fill(share_room& to, std::int64_t number) {
  to.epoch = number / batches;
  to.index = number % batches;
  const std::int64_t first = to.index * options.batch_size;
  orders_.copy(to.epoch, first, std::min(orders_.size(), first + options.batch_size), to.items);
  to.seeds = static_cast<std::int64_t>(to.items.size());
  std::int64_t count = 0;
  to.asked.vertices.clear();
  for (std::int64_t m = first_micro(); m < last_micro(); ++m) {
    const std::int64_t begin = to.seeds * m / options.micro_batches, end = to.seeds * (m + 1) / options.micro_batches;
    if (begin == end) continue;
    micro_batch& b = to.nth(count);
    b.epoch = to.epoch;
    b.index = to.index;
    b.micro = static_cast<int>(m);
    b.number = seed_of_step(options.seed, number);
    b.made_blocks.reset();  // whose graph's memory is the next one's
    from_->sample_into(b, std::span<const std::int32_t>(to.items).subspan(at(begin), at(end - begin)), b.number);
    fill(to, b, count++);
  }
  to.set_count(count);
  if (exchange.is_needed()) exchange.sort(to.asked, at(count));
}

/// Rows of a micro batch, those that this rank has.
void distributed_loading::fill(share_room& to, micro_batch& b, std::int64_t i) {
  write_mask(b, vertices_of_seeds(b));
  b.loader = id_;
  if (b.rows.size() != sources_.size()) {
    b.rows.clear();
    for (const requested& r : sources_) b.rows.push_back(r.plain ? r.plain->make_room() : r.owned->make_room());
  }
  if (to.owned.size() <= at(i)) to.owned.resize(at(i) + 1);
  to.owned[at(i)].clear();
  for (std::size_t s = 0; s < sources_.size(); ++s)
    if (sources_[s].plain) sources_[s].plain->fill({b.vertices, b.edges}, *b.rows[s]);
    else to.owned[at(i)].push_back(sources_[s].owned->make(*b.rows[s], vertices_of_seeds(b)));
  if (!to.owned[at(i)].empty()) exchange.write_local(b.vertices, to.owned[at(i)], to.asked, at(i));
  if (options.blocks) b.made_blocks = b.batch::blocks();
}

const batch_share* distributed_loading::take(std::int64_t number) {
  if (is_broken_) throw error("distributed_loader: rows of an earlier batch did not come; make another loader");
  if (!has_agreed_) agree();
  if (number != next_) {
    drain();
    asked_ = answered_ = complete_ = number;
  }
  const share_room* share = &made_[ahead_.take(number)];
  if (exchange.is_needed()) bring(number);
  next_ = number + 1;
  return share;
}

void distributed_loading::bring(std::int64_t number) {
  const std::int64_t end = (number / batches + 1) * batches;  // of the epoch
  const std::int64_t early = options.threads > 0 ? std::min(options.ahead, 2) : 0;
  for (; asked_ < std::min(end, number + early + 1); ++asked_) {
    asked_rows& rows = room_of(asked_).asked;
    exchanging([&] { exchange.ask(rows); });
  }
  for (; answered_ < std::min(asked_, number + std::max<std::int64_t>(early, 1)); ++answered_) answer(answered_);
  for (; complete_ <= number; ++complete_) {
    share_room& room = complete(complete_);
    for (std::int64_t i = 0; i < room.size(); ++i) exchange.write_arrived(room.asked, at(i), room.owned[at(i)]);
  }
}

void distributed_loading::answer(std::int64_t number) {
  asked_rows& rows = room_of(number).asked;
  exchanging([&] { exchange.answer(rows); });
}
share_room& distributed_loading::complete(std::int64_t number) {
  share_room& room = room_of(number);
  exchanging([&] { exchange.complete(room.asked); });
  return room;
}

/// Brings to an end what was begun for batches that nobody takes.
void distributed_loading::drain() {
  for (; answered_ < asked_; ++answered_) answer(answered_);
  for (; complete_ < asked_; ++complete_) complete(complete_);
}

}  // namespace detail

distributed_loader::distributed_loader(const vertex_owners& owners, std::shared_ptr<const sampler> from,
                                       std::vector<std::int32_t> seeds, const distributed_loader_options& options) try
    : state_(std::make_unique<detail::distributed_loading>(owners, std::move(from), std::move(seeds), options)) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
distributed_loader::distributed_loader(distributed_loader&&) noexcept = default;
distributed_loader::~distributed_loader() = default;

std::int64_t distributed_loader::batches() const { return state_->batches; }
int distributed_loader::micro_batches() const { return state_->options.micro_batches; }
communicator& distributed_loader::ranks() const { return state_->exchange.ranks(); }

auto distributed_loader::epoch(std::int64_t epoch) & -> batches_of_epoch {
  return {*this, state_->first_of(epoch), state_->batches};
}

const batch_share* distributed_loader::take(std::int64_t number) try {
  return state_->take(number);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void distributed_loader::check_rows(const dimensions& shape, location lies, bool are_own) const {
  const vertex_owners& owners = state_->exchange.owners();
  const std::int64_t rows = are_own ? static_cast<std::int64_t>(owners.own_vertices().size()) : owners.all_vertices();
  if (lies.is_host() && shape.rank() > 0 && shape[0] == rows) return;
  throw error("distributed_loader: rows of shape " + to_string(shape) + (lies.is_host() ? "" : " on a device") +
              " for " + std::to_string(rows) + (are_own ? " own" : "") + " vertices; give one on the host for each");
}

detail::row_place distributed_loader::add(std::unique_ptr<detail::row_source> source) try {
  return state_->add(std::move(source), nullptr);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
detail::row_place distributed_loader::add(std::unique_ptr<detail::owned_source> source) try {
  return state_->add(nullptr, std::move(source));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
