// Kernels between the units of a program on ranks: rows packed into a message and out of it, nodes of sums joined.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t, uint16_t, uint32_t, uint64_t

#include <stg/codegen/cuda/group.hpp>         // grid
#include <stg/codegen/cuda/launch.hpp>        // launch_on
#include <stg/runtime/cuda/rank_kernels.hpp>  // joined_nodes, listed_rows, rank_functions

namespace stg::gpu {

/// Rows become those of a message, or those of a message rows of a value. A thread has one word at a time, neighbouring
/// threads neighbouring ones.
template <class Word, bool Packs> struct list_kernel {
  listed_rows of;

  static constexpr int threads = 256;
  static constexpr std::int64_t most_blocks = 4096;
  std::int64_t words() const { return of.steps * of.count * (of.row_bytes / std::int64_t{sizeof(Word)}); }
  grid launched_with() const {
    const std::int64_t blocks = (words() + threads - 1) / threads;
    return {blocks < most_blocks ? blocks : most_blocks, threads, 0};
  }

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const std::int64_t per_row = of.row_bytes / std::int64_t{sizeof(Word)}, all = of.steps * of.count * per_row;
    for (std::int64_t k = block.index() * block.threads() + block.thread(); k < all;
         k += block.count() * block.threads()) {
      const std::int64_t listed = k / per_row, step = listed / of.count;
      const std::int64_t row = block.load_constant(of.rows + listed % of.count);
      Word* const value = reinterpret_cast<Word*>(of.values + step * of.step_bytes + row * of.row_bytes) + k % per_row;
      Word* const packed = reinterpret_cast<Word*>(of.packed) + k;
      if constexpr (Packs) block.store(packed, block.load(value));
      else block.store(value, block.load(packed));
    }
  }
};

/// Each thread goes through the tree for one number: a sum's order is that of the pairs, whatever the launch.
template <class T> struct join_kernel {
  joined_nodes of;

  static constexpr int threads = 128;
  grid launched_with() const { return {(of.width + threads - 1) / threads, threads, 0}; }

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const std::int64_t k = block.index() * block.threads() + block.thread();
    if (k >= of.width) return;
    for (std::int64_t p = 0; p < of.count; ++p) {
      T* const to = node(block.load_constant(of.pairs + 2 * p)) + k;
      const T a = block.load(to), b = block.load(node(block.load_constant(of.pairs + 2 * p + 1)) + k);
      block.store(to, of.adds ? static_cast<T>(a + b) : a < b ? b : a);
    }
  }

 private:
  STG_HOST_DEVICE T* node(std::int32_t k) const { return reinterpret_cast<T*>(of.nodes + k * of.stride); }
};

namespace detail {

template <class Launcher, bool Packs> void launch_list(device& on, stream_handle stream, const listed_rows& rows) {
  const auto begin = reinterpret_cast<std::uintptr_t>(rows.values) | reinterpret_cast<std::uintptr_t>(rows.packed) |
                     static_cast<std::uintptr_t>(rows.row_bytes) | static_cast<std::uintptr_t>(rows.step_bytes);
  const auto launch = [&]<class Word>(Word) {
    launch_on<Launcher>(on, list_kernel<Word, Packs>{rows}, stream, {"rows of other ranks"});
  };
  if (begin % 8 == 0) launch(std::uint64_t{});
  else if (begin % 4 == 0) launch(std::uint32_t{});
  else if (begin % 2 == 0) launch(std::uint16_t{});
  else launch(static_cast<unsigned char>(0));
}

template <class Launcher> void launch_join(device& on, stream_handle stream, const joined_nodes& nodes) {
  const auto launch = [&]<class T>(T) {
    launch_on<Launcher>(on, join_kernel<T>{nodes}, stream, {"sums of all ranks"});
  };
  if (nodes.count == 0) return;
  if (nodes.type == joined_nodes::number::f32) launch(float{});
  else if (nodes.type == joined_nodes::number::f64) launch(double{});
  else launch(std::int32_t{});
}

}  // namespace detail

/// The kernels of ranks by one launcher.
template <class Launcher>
inline constexpr rank_functions rank_functions_of{&detail::launch_list<Launcher, true>,
                                                  &detail::launch_list<Launcher, false>, &detail::launch_join<Launcher>,
                                                  Launcher::architectures()};

}  // namespace stg::gpu
