// Kernels over the thread-group interface: read as PTX by groups.py, executed by tests/emulator/groups_test.cpp.
#pragma once

#include <stg/codegen/cuda/group.hpp>  // pack

namespace group_kernels {

struct add {
  template <class T> STG_HOST_DEVICE T operator()(T a, T b) const { return a + b; }
};

/// A row of 4 · Lanes features for each group: the weighted sum of the neighbours' rows.
template <int Lanes> struct weighted_row_sum {
  const std::int64_t* offsets;     // (rows + 1)
  const std::int32_t* neighbours;  // (edges)
  const float* weights;            // (edges)
  const float* x;                  // (vertices, 4 · Lanes)
  float* y;                        // (rows, 4 · Lanes)
  std::int64_t rows;

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    auto group = block.template group<Lanes>();
    std::int64_t row = (block.index() * block.threads() + block.thread()) / Lanes;
    if (row >= rows) return;
    stg::gpu::pack<float, 4> sum{};  // (4)
    std::int64_t end = group.load_constant(offsets + row + 1);
    for (std::int64_t first = group.load_constant(offsets + row); first < end; first += Lanes) {
      std::int64_t mine = first + group.rank();
      std::int32_t neighbour = mine < end ? group.load_constant(neighbours + mine) : 0;
      float weight = mine < end ? group.load_constant(weights + mine) : 0;
      for (int lane = 0; lane < Lanes && first + lane < end; ++lane) {
        float w = group.shuffle(weight, lane);
        std::int64_t src = group.shuffle(neighbour, lane);
        auto row_of_src = group.template load_constant_pack<4>(x + (src * Lanes + group.rank()) * 4);  // (4)
        for (int i = 0; i < 4; ++i) sum.at[i] += w * row_of_src.at[i];
      }
    }
    group.store_pack(y + (row * Lanes + group.rank()) * 4, sum);
  }
};

/// Everything else that the interface has, for each width of number.
template <class T> struct everything {
  const T* x;  // (blocks, 256)
  T* y;        // (blocks, 256)
  unsigned* votes;

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    constexpr int per_copy = 16 / sizeof(T);
    auto all = block.template group<256>();
    auto pair = block.template group<2>();
    T* rows = reinterpret_cast<T*>(block.shared());  // (256)
    const T* mine = x + block.index() * 256;         // (256)
    if (block.thread() < 256 / per_copy)
      block.template copy_async<per_copy>(rows + block.thread() * per_copy, mine + block.thread() * per_copy);
    block.wait_copies();
    block.sync();
    T v = all.reduce(block.load(rows + (block.thread() + 1) % 256), add{});
    v = pair.reduce(v, add{});
    unsigned vote = pair.ballot(v > T(0));
    if (pair.any(v > T(1))) vote += 4;
    if (pair.rank() == 0) pair.atomic_add(votes + block.index(), vote);
    pair.sync();
    auto eight = block.template load_pack<8>(mine);
    for (int i = 0; i < 8; ++i) v += eight.at[i];
    auto one = block.template load_constant_pack<8>(mine + 8);
    for (int i = 0; i < 8; ++i) v += one.at[i];
    block.store(y + block.index() * 256 + block.thread(), v);
  }
};

}  // namespace group_kernels
