// test: draft ranks, proof kernels 0, counted
// Training on a cut graph: any number of ranks gives the bits of one, and what the whole graph gives but for rounding.
#include "support/on_ranks.hpp"  // bytes_in, error_of
#include "support/families.hpp"  // power_law
#include "support/hub_task.hpp"  // drawn_with_hub, hub_task

#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/sampling/clusters.hpp>              // has_partition
#include <stg/sampling/neighbour_sampler.hpp>     // neighbour_sampler
#include <stg/stg.hpp>                            // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <chrono>   // milliseconds, steady_clock
#include <cmath>    // abs
#include <cstddef>  // byte
#include <random>   // mt19937
#include <sstream>  // ostringstream
#include <string>   // string
#include <thread>   // sleep_for
#include <utility>  // pair
#include <vector>   // vector

namespace stg {
namespace {

using testing::HasSubstr;

constexpr auto x = trainable(vertex_feature<"x", f64, 8>);
constexpr auto s = sparse_feature<"s", f64, 12>;
constexpr auto series = over<"T">(vertex_feature<"series", f64, 3>);
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto w = trainable(edge_feature<"w", f64>);
constexpr auto W = parameter<"W", f64, 8, 8>;
constexpr auto V = parameter<"V", f64, 8, 4>;
constexpr auto S = parameter<"S", f64, 12, 8>;
constexpr auto a = parameter<"a", f64, 8>;
constexpr auto b = parameter<"b", f64, 8>;
constexpr auto U = parameter<"U", f64, 11, 8>;
constexpr auto g = parameter<"g", f64, 8>;
constexpr auto o = parameter<"o", f64, 8>;

constexpr auto classified = [](auto v, auto h) { return cross_entropy(matmul(h, V), v(label), v(known)); };

constexpr auto gcn = [](auto v) {
  auto e = v.in_edges();
  auto norm = rsqrt(v.in_degree() + 1.0);
  auto h = relu(norm * sum(e.src(norm * matmul(v(x), W)) * e(w)));
  return classified(v, norm * sum(e.src(norm * h)));
};
constexpr auto gat = [](auto v) {
  auto e = v.in_edges();
  auto z = matmul(dropout(v(x), 0.2), W);
  auto score = leaky_relu(sum(e.src(z) * a + e.dst(z) * b, axis<0>), 0.2) * e(w);
  auto h = tanh(sum(dropout(softmax(score), 0.1) * e.src(z)));
  return classified(v, dropout(h, 0.3));
};
constexpr auto largest = [](auto v) {
  auto e = v.in_edges();
  return classified(v, max(e.src(matmul(v(x), W))) + mean(e.src(v(x)) * e(w)));
};
constexpr auto both_ways = [](auto v) {
  auto out = v.out_edges();
  auto in = v.in_edges();
  auto h = sum(tanh(out.dst(v(x)) * out(w)));
  auto y = sum(in.src(h) * in.dst(v(x)) * in(w));
  return classified(v, y * 0.01) + max(sum(h, axis<0>), all_vertices) * 0.01;
};
constexpr auto normed = [](auto v) {
  auto e = v.in_edges();
  auto h = sum(e.src(matmul(v(x), W)) * e(w));
  auto d = h - mean(h, all_vertices);
  auto y = d * rsqrt(mean(d * d, all_vertices) + 1e-3) * g + o;
  return classified(v, sum(e.src(y)));
};
constexpr auto attention = [](auto v, auto h, auto of) {
  auto e = v.in_edges();
  auto z = matmul(h, W);
  auto score = leaky_relu(sum(e.src(z) * of + e.dst(z), axis<0>), 0.2) * e(w);
  return sum(softmax(score) * e.src(z)) + h;
};
constexpr auto called = [](auto v) { return classified(v, call(attention, v, call(attention, v, v(x), a), b)); };
constexpr auto of_sparse = [](auto v) {
  auto e = v.in_edges();
  auto h = matmul(dropout(v(s), 0.4), S);
  return classified(v, sum(e.src(h) * e(w)) + v(x));
};
constexpr auto over_time = [](auto v) {
  auto h = scan<"T">(
      v,
      [](auto v, auto h) {
        auto e = v.in_edges();
        auto m = matmul(concat<axis<0>>(v(series), h), U);
        return tanh(sum(e.src(m) * e(w)) * 0.3 + h);
      },
      v(x));
  return classified(v, h);
};

using task = test::hub_task;
using test::bytes;
using test::bytes_in;
using test::drawn_with_hub;

/// All that some steps of training gave.
struct outcome {
  std::vector<double> losses{};
  std::vector<bytes> parameters{};
  bytes gradient{};  // of x, in the last step
  bool operator==(const outcome& other) const {
    return losses == other.losses && parameters == other.parameters && gradient == other.gradient;
  }
};

/// The gradient of all vertices.
bytes gradient_of(const tensor<double>& of, const graph&) { return bytes_in(of); }
bytes gradient_of(const tensor<double>& of, const distributed_graph& part) { return bytes_in(part.gathered(of)); }

/// Four steps of Adam. bind: calls a step on a graph with the inputs of a model.
template <const auto& F, class On, class Bind> outcome trained(const On& on, const Bind& bind) {
  outcome result;
  auto params = parameters<F>();
  initialize(params, 3);
  adam optimizer(params, {.learning_rate = 0.01});
  auto step = value_and_grad<F>();
  step.seed(7);
  for (int k = 0; k < 4; ++k) {
    auto now = bind(step, on, params);
    result.losses.push_back(now.loss);
    optimizer.step(now.gradients.of(params));
    if (k == 3) result.gradient = gradient_of(now.gradients[x], on);
  }
  boost::hana::for_each(params.items(), [&](const auto& item) { result.parameters.push_back(bytes_in(item.value)); });
  return result;
}

void expect_near_whole(const outcome& one, const outcome& plain) {
  for (std::size_t k = 0; k < plain.losses.size(); ++k)
    EXPECT_NEAR(one.losses[k], plain.losses[k], 1e-12 * std::abs(plain.losses[k]));
  const auto *const found = reinterpret_cast<const double*>(one.gradient.data()), *const expected =
                                                                                      reinterpret_cast<const double*>(
                                                                                          plain.gradient.data());
  for (std::size_t k = 0; k < plain.gradient.size() / sizeof(double); ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
}

/// Ranks, and how they share sweeps.
constexpr std::pair<int, cut_by> ways[] = {
    {1, cut_by::rows},     {2, cut_by::rows},     {3, cut_by::rows},     {4, cut_by::rows},     {8, cut_by::rows},
    {1, cut_by::features}, {2, cut_by::features}, {3, cut_by::features}, {4, cut_by::features}, {8, cut_by::features}};

/// On the whole graph, and on one, two, three, four and eight ranks of a cut into eight parts.
template <const auto& F, class Whole, class Part> void expect_bits_of_one(const Whole& whole, const Part& of_part) {
  for (const task& t : {drawn_with_hub(300, 2400, 1), drawn_with_hub(40, 160, 2)}) {
    const cut parts = has_partition() ? cut::by_metis(t.on, 8) : cut::by_ranges(t.on, 8);
    const outcome plain =
        trained<F>(t.on, [&](auto& step, const auto& on, auto& params) { return whole(step, on, t, params); });
    outcome one;
    for (const auto& way : ways) {
      const int ranks = way.first;
      std::vector<outcome> of(static_cast<std::size_t>(ranks));
      run_ranks(ranks,
                [&](communicator& here) {
                  const distributed_graph part(parts, here, way.second);
                  of[static_cast<std::size_t>(here.rank())] = trained<F>(
                      part, [&](auto& step, const auto& on, auto& params) { return of_part(step, on, t, params); });
                },
                {.reorder = ranks == 3 ? 5u : 0u});
      if (ranks == 1) one = of[0];
      for (const outcome& mine : of) EXPECT_EQ(mine, one) << ranks << " ranks";
      if (ranks == 1) expect_near_whole(one, plain);
    }
  }
}
template <const auto& F> void expect_bits_of_one() {
  expect_bits_of_one<F>(
      [](auto& step, const auto& on, const task& t, auto& params) {
        return step(on, x = t.X, label = t.Y, known = t.mask, w = t.weights, params);
      },
      [](auto& step, const auto& on, const task& t, auto& params) {
        return step(on, x = on.rows(t.X), label = on.rows(t.Y), known = on.rows(t.mask), w = on.edge_rows(t.weights),
                    params);
      });
}

TEST(distributed, graph_convolutions) { expect_bits_of_one<gcn>(); }
TEST(distributed, attention_with_dropout) { expect_bits_of_one<gat>(); }
TEST(distributed, largest_of_neighbours) { expect_bits_of_one<largest>(); }
TEST(distributed, sums_along_both_directions) { expect_bits_of_one<both_ways>(); }
TEST(distributed, norms_over_all_vertices) { expect_bits_of_one<normed>(); }
TEST(distributed, called_layers) { expect_bits_of_one<called>(); }
TEST(distributed, sparse_features) {
  expect_bits_of_one<of_sparse>(
      [](auto& step, const auto& on, const task& t, auto& params) {
        return step(on, x = t.X, s = t.sparse_X, label = t.Y, known = t.mask, w = t.weights, params);
      },
      [](auto& step, const auto& on, const task& t, auto& params) {
        return step(on, x = on.rows(t.X), s = on.rows(t.sparse_X), label = on.rows(t.Y), known = on.rows(t.mask),
                    w = on.edge_rows(t.weights), params);
      });
}
TEST(distributed, scans_over_time) {
  expect_bits_of_one<over_time>(
      [](auto& step, const auto& on, const task& t, auto& params) {
        return step(on, x = t.X, series = t.sequence, label = t.Y, known = t.mask, w = t.weights, params);
      },
      [](auto& step, const auto& on, const task& t, auto& params) {
        return step(on, x = on.rows(t.X), series = on.step_rows(t.sequence), label = on.rows(t.Y),
                    known = on.rows(t.mask), w = on.edge_rows(t.weights), params);
      });
}

constexpr auto smoothed = [](auto v) { return mean(v.in_edges().src(mean(v.in_edges().src(v(x))))); };

TEST(distributed, results_have_the_rows_of_other_ranks) {
  const task t = drawn_with_hub(120, 700, 3);
  const cut parts = cut::by_ranges(t.on, 5);
  const tensor<double> expected = compile<smoothed>()(t.on, x = t.X);
  run_ranks(3, [&](communicator& here) {
    const distributed_graph part(parts, here);
    const tensor<double> found = compile<smoothed>()(part, x = part.rows(t.X));
    const std::span<const std::int32_t> ids = part.global_vertices();
    ASSERT_EQ(found.extent(0), static_cast<std::int64_t>(ids.size()));
    EXPECT_LT(part.own_vertices(), found.extent(0));
    for (std::int64_t r = 0; r < found.extent(0); ++r)
      for (std::int64_t f = 0; f < 8; ++f) EXPECT_EQ(found(r, f), expected(ids[static_cast<std::size_t>(r)], f));
    EXPECT_EQ(bytes_in(part.gathered(found)), bytes_in(expected));
  });
}

/// Rows of the halo once for each value that neighbours read, in the fewest bytes that a row has, and the sums.
TEST(distributed, ranks_may_have_no_vertex_that_a_mask_names) {
  std::vector<std::int32_t> src, dst;
  for (std::int32_t v = 0; v < 40; ++v) src.push_back(v), dst.push_back((v + 1) % 40);
  const graph on = graph::from_edges(40, src, dst);
  tensor<double> X({40, 8}), weights({40});
  uniform(X, -1, 1, 1);
  uniform(weights, 0.1, 1, 2);
  tensor<std::int32_t> Y({40});
  tensor<bool> mask({40});
  for (std::int64_t v = 0; v < 40; ++v) Y(v) = static_cast<std::int32_t>(v % 4), mask(v) = v == 3;
  const edge_values<double> of_edges = on.edge_values(weights);
  auto params = parameters<gcn>();
  initialize(params, 1);
  const double plain = value_and_grad<gcn>()(on, x = X, label = Y, known = mask, w = of_edges, params).loss;
  const cut parts = cut::by_ranges(on, 4);
  run_ranks(4, [&](communicator& here) {
    const distributed_graph part(parts, here);
    const double mine = value_and_grad<gcn>()(part, x = part.rows(X), label = part.rows(Y), known = part.rows(mask),
                                              w = part.edge_rows(of_edges), params)
                            .loss;
    EXPECT_NEAR(mine, plain, 1e-12);
  });
}

TEST(distributed, nothing_is_sent_that_nobody_reads) {
  const task t = drawn_with_hub(300, 2400, 8);
  const cut parts = cut::by_ranges(t.on, 2);
  std::vector<std::int64_t> sent(2), halo(2);
  run_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here);
    auto step = value_and_grad<gcn, W, V>();
    auto params = parameters<gcn>();
    initialize(params, 1);
    const auto run = [&] {
      return step(part, x = part.rows(t.X), label = part.rows(t.Y), known = part.rows(t.mask),
                  w = part.edge_rows(t.weights), params)
          .loss;
    };
    (void)run();
    const std::int64_t before = here.sent_bytes();
    (void)run();
    const auto me = static_cast<std::size_t>(here.rank());
    sent[me] = here.sent_bytes() - before;
    halo[me] = part.vertices() - part.own_vertices();
  });
  // Of eight numbers: the first layer's values and the second's, and the gradients of both; the root of a degree is
  // made by each rank. A rank sends the halo of the other. Sums: the loss and how many are known, gradients of W and V;
  // and five numbers before each call.
  for (const std::size_t me : {0, 1}) {
    const std::int64_t rows = halo[1 - me] * 4 * 8 * 8, sums = (2 + 8 * 8 + 8 * 4) * 8, call = 5 * 8;
    EXPECT_LE(static_cast<double>(sent[me]), 1.02 * static_cast<double>(rows + sums + call));
  }
}

TEST(distributed, fixed_inputs_are_kept_by_all_ranks_or_none) {
  const task t = drawn_with_hub(60, 300, 4);
  const cut parts = cut::by_ranges(t.on, 2);
  run_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here);
    const tensor<double> rows = part.rows(t.X), copy = part.rows(t.X);
    auto model = compile<smoothed>();
    const bytes first = bytes_in(model(part, x = fixed(rows)));
    EXPECT_EQ(bytes_in(model(part, x = fixed(rows))), first);
    EXPECT_EQ(bytes_in(model(part, x = fixed(here.rank() == 0 ? rows : copy))), first);
    EXPECT_EQ(model.prologue_runs(), 2u);
  });
}

TEST(distributed, ranks_that_call_differently_are_told) {
  const task t = drawn_with_hub(60, 300, 5);
  const cut parts = cut::by_ranges(t.on, 3);
  std::vector<std::string> said(3);
  const auto call = [&](communicator& here, int other_seed) {
    const distributed_graph part(parts, here);
    auto step = value_and_grad<gat>();
    auto params = parameters<gat>();
    initialize(params, 1);
    if (here.rank() == other_seed) step.seed(8);
    try {
      (void)step(part, x = part.rows(t.X), label = part.rows(t.Y), known = part.rows(t.mask),
                 w = part.edge_rows(t.weights), params)
          .loss;
    } catch (const error& e) {
      said[static_cast<std::size_t>(here.rank())] = e.what();
    }
  };
  run_ranks(3, [&](communicator& here) { call(here, 1); });
  for (const std::string& of_rank : said) EXPECT_THAT(of_rank, HasSubstr("a seed of its own"));
  EXPECT_EQ(said[0], said[2]);
}

TEST(distributed, a_rank_that_fails_ends_the_others) {
  const task t = drawn_with_hub(60, 300, 6);
  const cut parts = cut::by_ranges(t.on, 4);
  for (std::int64_t at = 0; at < 200; at += 7) {
    const std::string why =
        test::error_of(4,
                       [&](communicator& here) {
                         const distributed_graph part(parts, here);
                         auto step = value_and_grad<gcn>();
                         auto params = parameters<gcn>();
                         initialize(params, 1);
                         for (int k = 0; k < 4; ++k)
                           (void)step(part, x = part.rows(t.X), label = part.rows(t.Y), known = part.rows(t.mask),
                                      w = part.edge_rows(t.weights), params)
                               .loss;
                       },
                       {.failing_rank = 2, .failing_call = at});
    if (!why.empty()) {
      EXPECT_THAT(why, HasSubstr("rank 2"));
    }
  }
}

/// Waits for a byte of another rank.
void wait_for(communicator& here, int from) {
  std::byte b{};
  here.waits_for({"values of", "h", 14});
  here.expect(from, 0, &b, 1);
  here.receive(from, 0);
}
using std::chrono::milliseconds;
/// Uses the processor.
void compute_for(milliseconds time) {
  const auto last = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < last) continue;
}

TEST(distributed, no_rank_waits_for_one_that_has_returned) {
  const std::string why = test::error_of(2, [](communicator& here) {
    if (here.rank() == 0) wait_for(here, 1);
  });
  EXPECT_THAT(why, HasSubstr("rank 1 has returned from its work while rank 0 waited for values of 'h' in call 14"));
}

TEST(distributed, ranks_that_wait_for_each_other_do_so_for_their_patience) {
  const std::string why =
      test::error_of(2, [](communicator& here) { wait_for(here, 1 - here.rank()); }, {.patience = milliseconds(50)});
  EXPECT_THAT(why, HasSubstr("waited for values of 'h' in call 14 from rank"));
  EXPECT_THAT(why, HasSubstr("for 50 ms, in vain: each rank waits for another"));
}

TEST(distributed, a_rank_that_stands_still_is_named) {
  const std::string why = test::error_of(3,
                                         [](communicator& here) {
                                           if (here.rank() == 0) wait_for(here, 1);  // which waits, too
                                           if (here.rank() == 1) wait_for(here, 2);
                                           if (here.rank() == 2) std::this_thread::sleep_for(milliseconds(1000));
                                         },
                                         {.silence = milliseconds(200)});
  EXPECT_THAT(why, HasSubstr("rank 2 has stood still for 200 ms while rank"));
}

TEST(distributed, a_rank_that_computes_for_long_is_waited_for) {
  const auto work = [](communicator& here) {
    if (here.rank() == 0) return wait_for(here, 1);
    compute_for(milliseconds(1500));
    const std::byte b{};
    here.send(0, 0, &b, 1);
  };
  const milliseconds soon(100);
  EXPECT_EQ(test::error_of(2, work, {.patience = soon, .silence = milliseconds(700)}), "");
  EXPECT_THAT(
      test::error_of(2, work, {.patience = soon, .silence = milliseconds(700), .longest_work = milliseconds(900)}),
      HasSubstr("rank 1 has computed for 900 ms while rank 0 waited for values of 'h' in call 14 from rank 1"));
}

TEST(distributed, mistakes_are_named) {
  const task t = drawn_with_hub(60, 300, 7);
  EXPECT_THAT(test::error_of(0, [](communicator&) {}), HasSubstr("0 ranks"));
  const cut two = cut::by_ranges(t.on, 2);
  EXPECT_THAT(test::error_of(3, [&](communicator& here) { distributed_graph(two, here); }),
              HasSubstr("3 ranks of a graph that is cut into 2 parts"));
  EXPECT_THAT(test::error_of(2,
                             [&](communicator& here) {
                               (void)distributed_graph(two, here).rows(tensor<double>({59, 8}));
                             }),
              HasSubstr("(59, 8)"));
  EXPECT_THAT(test::error_of(1, [&](communicator&) { (void)cut::by_ranges(t.on, 65); }), HasSubstr("65 parts"));
  EXPECT_THAT(test::error_of(1, [&](communicator& here) { (void)distributed_graph(two, here).add_self_loops(); }),
              HasSubstr("add_self_loops is for a whole graph; this is the part of one rank"));
  EXPECT_THAT(
      test::error_of(
          1, [&](communicator& here) { (void)neighbour_sampler(distributed_graph(two, here), {.fan_outs = {2}}); }),
      HasSubstr("a sampler is for a whole graph"));
  EXPECT_THAT(test::error_of(1, [&](communicator& here) { (void)cut::by_ranges(distributed_graph(two, here), 2); }),
              HasSubstr("a cut is for a whole graph"));
  EXPECT_THAT(test::error_of(1, [&](communicator&) { (void)cut::of(t.on, tensor<std::int32_t>({3})); }),
              HasSubstr("(3,)"));
  EXPECT_THAT(test::error_of(2,
                             [](communicator& here) {
                               std::byte b[2]{};
                               if (here.rank() == 0) here.send(1, 0, b, 2);
                               if (here.rank() == 1) here.expect(0, 0, b, 1), here.receive(0, 0);
                             }),
              HasSubstr("expects 1 bytes from rank 0, which sends 2"));
}

TEST(distributed, cuts_say_what_they_cost) {
  const graph path = test::from_pairs(4, {{0, 1}, {1, 2}, {2, 3}});
  std::ostringstream said;
  said << cut::by_ranges(path, 2);
  EXPECT_EQ(said.str(),
            "2 parts: 33.3 % of edges are cut, 50.0 % of rows are interior, halos have 50.0 % of the graph's "
            "rows, the largest part has 100.0 % of an even share of work");
  if (!has_partition()) return;
  const graph hubs = test::power_law(2000, 12000, 1);
  EXPECT_LT(cut::by_metis(hubs, 8).cost().largest_work, 1.06);
}

TEST(distributed, graphs_without_vertices_or_edges) {
  for (const std::int64_t n : {0, 1, 3}) {
    const graph g = test::from_pairs(n, {});
    run_ranks(1, [&](communicator& here) {
      const distributed_graph part(cut::by_ranges(g, 2), here);
      EXPECT_EQ((compile<smoothed>()(part, x = part.rows(tensor<double>({n, 8}))).extent(0)), n);
    });
  }
}

}  // namespace
}  // namespace stg
