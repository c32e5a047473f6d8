// test: draft runtime
// Probes measure what they say they do: more bytes take longer, and no rate is beyond what a processor can have.
#include <stg/runtime/probe.hpp>

#include <stg/base/error.hpp>   // error
#include <stg/runtime/isa.hpp>  // isa, set_isa

#include "support/sanitized.hpp"  // is_sanitized

#include <cstdint>  // int32_t
#include <vector>   // vector

#include <gtest/gtest.h>

namespace {

stg::graph ring(std::int32_t vertices, std::int32_t degree) {
  std::vector<std::int32_t> src, dst;
  for (std::int32_t v = 0; v < vertices; ++v)
    for (std::int32_t k = 1; k <= degree; ++k) {
      src.push_back(static_cast<std::int32_t>((v + std::int64_t{k} * 7919) % vertices));
      dst.push_back(v);
    }
  return stg::graph::from_edges(vertices, std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst));
}

TEST(probe, a_hundred_times_the_edges_take_longer) {
  for (std::int64_t width : {7, 64, 300}) {
    stg::probe::gather few(ring(2000, 1), width), many(ring(2000, 100), width);
    const double longer = many.best(), shorter = few.best();
    if (!stg::test::is_sanitized) {
      EXPECT_GT(longer, shorter) << "width " << width;
    }
  }
  EXPECT_THROW(stg::probe::gather(ring(2, 1), 0), stg::error);
}

TEST(probe, rates_are_those_of_a_processor) {
  const std::string before = stg::isa();
  stg::set_isa("baseline");
  const double narrow = stg::probe::arithmetic_peak();
  stg::set_isa(before);
  const double wide = stg::probe::arithmetic_peak();
  EXPECT_GT(narrow, stg::test::is_sanitized ? 1e6 : 1e8);
  EXPECT_LT(wide, 1e14);
  if (before == "avx512" && !stg::test::is_sanitized) {
    EXPECT_GT(wide, narrow);
  }
}

}  // namespace
