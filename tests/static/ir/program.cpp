// Programs: hash-consing, equality that does not look at scopes, and the frozen form.
#include <stg/dsl/scope.hpp>
#include <stg/dsl/trace.hpp>
#include <stg/op/list.hpp>
#include <stg/ir/frozen.hpp>

#include <limits>  // infinity

namespace stg {

inline constexpr auto x = vertex_feature<"x", 4>;
inline constexpr auto z = vertex_feature<"z", extent<"F">>;

constexpr ir::statement constant(double number) {
  ir::statement s;
  s.code = ir::opcode::constant;
  s.set_value(number);
  return s;
}

constexpr bool equal_statements_are_one_value() {
  ir::program p;
  const ir::value_id one = p.emit(constant(1)), two = p.emit(constant(2));
  return one != two && p.emit(constant(1)) == one && p.size() == 2 && p.find(constant(2)) == two &&
         p.find(constant(3)) == ir::no_value;
}
static_assert(equal_statements_are_one_value());

constexpr bool many_statements_are_found_again() {
  ir::program p;
  for (int i = 0; i < 300; ++i)
    if (p.emit(constant(i)) != i) return false;
  for (int i = 0; i < 300; ++i)
    if (p.emit(constant(i)) != i) return false;
  return p.size() == 300;
}
static_assert(many_statements_are_found_again());

constexpr bool any_number_can_be_a_constant() {
  ir::program p;
  const double infinite = std::numeric_limits<double>::infinity();
  for (double number : {1e300, -1e300, infinite, -infinite, 1e-300}) p.emit(constant(number));
  return p.size() == 5 && p.emit(constant(-infinite)) == 3;
}
static_assert(any_number_can_be_a_constant());

// While tracing, scopes keep equal statements apart; equality ignores scopes and names.
constexpr auto plain = [](auto v) { return stg::exp(v(x)) * v(x); };
constexpr auto scoped = [](auto v) {
  return scope<"layer">(
      v, [](auto, auto x) { return named<"result">(stg::exp(x) * x); }, v(x));
};
static_assert(trace(plain) == trace(scoped));
static_assert(trace(scoped).scopes.size() == 1 && trace(scoped).names[0].name == text("layer/result"));
constexpr auto twice = [](auto v) {
  auto layer = [](auto v) { return stg::exp(v(x)); };
  auto first = scope<"first">(v, layer);
  return first + scope<"second">(v, layer);
};
static_assert(trace(twice).size() == 5);

// What is computed, and what it is called from outside, is compared.
constexpr auto other = [](auto v) { return stg::exp(v(x)) + v(x); };
constexpr auto renamed = [](auto v) {
  auto y = v(vertex_feature<"y", 4>);
  return stg::exp(y) * y;
};
static_assert(!(trace(plain) == trace(other)));
static_assert(!(trace(plain) == trace(renamed)));

// Run-time extents are interned: one entry for each polynomial, whatever its spelling.
constexpr auto joined = [](auto v) {
  return concat<axis<0>>(concat<axis<0>>(v(z), v(x)), concat<axis<0>>(v(x), v(z)));
};
static_assert(trace(joined).extents.size() == 3);  // F, F + 4, 2 F + 8

inline constexpr auto kept = [](auto v) { return stg::exp(v(z)) * v(z); };
static_assert(traced<kept>::value.thaw() == trace(kept));
static_assert(traced<kept>::value.size == trace(kept).size());

}  // namespace stg
