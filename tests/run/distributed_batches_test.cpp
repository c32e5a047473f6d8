// test: draft ranks
// Sampled training on ranks of links, of several vertex sets, of seeds with times, and with values of edges: batches
// and rows are those of one process, on any number of ranks, and so are gradients.
#include "support/on_ranks.hpp"  // run_ranks

#include "expect_error.hpp"      // expect_error
#include "sampling/support.hpp"  // destinations_of, drawn, drawn_graph

#include <stg/base/keep_mask.hpp>                         // seed_of_step
#include <stg/distributed/cut.hpp>                        // cut
#include <stg/distributed/distributed_graphs_loader.hpp>  // distributed_graphs_loader
#include <stg/distributed/distributed_loader.hpp>         // distributed_loader
#include <stg/distributed/mean_over_ranks.hpp>            // mean_over_ranks
#include <stg/sampling/graphs_loader.hpp>                 // graphs_loader
#include <stg/sampling/graphs_temporal_sampler.hpp>       // graphs_temporal_sampler
#include <stg/sampling/loader.hpp>                        // loader
#include <stg/sampling/temporal_sampler.hpp>              // temporal_sampler
#include <stg/stg.hpp>                                    // the language

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // sort
#include <map>        // map
#include <mutex>      // lock_guard, mutex
#include <numeric>    // iota
#include <random>     // mt19937
#include <set>        // set
#include <tuple>      // tuple
#include <vector>     // vector

namespace stg {
namespace {

using test::destinations_of, test::drawn, test::drawn_graph, test::expect_error;

using ids = std::vector<std::int64_t>;
using place = std::tuple<std::int64_t, std::int64_t, int>;  // epoch, index, micro batch
using pair_list = std::vector<std::tuple<std::int64_t, std::int64_t, bool>>;

const distributed_loader_options usual{.batch_size = 24, .seed = 5, .cache_bytes = 700};
const loader_options undivided{.batch_size = 24, .seed = 5};

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
std::vector<std::int32_t> numbers(std::int32_t first, std::int32_t count) {
  std::vector<std::int32_t> all(at(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}
void append(ids& to, const auto& all) {
  to.push_back(-1);
  to.insert(to.end(), all.begin(), all.end());
}

/// A batch by the large graph's numbers.
ids described(const batch& b) {
  ids all{b.seeds, b.true_pairs};
  for (const auto* part : {&b.vertices, &b.pair_src, &b.pair_dst, &b.roots}) append(all, *part);
  append(all, b.edges);
  return all;
}
ids described(const graphs_batch& b) {
  ids all{b.seeds, b.true_pairs};
  for (const auto* part : {&b.pair_src, &b.pair_dst}) append(all, *part);
  for (const auto& s : b.sets) append(all, s.vertices);
  for (const auto& s : b.sets) append(all, s.roots);
  for (const auto& r : b.relations) append(all, r.edges);
  return all;
}

/// Two epochs of a loader that make(ranks) makes, on some numbers of ranks: each has the micro batches of one, of which
/// look(loader's rows, micro batch) sees each. Returns them.
template <class Make> std::map<place, ids> expect_batches_of_one(const Make& make) {
  std::map<place, ids> one;
  for (const int ranks : {1, 2, 4}) {
    std::map<place, ids> found;
    std::mutex lock;
    run_ranks(ranks,
              [&](communicator& here) {
                make(here, [&](auto& loader, const auto& look) {
                  for (const std::int64_t epoch : {0, 1})
                    for (const auto& batch : loader.epoch(epoch))
                      for (const auto& b : batch) {
                        look(b);
                        const std::lock_guard hold(lock);
                        EXPECT_TRUE(found.emplace(place(b.epoch, b.index, b.micro), described(b)).second);
                      }
                });
              },
              {.reorder = ranks == 4 ? 3u : 0u});
    if (ranks == 1) one = found;
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(found, one) << ranks << " ranks";
  }
  return one;
}

struct outcome {
  std::vector<double> numbers{}, losses{};
  bool operator==(const outcome&) const = default;
};
template <class Set> std::vector<double> numbers_of(const Set& set) {
  std::vector<double> all;
  for_each(set, [&](std::string_view, const auto& w) { all.insert(all.end(), w.begin(), w.end()); });
  return all;
}
/// Two epochs of training: take(loader, micro batch, step's call) as `with(loader, call)` has them.
template <const auto& Loss, class Loader, class Call> outcome trained(Loader& loader, const Call& call) {
  auto params = parameters<Loss>();
  initialize(params, 1);
  sgd optimizer(params, {.learning_rate = 0.1, .momentum = 0.9});
  auto step = value_and_grad<Loss>();
  auto mean = mean_over_ranks(params, loader);
  outcome result;
  for (const std::int64_t epoch : {0, 1})
    for (const auto& batch : loader.epoch(epoch)) {
      for (const auto& b : batch) mean.add(b, call(step, b, params));
      optimizer.step(mean.all_reduce());
      result.losses.push_back(mean.loss());
    }
  result.numbers = numbers_of(params);
  return result;
}
template <const auto& Loss, class Loader, class Call> outcome trained_undivided(Loader& loader, const Call& call) {
  auto params = parameters<Loss>();
  initialize(params, 1);
  sgd optimizer(params, {.learning_rate = 0.1, .momentum = 0.9});
  auto step = value_and_grad<Loss>();
  outcome result;
  for (const std::int64_t epoch : {0, 1})
    for (const auto& b : loader.epoch(epoch)) {
      auto now = call(step, b, params);
      optimizer.step(now.gradients);
      result.losses.push_back(now.loss);
    }
  result.numbers = numbers_of(params);
  return result;
}
/// The bits of one rank on several, and the undivided batches' numbers.
template <class Train> void expect_outcome(const outcome& expected, const Train& train) {
  outcome one;
  for (const int ranks : {1, 2, 4}) {
    std::vector<outcome> of(at(ranks));
    run_ranks(ranks, [&](communicator& here) { of[at(here.rank())] = train(here); });
    if (ranks == 1) one = of[0];
    for (const outcome& mine : of) EXPECT_EQ(mine, one) << ranks << " ranks";
  }
  ASSERT_EQ(one.losses.size(), expected.losses.size());
  ASSERT_EQ(one.numbers.size(), expected.numbers.size());
  for (std::size_t i = 0; i < one.losses.size(); ++i) EXPECT_NEAR(one.losses[i], expected.losses[i], 1e-12);
  for (std::size_t i = 0; i < one.numbers.size(); ++i) EXPECT_NEAR(one.numbers[i], expected.numbers[i], 1e-12);
}

// ---- links ----

constexpr auto x = vertex_feature<"x", f64, 5>;
constexpr auto target = edge_feature<"target", f64>;
constexpr auto U = parameter<"U", f64, 5, 6>;
constexpr auto of_links = [](auto v) {
  auto h = tanh(matmul(v(x), U));
  auto e = v.in_edges();
  return mean(square(sum(e.src(h) * e.dst(h), axis<0>) - e(target)), all_edges);
};

constexpr std::int64_t n = 300;
struct links_task {
  graph on = drawn_graph(n, 1500, 1);
  cut parts = cut::by_ranges(on, 8);
  tensor<double> X = drawn({n, 5}, 2);
  edge_values<double> W = on.edge_values(drawn({1500}, 3));
  std::vector<std::int32_t> edges = numbers(700, 101);  // four batches of 24 and one of 5

  link_sampler sampler(std::int64_t hops = 2) const {
    return {neighbour_sampler(on, {.fan_outs = ids(at(hops), 4)}), {.negatives = 3}};
  }
};

edge_values<double> targets_of(const batch& b, const graph& pairs) {
  const auto ones = pairs.to_input_order(b.pair_targets(pairs));
  tensor<double> targets({ones.size()});
  for (std::int64_t i = 0; i < ones.size(); ++i) targets(i) = ones(i);
  return pairs.edge_values(targets);
}
pair_list pairs_in(const batch& b) {
  pair_list all;
  for (std::size_t p = 0; p < b.pair_src.size(); ++p)
    all.emplace_back(b.vertices[at(b.pair_src[p])], b.vertices[at(b.pair_dst[p])],
                     static_cast<std::int64_t>(p) < b.true_pairs);
  return all;
}

TEST(distributed_batches, of_links_are_those_of_one_process) {
  const links_task t;
  std::map<std::pair<std::int64_t, std::int64_t>, pair_list> found;
  std::mutex lock;
  expect_batches_of_one([&](communicator& here, const auto& go) {
    const vertex_owners owners(t.parts, here);
    distributed_loader loader(owners, t.sampler(), t.edges, usual);
    const auto X = loader.own_rows(gather(t.X, owners.own_vertices()));
    const auto W = loader.edges(t.W);
    go(loader, [&](const micro_batch& b) {
      for (std::int64_t v = 0; v < b.graph.vertices(); ++v)
        for (std::int64_t f = 0; f < 5; ++f) ASSERT_EQ(b[X](v, f), t.X(b.vertices[at(v)], f));
      for (std::int64_t e = 0; e < b.graph.edges(); ++e) ASSERT_EQ(b[W].values()(e), t.W.values()(b.edges[at(e)]));
      const std::lock_guard hold(lock);
      const pair_list mine = pairs_in(b);
      if (here.size() == 1) found[{b.epoch, b.index}].insert(found[{b.epoch, b.index}].end(), mine.begin(), mine.end());
    });
  });
  const link_sampler sampler = t.sampler();
  loader whole(
      t.on, 101,
      [&](batch& to, std::span<const std::int32_t> items, std::uint64_t number) {
        std::vector<std::int32_t> edges(items.begin(), items.end());
        for (std::int32_t& e : edges) e = t.edges[at(e)];
        sampler.sample_into(to, edges, number);
      },
      undivided);
  for (const std::int64_t epoch : {0, 1})
    for (const loaded_batch& b : whole.epoch(epoch)) {
      pair_list expected = pairs_in(b), &mine = found[{epoch, b.index}];
      std::sort(expected.begin(), expected.end()), std::sort(mine.begin(), mine.end());
      EXPECT_EQ(mine, expected) << epoch << ' ' << b.index;
    }
}

/// No micro batch shows an edge that is asked for in another one of its batch.
TEST(distributed_batches, of_links_hide_the_edges_of_the_whole_batch) {
  const links_task t;
  const std::vector<std::int32_t> into = destinations_of(t.on);
  run_ranks(2, [&](communicator& here) {
    auto how = usual;
    how.shuffle = false;
    distributed_loader loader(vertex_owners(t.parts, here), t.sampler(3), t.edges, how);
    std::int64_t shown = 0;
    for (const batch_share& batch : loader.epoch(0)) {
      std::set<std::pair<std::int32_t, std::int32_t>> asked;
      for (std::int64_t i = batch.index * 24; i < batch.index * 24 + batch.seeds; ++i) {
        const std::int32_t e = t.edges[at(i)];
        asked.emplace(t.on.in_edges().neighbour(e), into[at(e)]);
      }
      for (const micro_batch& b : batch)
        for (const std::int64_t e : b.edges) {
          ++shown;
          EXPECT_FALSE(asked.contains({t.on.in_edges().neighbour(e), into[at(e)]})) << e;
        }
    }
    EXPECT_GT(shown, 1000);
  });
}

TEST(distributed_batches, of_links_train_as_undivided_ones_do) {
  const links_task t;
  const auto call = [](const auto& X) {
    return [&X](auto& step, const auto& b, auto& params) {
      const graph pairs = b.pairs();
      return step(pairs, x = b[X], target = targets_of(b, pairs), params);
    };
  };
  const link_sampler sampler = t.sampler();
  loader whole(
      t.on, 101,
      [&](batch& to, std::span<const std::int32_t> items, std::uint64_t number) {
        std::vector<std::int32_t> edges(items.begin(), items.end());
        for (std::int32_t& e : edges) e = t.edges[at(e)];
        sampler.sample_into(to, edges, number);
      },
      undivided);
  const auto X = whole.rows(t.X);
  const outcome expected = trained_undivided<of_links>(whole, call(X));
  expect_outcome(expected, [&](communicator& here) {
    const vertex_owners owners(t.parts, here);
    distributed_loader loader(owners, t.sampler(), t.edges, usual);
    const auto mine = loader.own_rows(gather(t.X, owners.own_vertices()));
    return trained<of_links>(loader, call(mine));
  });
}

// ---- several vertex sets ----

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto cites = relation<"cites", paper, paper>;
constexpr auto a = author.feature<"a", f64, 4>;
constexpr auto p = paper.feature<"p", f64, 3>;
constexpr auto topic = paper.feature<"topic", i32>;
constexpr auto share = writes.feature<"share", f64>;
constexpr auto A = parameter<"A", f64, 4, 3>;
constexpr auto P = parameter<"P", f64, 3, 3>;
constexpr auto of_papers = [](auto g) {
  auto by = g(paper).in_edges(writes);
  auto from = matmul(g(paper)(p), P) + sum(by(share) * by.src(tanh(matmul(g(author)(a), A))));
  return cross_entropy(from + mean(g(paper).in_edges(cites).src(tanh(from))), g(paper)(topic));
};

struct kinds_task {
  graphs on;
  tensor<double> of_authors = drawn({70, 4}, 4), of_papers = drawn({200, 3}, 5);
  tensor<std::int32_t> topics{dimensions{200}};
  edge_values<double> shares;
  edge_values<double> times;
  std::vector<std::int32_t> seeds = numbers(50, 80);  // three batches of 24 and one of 8

  kinds_task() {
    std::mt19937 random(6);
    const auto ends = [&](std::int64_t count, std::uint32_t below) {
      std::vector<std::int64_t> all(at(count));
      for (std::int64_t& v : all) v = random() % 3 == 0 ? random() % 4 : random() % below;
      return all;
    };
    on.add_vertices(author, 70).add_vertices(paper, 200);
    on.add_edges(writes, ends(500, 70), ends(500, 200)).add_edges(cites, ends(600, 200), ends(600, 200));
    for (std::int64_t v = 0; v < 200; ++v) topics(v) = static_cast<std::int32_t>(v % 3);
    shares = on.edge_values(writes, drawn({500}, 7));
    times = on.edge_values(writes, drawn({500}, 8));
  }
  cut parts() const { return cut::by_ranges(on, 8); }
  graphs_sampler sampler(std::int64_t fan_out) const { return {on, {.fan_outs = {fan_out, fan_out}}}; }
};

void expect_rows(const graphs_micro_batch& b, const kinds_task& t, const auto& K, const auto& W, const auto& S) {
  const auto& authors = b.vertices(author);
  const auto& papers = b.vertices(paper);
  for (std::size_t v = 0; v < authors.size(); ++v)
    ASSERT_EQ(b[K](static_cast<std::int64_t>(v), 3), t.of_authors(authors[v], 3));
  for (std::size_t v = 0; v < papers.size(); ++v)
    ASSERT_EQ(b[W](static_cast<std::int64_t>(v), 2), t.of_papers(papers[v], 2));
  const auto& edges = b.edges(writes);
  for (std::size_t e = 0; e < edges.size(); ++e)
    ASSERT_EQ(b[S].values()(static_cast<std::int64_t>(e)), t.shares.values()(edges[e]));
}
/// Goes through a loader whose rows lie at their owners, and looks at them.
void go_through(distributed_graphs_loader loader, const kinds_task& t, const auto& go) {
  const auto K = loader.own_rows(author, gather(t.of_authors, loader.owners(author).own_vertices()));
  const auto W = loader.own_rows(paper, gather(t.of_papers, loader.owners(paper).own_vertices()));
  const auto S = loader.edges(writes, t.shares);
  go(loader, [&](const graphs_micro_batch& b) { expect_rows(b, t, K, W, S); });
}

TEST(distributed_batches, of_several_sets_are_those_of_one_process) {
  const kinds_task t;
  const cut parts = t.parts();
  expect_batches_of_one([&](communicator& here, const auto& go) {
    go_through(distributed_graphs_loader(parts, here, t.sampler(3), paper, t.seeds, usual), t, go);
  });
}

TEST(distributed_batches, of_several_sets_train_as_undivided_ones_do) {
  const kinds_task t;
  const cut parts = t.parts();
  const auto call = [&](const auto& K, const auto& W, const auto& T, const auto& S) {
    return [&](auto& step, const auto& b, auto& params) {
      return step(b.blocks(), a = b[K], p = b[W], topic = b[T], share = b[S], params);
    };
  };
  graphs_loader whole(t.sampler(all_neighbours), paper, t.seeds, undivided);
  const auto K = whole.rows(author, t.of_authors);
  const auto W = whole.rows(paper, t.of_papers);
  const auto T = whole.rows(paper, t.topics);
  const auto S = whole.edges(writes, t.shares);
  const outcome expected = trained_undivided<of_papers>(whole, call(K, W, T, S));
  expect_outcome(expected, [&](communicator& here) {
    distributed_graphs_loader loader(parts, here, t.sampler(all_neighbours), paper, t.seeds, usual);
    const auto own_K = loader.own_rows(author, gather(t.of_authors, loader.owners(author).own_vertices()));
    const auto own_W = loader.own_rows(paper, gather(t.of_papers, loader.owners(paper).own_vertices()));
    const auto all_T = loader.rows(paper, t.topics);
    const auto all_S = loader.edges(writes, t.shares);
    return trained<of_papers>(loader, call(own_K, own_W, all_T, all_S));
  });
}

TEST(distributed_batches, of_links_between_two_sets_are_those_of_one_process) {
  const kinds_task t;
  const cut parts = t.parts();
  const auto sampler = [&] { return graphs_link_sampler(t.sampler(3), writes, {.negatives = 2}); };
  const auto pairs_of = [](const graphs_batch& b) {
    pair_list all;
    for (std::size_t k = 0; k < b.pair_src.size(); ++k)
      all.emplace_back(b.vertices(author)[at(b.pair_src[k])], b.vertices(paper)[at(b.pair_dst[k])],
                       static_cast<std::int64_t>(k) < b.true_pairs);
    return all;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, pair_list> found;
  expect_batches_of_one([&](communicator& here, const auto& go) {
    go_through(distributed_graphs_loader(parts, here, sampler(), numbers(0, 90), usual), t,
               [&](auto& loader, const auto& look) {
                 go(loader, [&](const graphs_micro_batch& b) {
                   look(b);
                   if (here.size() > 1) return;
                   pair_list& all = found[{b.epoch, b.index}];
                   for (const auto& pair : pairs_of(b)) all.push_back(pair);
                 });
               });
  });
  const graphs_link_sampler by = sampler();
  graphs_loader whole(
      t.on, 90,
      [&](graphs_batch& to, std::span<const std::int32_t> edges, std::uint64_t number) {
        by.sample_into(to, edges, number);
      },
      undivided);
  for (const std::int64_t epoch : {0, 1})
    for (const loaded_graphs& b : whole.epoch(epoch)) {
      pair_list expected = pairs_of(b), &mine = found[{epoch, b.index}];
      std::sort(expected.begin(), expected.end()), std::sort(mine.begin(), mine.end());
      EXPECT_EQ(mine, expected) << epoch << ' ' << b.index;
    }
}

// ---- seeds with times ----

TEST(distributed_batches, of_seeds_with_times_are_those_of_one_process) {
  const links_task t;
  const temporal_sampler sampler(t.on, {.fan_outs = {4, 3}, .latest = true}, t.W);
  const tensor<double> when = drawn({101}, 9);
  expect_batches_of_one([&](communicator& here, const auto& go) {
    const vertex_owners owners(t.parts, here);
    distributed_loader loader(
        owners, t.on, 101,
        [&](batch& to, const items_of_batch& items, std::uint64_t number) {
          std::vector<std::int32_t> seeds;
          std::vector<double> times;
          for (const std::int32_t i : items.mine()) seeds.push_back(i % 40), times.push_back(when(i));
          sampler.sample_into(to, seeds, times, number);
        },
        usual);
    const auto X = loader.own_rows(gather(t.X, owners.own_vertices()));
    go(loader, [&](const micro_batch& b) {
      ASSERT_EQ(b.roots.size(), b.vertices.size());
      for (std::int64_t v = 0; v < b.graph.vertices(); ++v) ASSERT_EQ(b[X](v, 4), t.X(b.vertices[at(v)], 4));
    });
  });
}

TEST(distributed_batches, of_several_sets_and_times_are_those_of_one_process) {
  const kinds_task t;
  const cut parts = t.parts();
  graphs_temporal_sampler sampler(t.on, {.fan_outs = {4, 3}});
  sampler.set_times("writes", t.times);
  const tensor<double> when = drawn({80}, 9);
  expect_batches_of_one([&](communicator& here, const auto& go) {
    go_through(distributed_graphs_loader(
                   parts, here, t.on, 80,
                   [&](graphs_batch& to, const items_of_batch& items, std::uint64_t number) {
                     std::vector<std::int32_t> seeds;
                     std::vector<double> times;
                     for (const std::int32_t i : items.mine()) seeds.push_back(i % 40), times.push_back(when(i));
                     sampler.sample_into(to, paper, seeds, times, number);
                   },
                   usual),
               t, go);
  });
}

// ---- errors ----

TEST(distributed_batches, refuse_what_does_not_fit) {
  const links_task t;
  const kinds_task k;
  const cut parts = k.parts();
  run_ranks(2, [&](communicator& here) {
    const vertex_owners owners(t.parts, here);
    expect_error(
        [&] {
          distributed_loader(
              owners, drawn_graph(20, 50, 1), 3, [](auto&&...) {}, usual);
        },
        {"a sampler of 20 vertices beside a cut of 300"});
    expect_error([&] { distributed_loader(owners, t.on, 3, nullptr, usual); },
                 {"no function that makes micro batches"});
    expect_error(
        [&] {
          distributed_loader(
              owners, t.on, -3, [](auto&&...) {}, usual);
        },
        {"-3 items"});
    distributed_loader loader(owners, t.sampler(), {1, 99999}, usual);
    expect_error([&] { loader.edges(drawn_graph(20, 50, 1).edge_values(drawn({50}, 1))); },
                 {"for a graph of 1500 edges"});
    if (here.rank() == 0)
      expect_error([&] { t.sampler().sample_share_into(*std::make_unique<batch>(), t.edges, 3, 200, 1); },
                   {"a share from edge 3 to 200 of 101; give a range of these"});

    expect_error([&] { distributed_graphs_loader(t.parts, here, k.sampler(3), paper, k.seeds, usual); },
                 {"the cut is of a plain graph; write distributed_loader"});
    graphs other;
    other.add_vertices(author, 3).add_vertices(paper, 200);
    expect_error(
        [&] { distributed_graphs_loader(parts, here, graphs_sampler(other, {.fan_outs = {2}}), paper, {1}, usual); },
        {"a sampler of 3 vertices of set 'author' beside a cut of 70; sample the graphs that are cut"});
    distributed_graphs_loader of_kinds(parts, here, k.sampler(3), paper, k.seeds, usual);
    expect_error([&] { of_kinds.own_rows(author, k.of_authors); }, {"own vertices of set 'author'"});
    expect_error([&] { of_kinds.rows(author, k.of_papers); },
                 {"rows of shape (200, 3) for 70 vertices of set 'author'"});
  });
}

}  // namespace
}  // namespace stg
