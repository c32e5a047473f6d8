// test: proof kernels all, counted
// Rows of run-time length, shorter than a register and around it: all types that a row is read and stored in, what is
// reduced along it, and what lies beside it in the caller's tensors.
#include "support/widths.hpp"  // check_forward

#include <stg/runtime/isa.hpp>  // set_isa

namespace stg::test {
namespace {

struct rows {
  static constexpr auto x = vertex_feature<"x", extent<"C">>;
  static constexpr auto half = vertex_feature<"half", bf16, extent<"C">>;
  static constexpr auto mask = vertex_feature<"mask", boolean, extent<"C">>;
  static constexpr auto label = vertex_feature<"label", i32>;
  static constexpr auto known = vertex_feature<"known", boolean>;
  static constexpr auto w = edge_feature<"w", extent<"C">>;
  static constexpr auto b = parameter<"b", extent<"C">>;

  /// Pointwise work in memory and in scratch, truth values among it.
  static constexpr auto pointwise = [](auto v) {
    auto e = v.in_edges();
    auto y = select(v(mask), exp(v(x)) * v(x), v(x) - v(b));
    auto s = sum(e.src(y));
    return outputs(s * y, v(x) < v(b), sum(e(w) * e.src(y)), max(e.src(x) * e(w)), y);
  };
  /// Reductions along the row, of what lies in memory and what is computed for them.
  static constexpr auto reduced = [](auto v) {
    auto e = v.in_edges();
    auto z = sum(e.src(x) * e(w)) + v(b);
    return outputs(cross_entropy(z, v(label), v(known)), log_softmax(z), sum(select(v(mask), z, 0.0), axis<0>),
                   max(z * v(x), axis<0>), mean(z, axis<0>));
  };
  /// Numbers of two bytes: read, computed with, and stored.
  static constexpr auto stored = [](auto v) {
    auto y = cast<bf16>(v(half) * 3.0 + v(x));
    return outputs(y, sum(v.in_edges().src(half) * v.in_edges()(w)), sum(cast<f32>(y), axis<0>));
  };
};

template <const auto& Program> void check_lengths() {
  for (std::int64_t n = 1; n <= 36; ++n) {
    SCOPED_TRACE("C = " + std::to_string(n));
    check_forward<Program, f32>({{"C", n}}, short_rows());
    check_forward<Program, f32>({{"C", n}});
  }
}

TEST(short_rows, pointwise) { check_lengths<rows::pointwise>(); }
TEST(short_rows, reduced) { check_lengths<rows::reduced>(); }

// The oracle does not round what it reads: here the instruction sets are held against each other.
TEST(short_rows, numbers_of_two_bytes) {
  const std::string before = isa();
  const ir::program p = canonical<ref<rows::stored>>::value.thaw();
  const auto layer = compile<rows::stored>();
  const graph& g = short_rows();
  for (std::int64_t n = 1; n <= 36; ++n) {
    all_inputs<ref<rows::stored>> inputs = bind_all<ref<rows::stored>>(p, g, random_inputs(p, g, 3, {{"C", n}}));
    set_isa("baseline");
    auto expected = layer(g, inputs);
    for (const char* set : {"avx2", "avx512"}) {
      try {
        set_isa(set);
      } catch (const error&) {
        continue;  // this machine has not got it
      }
      auto found = layer(g, inputs);
      std::size_t k = 0;
      std::vector<std::vector<double>> numbers;
      for_each(expected, [&](std::string_view, auto& t) { numbers.push_back(numbers_of(t)); });
      for_each(found, [&](std::string_view, auto& t) {
        const std::vector<double> mine = numbers_of(t);
        for (std::size_t i = 0; i < mine.size(); ++i)
          ASSERT_NEAR(mine[i], numbers[k][i], 0.01 + 0.01 * std::abs(numbers[k][i])) << set << ", " << n << ", " << k;
        ++k;
      });
    }
  }
  set_isa(before);
}

// A register's other lanes hold zeros, or what lay in scratch: dividing integers by those would end the program.
struct integers {
  static constexpr auto a = vertex_feature<"a", i32, extent<"C">>;
  static constexpr auto b = vertex_feature<"b", i32, extent<"C">>;
  static constexpr auto quotient = [](auto v) { return v(a) / v(b); };
};
TEST(short_rows, quotients_of_integers) {
  const auto layer = compile<integers::quotient>();
  for (std::int64_t n = 1; n <= 36; ++n) {
    const auto twelve = tensor<std::int32_t>::full({6, n}, 12), four = tensor<std::int32_t>::full({6, n}, 4);
    for (const std::int32_t q : layer(short_rows(), integers::a = twelve, integers::b = four)) ASSERT_EQ(q, 3) << n;
  }
}

}  // namespace
}  // namespace stg::test
