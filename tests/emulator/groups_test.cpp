// The thread-group interface gives on the host what a device gives: groups, collectives, shared memory, copies, order.
#include <numeric>  // iota
#include <vector>

#include <gtest/gtest.h>

#include "cuda/group_kernels.hpp"  // weighted_row_sum, everything
#include "emulator/launch.hpp"

namespace {

using namespace stg;
using emulator::options;

using group_kernels::add;

/// Every thread writes what it knows of itself.
struct identity {
  int* out;  // (blocks, threads)
  template <class Block> void operator()(Block& block) const {
    block.store(out + block.index() * block.threads() + block.thread(),
                static_cast<int>(1000 * block.index()) + block.thread());
  }
};

TEST(groups, every_thread_of_every_block_runs_once_in_any_order) {
  for (std::uint64_t schedule : {0, 1, 7}) {
    std::vector<int> out(5 * 96, -1);
    emulator::launch(identity{out.data()}, {5, 96, 0}, {.schedule = schedule});
    for (int i = 0; i < 5 * 96; ++i) ASSERT_EQ(out[i], 1000 * (i / 96) + i % 96);
  }
}

/// Sums of neighbouring lanes by every collective there is; each lane ends with its own number.
template <int Lanes> struct collectives {
  double* sums;       // (threads)
  int* rotated;       // (threads)
  unsigned* ballots;  // (threads)
  template <class Block> void operator()(Block& block) const {
    auto group = block.template group<Lanes>();
    const int i = block.thread();
    block.store(sums + i, group.reduce(1.0 / (1 + i), add{}));
    if constexpr (Lanes <= 32) {
      block.store(rotated + i, group.shuffle(i, (group.rank() + 1) % Lanes));
      unsigned votes = group.ballot(i % 3 == 0);
      if (group.any(i == 64)) votes |= 1u << 31;
      block.store(ballots + i, votes);
    }
  }
};

template <int Lanes> void check_collectives(std::uint64_t schedule) {
  constexpr int threads = 128;
  std::vector<double> sums(threads);
  std::vector<int> rotated(threads);
  std::vector<unsigned> ballots(threads);
  emulator::launch(collectives<Lanes>{sums.data(), rotated.data(), ballots.data()}, {1, threads, 0},
                   {.schedule = schedule});
  for (int i = 0; i < threads; ++i) {
    const int first = i / Lanes * Lanes;
    double sum = 0;
    unsigned votes = 0;
    for (int lane = 0; lane < Lanes; ++lane) {
      sum += 1.0 / (1 + first + lane);
      if (lane < 32) votes |= static_cast<unsigned>((first + lane) % 3 == 0) << lane;
    }
    EXPECT_NEAR(sums[i], sum, 1e-12);
    EXPECT_EQ(sums[i], sums[first]);
    if constexpr (Lanes <= 32) {
      EXPECT_EQ(rotated[i], first + (i - first + 1) % Lanes);
      if (first <= 64 && 64 < first + Lanes) votes |= 1u << 31;
      EXPECT_EQ(ballots[i], votes);
    }
  }
}

TEST(groups, collectives_of_every_size) {
  for (std::uint64_t schedule : {0, 3}) {
    check_collectives<1>(schedule);
    check_collectives<2>(schedule);
    check_collectives<4>(schedule);
    check_collectives<8>(schedule);
    check_collectives<16>(schedule);
    check_collectives<32>(schedule);
    check_collectives<128>(schedule);
  }
}

struct sum_of_block {
  const double* x;  // (128)
  double* sum;      // (1)
  template <class Block> void operator()(Block& block) const {
    const double all = block.template group<128>().reduce(block.load(x + block.thread()), add{});
    if (block.thread() == 0) block.store(sum, all);
  }
};

TEST(groups, a_reduction_adds_in_the_order_of_the_device) {
  std::vector<double> x(128);
  double sum = 0, expected = 0;
  for (int i = 0; i < 128; ++i) x[i] = 1.0 / (1 + i);
  emulator::launch(sum_of_block{x.data(), &sum}, {1, 128, 0});
  for (int warp = 0; warp < 4; ++warp) {
    std::vector<double> v(x.begin() + 32 * warp, x.begin() + 32 * (warp + 1));
    for (int half = 16; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) v[i] += v[i + half];
    expected = warp == 0 ? v[0] : expected + v[0];
  }
  EXPECT_EQ(sum, expected);

  // Sums of the warps in ascending order: 2^53 + 1 + 2 + 0, where 2^53 + 1 is 2^53, and 2^53 + 2 + 1 would be 2^53 + 4.
  constexpr double of_warp[] = {0x1p53, 1, 2, 0};
  for (int i = 0; i < 128; ++i) x[i] = of_warp[i / 32] / 32;
  emulator::launch(sum_of_block{x.data(), &sum}, {1, 128, 0});
  EXPECT_EQ(sum, 0x1p53 + 2);
}

/// A graph of `rows` rows whose row v has v % 7 neighbours.
struct small_graph {
  std::vector<std::int64_t> offsets{0};  // (rows + 1)
  std::vector<std::int32_t> neighbours;  // (edges)
  std::vector<float> weights;            // (edges)
  explicit small_graph(int rows) {
    for (int v = 0; v < rows; ++v) {
      for (int k = 0; k < v % 7; ++k) {
        neighbours.push_back((v * 5 + k * 3) % rows);
        weights.push_back(0.25f * static_cast<float>(k + 1));
      }
      offsets.push_back(static_cast<std::int64_t>(neighbours.size()));
    }
  }
};

template <int Lanes> void check_weighted_row_sum(std::uint64_t schedule) {
  constexpr int rows = 50, width = 4 * Lanes, threads = 64;
  const small_graph graph(rows);
  std::vector<gpu::pack<float, 4>> x(rows * Lanes), y(rows * Lanes);  // (rows, width), as aligned as device memory is
  for (int i = 0; i < rows * width; ++i) x[i / 4].at[i % 4] = static_cast<float>(i % 17);
  emulator::launch(group_kernels::weighted_row_sum<Lanes>{graph.offsets.data(), graph.neighbours.data(),
                                                          graph.weights.data(), x[0].at, y[0].at, rows},
                   {(rows * Lanes + threads - 1) / threads, threads, 0}, {.schedule = schedule});
  for (int v = 0; v < rows; ++v) {
    for (int f = 0; f < width; ++f) {
      float sum = 0;
      for (std::int64_t k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k)
        sum += graph.weights[k] * x[graph.neighbours[k] * Lanes + f / 4].at[f % 4];
      ASSERT_EQ(y[v * Lanes + f / 4].at[f % 4], sum);
    }
  }
}

TEST(groups, weighted_sums_of_rows) {
  for (std::uint64_t schedule : {0, 2}) {
    check_weighted_row_sum<8>(schedule);
    check_weighted_row_sum<32>(schedule);
  }
}

template <class T> void check_everything(std::uint64_t schedule) {
  constexpr int blocks = 2;
  std::vector<gpu::pack<T, 8>> x(blocks * 32), y(blocks * 32);  // (blocks, 256)
  std::vector<unsigned> votes(blocks);
  const auto at = [](auto& all, int i) -> T& { return all[i / 8].at[i % 8]; };
  for (int i = 0; i < blocks * 256; ++i) at(x, i) = static_cast<T>(i % 5);
  emulator::launch(group_kernels::everything<T>{x[0].at, y[0].at, votes.data()}, {blocks, 256, 256 * sizeof(T)},
                   {.schedule = schedule});
  for (int b = 0; b < blocks; ++b) {
    T sum = 0, first = 0;
    for (int i = 0; i < 256; ++i) sum += at(x, 256 * b + i);
    for (int i = 0; i < 16; ++i) first += at(x, 256 * b + i);
    for (int i = 0; i < 256; ++i) ASSERT_EQ(at(y, 256 * b + i), 2 * sum + first);
    EXPECT_EQ(votes[b], 128u * (3 + 4));
  }
}

TEST(groups, everything_that_kernels_can_call) {
  for (std::uint64_t schedule : {0, 2}) {
    check_everything<float>(schedule);
    check_everything<double>(schedule);
    check_everything<int>(schedule);
  }
}

/// A block reverses its row through shared memory, which it fills by asynchronous copies.
struct reverse_rows {
  const float* x;  // (blocks, 64)
  float* y;        // (blocks, 64)
  template <class Block> void operator()(Block& block) const {
    float* row = reinterpret_cast<float*>(block.shared());  // (64)
    if (block.thread() < 16)
      block.template copy_async<4>(row + 4 * block.thread(), x + 64 * block.index() + 4 * block.thread());
    block.wait_copies();
    block.sync();
    if (block.thread() < 8) {
      gpu::pack<float, 8> reversed;
      for (int i = 0; i < 8; ++i) reversed.at[i] = block.load(row + 63 - 8 * block.thread() - i);
      block.store_pack(y + 64 * block.index() + 8 * block.thread(), reversed);
    }
  }
};

TEST(groups, shared_memory_copies_and_packs) {
  for (std::uint64_t schedule : {0, 5}) {
    alignas(16) float x[3 * 64], y[3 * 64];
    std::iota(x, x + 3 * 64, 0.f);
    emulator::launch(reverse_rows{x, y}, {3, 64, 256}, {.schedule = schedule});
    for (int i = 0; i < 3 * 64; ++i) ASSERT_EQ(y[i], x[i / 64 * 64 + 63 - i % 64]);
  }
}

struct histogram {
  int* counts;  // (4)
  template <class Block> void operator()(Block& block) const { block.atomic_add(counts + block.thread() % 4, 1); }
};

TEST(groups, atomics_count) {
  int counts[4] = {};
  emulator::launch(histogram{counts}, {10, 1024, 0}, {.schedule = 9});
  for (int count : counts) EXPECT_EQ(count, 2560);
}

struct throws_in_one_thread {
  template <class Block> void operator()(Block& block) const {
    if (block.index() == 1 && block.thread() == 3) throw 5;
    block.sync();
  }
};

TEST(groups, what_a_kernel_throws_comes_out_and_the_next_launch_works) {
  EXPECT_THROW(emulator::launch(throws_in_one_thread{}, {2, 32, 0}), int);
  std::vector<int> out(32);
  emulator::launch(identity{out.data()}, {1, 32, 0});
  EXPECT_EQ(out[31], 31);
}

}  // namespace
