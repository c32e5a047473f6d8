// test: kernels all
// Vectorised elementary functions against the standard library in double: the errors that elementary.hpp states.
#include <stg/codegen/cpu/lanes.hpp>

#include <gtest/gtest.h>

#include <bit>      // bit_cast
#include <cmath>    // ldexp, ilogb
#include <cstdint>  // uint32_t
#include <cstring>  // memcpy

namespace stg {

using floats = cpu::lanes_t<scalar_type::f32, 4>;
using vectorised = math::functions<floats>;

/// Units in the last place by which f misses g, over floats of [low, high] whose result is a normal number.
template <class F, class G> double worst(F f, G g, float low, float high) {
  double most = 0;
  for (std::uint32_t bits = 0; bits < 0xff800000u; bits += 1009) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    if (!(low <= x && x <= high)) continue;
    const double exact = g(static_cast<double>(x));
    if (std::fabs(exact) < 1.18e-38 || std::fabs(exact) > 3.4e38) continue;
    const double miss = std::fabs(f(floats{} + x)[0] - exact) / std::ldexp(1.0, std::ilogb(exact) - 23);
    if (!(miss <= most)) most = miss;  // NaN is the worst
  }
  return most;
}

TEST(elementary, errors_are_those_stated) {
  EXPECT_LE(worst([](floats x) { return vectorised::exp(x); }, [](double x) { return std::exp(x); }, -100, 100), 1.01);
  EXPECT_LE(worst([](floats x) { return vectorised::expm1(x); }, [](double x) { return std::expm1(x); }, -100, 100), 2);
  EXPECT_LE(worst([](floats x) { return vectorised::tanh(x); }, [](double x) { return std::tanh(x); }, -100, 100), 3);
  EXPECT_LE(worst([](floats x) { return vectorised::log(x); }, [](double x) { return std::log(x); }, 0, 3.4e38f), 1.01);
  EXPECT_LE(worst([](floats x) { return vectorised::exp2(x); }, [](double x) { return std::exp2(x); }, -200, 200), 1.2);
  EXPECT_LE(worst([](floats x) { return vectorised::log1p(x); }, [](double x) { return std::log1p(x); }, -1, 3.4e38f),
            1.5);
  EXPECT_LE(worst([](floats x) { return vectorised::sin(x); }, [](double x) { return std::sin(x); }, -8192, 8192), 2);
  EXPECT_LE(worst([](floats x) { return vectorised::cos(x); }, [](double x) { return std::cos(x); }, -8192, 8192), 2);
  EXPECT_LE(worst([](floats x) { return vectorised::erf(x); }, [](double x) { return std::erf(x); }, -10, 10), 1.3);
}

// Beyond 8192 the reduction is the library's; where it takes over nothing jumps.
TEST(elementary, angles_of_any_size) {
  constexpr float most = 3.4e38f;
  EXPECT_LE(worst([](floats x) { return vectorised::sin(x); }, [](double x) { return std::sin(x); }, 8192, most), 1.01);
  EXPECT_LE(worst([](floats x) { return vectorised::cos(x); }, [](double x) { return std::cos(x); }, -most, -8192),
            1.01);
  const floats mixed{1, 1e6f, -1e30f, -1}, sines = vectorised::sin(mixed);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(sines[i], std::sin(mixed[i]));
}

/// f of one lane against g, for floats all over the range; a zero has its sign.
template <class V, class F, class G> void expect_equal(F f, G g) {
  using T = typename math::functions<V>::element;
  using bits_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto check = [&](T x) {
    V v = V{};
    v[1] = x;  // V{} + x has no -0
    const T y = f(v)[1], exact = g(x);
    EXPECT_TRUE(std::isnan(exact) ? std::isnan(y) : y == exact && std::signbit(y) == std::signbit(exact))
        << x << ": " << y << " instead of " << exact;
  };
  for (int i = 0; i < 4000; ++i) {
    const bits_type bits =
        static_cast<bits_type>(i) * static_cast<bits_type>(std::numeric_limits<bits_type>::max() / 4000);
    T x;
    std::memcpy(&x, &bits, sizeof x);
    check(x);
  }
  const T whole = std::numeric_limits<T>::epsilon();
  for (const T x : {T(0), T(.5), T(1.5), T(2.5), T(.25), T(.75), T(1) - whole, T(1) + whole, T(.5) - whole / 4,
                    1 / whole, T(.5) / whole, T(.5) / whole + T(.5), T(.25) / whole + T(.25), T(INFINITY), T(NAN)}) {
    check(x);
    check(-x);
  }
}

TEST(elementary, rounding_is_exact) {
  using doubles = cpu::lanes_t<scalar_type::f64, 2>;
  const auto floor = [](auto x) { return std::floor(x); };
  const auto ceil = [](auto x) { return std::ceil(x); };
  const auto round = [](auto x) { return std::nearbyint(x); };
  expect_equal<floats>([](floats x) { return vectorised::floor(x); }, floor);
  expect_equal<floats>([](floats x) { return vectorised::ceil(x); }, ceil);
  expect_equal<floats>([](floats x) { return vectorised::round(x); }, round);
  expect_equal<doubles>([](doubles x) { return math::functions<doubles>::floor(x); }, floor);
  expect_equal<doubles>([](doubles x) { return math::functions<doubles>::ceil(x); }, ceil);
  expect_equal<doubles>([](doubles x) { return math::functions<doubles>::round(x); }, round);
}

TEST(elementary, ends_of_the_range) {
  constexpr float infinity = INFINITY, nan = NAN;
  // The sign of 0 is not kept by expm1; others are tested by the errors above.
  const auto all = [](float x, float exp, float expm1, float tanh, float log) {
    const floats v{x, x, x, x};
    const auto same = [](float a, float b) {
      return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
    };
    EXPECT_TRUE(same(vectorised::exp(v)[3], exp)) << x;
    EXPECT_TRUE(same(std::fabs(vectorised::expm1(v)[2]), std::fabs(expm1))) << x;
    EXPECT_TRUE(same(vectorised::tanh(v)[1], tanh)) << x;
    EXPECT_TRUE(same(vectorised::log(v)[0], log)) << x;
  };
  all(0.f, 1, 0, 0, -infinity);
  all(-0.f, 1, -0.f, -0.f, -infinity);
  all(infinity, infinity, infinity, 1, infinity);
  all(-infinity, 0, -1, -1, nan);
  all(nan, nan, nan, nan, nan);
  all(std::bit_cast<float>(0x7fc001ffu), nan, nan, nan, nan);  // its last bits are added to no exponent
  all(1e-42f, 1, 1e-42f, 1e-42f, std::log(1e-42f));
  all(-90.f, 0, -1, -1, nan);
  all(89.f, infinity, infinity, 1, std::log(89.f));

  const auto others = [](float x, float exp2, float log1p, float sin, float cos, float erf) {
    const floats v{x, x, x, x};
    const auto same = [](float a, float b) {
      return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
    };
    const auto near = [&](float a, float b) { return same(a, b) || std::abs(a - b) <= 1.2e-7f * std::abs(b); };
    EXPECT_TRUE(same(vectorised::exp2(v)[3], exp2)) << x;
    EXPECT_TRUE(near(vectorised::log1p(v)[2], log1p)) << x;
    EXPECT_TRUE(near(vectorised::sin(v)[1], sin)) << x;
    EXPECT_TRUE(near(vectorised::cos(v)[0], cos)) << x;
    EXPECT_TRUE(near(vectorised::erf(v)[1], erf)) << x;
  };
  others(0.f, 1, 0, 0, 1, 0);
  others(-0.f, 1, -0.f, -0.f, 1, -0.f);
  others(infinity, infinity, infinity, nan, nan, 1);
  others(-infinity, 0, nan, nan, nan, -1);
  others(nan, nan, nan, nan, nan, nan);
  others(std::bit_cast<float>(0x7fc001ffu), nan, nan, nan, nan, nan);
  others(1e-42f, 1, 1e-42f, 1e-42f, 1, std::erf(1e-42f));
  others(-1.f, .5f, -infinity, std::sin(-1.f), std::cos(-1.f), std::erf(-1.f));
  others(-2.f, .25f, nan, std::sin(-2.f), std::cos(-2.f), std::erf(-2.f));
  others(128.f, infinity, std::log1p(128.f), std::sin(128.f), std::cos(128.f), 1);
  others(-127.f, 0, nan, std::sin(-127.f), std::cos(-127.f), -1);
}

}  // namespace stg
