// fold: arithmetic on constants and what changes nothing; never what changes infinities or NaN.
#include "symbols.hpp"

#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>

namespace stg {

constexpr ir::program folded(auto program) { return pass::dce(pass::fold(pass::cse(trace(program)))); }
constexpr auto same = [](auto v) { return outputs(v(x)); };

static_assert(folded([](auto v) { return v(x) * 1.0; }) == trace(same));
static_assert(folded([](auto v) { return 1.0 * v(x); }) == trace(same));
static_assert(folded([](auto v) { return v(x) + 0.0; }) == trace(same));
static_assert(folded([](auto v) { return v(x) - 0.0; }) == trace(same));
static_assert(folded([](auto v) { return v(x) / 1.0; }) == trace(same));
static_assert(folded([](auto v) { return -(-v(x)); }) == trace(same));
static_assert(folded([](auto v) { return reshape<4>(reshape<2, 2>(v(x))); }) == trace(same));

static_assert(folded([](auto v) { return v(x) * (0.0 * v(x)); }).size() == 4, "x · 0 is NaN for some x");
static_assert(folded([](auto v) { return 0.0 - v(x); }).size() == 3);

// Constants among themselves.
constexpr auto constants = [](auto v) {
  auto two = detail::constant<f32>(v.trace, 2), three = detail::constant<f32>(v.trace, 3);
  return v(x) * (two * three + 1.0);
};
constexpr auto computed = [](auto v) {
  auto seven = detail::constant<f32>(v.trace, 7);
  return v(x) * seven;
};
static_assert(count_of(folded(constants), ir::opcode::constant) == 1);
static_assert(folded(constants).size() == folded(computed).size());

// What composed functions write for their default arguments goes.
static_assert(count_of(folded([](auto v) { return softplus(v(x)); }), ir::opcode::mul) == 0);
static_assert(count_of(folded([](auto v) { return softplus(v(x)); }), ir::opcode::div) == 0);
static_assert(count_of(folded([](auto v) { return softplus(v(x), 2); }), ir::opcode::div) == 1);

// A mask that broadcasts is not an identity.
constexpr auto stretched = [](auto v) { return detail::constant<f32>(v.trace, 1) * v(parameter<"b", 1>); };
static_assert(folded(stretched).size() == 1);

}  // namespace stg
