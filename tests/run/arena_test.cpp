// test: draft runtime, sanitized memory
// The arena grows, keeps its block while that suffices, and counts what it allocates.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/arena.hpp>   // arena
#include <stg/runtime/tensor.hpp>  // tensor

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <cstring>  // memset
#include <fstream>  // ifstream
#include <sstream>  // istringstream
#include <string>   // string
#include <utility>  // move

namespace stg {
namespace {

bool aligned(const void* p, std::uintptr_t to) { return reinterpret_cast<std::uintptr_t>(p) % to == 0; }

TEST(arena, begins_empty) {
  arena a;
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.capacity(), 0);
  a.reserve(0);
  EXPECT_EQ(a.capacity(), 0);
}

TEST(arena, small_blocks_are_aligned_to_a_cache_line) {
  arena a;
  a.reserve(100);
  EXPECT_GE(a.capacity(), 100);
  EXPECT_TRUE(aligned(a.data(), 64));
  std::memset(a.data(), 1, static_cast<std::size_t>(a.capacity()));
}

TEST(arena, large_blocks_are_aligned_to_huge_pages) {
  arena a;
  a.reserve((2 << 20) + 1);
  EXPECT_EQ(a.capacity(), 4 << 20);
  EXPECT_TRUE(aligned(a.data(), 2 << 20));
  std::memset(a.data(), 1, static_cast<std::size_t>(a.capacity()));
}

#if defined(__linux__)
/// What the system knows about the mapping that holds an address: its line of VmFlags, empty when there is none.
std::string flags_of_mapping(const void* p) {
  std::ifstream maps("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, last = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> first >> dash >> last && dash == '-') here = first <= address && address < last;
    else if (here && line.starts_with("VmFlags:")) return line + ' ';
  }
  return "";
}

TEST(arena, large_blocks_and_tensors_are_advised_for_huge_pages) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) GTEST_SKIP() << "this system has no huge pages";
  arena a;
  a.reserve(10 << 20);
  EXPECT_THAT(flags_of_mapping(a.data()), testing::HasSubstr(" hg "));
  EXPECT_THAT(flags_of_mapping(a.data() + a.capacity() - 1), testing::HasSubstr(" hg "));
  const tensor<float> table({40000, 64});
  EXPECT_TRUE(aligned(table.data(), 2 << 20));
  EXPECT_THAT(flags_of_mapping(table.data()), testing::HasSubstr(" hg "));
  const auto unset = tensor<std::int32_t>::for_overwrite({3 << 20});
  EXPECT_THAT(flags_of_mapping(unset.data()), testing::HasSubstr(" hg "));
}
#endif

TEST(arena, a_block_that_suffices_is_kept_with_its_contents) {
  arena a;
  a.reserve(4096);
  std::byte* const block = a.data();
  block[7] = std::byte{42};
  const auto before = arena::total_allocated();
  a.reserve(10);
  a.reserve(4096);
  EXPECT_EQ(a.data(), block);
  EXPECT_EQ(block[7], std::byte{42});
  EXPECT_EQ(arena::total_allocated(), before);
}

TEST(arena, growing_is_counted) {
  arena a;
  const auto before = arena::total_allocated();
  a.reserve(64);
  a.reserve(640);
  EXPECT_EQ(arena::total_allocated() - before, 704u);
}

TEST(arena, moves_carry_the_block) {
  arena a;
  a.reserve(64);
  std::byte* const block = a.data();
  arena b = std::move(a);
  EXPECT_EQ(b.data(), block);
  EXPECT_EQ(a.data(), nullptr);  // NOLINT: a moved-from arena is empty
  arena c;
  c.reserve(128);
  c = std::move(b);
  EXPECT_EQ(c.data(), block);
  EXPECT_EQ(c.capacity(), 64);
}

TEST(arena, negative_and_impossible_sizes_are_errors) {
  arena a;
  test::expect_error([&] { a.reserve(-1); }, {"arena", "-1 bytes", "0 or more"});
  test::expect_error([&] { a.reserve(INT64_MAX); }, {"out of memory for a call's values of 9223372036854775807 bytes"});
  EXPECT_EQ(a.capacity(), 0);
}

}  // namespace
}  // namespace stg
