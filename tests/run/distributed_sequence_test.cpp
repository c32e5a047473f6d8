// test: draft ranks, proof kernels 0, counted
// Training on a cut graph that changes: any number of ranks gives the bits of one, and what the whole sequence gives
// but for rounding; with checkpoints, from both stores.
#include "support/on_ranks.hpp"         // bytes_in, error_of
#include "support/changing_graphs.hpp"  // drawn, loss, random_steps

#include <stg/distributed/cut.hpp>                   // cut
#include <stg/distributed/distributed_sequence.hpp>  // distributed_sequence
#include <stg/distributed/thread_ranks.hpp>          // run_ranks
#include <stg/sampling/clusters.hpp>                 // has_partition

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <cmath>        // abs
#include <cstddef>      // byte
#include <functional>   // function
#include <sstream>      // ostringstream
#include <string>       // string
#include <type_traits>  // is_same_v
#include <vector>       // vector

namespace stg::changing {
namespace {

using testing::HasSubstr;

std::size_t nth(std::int64_t i) { return static_cast<std::size_t>(i); }

// ---- models ----

constexpr auto still = vertex_feature<"still", f64, 2>;
constexpr auto Z = parameter<"Z", f64, 2, 4>;
constexpr auto Wu = parameter<"Wu", f64, 7, 4>;
constexpr auto Wr = parameter<"Wr", f64, 7, 4>;
constexpr auto Wc = parameter<"Wc", f64, 7, 4>;
constexpr auto read_out = parameter<"read_out", f64, 4>;

constexpr auto convolved = [](auto v, auto of, auto weights) {
  auto e = v.in_edges();
  auto norm = rsqrt(cast<f64>(v.in_degree()) + 1.0);
  return norm * sum(e.src(norm * matmul(of, weights)) * cast<f64>(e(w)));
};
/// A gated recurrent unit whose gates are graph convolutions, as a TGCN's, and what is the same at all steps.
constexpr auto tgcn = [](auto v, auto state) {
  auto both = concat<axis<0>>(v(x), state);
  auto update = sigmoid(convolved(v, both, Wu)), reset = sigmoid(convolved(v, both, Wr));
  auto known = sum(v.in_edges().src(matmul(v(still), Z)));
  auto candidate = tanh(convolved(v, concat<axis<0>>(v(x), dropout(reset * state, 0.2)), Wc) + 0.1 * known);
  return update * state + (1.0 - update) * candidate;
};
constexpr auto missed = [](auto v) {
  auto errors = std::get<1>(scan<"T">(
      v,
      [](auto v, auto state) {
        auto n = tgcn(v, state);
        return next(n).gives(mean(square(sum(n * read_out, axis<0>) - v(y)), all_vertices));
      },
      v(h)));
  return mean(stacked(errors), axis<0>);
};
constexpr auto states = [](auto v) {
  auto all = std::get<1>(scan<"T">(
      v,
      [](auto v, auto state) {
        auto e = v.in_edges();
        auto n = tanh(0.5 * state + sum(cast<f64>(e(w)) * e.src(state)));
        return next(n).gives(n);
      },
      v(h)));
  return all;
};

// ---- tasks ----

struct task {
  std::int64_t V, T;
  std::vector<snapshot_edges> steps;
  tensor<double> X, Y, same, start;

  graph_sequence days(snapshot_store store) const { return sequence_of(V, steps, store); }
};
/// A hub has half of a step's edges; every third step has none.
task drawn_task(std::int64_t V, std::int64_t T, std::size_t edges, unsigned seed) {
  task t{V,
         T,
         random_steps(T, V, edges, seed),
         drawn({T, V, 3}, seed),
         drawn({T, V}, seed + 1),
         drawn({V, 2}, seed + 2),
         drawn({V, 4}, seed + 3)};
  for (snapshot_edges& day : t.steps)
    for (std::size_t e = 0; e < day.dst.size(); e += 2) day.dst[e] = V / 3;
  return t;
}

using test::bytes;
using test::bytes_in;
struct outcome {
  std::vector<double> losses{};
  std::vector<bytes> parameters{};
  std::vector<double> d_start{}, d_edges{};  // of the last step
  bool operator==(const outcome&) const = default;
};

std::vector<double> numbers_of(const tensor<double>& t) { return {t.begin(), t.end()}; }
std::vector<double> of_all(const graph_sequence&, const tensor<double>& rows) { return numbers_of(rows); }
std::vector<double> of_all(const distributed_sequence& part, const tensor<double>& rows) {
  return numbers_of(part.gathered(rows));
}

/// Four steps of Adam. bind: calls a step on a sequence with the inputs of a model.
template <const auto& F, class On, class Bind, class... Extent>
outcome trained_on(const On& on, const checkpoints& keep, Bind bind, Extent... extents) {
  outcome result;
  auto params = parameters<F>(extents...);
  initialize(params, 3);
  adam optimizer(params, {.learning_rate = 0.01});
  auto step = value_and_grad<F>();
  step.seed(7);
  step.checkpoint(keep);
  for (int k = 0; k < 4; ++k) {
    auto now = bind(step, params);
    result.losses.push_back(now.loss);
    optimizer.step(now.gradients.of(params));
    if (k < 3) continue;
    result.d_start = of_all(on, now.gradients[h]);
    if constexpr (std::is_same_v<decltype(F), decltype((loss))>) result.d_edges = numbers_of(now.gradients[f].values());
  }
  boost::hana::for_each(params.items(), [&](const auto& item) { result.parameters.push_back(bytes_in(item.value)); });
  return result;
}
outcome trained_whole(const task& t, const checkpoints& keep, const graph_sequence& days) {
  return trained_on<missed>(days, keep, [&](auto& step, auto& params) {
    return step(days, x = t.X, y = t.Y, still = t.same, h = t.start, w = days.weights(), params);
  });
}
outcome trained_part(const task& t, const checkpoints& keep, const distributed_sequence& part) {
  return trained_on<missed>(part, keep, [&](auto& step, auto& params) {
    return step(part, x = part.step_rows(t.X), y = part.step_rows(t.Y), still = part.rows(t.same),
                h = part.rows(t.start), w = part.weights(), params);
  });
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
}

cut cut_of(const graph_sequence& days, int parts) {
  return has_partition() ? cut::by_metis(days, parts) : cut::by_ranges(days, parts);
}

TEST(distributed_sequences, have_the_bits_of_one_rank) {
  for (const task& t : {drawn_task(120, 7, 500, 1), drawn_task(30, 5, 60, 2)}) {
    auto resident = t.days(snapshot_store::resident), changes = t.days(snapshot_store::changes);
    const cut parts = cut_of(changes, 8);
    const outcome plain = trained_whole(t, {}, resident);
    outcome one;
    for (const checkpoints& keep : {checkpoints{}, checkpoints{.every = 2}})
      for (const int ranks : {1, 2, 3, 4, 8}) {
        const graph_sequence& days = ranks % 2 == 0 ? changes : resident;
        std::vector<outcome> of(nth(ranks));
        run_ranks(ranks,
                  [&](communicator& here) {
                    const distributed_sequence part(days, parts, here);
                    of[nth(here.rank())] = trained_part(t, keep, part);
                  },
                  {.reorder = ranks == 3 ? 5u : 0u});
        if (one.losses.empty()) one = of[0];
        for (const outcome& mine : of) EXPECT_EQ(mine, one) << ranks << " ranks";
      }
    for (std::size_t k = 0; k < plain.losses.size(); ++k)
      EXPECT_NEAR(one.losses[k], plain.losses[k], 1e-12 * std::abs(plain.losses[k]));
    expect_near(one.d_start, plain.d_start);
  }
}

/// Weights, features and gradients of edges, both directions, degrees, a softmax, layers within a step.
TEST(distributed_sequences, read_edges_in_every_way) {
  constexpr std::int64_t V = 90, T = 5;
  const auto days = sequence_of(V, random_steps(T, V, 300, 4), snapshot_store::resident);
  const inputs i = inputs_of(T, V, days.edges());
  const auto target = drawn({T, V}, 8), feature = i.feature.clone();
  tensor<double> numbers({days.edges()});
  for (std::int64_t e = 0; e < days.edges(); ++e) numbers(e) = static_cast<double>(e);
  const auto on_whole = trained_on<loss>(
      days, {},
      [&](auto& step, auto& params) {
        return step(days, x = i.in, y = target, f = days.edge_steps(feature), w = days.weights(), h = i.start, params);
      },
      sized<"L">(2));
  const cut parts = cut::by_ranges(days, 8);
  outcome one;
  for (const checkpoints& keep : {checkpoints{}, checkpoints{.every = 2}})
    for (const int ranks : {1, 2, 3, 8}) {
      std::vector<outcome> of(nth(ranks));
      run_ranks(ranks, [&](communicator& here) {
        const distributed_sequence part(days, parts, here);
        outcome& mine = of[nth(here.rank())];
        mine = trained_on<loss>(
            part, keep,
            [&](auto& step, auto& params) {
              return step(part, x = part.step_rows(i.in), y = part.step_rows(target),
                          f = part.edge_rows(days.edge_steps(feature)), w = part.weights(), h = part.rows(i.start),
                          params);
            },
            sized<"L">(2));
        const auto ids = part.edge_rows(days.edge_steps(numbers));
        const std::vector<double> found = std::move(mine.d_edges);
        ASSERT_EQ(found.size(), nth(2 * part.edges()));
        mine.d_edges = one.d_edges.empty() ? on_whole.d_edges : one.d_edges;
        for (std::int64_t e = 0; e < part.edges(); ++e)
          for (const std::size_t k : {0, 1}) {
            const auto edge = static_cast<std::size_t>(ids.values()(e));
            EXPECT_NEAR(found[2 * nth(e) + k], on_whole.d_edges[2 * edge + k], 1e-12);
            mine.d_edges[2 * edge + k] = found[2 * nth(e) + k];
          }
      });
      if (one.losses.empty()) one = of[0];
      for (const outcome& mine : of) EXPECT_EQ(mine, one) << ranks << " ranks";
    }
  for (std::size_t k = 0; k < on_whole.losses.size(); ++k)
    EXPECT_NEAR(one.losses[k], on_whole.losses[k], 1e-12 * std::abs(on_whole.losses[k]));
  expect_near(one.d_start, on_whole.d_start);
}

// ---- results ----

TEST(distributed_sequences, results_have_the_rows_of_other_ranks) {
  const task t = drawn_task(80, 6, 200, 3);
  auto days = t.days(snapshot_store::resident);
  const cut parts = cut::by_ranges(days, 5);
  const tensor<double> expected = compile<states>()(days, h = t.start, w = days.weights());
  run_ranks(3, [&](communicator& here) {
    const distributed_sequence part(days, parts, here);
    const tensor<double> found = compile<states>()(part, h = part.rows(t.start), w = part.weights());
    const std::span<const std::int32_t> ids = part.global_vertices();
    ASSERT_EQ(found.shape(), dimensions({t.T, static_cast<std::int64_t>(ids.size()), 4}));
    EXPECT_LT(part.own_vertices(), found.extent(1));
    for (std::int64_t s = 0; s < t.T; ++s)
      for (std::int64_t r = 0; r < found.extent(1); ++r)
        for (std::int64_t k = 0; k < 4; ++k) EXPECT_EQ(found(s, r, k), expected(s, ids[nth(r)], k));
    EXPECT_EQ(bytes_in(part.gathered(found.row(t.T - 1))), bytes_in(expected.row(t.T - 1)));
  });
}

constexpr auto now_weight = edge_feature<"now_weight">;
constexpr auto one_step = [](auto v) {
  auto e = v.in_edges();
  return tanh(0.5 * v(h) + sum(cast<f64>(e(now_weight)) * e.src(v(h))));
};

/// The halo has rows that no edge of a step reads, and the next step does.
TEST(distributed_sequences, a_step_by_itself_is_the_part_of_its_graph) {
  const task t = drawn_task(80, 6, 200, 3);
  auto days = t.days(snapshot_store::resident);
  const cut parts = cut::by_ranges(days, 5);
  tensor<double> expected = t.start.clone();
  auto model = compile<one_step>();
  for (std::int64_t s = 0; s < t.T; ++s)
    expected = model(days.at(s), h = expected, now_weight = days.weights_at(s)).clone();
  run_ranks(4, [&](communicator& here) {
    distributed_sequence part(days, parts, here);
    tensor<double> state = part.rows(t.start);
    auto mine = compile<one_step>();
    for (std::int64_t s = 0; s < t.T; ++s) state = mine(part.at(s), h = state, now_weight = part.weights_at(s)).clone();
    EXPECT_EQ(bytes_in(part.gathered(state)), bytes_in(expected));
    EXPECT_EQ(bytes_in(part.rows(expected)), bytes_in(state));
  });
}

/// Of a carried value, at each step, the rows that the step's edges read; the states that are collected, in the end.
TEST(distributed_sequences, send_at_a_step_what_its_edges_read) {
  const task t = drawn_task(200, 7, 300, 8);
  auto days = t.days(snapshot_store::resident);
  const cut parts = cut::by_ranges(days, 2);
  std::vector<std::int64_t> sent(2), rows(2), all(2);
  run_ranks(2, [&](communicator& here) {
    distributed_sequence part(days, parts, here);
    auto model = compile<states>();
    const auto run = [&] { (void)model(part, h = part.rows(t.start), w = part.weights()); };
    run();
    const std::int64_t before = here.sent_bytes();
    run();
    sent[nth(here.rank())] = here.sent_bytes() - before;
    for (std::int64_t s = 0; s < t.T; ++s)
      for (const exchanged_rows& with : part.at(s).ranks()->vertices)
        rows[nth(here.rank())] += static_cast<std::int64_t>(with.sent.size());
    all[nth(1 - here.rank())] = part.vertices() - part.own_vertices();
  });
  for (const std::size_t me : {0, 1}) {
    EXPECT_LT(rows[me], all[me] * (t.T - 2));
    EXPECT_LE(sent[me], (rows[me] + all[me] * t.T) * 4 * 8 + 64);
    EXPECT_GE(sent[me], (rows[me] + all[me] * t.T) * 4 * 8);
  }
}

constexpr auto heard = [](auto v) {
  return std::get<1>(scan<"T">(
      v,
      [](auto v, auto state) {
        auto e = v.in_edges();
        auto each = cast<f64>(e(w)) * e.src(state);
        return next(tanh(sum(each))).gives(each);
      },
      v(h)));
};

/// Values of edges that are collected are sent in the end, of each step those that join two ranks.
TEST(distributed_sequences, send_collected_edges_once) {
  const task t = drawn_task(60, 7, 100, 8);
  auto days = t.days(snapshot_store::resident);
  const cut parts = cut::by_ranges(days, 2);
  run_ranks(2, [&](communicator& here) {
    distributed_sequence part(days, parts, here);
    auto model = compile<heard>();
    const std::int64_t before = here.sent_bytes();
    (void)model(part, h = part.rows(t.start), w = part.weights());
    std::int64_t rows = 0;
    for (std::int64_t s = 0; s < t.T; ++s) {
      const rank_rows& step = *part.at(s).ranks();
      for (const exchanged_rows& with : step.vertices) rows += static_cast<std::int64_t>(with.sent.size());
      for (const exchanged_rows& with : step.edges_made_in) rows += static_cast<std::int64_t>(with.sent.size());
    }
    EXPECT_LE(here.sent_bytes() - before, rows * 4 * 8 + 64);
  });
}

// ---- decisions and mistakes ----

/// A large part and a small one: of what fits, the fewest steps are for all.
TEST(distributed_sequences, ranks_keep_as_many_steps_as_each_has_bytes_for) {
  const task t = drawn_task(200, 12, 400, 9);
  auto days = t.days(snapshot_store::resident);
  tensor<std::int32_t> owners({t.V});
  for (std::int64_t v = 0; v < t.V; ++v) owners(v) = v < 10 ? 1 : v < 40 ? 2 : 0;
  const cut parts = cut::of(days, owners);
  std::vector<std::int64_t> whole(3), some(3);
  run_ranks(3, [&](communicator& here) {
    const distributed_sequence part(days, parts, here);
    const auto bytes_with = [&](const checkpoints& keep) {
      auto params = parameters<missed>();
      initialize(params, 3);
      auto step = value_and_grad<missed>();
      step.checkpoint(keep);
      (void)step(part, x = part.step_rows(t.X), y = part.step_rows(t.Y), still = part.rows(t.same),
                 h = part.rows(t.start), w = part.weights(), params)
          .loss;
      return step.bytes();
    };
    whole[nth(here.rank())] = bytes_with({});
    some[nth(here.rank())] = bytes_with({.every = 4});
  });
  EXPECT_LT(whole[1], some[0]);  // alone it would keep all
  const std::int64_t limit = some[0];
  std::vector<outcome> of(3), kept(3);
  run_ranks(3, [&](communicator& here) {
    const distributed_sequence part(days, parts, here);
    of[nth(here.rank())] = trained_part(t, {.within = limit}, part);
    kept[nth(here.rank())] = trained_part(t, {}, part);
  });
  for (const outcome& mine : of) EXPECT_EQ(mine, kept[0]);
  std::vector<std::string> said(3);
  run_ranks(3, [&](communicator& here) {
    const distributed_sequence part(days, parts, here);
    try {
      (void)trained_part(t, {.within = whole[1]}, part);
    } catch (const error& e) {
      said[nth(here.rank())] = e.what();
    }
  });
  EXPECT_THAT(said[0], HasSubstr("the limit is " + std::to_string(whole[1])));
  EXPECT_THAT(said[1], HasSubstr("another rank's call takes more"));
}

TEST(distributed_sequences, ranks_with_other_parts_are_told) {
  const task t = drawn_task(60, 4, 100, 5);
  auto days = t.days(snapshot_store::resident);
  const cut parts = cut::by_ranges(days, 2), others = cut::of(days, tensor<std::int32_t>({t.V}));
  std::vector<snapshot_edges> fewer(t.steps.begin(), t.steps.end() - 1);
  auto shorter = sequence_of(t.V, fewer, snapshot_store::resident);
  const auto run = [&](communicator& here, const graph_sequence& on, const cut& of, const checkpoints& keep) {
    const distributed_sequence part(on, of, here);
    auto params = parameters<missed>();
    initialize(params, 3);
    auto step = value_and_grad<missed>();
    step.checkpoint(keep);
    const std::int64_t n = on.steps();
    (void)step(part, x = part.step_rows(t.X.rows(0, n)), y = part.step_rows(t.Y.rows(0, n)), still = part.rows(t.same),
               h = part.rows(t.start), w = part.weights(), params)
        .loss;
  };
  const cut of_shorter = cut::by_ranges(shorter, 2);
  EXPECT_THAT(test::error_of(2, [&](communicator& here) { run(here, here.rank() == 0 ? days : shorter, parts, {}); }),
              HasSubstr("a rank has sizes or a cut of its own"));
  const tensor<std::int32_t> odd = [&] {
    tensor<std::int32_t> of({t.V});
    for (std::int64_t v = 0; v < t.V; ++v) of(v) = static_cast<std::int32_t>(v % 2);
    return of;
  }();
  const cut by_number = cut::of(days, odd);
  EXPECT_THAT(test::error_of(2, [&](communicator& here) { run(here, days, here.rank() == 0 ? parts : by_number, {}); }),
              HasSubstr("a rank has sizes or a cut of its own"));
  EXPECT_THAT(test::error_of(2, [&](communicator& here) { run(here, days, parts, {.every = here.rank() + 1}); }),
              HasSubstr("a rank has checkpoints every other number of steps"));
}

TEST(distributed_sequences, mistakes_are_named) {
  const task t = drawn_task(60, 4, 100, 5);
  auto days = t.days(snapshot_store::resident);
  const cut two = cut::by_ranges(days, 2);
  EXPECT_THAT(test::error_of(3, [&](communicator& here) { distributed_sequence(days, two, here); }),
              HasSubstr("3 ranks of a graph that is cut into 2 parts"));
  auto larger = sequence_of(61, t.steps, snapshot_store::resident);
  EXPECT_THAT(test::error_of(1, [&](communicator& here) { distributed_sequence(larger, two, here); }),
              HasSubstr("a cut of 60 vertices for a sequence of 61"));
  run_ranks(1, [&](communicator& here) {
    const distributed_sequence part(days, two, here);
    const auto said = [](const auto& what) -> std::string {
      try {
        what();
      } catch (const error& e) {
        return e.what();
      }
      return "";
    };
    EXPECT_THAT(said([&] { (void)part.step_rows(tensor<double>({4, 59, 3})); }), HasSubstr("(4, 59, 3)"));
    EXPECT_THAT(said([&] { (void)part.edge_rows(larger.edge_steps(tensor<double>({larger.edges()}))); }),
                HasSubstr("edge values of another sequence"));
    EXPECT_THAT(said([&] { distributed_sequence(part, two, here); }), HasSubstr("cutting a sequence is for a whole"));
    EXPECT_THAT(said([&] { (void)cut::by_ranges(part, 2); }), HasSubstr("a cut is for a whole"));
    EXPECT_THAT(said([&] {
                  auto params = parameters<missed>();
                  initialize(params, 3);
                  (void)value_and_grad<missed>()(part, x = part.step_rows(t.X.rows(0, 3)), y = part.step_rows(t.Y),
                                                 still = part.rows(t.same), h = part.rows(t.start), w = part.weights(),
                                                 params);
                }),
                HasSubstr("extent 'T'"));
  });
}

TEST(distributed_sequences, a_rank_that_fails_ends_the_others) {
  const task t = drawn_task(40, 4, 80, 6);
  auto days = t.days(snapshot_store::resident);
  const cut parts = cut::by_ranges(days, 4);
  for (std::int64_t at = 0; at < 400; at += 13) {
    const std::string why = test::error_of(
        4, [&](communicator& here) { (void)trained_part(t, {.every = 2}, distributed_sequence(days, parts, here)); },
        {.failing_rank = 2, .failing_call = at});
    if (!why.empty()) {
      EXPECT_THAT(why, HasSubstr("rank 2"));
    }
  }
}

TEST(distributed_sequences, without_edges_steps_or_vertices) {
  for (const std::int64_t n : {0, 1, 3})
    for (const std::size_t T : {0, 1, 3}) {
      auto days = sequence_of(n, std::vector<snapshot_edges>(T), snapshot_store::changes);
      run_ranks(2, [&](communicator& here) {
        const distributed_sequence part(days, cut::by_ranges(days, 2), here);
        EXPECT_EQ(part.steps(), static_cast<std::int64_t>(T));
        const tensor<double> all = compile<states>()(part, h = part.rows(tensor<double>({n, 4})), w = part.weights());
        EXPECT_EQ(all.extent(0), static_cast<std::int64_t>(T));
        EXPECT_EQ(part.gathered(part.rows(tensor<double>({n, 4}))).extent(0), n);
      });
    }
}

/// An edge that two steps have counts twice, a path's middle vertices are the borders of both parts.
TEST(distributed_sequences, cuts_say_what_they_cost) {
  const std::vector<snapshot_edges> steps{{{0, 1, 2}, {1, 2, 3}, {}}, {{1, 0}, {2, 1}, {}}, {{1, 1}, {2, 2}, {}}};
  auto days = sequence_of(4, steps, snapshot_store::changes);
  std::ostringstream said;
  const tensor<std::int32_t> owners = tensor<std::int32_t>::from({4}, {0, 0, 1, 1});
  const cut halves = cut::of(days, owners);
  said << halves;
  EXPECT_EQ(halves.whole().edges(), 3);
  EXPECT_EQ(said.str(),
            "2 parts: 57.1 % of edges are cut, 50.0 % of rows are interior, halos have 50.0 % of the graph's rows, the "
            "largest part has 107.7 % of an even share of work");
}

/// A circle, every second edge of which is there once: pairs that are joined at all steps stay together.
TEST(distributed_sequences, edges_count_at_each_step_that_has_them) {
  if (!has_partition()) GTEST_SKIP() << "there is no METIS";
  constexpr std::int64_t V = 32;
  std::vector<snapshot_edges> steps(9);
  for (std::size_t t = 0; t < steps.size(); ++t)
    for (std::int64_t v = 0; v < V; ++v)
      if (v % 2 == 1 || t == 0) {
        steps[t].src.push_back(v);
        steps[t].dst.push_back((v + 1) % V);
      }
  const cut eight = cut::by_metis(sequence_of(V, steps, snapshot_store::changes), 8);
  for (std::int64_t v = 1; v < V; v += 2) EXPECT_EQ(eight.part_of()[nth(v)], eight.part_of()[nth((v + 1) % V)]) << v;
  EXPECT_LT(eight.cost().largest_work, 1.3);
}

}  // namespace
}  // namespace stg::changing
