// Seeded bugs of addresses: alignment, bounds, shared memory that nobody wrote, copies that nobody waited for.
#include <vector>

#include "emulator/asan.hpp"  // has_asan
#include "emulator/seeded.hpp"

namespace {

using namespace stg;
using emulator::expect_bug;
using emulator::fault_kind;

/// A pack of a row whose length is no multiple of the pack.
template <bool Bug> struct pack_of_odd_row {
  float* x;  // (64)
  template <class Block> void operator()(Block& block) const {
    auto v = block.template load_pack<4>(x + block.thread() * (Bug ? 5 : 4));
    block.store_pack(x + 4 * block.thread(), v);
  }
};
TEST(memory, a_misaligned_pack) {
  alignas(16) float x[64] = {};
  emulator::name_memory(x, sizeof x, "x");
  expect_bug<pack_of_odd_row>(fault_kind::misaligned, {"x+", "multiple of 16 bytes", "memory_test.cpp:"}, {1, 8, 0}, x);
}

/// Two threads share a row of shared memory of 8 bytes for each.
template <bool Bug> struct beyond_shared {
  template <class Block> void operator()(Block& block) const {
    double* row = reinterpret_cast<double*>(block.shared());
    block.store(row + block.thread() + (Bug ? 1 : 0), 1.0);
  }
};
TEST(memory, shared_memory_that_the_block_does_not_have) {
  expect_bug<beyond_shared>(fault_kind::out_of_bounds, {"thread 3 writes shared+32", "of a block that has 32"},
                            {1, 4, 32});
}

template <bool Bug> struct before_shared {
  template <class Block> void operator()(Block& block) const {
    int* row = reinterpret_cast<int*>(block.shared());
    block.store(row + block.thread() - (Bug ? 1 : 0), 1);
  }
};
TEST(memory, shared_memory_before_its_first_byte) {
  expect_bug<before_shared>(fault_kind::out_of_bounds, {"shared-4"}, {1, 4, 16});
}

/// A row of partial sums of which the last warp has none.
template <bool Bug> struct unwritten_word {
  float* y;  // (1)
  template <class Block> void operator()(Block& block) const {
    float* sums = reinterpret_cast<float*>(block.shared());  // (32)
    if (block.thread() < (Bug ? 31 : 32)) block.store(sums + block.thread(), 1.f);
    block.sync();
    if (block.thread() == 0) {
      float sum = 0;
      for (int i = 0; i < 32; ++i) sum += block.load(sums + i);
      block.store(y + block.index(), sum);
    }
  }
};
TEST(memory, shared_memory_that_nobody_wrote) {
  float y[2] = {};
  expect_bug<unwritten_word>(fault_kind::uninitialized, {"thread 0 reads shared+124"}, {2, 32, 128}, y);
  EXPECT_EQ(y[1], 32);
}

/// Shared memory that a block before this one has written does not count.
template <bool Bug> struct written_by_another_block {
  template <class Block> void operator()(Block& block) const {
    int* word = reinterpret_cast<int*>(block.shared());
    if (!Bug || block.index() == 0 || block.index() == 2) block.store(word, 1);
    block.load(word);
  }
};
TEST(memory, shared_memory_that_another_block_wrote) {
  expect_bug<written_by_another_block>(fault_kind::uninitialized, {"block 1"}, {2, 1, 4});
}

template <bool Bug> struct copy_without_wait {
  const float* x;  // (128)
  template <class Block> void operator()(Block& block) const {
    float* row = reinterpret_cast<float*>(block.shared());  // (128)
    block.template copy_async<4>(row + 4 * block.thread(), x + 4 * block.thread());
    if (!Bug) block.wait_copies();
    block.load(row + 4 * block.thread());
    if (Bug) block.wait_copies();
  }
};
TEST(memory, a_copy_that_is_read_before_it_is_waited_for) {
  alignas(16) float x[128] = {};
  expect_bug<copy_without_wait>(fault_kind::unfinished_copy, {"reads shared+", "has waited for the copy"}, {1, 32, 512},
                                x);
}

template <bool Bug> struct copy_without_barrier {
  const float* x;  // (32)
  template <class Block> void operator()(Block& block) const {
    float* row = reinterpret_cast<float*>(block.shared());  // (32)
    block.copy_async(row + block.thread(), x + block.thread());
    block.wait_copies();
    if (!Bug) block.sync();
    // Whoever runs first would find nothing there, so each reads only what it wrote, and one what its neighbour did.
    if (block.thread() == 31) block.load(row + 30);
  }
};
TEST(memory, a_copy_that_another_thread_reads_without_a_barrier) {
  float x[32] = {};
  alignas(16) float zero[32] = {};
  for (std::uint64_t schedule = 0; schedule < 8; ++schedule) {
    EXPECT_NO_THROW(emulator::launch(copy_without_barrier<false>{zero}, {1, 32, 128}, {.schedule = schedule}));
    EXPECT_THROW(emulator::launch(copy_without_barrier<true>{x}, {1, 32, 128}, {.schedule = schedule}),
                 emulator::fault);
  }
  emulator::expect_fault(fault_kind::race, {"thread 31 reads shared+120", "thread 30 writes it"}, [&] {
    emulator::launch(copy_without_barrier<true>{zero}, {1, 32, 128});
  });
}

/// The barrier comes after the copy, but before the copy is waited for.
template <bool Bug> struct copy_waited_for_too_late {
  const float* x;  // (1)
  template <class Block> void operator()(Block& block) const {
    float* word = reinterpret_cast<float*>(block.shared());
    if (block.thread() == 31) block.copy_async(word, x);
    if (!Bug) block.wait_copies();
    block.sync();
    if (Bug) block.wait_copies();
    if (block.thread() == 0) block.load(word);
  }
};
TEST(memory, a_copy_that_is_waited_for_after_the_barrier) {
  float x = 0;
  for (std::uint64_t schedule = 0; schedule < 8; ++schedule) {
    EXPECT_NO_THROW(emulator::launch(copy_waited_for_too_late<false>{&x}, {1, 32, 4}, {.schedule = schedule}));
    EXPECT_THROW(emulator::launch(copy_waited_for_too_late<true>{&x}, {1, 32, 4}, {.schedule = schedule}),
                 emulator::fault);
  }
}

template <bool Bug> struct copy_between_arrays {
  float *x, *y;
  template <class Block> void operator()(Block& block) const {
    block.copy_async(Bug ? y : reinterpret_cast<float*>(block.shared()), x);
    block.wait_copies();
  }
};
TEST(memory, a_copy_that_does_not_end_in_shared_memory) {
  float x = 0, y = 0;
  expect_bug<copy_between_arrays>(fault_kind::out_of_bounds, {"copy_async"}, {1, 1, 4}, &x, &y);
}

template <bool Bug> struct beyond_array {
  const int* x;  // (8)
  template <class Block> void operator()(Block& block) const { block.load(x + block.thread() + (Bug ? 1 : 0)); }
};
TEST(memory, global_memory_that_no_array_holds) {
  int arena[16] = {};
  emulator::forget_names();
  emulator::name_memory(arena, 8 * sizeof(int), "first");
  const emulator::options strict{.checks = {.named_only = true}};
  EXPECT_NO_THROW(emulator::launch(beyond_array<false>{arena}, {1, 8, 0}, strict));
  emulator::expect_fault(fault_kind::out_of_bounds, {"thread 7", "that no named array holds"}, [&] {
    emulator::launch(beyond_array<true>{arena}, {1, 8, 0}, strict);
  });
  emulator::name_memory(arena + 8, 8 * sizeof(int), "second");
  EXPECT_NO_THROW(emulator::launch(beyond_array<true>{arena}, {1, 8, 0}, strict));
  EXPECT_EQ(emulator::name_of(arena + 9), "second+4");
  emulator::name_memory(arena, sizeof arena, "both");
  EXPECT_EQ(emulator::name_of(arena + 9), "both+36");
}

/// AddressSanitizer follows the threads of a kernel from stack to stack and sees where an array ends.
template <bool Bug> struct doubled {
  int* x;  // (8)
  template <class Block> void operator()(Block& block) const {
    block.sync();
    int* mine = x + block.thread() + (Bug ? 1 : 0);
    block.store(mine, 2 * block.load(mine));
  }
};
TEST(memory, address_sanitizer_sees_kernels) {
  if (!emulator::has_asan) GTEST_SKIP() << "compiled without AddressSanitizer";
  std::vector<int> x(8);
  EXPECT_NO_THROW(emulator::launch(doubled<false>{x.data()}, {1, 8, 0}));
  EXPECT_DEATH(emulator::launch(doubled<true>{x.data()}, {1, 8, 0}), "heap-buffer-overflow");
}

TEST(memory, checks_that_are_off_find_nothing) {
  alignas(16) float x[128] = {};
  const emulator::options off{.checks = emulator::checks::none()};
  EXPECT_NO_THROW(emulator::launch(pack_of_odd_row<true>{x}, {1, 8, 0}, off));
  EXPECT_NO_THROW(emulator::launch(unwritten_word<true>{x}, {1, 32, 128}, off));
  EXPECT_NO_THROW(emulator::launch(copy_without_wait<true>{x}, {1, 32, 512}, off));
}

}  // namespace
