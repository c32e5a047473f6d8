// Vectorised elementary functions against the standard library in double: the errors that lanes.hpp states.
#include <stg/codegen/cpu/lanes.hpp>

#include <gtest/gtest.h>

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
  all(1e-42f, 1, 1e-42f, 1e-42f, std::log(1e-42f));
  all(-90.f, 0, -1, -1, nan);
  all(89.f, infinity, infinity, 1, std::log(89.f));
}

}  // namespace stg
