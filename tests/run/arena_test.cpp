// The arena grows, keeps its block while that suffices, and counts what it allocates.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/arena.hpp>  // arena

#include <gtest/gtest.h>  // TEST

#include <cstring>  // memset
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
  test::expect_error([&] { a.reserve(INT64_MAX); }, {"does not fit"});
  EXPECT_EQ(a.capacity(), 0);
}

}  // namespace
}  // namespace stg
