// test: calls
// The kernels of ranks on the emulator, which watches each access: rows packed into a message and out of it, of every
// width, and nodes of sums joined in the order of their pairs.
#include "emulator/launch.hpp"  // launch, options

#include <stg/codegen/cuda/exchanged_rows.hpp>  // join_kernel, list_kernel

#include <gtest/gtest.h>  // TEST

#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t
#include <cstring>  // memcpy
#include <vector>   // vector

namespace stg {
namespace {

template <class Kernel> void launch_emulated(const Kernel& kernel) {
  emulator::launch(kernel, kernel.launched_with(), emulator::options{});
}

template <class Word> void expect_moved(std::int64_t words, std::int64_t steps) {
  constexpr std::int64_t all_rows = 9;
  const std::vector<std::int32_t> listed{7, 0, 3, 8};
  const std::int64_t row = words * std::int64_t{sizeof(Word)}, count = std::ssize(listed);
  std::vector<Word> values(static_cast<std::size_t>(steps * all_rows * words));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<Word>(k * 37 + 5);
  std::vector<Word> packed(static_cast<std::size_t>(steps * count * words)), back(values.size());
  gpu::listed_rows rows;
  rows.values = reinterpret_cast<std::byte*>(values.data());
  rows.packed = reinterpret_cast<std::byte*>(packed.data());
  rows.rows = listed.data();
  rows.count = count;
  rows.row_bytes = row;
  rows.steps = steps;
  rows.step_bytes = all_rows * row;
  launch_emulated(gpu::list_kernel<Word, true>{rows});
  rows.values = reinterpret_cast<std::byte*>(back.data());
  launch_emulated(gpu::list_kernel<Word, false>{rows});
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t k = 0; k < count; ++k)
      for (std::int64_t f = 0; f < words; ++f) {
        const std::int64_t at = (t * all_rows + listed[static_cast<std::size_t>(k)]) * words + f;
        EXPECT_EQ(packed[static_cast<std::size_t>((t * count + k) * words + f)], values[static_cast<std::size_t>(at)]);
        EXPECT_EQ(back[static_cast<std::size_t>(at)], values[static_cast<std::size_t>(at)]);
      }
  Word others{};  // rows that are not listed are left as they were
  for (const std::int32_t r : {1, 2, 4, 5, 6})
    for (std::int64_t f = 0; f < words; ++f) others |= back[static_cast<std::size_t>(r * words + f)];
  EXPECT_EQ(others, Word{});
}

TEST(exchanged_rows, are_packed_and_unpacked) {
  for (const std::int64_t steps : {1, 3})
    for (const std::int64_t words : {1, 3, 200}) {
      expect_moved<unsigned char>(words, steps);
      expect_moved<std::uint16_t>(words, steps);
      expect_moved<std::uint32_t>(words, steps);
      expect_moved<std::uint64_t>(words, steps);
    }
}

/// Numbers of four magnitudes: another order of additions gives other bits.
template <class T> void expect_joined(bool adds) {
  constexpr std::int64_t width = 130, stride = (width * std::int64_t{sizeof(T)} + 15) / 16 * 16;
  const std::vector<std::int32_t> pairs{0, 1, 3, 4, 0, 3};
  std::vector<std::byte> nodes(static_cast<std::size_t>(5 * stride));
  const auto node = [&](std::int32_t k) { return reinterpret_cast<T*>(nodes.data() + k * stride); };
  for (std::int32_t k = 0; k < 5; ++k)
    for (std::int64_t f = 0; f < width; ++f)
      node(k)[f] = static_cast<T>((f * 7 + k * 11) % 23 - 11) * static_cast<T>(k % 2 == 0 ? 1 : 3) / static_cast<T>(3);
  std::vector<T> expected;
  for (std::int64_t f = 0; f < width; ++f) {
    const auto of_two = [&](T a, T b) { return adds ? static_cast<T>(a + b) : a < b ? b : a; };
    expected.push_back(of_two(of_two(node(0)[f], node(1)[f]), of_two(node(3)[f], node(4)[f])));
  }
  gpu::joined_nodes of;
  of.nodes = nodes.data();
  of.pairs = pairs.data();
  of.count = 3;
  of.width = width;
  of.stride = stride;
  of.adds = adds;
  launch_emulated(gpu::join_kernel<T>{of});
  for (std::int64_t f = 0; f < width; ++f) EXPECT_EQ(node(0)[f], expected[static_cast<std::size_t>(f)]) << f;
}

TEST(exchanged_rows, nodes_are_joined_in_the_order_of_pairs) {
  for (const bool adds : {true, false}) {
    expect_joined<float>(adds);
    expect_joined<double>(adds);
    expect_joined<std::int32_t>(adds);
  }
}

}  // namespace
}  // namespace stg
