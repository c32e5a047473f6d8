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

}  // namespace
}  // namespace stg
