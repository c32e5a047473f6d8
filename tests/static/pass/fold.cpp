// fold: arithmetic on constants and what changes nothing; never what changes infinities or NaN.
#include "symbols.hpp"

#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>

#include <stg/analysis/verify.hpp>

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

// Each operation on 3 and 2: x plus the one number that is left.
template <class Operation> struct of_three_and_two {
  constexpr auto operator()(auto v) const {
    auto three = detail::constant<f32>(v.trace, 3), two = detail::constant<f32>(v.trace, 2);
    return v(x) + Operation{}(three, two);
  }
};
constexpr bool makes(double number, auto operation) {
  const ir::program p = folded(of_three_and_two<decltype(operation)>());
  bool found = false;
  for (const ir::statement& s : p.statements) found = found || (s.code == ir::opcode::constant && s.value() == number);
  return found && p.size() == 3;
}
static_assert(makes(5, [](auto a, auto b) { return a + b; }));
static_assert(makes(1, [](auto a, auto b) { return a - b; }));
static_assert(makes(6, [](auto a, auto b) { return a * b; }));
static_assert(makes(1.5, [](auto a, auto b) { return a / b; }));
static_assert(makes(2, [](auto a, auto b) { return min(a, b); }));
static_assert(makes(3, [](auto a, auto b) { return max(a, b); }));
static_assert(makes(-3, [](auto a, auto) { return -a; }));
static_assert(makes(3, [](auto a, auto b) { return (a - a) / b + a; }));

// What is left as it is: elementary functions, a division by 0, numbers of integers.
constexpr int operations_left(auto operation) { return folded(of_three_and_two<decltype(operation)>()).size() - 2; }
static_assert(operations_left([](auto a, auto) { return stg::exp(a); }) == 2);
static_assert(operations_left([](auto a, auto b) { return a / (b - b); }) == 3);
constexpr auto integers = [](auto v) {
  auto three = detail::constant<i32>(v.trace, 3), two = detail::constant<i32>(v.trace, 2);
  return v(label) * (three + two);
};
static_assert(folded(integers).size() == 5);

// 0 and 1 stand on either side, and only there is it nothing: a constant that was written first stays first.
template <class Operation, int Number> struct of_number_and_x {
  constexpr auto operator()(auto v) const {
    auto number = detail::constant<f32>(v.trace, Number);
    return Operation{}(number, v(x));
  }
};
template <int Number> constexpr bool is_x(auto operation) {
  return folded(of_number_and_x<decltype(operation), Number>()) == trace(same);
}
static_assert(is_x<0>([](auto n, auto v) { return n + v; }) && is_x<0>([](auto n, auto v) { return v + n; }));
static_assert(is_x<1>([](auto n, auto v) { return n * v; }) && is_x<1>([](auto n, auto v) { return v * n; }));
static_assert(is_x<0>([](auto n, auto v) { return v - n; }) && !is_x<0>([](auto n, auto v) { return n - v; }));
static_assert(is_x<1>([](auto n, auto v) { return v / n; }) && !is_x<1>([](auto n, auto v) { return n / v; }));
static_assert(!is_x<1>([](auto n, auto v) { return n + v; }) && !is_x<1>([](auto n, auto v) { return v - n; }));
static_assert(!is_x<0>([](auto n, auto v) { return n * v; }) && !is_x<0>([](auto n, auto v) { return v / n; }));
static_assert(!is_x<-1>([](auto n, auto v) { return n * v; }) && !is_x<2>([](auto n, auto v) { return n * v; }));

// A folded number belongs to the scope in which it was written.
constexpr auto scoped = [](auto v) {
  return scope<"part">(v, [](auto v) {
    auto two = detail::constant<f32>(v.trace, 2);
    return v(x) * (two + two);
  });
};
constexpr bool constants_have_scopes() {
  for (const ir::statement& s : folded(scoped).statements)
    if (s.code == ir::opcode::constant && s.scopes == 0) return false;
  return true;
}
static_assert(constants_have_scopes());

// What composed functions write for their default arguments goes.
static_assert(count_of(folded([](auto v) { return softplus(v(x)); }), ir::opcode::mul) == 0);
static_assert(count_of(folded([](auto v) { return softplus(v(x)); }), ir::opcode::div) == 0);
static_assert(count_of(folded([](auto v) { return softplus(v(x), 2); }), ir::opcode::div) == 1);

// A mask that broadcasts is not an identity.
constexpr auto stretched = [](auto v) { return detail::constant<f32>(v.trace, 1) * v(parameter<"b", 1>); };
static_assert(folded(stretched).size() == 1);

// An axis for the steps of a scan stays one before it becomes another shape.
constexpr auto each = over<3>(vertex_feature<"each", 4>);
constexpr auto stacked_again = [](auto v) {
  return reshape<2, 6>(stacked(scan<3>(v, [](auto v) { return mean(v(each), all_vertices); })));
};
static_assert(pass::verify(folded(stacked_again)) == pass::finding());
static_assert(count_of(folded(stacked_again), ir::opcode::reshape) == 2);
}  // namespace stg
