// test: draft calls, proof kernels 0
// Random masks: element by element against their definition, their frequencies, and what changes them.
#include <stg/base/keep_mask.hpp>  // keeps
#include <stg/runtime/isa.hpp>     // set_isa
#include <stg/runtime/random.hpp>  // draw_keep_row, draw_keep_rows
#include <stg/stg.hpp>             // compile_for_training

#include <gtest/gtest.h>  // TEST

#include <cmath>   // abs, sqrt
#include <string>  // string
#include <vector>  // vector

namespace stg {
namespace {

/// The arguments of a mask.
struct draw {
  std::uint64_t seed = 0x0123456789abcdef;
  std::uint32_t call = 3;
  std::int64_t site = 2, row = 7;

  bool keeps(std::int64_t element, double p) const { return stg::keeps(seed, call, site, row, element, p); }
  template <class T> std::vector<T> mask(std::int64_t width, double p) const {
    std::vector<T> values(static_cast<std::size_t>(width));
    draw_keep_row(values.data(), seed, call, site, row, width, p);
    return values;
  }
};

template <class T> void expect_rows_as_defined() {
  const draw d;
  for (const std::int64_t width : {1, 2, 3, 5, 7, 8, 11, 16, 17, 24, 28, 31, 32, 33, 40})
    for (const std::int64_t stride : {width, width + 3})
      for (const std::int64_t count : {0, 1, 2, 3, 5, 8, 31, 200}) {
        std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
        for (std::size_t j = 0; j < rows.size(); ++j) rows[j] = static_cast<std::int64_t>((j * 7919) << (j % 3 * 16));
        std::vector<T> values(static_cast<std::size_t>(count * stride + 80), T{-1});
        draw_keep_rows(values.data(), stride, d.seed, d.call, d.site, rows.data(), count, width, 0.4);
        for (std::int64_t k = 0; k < static_cast<std::int64_t>(values.size()); ++k) {
          const std::int64_t j = k / stride, f = k % stride;
          const bool drawn = j < count && f < width;
          const T wanted = !drawn ? T{-1}
                           : keeps(d.seed, d.call, d.site, rows[static_cast<std::size_t>(j)], f, 0.4)
                               ? static_cast<T>(1 / (1 - 0.4))
                               : 0;
          ASSERT_EQ(values[static_cast<std::size_t>(k)], wanted) << width << ' ' << stride << ' ' << count << ' ' << k;
        }
      }
}

class random : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    before_ = isa();
    try {
      set_isa(GetParam());
    } catch (const error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  void TearDown() override { set_isa(before_); }

  /// Every element of a mask, and that nothing beyond it is written.
  template <class T> static void expect_as_defined(const draw& d, std::int64_t width, double p) {
    const T untouched = -1;
    std::vector<T> values(static_cast<std::size_t>(width) + 80, untouched);
    draw_keep_row(values.data(), d.seed, d.call, d.site, d.row, width, p);
    for (std::int64_t f = 0; f < width; ++f)
      ASSERT_EQ(values[static_cast<std::size_t>(f)], d.keeps(f, p) ? static_cast<T>(1 / (1 - p)) : T{0})
          << "element " << f << " of " << width << ", p = " << p << ", row " << d.row;
    for (std::size_t f = static_cast<std::size_t>(width); f < values.size(); ++f) ASSERT_EQ(values[f], untouched) << f;
  }

 private:
  std::string before_;
};

TEST_P(random, masks_of_several_rows_are_those_of_each) {
  expect_rows_as_defined<float>();
  expect_rows_as_defined<double>();
}

TEST_P(random, masks_of_every_width_are_as_defined) {
  for (std::int64_t width = 0; width <= 130; ++width) {
    expect_as_defined<float>({}, width, 0.4);
    expect_as_defined<double>({}, width, 0.4);
  }
  expect_as_defined<float>({}, 1433, 0.4);
  expect_as_defined<double>({}, 1433, 0.4);
}

TEST_P(random, all_bits_of_the_arguments_count) {
  const draw draws[] = {{.row = 0},
                        {.row = (std::int64_t{1} << 32) - 1},
                        {.row = std::int64_t{1} << 32},
                        {.row = (std::int64_t{5} << 40) + 9},
                        {.seed = 0},
                        {.seed = ~std::uint64_t{0}},
                        {.call = 0},
                        {.call = ~std::uint32_t{0}},
                        {.site = 0},
                        {.site = 1000}};
  for (const draw& d : draws)
    for (const double p : {0.0, 0x1p-32, 0.5, 0.99, 1 - 0x1p-33}) {
      expect_as_defined<float>(d, 203, p);
      expect_as_defined<double>(d, 203, p);
    }
}

TEST_P(random, elements_are_kept_as_often_as_asked) {
  constexpr std::int64_t rows = 500, width = 1433;
  for (const double p : {0.0, 0.1, 0.5, 0.6, 0.99}) {
    std::int64_t kept = 0;
    for (draw d{.row = 0}; d.row < rows; ++d.row)
      for (const float m : d.mask<float>(width, p)) kept += m != 0;
    const double n = rows * width;
    EXPECT_LE(std::abs(static_cast<double>(kept) - n * (1 - p)), 4 * std::sqrt(n * p * (1 - p))) << "p = " << p;
  }
}

TEST_P(random, seed_call_site_and_row_give_masks_of_their_own) {
  const draw base;
  const std::uint64_t other_high_half = base.seed ^ (std::uint64_t{1} << 60);
  const draw others[] = {{.seed = base.seed + 1}, {.seed = other_high_half},
                         {.call = base.call + 1}, {.site = base.site + 1},
                         {.row = base.row + 1},   {.row = base.row + (std::int64_t{1} << 32)}};
  constexpr std::int64_t width = 4000;
  const std::vector<float> mask = base.mask<float>(width, 0.5);
  EXPECT_EQ(mask, base.mask<float>(width, 0.5));
  for (const draw& d : others) {
    const std::vector<float> other = d.mask<float>(width, 0.5);
    int equal = 0;
    for (std::size_t f = 0; f < mask.size(); ++f) equal += mask[f] == other[f];
    EXPECT_LE(std::abs(equal - width / 2), 4 * std::sqrt(width / 4.0)) << "masks are not independent";
  }
}

INSTANTIATE_TEST_SUITE_P(isa, random, testing::Values("baseline", "avx2", "avx512"),
                         [](const auto& info) { return info.param; });

// ---- masks in programs ----

inline constexpr auto x = trainable(vertex_feature<"x", extent<"F">>);
inline constexpr auto twice_dropped = [](auto v) { return outputs(dropout(v(x), 0.5), dropout(v(x), 0.5)); };
inline constexpr auto dropped_messages = [](auto v) { return sum(dropout(v.in_edges().src(x), 0.6)); };

graph ring(std::int32_t vertices) {
  std::vector<std::int32_t> src, dst;
  for (std::int32_t v = 0; v < vertices; ++v)
    for (const std::int32_t step : {1, 2}) {
      src.push_back(v);
      dst.push_back((v + step) % vertices);
    }
  return graph::from_edges(vertices, std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst));
}

/// Elements in which two masks of one half agree; independent ones agree in half of them.
std::int64_t agreements(const tensor<float>& a, const tensor<float>& b) {
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) n += a.data()[i] == b.data()[i];
  return n;
}

TEST(random_programs, calls_and_sites_draw_independently_and_a_seed_repeats_them) {
  const graph g = ring(40);
  const tensor<float> ones = tensor<float>::full({40, 100}, 1.0f);
  auto layer = compile_for_training<twice_dropped>();
  layer.seed(11);
  auto first = layer.record(g, x = ones), second = layer.record(g, x = ones);
  const auto a = first.output<0>(), b = first.output<1>(), c = second.output<0>();
  const double sigma = std::sqrt(4000 / 4.0);
  EXPECT_LE(std::abs(static_cast<double>(agreements(a, b)) - 2000), 4 * sigma) << "of two sites";
  EXPECT_LE(std::abs(static_cast<double>(agreements(a, c)) - 2000), 4 * sigma) << "of two calls";
  layer.seed(11);
  auto again = layer.record(g, x = ones);
  EXPECT_EQ(agreements(a, again.output<0>()), 4000);
  for (std::int64_t v = 0; v < 40; ++v)
    for (std::int64_t f = 0; f < 100; ++f) ASSERT_EQ(a(v, f), keeps(11, 0, 0, v, f, 0.5) ? 2.0f : 0.0f);
}

TEST(random_programs, the_mask_of_an_edge_is_that_of_its_id_forward_and_backward) {
  const graph g = ring(40);
  const tensor<float> ones = tensor<float>::full({40, 9}, 1.0f);
  auto layer = compile_for_training<dropped_messages>();
  layer.seed(11);
  auto tape = layer.record(g, x = ones);
  const auto y = tape.output<0>();
  auto gradients = tape.backward(tensor<float>::full({40, 9}, 1.0f));
  const auto mask = [](std::int64_t edge, std::int64_t f) {
    return keeps(11, 0, 0, edge, f, 0.6) ? static_cast<float>(1 / (1 - 0.6)) : 0.0f;
  };
  const auto sum_of_masks = [&](const adjacency& rows, std::int64_t v, std::int64_t f) {
    float sum = 0;
    for (std::int64_t k = rows.begin(v); k < rows.end(v); ++k) sum += mask(rows.edge_id(k), f);
    return sum;
  };
  for (std::int64_t v = 0; v < 40; ++v)
    for (std::int64_t f = 0; f < 9; ++f) {
      EXPECT_FLOAT_EQ(y(v, f), sum_of_masks(g.in_edges(), v, f));
      EXPECT_FLOAT_EQ(gradients[x](v, f), sum_of_masks(g.out_edges(), v, f));
    }
}

}  // namespace
}  // namespace stg
