// The shortest decimal digits of doubles, at the ends of what there is and next to powers of two.
#include <stg/base/decimal.hpp>

#include <string_view>

namespace stg {

constexpr bool is(double x, std::string_view digits, int exponent) {
  const decimal d = shortest_decimal(x);
  return std::string_view(d.digits, static_cast<std::size_t>(d.count)) == digits && d.exponent == exponent;
}
static_assert(is(1, "1", 0) && is(0.1, "1", -1) && is(10, "1", 1) && is(0.3, "3", -1) &&
              is(2.0 / 3, "6666666666666666", -1));
static_assert(is(5e-324, "5", -324) && is(2.2250738585072014e-308, "22250738585072014", -308));
static_assert(is(2.225073858507201e-308, "2225073858507201", -308), "the largest denormal");
static_assert(is(1.7976931348623157e308, "17976931348623157", 308));
static_assert(is(1e22, "1", 22) && is(1e23, "1", 23) && is(9007199254740993.0, "9007199254740992", 15));
static_assert(is(0x1p-1022, "22250738585072014", -308) && is(0x1p-1021, "4450147717014403", -308));
static_assert(is(1.17549435e-38f, "11754943508222875", -38) && is(3.4028234663852886e38, "34028234663852886", 38));

}  // namespace stg
