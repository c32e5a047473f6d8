// test: draft runtime
// What showing the next graph of a sequence takes from the heap: nothing in the long run; and when there is nothing
// left, the sequence stays where it was.
#include "support/counted_new.hpp"  // new_calls, fails_at

#include <stg/base/error.hpp>              // out_of_memory
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/runtime/parallel.hpp>        // set_threads

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // int64_t
#include <random>   // mt19937
#include <vector>   // vector

namespace stg {
namespace {

/// Steps of 5000 to 6000 edges over 700 vertices, half of them other ones each step.
std::vector<snapshot_edges> steps() {
  std::mt19937 random(11);
  std::vector<snapshot_edges> all(6);
  for (std::size_t t = 0; t < all.size(); ++t) {
    if (t > 0) all[t] = all[t - 1];
    const std::size_t size = 5000 + random() % 1000, kept = t == 0 ? 0 : 2500;
    for (auto* array : {&all[t].src, &all[t].dst}) {
      array->resize(size);
      for (std::size_t e = kept; e < size; ++e) (*array)[e] = random() % 700;
    }
    all[t].weights.assign(size, 0.5);
  }
  return all;
}

graph_sequence sequence_of(const std::vector<snapshot_edges>& all) {
  return graph_sequence::from_steps(700, all, {.store = snapshot_store::changes});
}

TEST(graph_sequence_memory, is_taken_by_the_first_steps_alone) {
  const auto all = steps();
  graph_sequence sequence = sequence_of(all);
  for (const std::int64_t t : {1, 2, 5, 0}) sequence.at(t);  // both rooms, and that of jumps
  const std::int64_t before = test::new_calls, bytes = sequence.bytes();
  for (int round = 0; round < 3; ++round) {
    for (std::int64_t t = 0; t < 6; ++t) sequence.weights_at(t);
    for (std::int64_t t = 5; t >= 0; --t) sequence.at(t);
    for (const std::int64_t t : {3, 0, 5, 2}) sequence.at(t);
  }
  EXPECT_EQ(test::new_calls, before);
  EXPECT_EQ(sequence.bytes(), bytes);
}

TEST(graph_sequence_memory, that_runs_out_leaves_the_step_that_is_shown) {
  const auto all = steps();
  for (const std::int64_t to : {1, 4}) {
    std::int64_t failures = 0;
    for (bool done = false; !done; ++failures) {
      graph_sequence sequence = sequence_of(all);
      const edge_identity first = sequence.edge_identity_at(0);
      test::fails_at = test::new_calls + failures;
      try {
        sequence.at(to);
        done = true;
      } catch (const out_of_memory&) {
      }
      test::fails_at = -1;
      if (!done) {
        const graph& shown = sequence.at(0);
        EXPECT_EQ(shown.edges(), all[0].size());
        EXPECT_EQ(graph::from_edges(700, shown.edge_list().src, shown.edge_list().dst).edge_identity(), first);
        EXPECT_EQ(sequence.weights_at(0).values().size(), all[0].size());
      }
      EXPECT_EQ(sequence.at(to).edges(), all[static_cast<std::size_t>(to)].size());
      const edge_list list = sequence.at(to).edge_list();
      EXPECT_EQ(graph::from_edges(700, list.src, list.dst).edge_identity(), sequence.edge_identity_at(to));
    }
    EXPECT_GT(failures, 5) << "nothing was taken from the heap, so nothing failed";
  }
}

}  // namespace
}  // namespace stg
