// Seeded bugs of order: data races in shared and global memory, and results that depend on who comes first.
#include <vector>

#include "emulator/seeded.hpp"

namespace {

using namespace stg;
using emulator::expect_bug;
using emulator::fault_kind;

/// Every thread leaves a number for its neighbour, each in a row of its own for the two turns.
template <bool Bug> struct neighbours {
  float* x;  // (64)
  template <class Block> void operator()(Block& block) const {
    const int i = block.thread();
    block.store(x + i, 1.f);
    if (!Bug) block.sync();
    block.load(x + (i + 1) % 64);
  }
};
TEST(races, a_word_of_global_memory) {
  float x[64] = {};
  emulator::name_memory(x, sizeof x, "x");
  expect_bug<neighbours>(fault_kind::race, {" x+", "races_test.cpp:", "no barrier of both"}, {1, 64, 0}, x);
}

/// The second turn overwrites what the neighbour may still have to read.
template <bool Bug> struct write_after_read {
  template <class Block> void operator()(Block& block) const {
    int* row = reinterpret_cast<int*>(block.shared());  // (64)
    const int i = block.thread();
    for (int turn = 0; turn < 2; ++turn) {
      block.store(row + i, turn);
      block.sync();
      block.load(row + (i + 40) % 64);
      if (!Bug) block.sync();
    }
  }
};
TEST(races, a_word_of_shared_memory_that_is_written_again) {
  expect_bug<write_after_read>(fault_kind::race, {"shared+"}, {2, 64, 256});
}

/// The barrier is there, but of a group that does not contain both threads.
template <bool Bug> struct barrier_of_others {
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group < Bug ? 8 : 16 > ();
    int* row = reinterpret_cast<int*>(block.shared());  // (32)
    const int i = block.thread();
    block.store(row + i, i);
    block.sync();
    if (i % 16 == 0) block.store(row + i, -1);
    group.sync();
    block.load(row + i / 16 * 16);
  }
};
TEST(races, a_barrier_of_a_group_that_does_not_contain_both) {
  expect_bug<barrier_of_others>(fault_kind::race, {"shared+"}, {1, 32, 128});
}

/// Two barriers of groups in turn: what lane 0 wrote is known to lane 2 through lane 1, or not at all.
template <bool Bug> struct barriers_in_turn {
  template <class Block> void operator()(Block& block) const {
    auto pair = block.template group<2>();
    auto four = block.template group<4>();
    int* word = reinterpret_cast<int*>(block.shared());
    if (block.thread() == 0) block.store(word, 1);
    pair.sync();
    if (!Bug) four.sync();
    if (block.thread() == 2) block.load(word);
    if (Bug) four.sync();
  }
};
TEST(races, barriers_of_groups_in_turn) {
  for (std::uint64_t schedule = 0; schedule < 8; ++schedule) {
    EXPECT_NO_THROW(emulator::launch(barriers_in_turn<false>{}, {1, 4, 4}, {.schedule = schedule}));
    EXPECT_THROW(emulator::launch(barriers_in_turn<true>{}, {1, 4, 4}, {.schedule = schedule}), emulator::fault);
  }
}

/// A shuffle is no barrier: it moves a number and orders nothing else.
template <bool Bug> struct shuffle_as_barrier {
  int* x;  // (8)
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<8>();
    if (group.rank() == 0) block.store(x, 1);
    group.shuffle(1, 0);
    if (!Bug) group.sync();
    if (group.rank() == 3) block.load(x);
  }
};
TEST(races, a_shuffle_taken_for_a_barrier) {
  int x[8] = {};
  expect_bug<shuffle_as_barrier>(fault_kind::race, {}, {1, 8, 0}, x);
}

/// A reduction of more than 32 lanes is a barrier, one of a warp is none.
template <bool Bug> struct reduction_as_barrier {
  int* x;  // (64)
  template <class Block> void operator()(Block& block) const {
    const auto add = [](int a, int b) { return a + b; };
    block.store(x + block.thread(), 1);
    block.template group<Bug ? 32 : 64>().reduce(1, add);
    block.load(x + (block.thread() ^ 1));
  }
};
TEST(races, a_reduction_taken_for_a_barrier) {
  int x[64] = {};
  expect_bug<reduction_as_barrier>(fault_kind::race, {}, {1, 64, 0}, x);
}

/// Lanes of one warp read a word, and one of them writes it before all have.
template <bool Bug> struct readers_of_a_warp {
  int* x;  // (1)
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<16>();
    if (group.rank() < 14) block.load(x);
    group.sync();
    if (Bug && group.rank() == 14) block.load(x);
    if (group.rank() == 0) block.store(x, 1);
  }
};
TEST(races, one_of_many_readers) {
  int x = 0;
  expect_bug<readers_of_a_warp>(fault_kind::race, {}, {1, 16, 0}, &x);
}

/// Two lanes read a word, and the writer has met one of them.
template <bool Bug> struct one_reader_of_two {
  int* x;  // (1)
  template <class Block> void operator()(Block& block) const {
    auto pair = block.template group<2>();
    if (block.thread() == 0 || block.thread() == 2) block.load(x);
    pair.sync();
    if (!Bug) block.template group<4>().sync();
    if (block.thread() == 3) block.store(x, 1);
  }
};
TEST(races, a_writer_that_has_met_one_of_two_readers) {
  int x = 0;
  expect_bug<one_reader_of_two>(fault_kind::race, {}, {1, 4, 0}, &x);
}

/// Two warps read a word, and the writer has met the reader of its own.
template <bool Bug> struct readers_of_two_warps {
  int* x;  // (1)
  int turn_of_reading;
  template <class Block> void operator()(Block& block) const {
    auto warp = block.template group<32>();
    block.sync();
    if (Bug && block.thread() == 40) block.load(x);
    for (int turn = 0; turn < 4; ++turn) {  // in ascending order the other warp is done meanwhile
      if (turn == turn_of_reading && block.thread() < 2) block.load(x);
      if (turn == 3 && block.thread() == 2) block.store(x, 1);
      warp.sync();
    }
  }
};
TEST(races, a_writer_that_has_met_the_readers_of_its_own_warp) {
  int x = 0;
  expect_bug<readers_of_two_warps>(fault_kind::race, {"thread 40"}, {1, 64, 0}, &x, 0);
  expect_bug<readers_of_two_warps>(fault_kind::race, {"thread 40"}, {1, 64, 0}, &x, 2);
}

/// Numbers of two bytes: neighbours in a word are no race, the same half of it is.
template <bool Bug> struct halves {
  std::uint16_t* x;  // (32)
  template <class Block> void operator()(Block& block) const {
    block.store(x + block.thread(), std::uint16_t{1});
    if (Bug && block.thread() == 4) block.store(x + 5, std::uint16_t{1});
  }
};
TEST(races, halves_of_a_word) {
  alignas(4) std::uint16_t x[32] = {};
  emulator::name_memory(x, sizeof x, "x");
  expect_bug<halves>(fault_kind::race, {"x+10"}, {1, 32, 0}, x);
}

/// A sum that is atomic, but for one thread.
template <bool Bug> struct sum_of_all {
  float* sum;
  template <class Block> void operator()(Block& block) const {
    if (Bug && block.thread() == 0) block.store(sum, block.load(sum) + 1);
    else block.atomic_add(sum, 1);
  }
};
TEST(races, atomics_and_others) {
  float sum = 0;
  expect_bug<sum_of_all>(fault_kind::race, {"adds atomically to"}, {1, 64, 0}, &sum);
}

/// A counter that one thread looks at while others still add to it.
template <bool Bug> struct early_look {
  int* count;
  template <class Block> void operator()(Block& block) const {
    if (Bug && block.thread() == 0) block.load(count);
    block.atomic_add(count, 1);
    block.sync();
    block.load(count);
  }
};
TEST(races, a_counter_that_is_read_too_early) {
  int count = 0;
  expect_bug<early_look>(fault_kind::race, {}, {1, 64, 0}, &count);
}

TEST(races, atomics_of_several_blocks) {
  float sum = 0;
  EXPECT_NO_THROW(emulator::launch(sum_of_all<false>{&sum}, {4, 64, 0}));
  EXPECT_EQ(sum, 256);
}

/// Blocks overlap by one row.
template <bool Bug> struct overlapping_blocks {
  float* y;  // (blocks + 1, 32)
  template <class Block> void operator()(Block& block) const {
    for (int row = 0; row < (Bug ? 2 : 1); ++row) block.store(y + 32 * (block.index() + row) + block.thread(), 1.f);
  }
};
TEST(races, two_blocks_write) {
  float y[4 * 32] = {};
  expect_bug<overlapping_blocks>(fault_kind::race_between_blocks, {"block 1"}, {3, 32, 0}, y);
}

/// A block reads what another one leaves; only a launch of its own makes that safe.
template <bool Bug> struct partial_sums {
  float* partial;  // (blocks)
  float* y;        // (blocks)
  template <class Block> void operator()(Block& block) const {
    block.store(partial + block.index(), 1.f);
    block.store(y + block.index(), block.load(partial + (block.index() + (Bug ? 1 : 0)) % block.count()));
  }
};
TEST(races, a_block_reads_what_another_writes) {
  float partial[3] = {}, y[3] = {};
  expect_bug<partial_sums>(fault_kind::race_between_blocks, {"block"}, {3, 1, 0}, partial, y);
}

/// Every block reads a word that the last one then writes.
template <bool Bug> struct last_block_writes {
  float* x;  // (2)
  template <class Block> void operator()(Block& block) const {
    block.load(x);
    if (block.index() == block.count() - 1) block.store(x + (Bug ? 0 : 1), 1.f);
  }
};
TEST(races, a_block_writes_what_others_and_itself_read) {
  float x[2] = {};
  expect_bug<last_block_writes>(fault_kind::race_between_blocks, {"block 2"}, {3, 1, 0}, x);
}

template <bool Bug> struct constant_that_is_not {
  float* x;  // (2)
  template <class Block> void operator()(Block& block) const {
    block.load_constant(x);
    block.sync();
    if (block.thread() == 0) block.store(x + (Bug ? 0 : 1), 1.f);
  }
};
TEST(races, a_constant_that_the_launch_writes) {
  float x[2] = {};
  expect_bug<constant_that_is_not>(fault_kind::constant_written, {"reads as constant", "in the same launch"}, {1, 2, 0},
                                   x);
}

/// The next launch may write what this one has read.
TEST(races, launches_are_ordered) {
  float x[64] = {};
  EXPECT_NO_THROW(emulator::launch(neighbours<false>{x}, {1, 64, 0}));
  EXPECT_NO_THROW(emulator::launch(neighbours<false>{x}, {1, 64, 0}));
  EXPECT_NO_THROW(emulator::launch(overlapping_blocks<false>{x}, {2, 32, 0}));
}

/// A sum of floats by atomics is no race, and still another one each time.
template <bool Bug> struct float_sum {
  float* sum;
  template <class Block> void operator()(Block& block) const {
    const float mine = block.thread() == 0 ? 1e8f : block.thread() == 1 ? -1e8f : 1.f;
    if constexpr (Bug) {
      block.atomic_add(sum, mine);
    } else {
      const float all = block.template group<32>().reduce(mine, [](float a, float b) { return a + b; });
      if (block.thread() == 0) block.store(sum, all);
    }
  }
};
template <bool Bug> std::vector<float> run_float_sum(const emulator::options& options) {
  std::vector<float> sum(1);
  emulator::launch(float_sum<Bug>{sum.data()}, {1, 32, 0}, options);
  return sum;
}
TEST(races, dependence_on_order) {
  EXPECT_NO_THROW(emulator::check_order(run_float_sum<false>, 6));
  emulator::expect_fault(fault_kind::order_dependence, {"gives other output than schedule 0", "byte"},
                         [] { emulator::check_order(run_float_sum<true>, 6); });
}

/// The last block to write wins: with races not watched, the order of blocks still shows it.
TEST(races, dependence_on_the_order_of_blocks) {
  struct last_wins {
    int* x;
    void operator()(emulator::block& block) const { block.store(x, static_cast<int>(block.index())); }
  };
  emulator::expect_fault(fault_kind::order_dependence, {"schedule 1"}, [] {
    emulator::check_order(
        [](const emulator::options& options) {
          std::vector<int> x(1);
          emulator::launch(last_wins{x.data()}, {16, 1, 0}, options);
          return x;
        },
        2, {.checks = {.races = false}});
  });
}

}  // namespace
