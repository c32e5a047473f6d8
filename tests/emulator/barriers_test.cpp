// Seeded bugs of control flow: barriers and collectives that not all threads of a group come to.
#include <vector>

#include "emulator/seeded.hpp"

namespace {

using namespace stg;
using emulator::expect_bug;
using emulator::fault_kind;

/// Threads without a row leave before the barrier of the block.
template <bool Bug> struct early_exit {
  int rows;
  template <class Block> void operator()(Block& block) const {
    if (Bug && block.thread() >= rows) return;
    block.sync();
  }
};
TEST(barriers, a_thread_leaves_the_kernel) {
  expect_bug<early_exit>(
      fault_kind::divergent_barrier,
      {"block 0", "threads 0-39 wait at sync of the block (barriers_test.cpp:", "threads 40-63 have left"}, {1, 64, 0},
      40);
}

/// Both sides of a branch have a barrier of the block.
template <bool Bug> struct two_barriers {
  template <class Block> void operator()(Block& block) const {
    if (Bug && block.thread() == 5) block.sync();
    else block.sync();
  }
};
TEST(barriers, a_thread_waits_at_another_barrier_of_the_block) {
  expect_bug<two_barriers>(fault_kind::divergent_barrier, {"sync of the block", "barriers_test.cpp:"}, {2, 32, 0});
}

/// One group waits for the block, the other for itself.
template <bool Bug> struct barrier_of_a_group {
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<8>();
    if (Bug && group.rank() == 7) block.sync();
    group.sync();
    if (!Bug || group.rank() != 7) block.sync();
  }
};
TEST(barriers, a_thread_waits_for_the_block_and_the_others_for_their_group) {
  expect_bug<barrier_of_a_group>(fault_kind::divergent_barrier,
                                 {"threads 7, 15 wait at sync of the block", "threads 0-6 wait at sync of group<8>"},
                                 {1, 16, 0});
}

/// Only lanes with an edge shuffle.
template <bool Bug> struct shuffle_in_a_branch {
  int edges;
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<8>();
    int v = block.thread();
    if (!Bug || group.rank() < edges) v = group.shuffle(v, 0);
    group.sync();
  }
};
TEST(barriers, a_lane_does_not_shuffle) {
  expect_bug<shuffle_in_a_branch>(fault_kind::inactive_lane, {"shuffle of group<8>", "sync of group<8>"}, {1, 8, 0}, 5);
}

/// The loop over a row has as many turns as the lane's own row has edges.
template <bool Bug> struct uneven_loop {
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<4>();
    const int turns = Bug ? 1 + group.rank() : 4;
    for (int i = 0; i < turns; ++i) group.ballot(i < group.rank());
  }
};
TEST(barriers, a_lane_leaves_a_loop_of_ballots) {
  expect_bug<uneven_loop>(fault_kind::inactive_lane, {"wait at ballot of group<4>", "have left the kernel"}, {1, 8, 0});
}

/// A reduction that lane 0 takes part in from another line.
template <bool Bug> struct reduce_in_two_places {
  float* sum;  // (1)
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<64>();
    const auto add = [](float a, float b) { return a + b; };
    float v = 1;
    if (Bug && group.rank() == 0) v = group.reduce(v, add);
    else v = group.reduce(v, add);
    if (group.rank() == 0) block.store(sum, v);
  }
};
TEST(barriers, a_reduction_in_two_branches) {
  float sum = 0;
  expect_bug<reduce_in_two_places>(fault_kind::inactive_lane, {"reduce of the block"}, {1, 64, 0}, &sum);
  EXPECT_EQ(sum, 64);
}

template <bool Bug> struct two_votes_of_a_line {
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<8>();
    Bug&& group.rank() == 2 ? group.any(true) : group.ballot(true) != 0;
  }
};
TEST(barriers, two_collectives_of_one_line) {
  expect_bug<two_votes_of_a_line>(fault_kind::inactive_lane, {"any of group<8>", "ballot of group<8>"}, {1, 8, 0});
}

template <bool Bug> struct shuffle_from_nobody {
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<8>();
    group.shuffle(1.f, (group.rank() + 1) % (Bug ? 16 : 8));
  }
};
TEST(barriers, a_shuffle_from_a_lane_that_is_not_there) {
  expect_bug<shuffle_from_nobody>(fault_kind::inactive_lane, {"shuffles from lane 8 of group<8>"}, {1, 8, 0});
}

/// The block's last group is not whole.
template <bool Bug> struct groups_of_a_block {
  template <class Block> void operator()(Block& block) const { block.template group<Bug ? 8 : 4>().sync(); }
};
TEST(barriers, a_block_that_does_not_divide_into_groups) {
  expect_bug<groups_of_a_block>(fault_kind::inactive_lane, {"a block of 12 threads"}, {1, 12, 0});
}

template <bool Bug> struct uneven_op {
  template <class Block> void operator()(Block& block) const {
    block.template group<8>().reduce(block.thread(), [](int a, int b) { return Bug ? 2 * a + b : a + b; });
  }
};
TEST(barriers, an_op_that_is_not_commutative) {
  expect_bug<uneven_op>(fault_kind::uneven_reduction, {"group<8>"}, {1, 8, 0});
}

}  // namespace
