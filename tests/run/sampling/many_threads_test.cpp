// test: draft sampling
// Samplers, loaders, the pool and calls that many threads use at once: each gets what it gets alone. Under
// ThreadSanitizer, in the proof, with up to 64 threads.
#include "support.hpp"  // drawn, drawn_graph

#include <stg/runtime/parallel.hpp>            // parallel, set_threads
#include <stg/sampling/clusters.hpp>           // cluster_sampler
#include <stg/sampling/layer_sampler.hpp>      // layer_sampler
#include <stg/sampling/link_sampler.hpp>       // link_sampler
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/sampling/subgraph_sampler.hpp>   // subgraph_sampler
#include <stg/sampling/temporal_sampler.hpp>   // temporal_sampler
#include <stg/stg.hpp>                         // compile_for_training

#include <algorithm>  // equal, fill
#include <atomic>     // atomic
#include <numeric>    // iota
#include <stdexcept>  // runtime_error
#include <thread>     // thread

namespace stg {
namespace {

using test::drawn, test::drawn_graph;
using numbers = std::vector<std::int64_t>;

class many_threads : public testing::TestWithParam<int> {
 protected:
  many_threads() { set_threads(GetParam()); }
  ~many_threads() override { set_threads(before_); }

  /// Calls body(k) on threads of its own, k from 0, all at once.
  template <class Body> void at_once(const Body& body) const {
    std::atomic<int> waiting{GetParam()};
    std::vector<std::thread> all;
    for (int k = 0; k < GetParam(); ++k)
      all.emplace_back([&, k] {
        for (--waiting; waiting != 0;) std::this_thread::yield();
        body(k);
      });
    for (std::thread& t : all) t.join();
  }

 private:
  int before_ = threads();
};

std::vector<std::int32_t> first(std::int32_t n) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(n));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}
tensor<float> full_of(float number, const dimensions& shape) {
  auto t = tensor<float>::for_overwrite(shape);
  std::fill(t.begin(), t.end(), number);
  return t;
}
numbers print_of(const batch& b) {
  numbers all(b.vertices.begin(), b.vertices.end());
  all.insert(all.end(), b.edges.begin(), b.edges.end());
  all.insert(all.end(), b.pair_dst.begin(), b.pair_dst.end());
  return all;
}

/// A graph, and a sampler of it of every kind.
struct samplers {
  graph g = drawn_graph(300, 3000, 1);
  edge_values<float> weights = g.edge_values(full_of(0.5f, {3000}));
  edge_values<double> times = g.edge_values(drawn({3000}, 2));
  tensor<std::int32_t> parts = parts_of_ten();
  neighbour_sampler any{g, {.fan_outs = {5, 3}}}, weighted{g, {.fan_outs = {4, 4}}, weights};
  layer_sampler layers{g, {40, 20}};
  temporal_sampler timed{g, {.fan_outs = {5, 3}}, times};
  subgraph_sampler walks = subgraph_sampler::by_walks(g, 20, 3);
  cluster_sampler clusters{g, parts};
  link_sampler links{{g, {.fan_outs = {3}}}, {.negatives = 2}};

  /// What each of them draws for a number.
  numbers draw(std::uint64_t number) const {
    const std::int32_t from = static_cast<std::int32_t>(number % 7);
    const std::vector<std::int32_t> seeds{from, from + 9, from + 20, from + 31};
    numbers all;
    const auto add = [&](const batch& b) {
      const numbers print = print_of(b);
      all.insert(all.end(), print.begin(), print.end());
    };
    for (const sampler* s : {static_cast<const sampler*>(&any), static_cast<const sampler*>(&weighted),
                             static_cast<const sampler*>(&layers), static_cast<const sampler*>(&timed)})
      add(s->sample(seeds, number));
    add(walks.sample({}, number));
    add(clusters.sample(std::vector<std::int32_t>{from, from + 2}, number));
    add(links.sample(std::vector<std::int64_t>{from, from + 100}, number));
    return all;
  }

 private:
  static tensor<std::int32_t> parts_of_ten() {
    tensor<std::int32_t> parts({300});
    for (std::int64_t v = 0; v < 300; ++v) parts(v) = static_cast<std::int32_t>(v * 7 % 10);
    return parts;
  }
};

TEST_P(many_threads, share_samplers_of_every_kind) {
  const samplers all;
  std::vector<numbers> expected;
  for (std::uint64_t n = 0; n < 8; ++n) expected.push_back(all.draw(n));
  std::atomic<int> wrong{0};
  at_once([&](int k) {
    for (std::uint64_t n = 0; n < 8; ++n) {
      const std::uint64_t mine = (n + static_cast<std::uint64_t>(k)) % 8;
      wrong += all.draw(mine) != expected[mine];
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(many_threads, make_the_batches_of_one_loader) {
  const samplers all;
  const tensor<double> X = drawn({300, 3}, 4);
  const auto loaded = [&](int threads, bool left) {
    loader l(neighbour_sampler(all.g, {.fan_outs = {5, 3}}), first(200),
             {.batch_size = 9, .seed = 3, .ahead = 2 * GetParam(), .threads = threads, .blocks = true});
    const auto rows = l.rows(X), cached = l.rows(X.view(), {.rows = 30});
    const auto weights = l.edges(all.weights);
    numbers print;
    if (left)
      for (const loaded_batch& b : l.epoch(0))
        if (b.index == 3) break;  // while others are made
    for (const loaded_batch& b : l.epoch(1)) {
      const numbers of_batch = print_of(b);
      print.insert(print.end(), of_batch.begin(), of_batch.end());
      EXPECT_EQ(b[rows](0, 1), b[cached](0, 1));
      EXPECT_EQ(b[weights].values().size(), b.graph.edges());
      EXPECT_EQ(b.blocks().seeds(), b.seeds);
    }
    return print;
  };
  EXPECT_EQ(loaded(GetParam(), true), loaded(0, false));
}

TEST_P(many_threads, each_have_loaders_that_come_and_go) {
  const samplers all;
  std::atomic<std::int64_t> batches{0};
  at_once([&](int k) {
    const loader_options options{.batch_size = 16, .seed = static_cast<std::uint64_t>(k), .ahead = 3, .threads = 2};
    loader by_layers(layer_sampler(all.g, {30, 20}), first(40), options);
    loader by_links(
        all.g, 48,
        [&](batch& to, std::span<const std::int32_t> edges, std::uint64_t number) {
          all.links.sample_into(to, edges, number);
        },
        options);
    loader gone(neighbour_sampler(all.g, {.fan_outs = {3}}), first(64), options);
    for (const loaded_batch& b : gone.epoch(0)) {
      batches += b.seeds > 0;
      break;
    }
    for (loader* l : {&by_layers, &by_links})
      for (const loaded_batch& b : l->epoch(0)) batches += b.seeds > 0;
  });
  EXPECT_EQ(batches, GetParam() * (1 + 3 + 3));
}

TEST_P(many_threads, see_what_a_loader_throws_and_go_on) {
  const samplers all;
  std::atomic<int> thrown{0}, batches{0};
  at_once([&](int) {
    std::atomic<bool> fails{true};
    loader l(all.g, 40,
             [&](batch& to, std::span<const std::int32_t> items, std::uint64_t number) {
               if (items.front() == 16 && fails.exchange(false)) throw std::runtime_error("the third");
               all.any.sample_into(to, items, number);
             },
             {.batch_size = 8, .shuffle = false, .ahead = 4, .threads = 2});
    try {
      for (const loaded_batch& b : l.epoch(0)) batches += b.seeds == 8;
    } catch (const std::runtime_error&) {
      ++thrown;
    }
    for (const loaded_batch& b : l.epoch(1)) batches += b.seeds == 8;
  });
  EXPECT_EQ(thrown, GetParam());
  EXPECT_EQ(batches, GetParam() * (2 + 5));
}

TEST_P(many_threads, share_the_pool) {
  std::atomic<std::int64_t> sum{0};
  std::atomic<int> thrown{0};
  at_once([&](int k) {
    for (int round = 0; round < 5; ++round) {
      std::vector<std::int64_t> mine(40, -1);  // written by any thread, read here afterwards
      parallel(40, [&](std::int64_t part) {
        parallel(2, [&](std::int64_t inner) {
          if (inner == 1) mine[static_cast<std::size_t>(part)] = part;
        });
      });
      for (const std::int64_t part : mine) sum += part;
      try {
        parallel(9, [&](std::int64_t part) {
          if (part == k % 9) throw std::runtime_error("a part");
        });
      } catch (const std::runtime_error&) {
        ++thrown;
      }
    }
  });
  EXPECT_EQ(sum, GetParam() * 5 * 780);
  EXPECT_EQ(thrown, GetParam() * 5);
}

constexpr auto x = trainable(vertex_feature<"x", 4>);
constexpr auto w = edge_feature<"w">;
constexpr auto both_ways = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return sum(in(w)*in.src(x)) + mean(out.dst(x));
};

/// What a graph makes when it is first asked for it, one of them makes for all.
TEST_P(many_threads, train_on_one_graph) {
  const graph shared = drawn_graph(300, 3000, 5);
  const edge_values<float> weights = shared.edge_values(full_of(0.5f, {3000}));
  const tensor<float> X = full_of(2, {300, 4}), ones = full_of(1, {300, 4});
  const auto gradient = [&](const graph& on, const edge_values<float>& by) {
    auto layer = compile_for_training<both_ways>();
    auto tape = layer.record(on, x = X, w = by);
    return tape.backward(ones)[x].clone();
  };
  std::vector<tensor<float>> found(static_cast<std::size_t>(GetParam()));
  at_once([&](int k) { found[static_cast<std::size_t>(k)] = gradient(shared, weights); });
  const tensor<float> expected = gradient(shared, weights);
  for (const tensor<float>& one : found) EXPECT_TRUE(std::equal(one.begin(), one.end(), expected.begin()));
}

#if defined(STG_PROOF)
INSTANTIATE_TEST_SUITE_P(of, many_threads, testing::Values(4, 8, 16, 32, 64));
#else
INSTANTIATE_TEST_SUITE_P(of, many_threads, testing::Values(4, 16));
#endif

}  // namespace
}  // namespace stg
