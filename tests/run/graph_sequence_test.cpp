// test: draft runtime, sanitized memory
// Sequences of graphs: both stores against graphs of sorted edge lists, in every order of steps; and every mistake.
#include "expect_error.hpp"                // expect_error
#include "support/snapshot_reference.hpp"  // expect_step, in_order, …

#include <stg/runtime/call_graph.hpp>      // call_graph
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/runtime/parallel.hpp>        // set_threads

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

#include <algorithm>  // set_difference
#include <atomic>     // atomic
#include <cmath>      // signbit
#include <cstdint>    // uint32_t
#include <iterator>   // back_inserter
#include <limits>     // numeric_limits
#include <random>     // mt19937
#include <thread>     // thread
#include <vector>     // vector

namespace stg {
namespace {

using test::expect_error;
using test::expect_step;
using test::in_order;
using test::reference;
using test::reference_edge;
using test::reference_of;
using test::same;
using testing::ElementsAre;

constexpr snapshot_store stores[] = {snapshot_store::resident, snapshot_store::changes};

/// Steps of at most so many random edges, nearly as many where they are more than 1000, most of which stay; with loops,
/// parallel edges and equal weights.
std::vector<snapshot_edges> random_steps(std::mt19937& random, std::int64_t vertices, int steps, int edges,
                                         bool weighted) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(std::max<std::int64_t>(1, n)));
  };
  std::vector<snapshot_edges> all;
  snapshot_edges now;
  for (int t = 0; t < steps; ++t) {
    const auto size = static_cast<std::size_t>(edges - below(edges > 1000 ? 1000 : edges + 1));
    for (std::size_t e = 0; e < now.src.size();) {  // a quarter goes
      if (below(4) != 0 && now.src.size() <= size + 3) {
        ++e;
        continue;
      }
      now.src[e] = now.src.back(), now.dst[e] = now.dst.back();
      now.src.pop_back(), now.dst.pop_back();
      if (weighted) now.weights[e] = now.weights.back(), now.weights.pop_back();
    }
    while (now.src.size() < size) {
      now.src.push_back(below(vertices));
      now.dst.push_back(below(vertices));
      if (weighted) now.weights.push_back(static_cast<double>(below(5)) - 2);
    }
    all.push_back(now);
  }
  return all;
}

/// What changes from one step to the next, by the reference's order.
std::vector<snapshot_changes> changes_between(const std::vector<snapshot_edges>& steps) {
  std::vector<snapshot_changes> all;
  for (std::size_t t = 1; t < steps.size(); ++t) {
    const auto before = in_order(steps[t - 1]), after = in_order(steps[t]);
    const bool weighted = !steps[t - 1].weights.empty() || !steps[t].weights.empty();
    std::vector<reference_edge> removed, added;
    std::ranges::set_difference(before, after, std::back_inserter(removed));
    std::ranges::set_difference(after, before, std::back_inserter(added));
    std::reverse(removed.begin(), removed.end());  // in any order
    snapshot_changes changes;
    const auto put = [&](const std::vector<reference_edge>& from, snapshot_edges& to) {
      for (const auto& [d, s, w] : from) {
        to.src.push_back(s), to.dst.push_back(d);
        if (weighted) to.weights.push_back(w);
      }
    };
    put(removed, changes.removed), put(added, changes.added);
    all.push_back(changes);
  }
  return all;
}

TEST(graph_sequence, of_random_steps_has_the_same_bits_in_both_stores) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const bool weighted = round % 2 == 0;
    const std::int64_t vertices = round % 5 == 0 ? 1 : 1 + static_cast<std::int64_t>(random() % 30);
    const auto steps = random_steps(random, vertices, 1 + static_cast<int>(random() % 7), 60, weighted);
    const auto changes = changes_between(steps);
    const auto last = static_cast<std::int64_t>(steps.size()) - 1;
    for (const snapshot_store store : stores) {
      graph_sequence a = graph_sequence::from_steps(vertices, steps, {.store = store});
      graph_sequence b = graph_sequence::from_changes(vertices, steps[0], changes, {.store = store});
      for (graph_sequence* sequence : {&a, &b}) {
        EXPECT_EQ(sequence->is_resident(), store == snapshot_store::resident);
        ASSERT_EQ(sequence->steps(), last + 1);
        for (std::int64_t t = 0; t <= last; ++t) expect_step(*sequence, t, steps[static_cast<std::size_t>(t)]);
        for (std::int64_t t = last; t >= 0; --t) expect_step(*sequence, t, steps[static_cast<std::size_t>(t)]);
        for (int jump = 0; jump < 8; ++jump) {
          const auto t = static_cast<std::int64_t>(random() % steps.size());
          expect_step(*sequence, t, steps[static_cast<std::size_t>(t)]);
        }
      }
    }
  }
}

TEST(graph_sequence, of_many_edges_is_divided_among_threads_and_stays_the_same) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const int before = threads();
  // Few vertices, so that one row is longer than a part of the edges; many, so that blocks have rows without edges.
  for (const std::int64_t vertices : {2, 3000}) {
    const auto steps = random_steps(random, vertices, 3, 80'000, vertices == 2);
    std::vector<reference> expected;
    for (const snapshot_edges& edges : steps) expected.push_back(reference_of(vertices, edges));
    set_threads(7);
    graph_sequence sequence = graph_sequence::from_steps(vertices, steps, {.store = snapshot_store::changes});
    for (const std::int64_t t : {1, 2, 0}) expect_step(sequence, t, expected[static_cast<std::size_t>(t)]);
  }
  set_threads(before);
}

TEST(graph_sequence, may_have_no_steps_no_edges_and_no_vertices) {
  for (const snapshot_store store : stores) {
    graph_sequence none = graph_sequence::from_steps(3, {}, {.store = store});
    EXPECT_EQ(none.steps(), 0);
    EXPECT_EQ(none.vertices(), 3);
    expect_error([&] { none.at(0); }, {"no step 0", "0 steps"});
    graph_sequence empty = graph_sequence::from_steps(0, std::vector<snapshot_edges>(2), {.store = store});
    EXPECT_EQ(empty.at(1).vertices(), 0);
    // Edges appear, vanish and come again, with weights all the while.
    const std::vector<snapshot_edges> steps{{}, {{0, 0}, {0, 0}, {2, 1}}, {}, {{0}, {0}, {2}}};
    graph_sequence loops = graph_sequence::from_steps(1, steps, {.store = store});
    for (const std::int64_t t : {0, 1, 2, 3, 1, 0, 3, 2, 1}) expect_step(loops, t, steps[static_cast<std::size_t>(t)]);
    graph_sequence again = graph_sequence::from_changes(1, steps[0], changes_between(steps), {.store = store});
    for (const std::int64_t t : {0, 1, 2, 3, 1, 0, 3, 2, 1}) expect_step(again, t, steps[static_cast<std::size_t>(t)]);
    EXPECT_TRUE(loops.has_weights());
    EXPECT_EQ(loops.weights_at(2).values().size(), 0);
  }
}

TEST(graph_sequence, tells_zeros_apart_and_orders_weights) {
  const std::vector<snapshot_edges> steps{{{0, 0, 0}, {1, 1, 1}, {0.0, -1, -0.0}}, {{0}, {1}, {0.0}}};
  for (const snapshot_store store : stores) {
    graph_sequence sequence = graph_sequence::from_steps(2, steps, {.store = store});
    sequence.at(1);
    const tensor<float>& w = sequence.weights_at(0).values();
    EXPECT_EQ(w(0), -1);
    EXPECT_TRUE(std::signbit(w(1)));
    EXPECT_FALSE(std::signbit(w(2)));
    EXPECT_FALSE(std::signbit(sequence.weights_at(1).values()(0)));
  }
  const double infinite = std::numeric_limits<double>::infinity();
  auto far = graph_sequence::from_steps(2, std::vector<snapshot_edges>{{{0, 1}, {1, 1}, {infinite, -infinite}}});
  EXPECT_EQ(far.weights_at(0).values()(0), infinite);
}

TEST(graph_sequence, removes_any_of_parallel_edges_or_the_one_that_is_named) {
  const snapshot_edges first{{0, 0, 0, 1}, {1, 1, 1, 1}, {3, 1, 2, 5}};
  const std::vector<snapshot_changes> changes{{.removed = {{0}, {1}, {}}, .added = {}},
                                              {.removed = {{0}, {1}, {3}}, .added = {{1}, {0}, {9}}}};
  graph_sequence sequence = graph_sequence::from_changes(2, first, changes, {.store = snapshot_store::changes});
  const auto weights = [&](std::int64_t t) {
    const auto& w = sequence.weights_at(t).values();
    return std::vector<float>(w.begin(), w.end());
  };
  EXPECT_THAT(weights(0), ElementsAre(1, 2, 3, 5));
  EXPECT_THAT(weights(1), ElementsAre(2, 3, 5)) << "of the lowest weight";
  EXPECT_THAT(weights(2), ElementsAre(9, 2, 5));
  EXPECT_THAT(weights(0), ElementsAre(1, 2, 3, 5));
}

TEST(graph_sequence, leaves_copies_and_held_weights_as_they_were) {
  const std::vector<snapshot_edges> steps{{{0, 1}, {1, 0}, {1, 2}}, {{1, 1}, {0, 1}, {3, 4}}, {{2}, {2}, {5}}};
  graph_sequence sequence = graph_sequence::from_steps(3, steps, {.store = snapshot_store::changes});
  const graph copy = sequence.at(0);
  const detail::memory held = sequence.weights_at(0).share();
  ASSERT_NE(held, nullptr) << "what a tape holds";
  const float* const values = sequence.weights_at(0).values().data();
  for (const std::int64_t t : {1, 2, 1, 2, 0, 2, 1}) expect_step(sequence, t, steps[static_cast<std::size_t>(t)]);
  const std::int64_t src[] = {1, 0}, dst[] = {0, 1};
  const graph again = graph::from_edges(3, src, dst);
  EXPECT_TRUE(same(copy.in_edges(), again.in_edges()));
  EXPECT_EQ(values[0], 2);
  EXPECT_EQ(values[1], 1);
  const graph* const shown = &sequence.at(2);
  EXPECT_EQ(shown, &sequence.at(1)) << "one graph, which moves";
  graph_sequence moved = std::move(sequence);
  expect_step(moved, 2, steps[2]);
}

TEST(graph_sequence, values_of_edges_go_in_and_out_unchanged) {
  graph_sequence sequence = graph_sequence::from_steps(2, std::vector<snapshot_edges>{{{1, 0}, {1, 0}}});
  const graph& g = sequence.at(0);
  const auto values = g.edge_values(tensor<float>::from({2, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(values.values()(1, 0), 3);
  EXPECT_EQ(g.to_input_order(values)(0, 1), 2);
  EXPECT_EQ(g.add_self_loops().edges(), 4);
}

TEST(graph_sequence, chooses_its_store_by_the_limit) {
  std::mt19937 random(5);
  const auto steps = random_steps(random, 50, 10, 500, true);
  const std::int64_t needed = graph_sequence::from_steps(50, steps).bytes_if_resident();
  std::int64_t edges = 0;
  for (const snapshot_edges& s : steps) edges += s.size();
  EXPECT_GE(needed, 20 * edges + 24 * 50 * 10);
  EXPECT_LE(needed, 20 * edges + 24 * 50 * 10 + 16 * 10 + 1024) << "as the header says";
  EXPECT_TRUE(graph_sequence::from_steps(50, steps, {.byte_limit = needed}).is_resident());
  EXPECT_FALSE(graph_sequence::from_steps(50, steps, {.byte_limit = needed - 1}).is_resident());
  EXPECT_TRUE(graph_sequence::from_steps(50, steps, {snapshot_store::resident, 0}).is_resident());
  const graph_sequence resident = graph_sequence::from_steps(50, steps);
  EXPECT_NEAR(static_cast<double>(resident.bytes()), static_cast<double>(needed), 1024);
}

TEST(graph_sequence, of_few_changes_takes_an_eighth_of_the_memory) {
  // 60 steps, of whose edges 5 % are others than the step before: the case that the store is for.
  std::mt19937 random(3);
  constexpr std::int64_t vertices = 400, edges = 4'000;
  std::vector<snapshot_edges> steps;
  snapshot_edges now;
  const auto vertex = [&] { return static_cast<std::int64_t>(random() % vertices); };
  for (std::int64_t e = 0; e < edges; ++e) {
    now.src.push_back(vertex()), now.dst.push_back(vertex());
    now.weights.push_back(static_cast<double>(random() % 1000));
  }
  for (int t = 0; t < 60; ++t) {
    for (std::int64_t e = 0; e < edges / 20; ++e) {
      const std::size_t gone = random() % static_cast<std::size_t>(edges);
      now.src[gone] = vertex(), now.dst[gone] = vertex();
    }
    steps.push_back(now);
  }
  graph_sequence sequence = graph_sequence::from_steps(vertices, steps, {.store = snapshot_store::changes});
  for (std::int64_t t = 0; t < 60; ++t) sequence.at(t);
  EXPECT_LE(8 * sequence.bytes(), sequence.bytes_if_resident());
  EXPECT_LE(sequence.changed_edges(), 59 * 2 * edges / 20);
  const std::int64_t once = 68 * edges + (48 + 8 * threads()) * vertices;
  EXPECT_LE(sequence.bytes(), 12 * sequence.changed_edges() + once + 4096) << "as the header says";
  EXPECT_GE(sequence.bytes(), 12 * sequence.changed_edges() + 68 * edges) << "as the header says";
  const std::int64_t before = sequence.bytes();
  for (const std::int64_t t : {50, 3, 40}) sequence.at(t);
  EXPECT_LE(sequence.bytes(), before + 12 * edges + 4096) << "what jumps take";
}

TEST(graph_sequence, says_which_step_and_edge_is_wrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refuse = [](std::vector<snapshot_edges> steps, std::initializer_list<std::string_view> parts) {
    expect_error([&] { graph_sequence::from_steps(3, steps); }, parts);
  };
  refuse({{}, {{0, 1}, {1, 3}, {}}}, {"step 1 edge 1, 1 -> 3,", "3 vertices"});
  refuse({{{-1}, {0}, {}}}, {"step 0 edge 0, -1 -> 0,"});
  refuse({{{0, 1}, {0}, {}}}, {"step 0 has 2 sources and 1 destinations"});
  refuse({{{0, 1}, {0, 1}, {1}}}, {"step 0 has 1 weights for 2 edges"});
  refuse({{{0}, {0}, {1}}, {}, {{0, 1}, {1, 1}, {1, nan}}}, {"step 2 edge 1, 1 -> 1, weighs nan"});
  refuse({{{0}, {0}, {1e39}}}, {"step 0 edge 0, 0 -> 0, weighs", "a float"});
  refuse({{{0}, {0}, {1}}, {{0}, {0}, {}}}, {"step 1 has no weights"});
  refuse({{{0}, {0}, {}}, {{0}, {0}, {1}}}, {"step 1 has weights"});
  expect_error([] { graph_sequence::from_steps(-1, {}); }, {"-1 vertices"});
  expect_error([] { graph_sequence::from_steps(std::int64_t{1} << 31, {}); }, {"2147483648 vertices"});

  const snapshot_edges first{{0, 1, 1}, {1, 2, 2}, {4, 5, 6}};
  const auto refuse_changes = [&](std::vector<snapshot_changes> changes,
                                  std::initializer_list<std::string_view> parts) {
    expect_error([&] { graph_sequence::from_changes(3, first, changes); }, parts);
  };
  refuse_changes({{.removed = {{0}, {1}, {}}}, {.removed = {{1, 0}, {2, 1}, {}}}},
                 {"step 2 removes edge 1, 0 -> 1, which is not there"});
  refuse_changes({{.removed = {{0}, {1}, {4.5}}}},
                 {"step 1 removes edge 0, 0 -> 1, which is not there with weight 4.5;"});
  refuse_changes({{.removed = {{1, 1, 1}, {2, 2, 2}, {}}}}, {"step 1 removes edge 2, 1 -> 2,"});
  refuse_changes({{.removed = {{1, 1}, {2, 2}, {5, 5}}}}, {"step 1 removes edge 1, 1 -> 2,", "weight 5"});
  refuse_changes({{.added = {{3}, {0}, {1}}}}, {"step 1 added edge 0, 3 -> 0,"});
  refuse_changes({{.removed = {{0}, {7}, {}}}}, {"step 1 removed edge 0, 0 -> 7,"});
  refuse_changes({{.added = {{0}, {0}, {}}}}, {"step 1 added has no weights"});
  refuse_changes({{.added = {{0}, {0}, {nan}}}}, {"step 1 added edge 0, 0 -> 0, weighs nan"});

  // where edges are from a file, its name
  const sequence_options read_from{.file = "days.json"};
  expect_error(
      [&] {
        graph_sequence::from_steps(3, std::vector<snapshot_edges>{{}, {{1}, {3}, {}}}, read_from);
      },
      {"graph sequence days.json step 1 edge 0, 1 -> 3,"});
  expect_error(
      [&] {
        graph_sequence::from_changes(3, first, std::vector<snapshot_changes>{{.removed = {{2}, {1}, {}}}}, read_from);
      },
      {"graph sequence days.json step 1 removes edge 0, 2 -> 1, which is not there"});

  graph_sequence sequence = graph_sequence::from_steps(3, std::vector<snapshot_edges>{{{0}, {1}, {}}, {}});
  expect_error([&] { sequence.at(2); }, {"no step 2", "2 steps"});
  expect_error([&] { sequence.at(-1); }, {"no step -1"});
  expect_error([&] { sequence.edges_at(2); }, {"no step 2"});
  expect_error([&] { sequence.weights_at(0); }, {"no weights"});
}

TEST(graph_sequence, of_changes_is_used_by_one_thread_at_a_time) {
  const std::vector<snapshot_edges> steps{{{0}, {1}, {1}}, {{1}, {0}, {2}}, {{2}, {1}, {3}}};
  for (const snapshot_store store : stores) {
    auto sequence = graph_sequence::from_steps(3, steps, {.store = store});
    {
      const shown_by_one call(call_graph(sequence).steps());
      if (store == snapshot_store::resident) {
        EXPECT_EQ(sequence.at(2).edges(), 1);
      } else {
        const char* said = "graph sequence of changes is in use by another thread; give each thread its own";
        expect_error([&] { sequence.at(1); }, {said});
        expect_error([&] { sequence.weights_at(0); }, {said});
      }
    }
    std::atomic<int> refused = 0;
    const auto use = [&] {
      for (int i = 0; i < 2000; ++i) try {
          sequence.at(i % 3);
          call_graph{sequence};
        } catch (const error&) {
          ++refused;
        }
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(use);
    for (std::thread& t : threads) t.join();
    if (store == snapshot_store::resident) {
      EXPECT_EQ(refused, 0);
    }
    EXPECT_EQ(sequence.weights_at(2).values()(0), 3);
    EXPECT_EQ(sequence.at(1).edge_list(), (edge_list{{1}, {0}}));
  }
}

}  // namespace
}  // namespace stg
