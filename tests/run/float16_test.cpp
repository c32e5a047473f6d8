// test: kernels widest, counted
// Features stored in two bytes: the conversions, in registers too, and programs against the same in double precision.
#include "support/families.hpp"  // mixed
#include "support/widths.hpp"    // check_aggregates

#include <stg/stg.hpp>

#include <gtest/gtest.h>  // TEST

#include <bit>     // bit_cast
#include <cmath>   // ldexp
#include <random>  // mt19937

namespace stg {
namespace {

/// What the bits of a number say, by the book: E bits of exponent, F of fraction.
double by_the_book(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits) & top;
  const double fraction = std::ldexp(static_cast<double>(bits & ((1u << fraction_bits) - 1)), -fraction_bits);
  const double size = exponent == top ? (fraction == 0 ? INFINITY : NAN)
                      : exponent == 0 ? std::ldexp(fraction, 1 - bias)
                                      : std::ldexp(1 + fraction, exponent - bias);
  return bits >> (exponent_bits + fraction_bits) & 1 ? -size : size;
}

template <class Half> Half of_bits(std::uint32_t bits) {
  Half h;
  h.bits = static_cast<std::uint16_t>(bits);
  return h;
}

template <class Half, int Exponent, int Fraction> void check_every_number() {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half h = of_bits<Half>(bits);
    const double expected = by_the_book(bits, Exponent, Fraction);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(float(h)) && std::isnan(float(Half(float(h))))) << bits;
    } else {
      ASSERT_EQ(double(float(h)), expected) << bits;
      ASSERT_EQ(Half(float(h)).bits, bits);
    }
  }
}
TEST(float16, every_number_is_read_by_the_book_and_kept) {
  check_every_number<bfloat16, 8, 7>();
  check_every_number<float16, 5, 10>();
}

/// Floats between, at and around two neighbours: the nearer one, the even one of a tie.
template <class Half> void check_rounding(std::uint32_t largest) {
  for (std::uint32_t bits = 0; bits < largest; ++bits) {
    const float low = of_bits<Half>(bits), high = of_bits<Half>(bits + 1);
    const float middle = static_cast<float>((double(low) + double(high)) / 2);
    const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(Half(middle).bits, even) << middle;
    ASSERT_EQ(Half(std::nextafter(middle, 0.0f)).bits, bits) << middle;
    ASSERT_EQ(Half(std::nextafter(middle, INFINITY)).bits, bits + 1) << middle;
    ASSERT_EQ(Half(-middle).bits, even | 0x8000u) << middle;
  }
}
TEST(float16, rounds_to_the_nearest_and_ties_to_even) {
  check_rounding<bfloat16>(0x7f7f);
  check_rounding<float16>(0x7bff);
  EXPECT_EQ(float(float16(65519.0f)), 65504.0f);
  EXPECT_EQ(float(float16(65520.0f)), INFINITY);
  EXPECT_EQ(float(float16(-1e30f)), -INFINITY);
  EXPECT_EQ(float(bfloat16(3.4e38f)), INFINITY);
}

inline constexpr auto z = vertex_feature<"z", f32, extent<"F">>;
template <scalar_type S> inline constexpr auto stored = [](auto v) { return cast<S>(v(z)); };
template <scalar_type S> inline constexpr auto z_stored = vertex_feature<"z_stored", S, extent<"F">>;
template <scalar_type S> inline constexpr auto doubled = [](auto v) { return v(z_stored<S>) * 2.0; };

/// Registers convert as numbers one by one do.
template <scalar_type S> void check_registers() {
  using half_type = element_t<S>;
  const std::int64_t n = 3, none[] = {0};
  const graph g = graph::from_edges(n, std::span<const std::int64_t>(none, 0), std::span<const std::int64_t>(none, 0));
  std::mt19937 random(3);
  for (const std::int64_t width : {1, 3, 7, 16, 21, 40}) {
    tensor<float> x({n, width});
    for (std::int64_t i = 0; i < x.size(); ++i)
      x.data()[i] =
          std::bit_cast<float>(static_cast<std::uint32_t>(i % 3 == 0 ? random() : 0x33000000 + random() % 0x16000000));
    const tensor<half_type> y = compile<stored<S>>()(g, z = x);
    const tensor<float> back = compile<doubled<S>>()(g, z_stored<S> = y);
    for (std::int64_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(y.data()[i].bits, half_type(x.data()[i]).bits) << x.data()[i];
      if (std::isnan(x.data()[i])) continue;
      ASSERT_EQ(back.data()[i], 2 * float(y.data()[i]));
    }
  }
}
TEST(float16, registers_convert_as_single_numbers_do) {
  check_registers<bf16>();
  check_registers<f16>();
}

template <scalar_type S> inline constexpr auto h = vertex_feature<"h", S, 2, 8>;
template <scalar_type S> inline constexpr auto w = edge_feature<"w", S>;
template <scalar_type S> inline constexpr auto a = parameter<"a", computed_in(S), 2, 8>;
template <scalar_type S> inline constexpr auto W = parameter<"W", computed_in(S), 8, 8>;
template <scalar_type S> struct attention {
  static constexpr const auto& parameter = a<S>;
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    auto score = sum(e.src(h<S>) * v(a<S>), axis<1>, keepdim) + sum(v(h<S>) * v(a<S>), axis<1>, keepdim);
    auto near = softmax(leaky_relu(score, 0.2)) * e.src(h<S>);
    return sum(near) + mean(e.src(h<S>) * e(w<S>)) * stg::tanh(v(h<S>));
  };
};
template <scalar_type S> struct convolution {
  static constexpr const auto& parameter = W<S>;
  static constexpr auto program = [](auto v) {
    auto near = stg::tanh(matmul(mean(v.in_edges().src(h<S>)), v(W<S>)));
    return near + sum(v.out_edges()(w<S>)) * v(h<S>);
  };
};
template <scalar_type S> struct aggregates {
  static constexpr const auto& parameter = a<S>;
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    auto near = e.src(h<S>) * (1.5 + e(w<S>));
    return (max(near) - mean(near) * stddev(near) + min(near)) * v(a<S>);
  };
};

/// What a layer makes of h, w and its parameter, and the gradients of h and of the parameter.
template <template <scalar_type> class Layer, scalar_type S> struct outcome {
  tensor<double> out, d_h, d_p;
  template <class T> static tensor<double> widened(const tensor<T>& t) {
    tensor<double> d(t.shape());
    for (std::int64_t i = 0; i < t.size(); ++i)
      d.data()[i] = static_cast<double>(static_cast<element_t<computed_in(scalar_of<T>)>>(t.data()[i]));
    return d;
  }
  explicit outcome(const dimensions& of_parameter) {
    const graph g = test::mixed();
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    using stored_type = element_t<S>;
    using type = element_t<computed_in(S)>;
    tensor<stored_type> x({g.vertices(), 2, 8}), weights({g.edges()});
    tensor<type> parameter(of_parameter), cotangent({g.vertices(), 2, 8});
    const auto fill = [&](auto& t) {
      using T = typename std::remove_reference_t<decltype(t)>::value_type;
      for (std::int64_t i = 0; i < t.size(); ++i)
        t.data()[i] = T(static_cast<type>(static_cast<float>(number(random))));
    };
    fill(x), fill(weights), fill(parameter), fill(cotangent);
    const auto bound = edge_values<stored_type>::in_id_order(std::move(weights));
    constexpr const auto& P = Layer<S>::parameter;
    auto tape = compile_for_training<Layer<S>::program, h<S>, P>().record(g, h<S> = x, w<S> = bound, P = parameter);
    out = widened(tape.output());
    auto gradient = tape.backward(cotangent);
    d_h = widened(gradient[h<S>]);
    d_p = widened(gradient[P]);
  }
};

double distance(const tensor<double>& x, const tensor<double>& from) {
  double most = 0, largest = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    most = std::max(most, std::abs(x.data()[i] - from.data()[i]));
    largest = std::max(largest, std::abs(from.data()[i]));
  }
  return most / largest;
}

template <class Half, class Exact> void expect_close(const Half& half, const Exact& exact) {
  EXPECT_LT(distance(half.out, exact.out), 1e-2);
  EXPECT_LT(distance(half.d_h, exact.d_h), 1e-1);
  EXPECT_LT(distance(half.d_p, exact.d_p), 1e-1);
}
template <template <scalar_type> class Layer, scalar_type... S> void expect_agreement(const dimensions& of_parameter) {
  const outcome<Layer, f64> exact(of_parameter);
  (expect_close(outcome<Layer, S>(of_parameter), exact), ...);
}
TEST(float16, attention_agrees_with_double_precision) { expect_agreement<attention, bf16>({2, 8}); }
TEST(float16, a_convolution_agrees_with_double_precision) { expect_agreement<convolution, f16>({8, 8}); }
TEST(float16, aggregates_agree_with_double_precision) { expect_agreement<aggregates, f16>({2, 8}); }
#if defined(STG_PROOF)
TEST(float16, the_other_formats_agree_too) {
  expect_agreement<attention, f16>({2, 8});
  expect_agreement<convolution, bf16>({8, 8});
  expect_agreement<aggregates, bf16>({2, 8});
}
#endif

// Rows that fill no register are read number by number, and padded.
TEST(float16, aggregates_of_gathered_rows_of_any_width) {
#if defined(STG_PROOF)
  test::check_aggregates<bf16>(test::one_register());
  test::check_aggregates<f16>(test::one_register());
  test::check_aggregates<bf16>(test::many_registers());
  test::check_aggregates<f16>(test::many_registers());
#else
  test::check_aggregates<bf16>(std::integer_sequence<int, 33>());
  test::check_aggregates<f16>(std::integer_sequence<int, 7>());
#endif
}

// What is gathered are rows of two bytes a number, and no array of floats is made of them.
inline constexpr auto wide = vertex_feature<"wide", bf16, 64>;
inline constexpr auto weight = edge_feature<"weight">;
inline constexpr auto weighted = [](auto v) { return sum(v.in_edges().src(wide) * v.in_edges()(weight)); };
TEST(float16, is_widened_in_the_loop_over_edges) {
  using P = executable<inferred<ref<weighted>>>;
  static_assert(P::plan.unit_count == 1 && P::plan.loop_count == 1);
  for (int i = 0; i < P::program.size; ++i)
    if (P::program.statements[i].where == ir::space::vertex && P::program.statements[i].code != ir::opcode::sum_edges) {
      EXPECT_EQ(P::program.statements[i].type, bf16);
    }
}

}  // namespace
}  // namespace stg
