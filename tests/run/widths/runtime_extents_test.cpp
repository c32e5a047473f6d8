// test: kernels 2, proof kernels all, counted
// One compiled program at every size of its run-time extents.
#include "support/widths.hpp"  // check_forward

namespace stg::test {
namespace {

/// With rows of thousands of edges each size takes the oracle a while: all of them in the proof.
std::vector<std::int64_t> sizes_around_registers() {
#if defined(STG_PROOF)
  std::vector<std::int64_t> sizes = {100, 128, 256, 300, 1433};
  for (std::int64_t n = 1; n <= 70; ++n) sizes.push_back(n);
  return sizes;
#else
  return {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 65, 100, 300};
#endif
}

template <scalar_type T> void check_all_aggregates() {
  for (const std::int64_t n : sizes_around_registers()) {
    SCOPED_TRACE("F = " + std::to_string(n));
    check_forward<aggregates<T, extent<"F">>::program, T>({{"F", n}});
  }
  for (const std::int64_t n : every_extent()) {
    SCOPED_TRACE("F = " + std::to_string(n) + ", short rows");
    check_forward<aggregates<T, extent<"F">>::program, T>({{"F", n}}, short_rows());
  }
  print_count(every_extent().size(), "extents at run time");
}
/// One head, whose length is known at run time alone: the sweep knows whether rows fit registers.
template <scalar_type T> void check_one_head() {
  for (const std::int64_t n : sizes_around_registers()) {
    SCOPED_TRACE("D = " + std::to_string(n));
    check_forward<attention<T, 1, extent<"D">>::program, T>({{"D", n}});
  }
  for (const std::int64_t n : every_extent()) {
    SCOPED_TRACE("D = " + std::to_string(n) + ", short rows");
    check_forward<attention<T, 1, extent<"D">>::program, T>({{"D", n}}, short_rows());
  }
  print_count(every_extent().size(), "extents at run time");
}
template <scalar_type T> void check_all_attention() {
  const auto check = [](std::int64_t heads, std::int64_t dim, const graph& g = rows_of_all_lengths()) {
    SCOPED_TRACE("H = " + std::to_string(heads) + ", D = " + std::to_string(dim));
    check_forward<attention<T, extent<"H">, extent<"D">>::program, T>({{"H", heads}, {"D", dim}}, g);
  };
  for (const std::int64_t n : sizes_around_registers()) check(1, n);
  const std::int64_t heads[][2] = {{3, 5}, {8, 8}, {8, 1}, {16, 33}, {4, 64}};
  for (const auto& [h, d] : heads) check(h, d);
  for (const std::int64_t n : every_extent()) check(1, n, short_rows());
  for (std::int64_t h = 1; h <= 16; ++h)
    for (std::int64_t d = 1; d <= 33; ++d) check(h, d, short_rows());
  print_count(every_extent().size() + 16 * 33, "extents at run time");
}

TEST(runtime_extents, aggregates_in_f32) { check_all_aggregates<f32>(); }
TEST(runtime_extents, aggregates_in_f64) { check_all_aggregates<f64>(); }
TEST(runtime_extents, one_head_in_f32) { check_one_head<f32>(); }
TEST(runtime_extents, one_head_in_f64) { check_one_head<f64>(); }
TEST(runtime_extents, attention_in_f32) { check_all_attention<f32>(); }
TEST(runtime_extents, attention_in_f64) { check_all_attention<f64>(); }

}  // namespace
}  // namespace stg::test
