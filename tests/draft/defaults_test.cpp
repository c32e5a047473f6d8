// With STG_DRAFT=1 programs are drafts by themselves.
#undef STG_DRAFT
#define STG_DRAFT 1
#include <stg/stg.hpp>  // the language

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x">;
constexpr auto near = [](auto v) { return sum(v.in_edges().src(x)); };

TEST(draft, is_what_compile_gives_where_it_is_asked_for) {
  static_assert(std::is_same_v<decltype(compile<near>()), decltype(compile<near>(draft()))>);
  const graph g = graph::from_edges(3, std::vector<std::int64_t>{0, 1, 2}, std::vector<std::int64_t>{1, 2, 2});
  tensor<float> X({3});
  for (int i = 0; i < 3; ++i) X(i) = static_cast<float>(i + 1);
  const tensor<float> sums = compile<near>()(g, x = X);
  EXPECT_EQ(sums(0), 0);
  EXPECT_EQ(sums(1), 1);
  EXPECT_EQ(sums(2), 5);
}

// A table as large as this, copied for each row, would take gigabytes.
TEST(draft, picks_from_a_large_table_where_it_lies) {
  static constexpr auto table = parameter<"table", extent<"N">, 16>;
  static constexpr auto id = vertex_feature<"id", i32>;
  static constexpr auto picked = [](auto v) { return table[v(id)] + v(x); };
  constexpr std::int64_t entries = 400'000;
  const graph g = graph::from_edges(3, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1});
  tensor<float> T({entries, 16});
  for (std::int64_t i = 0; i < entries; ++i) T.row(i).fill(static_cast<float>(i));
  const auto ids = tensor<std::int32_t>::from({3}, {399'999, 0, 7});
  const tensor<float> rows = compile<picked>()(g, table = T, id = ids, x = tensor<float>::from({3}, {1, 2, 3}));
  EXPECT_EQ(rows(0, 15), 400'000);
  EXPECT_EQ(rows(1, 0), 2);
  EXPECT_EQ(rows(2, 3), 10);
}

}  // namespace
}  // namespace stg
