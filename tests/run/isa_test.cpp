// test: draft runtime
// Choosing the instruction set.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/isa.hpp>  // isa, set_isa

#include <gtest/gtest.h>  // TEST

#include <string>  // string

namespace stg {
namespace {

TEST(isa, unknown_names_are_errors) {
  const std::string before = isa();
  test::expect_error([] { set_isa("sse9"); }, {"\"sse9\"", "baseline, avx2 or avx512"});
  EXPECT_EQ(isa(), before);
}

TEST(isa, baseline_is_everywhere) {
  const std::string before = isa();
  set_isa("baseline");
  EXPECT_EQ(isa(), std::string("baseline"));
  set_isa(before);
  EXPECT_EQ(isa(), before);
}

}  // namespace
}  // namespace stg
