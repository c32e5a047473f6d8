// depends_on, reached_from and refused_by: the ways of a gradient through arithmetic, steps of scans, and layers that
// have a gradient of their own.
#include "../pass/symbols.hpp"

#include <stg/analysis/dependence.hpp>
#include <stg/pass/order.hpp>

#include <initializer_list>
#include <tuple>

namespace stg {

constexpr auto a = vertex_feature<"a", 4>;
constexpr auto b = vertex_feature<"b", 4>;
constexpr auto c = vertex_feature<"c", 4>;
constexpr ir::program written(auto lambda) { return pass::order(trace(lambda)); }
constexpr auto total = [](auto h) { return sum(sum(h, axis<0>), all_vertices); };

/// Of each output, whether it depends on an input.
constexpr bool depends(auto lambda, std::string_view name, std::initializer_list<int> expected) {
  const ir::program p = written(lambda);
  const ir::flags found = pass::depends_on(p, {input_named(p, name)});
  int k = 0;
  for (const int is : expected)
    if (found[p.outputs[k++].at] != is) return false;
  return k == p.outputs.size();
}
/// The inputs that an output depends on, and no others.
constexpr bool reaches(auto lambda, int output, std::initializer_list<std::string_view> names) {
  const ir::program p = written(lambda);
  const ir::flags found = pass::reached_from(p, {output});
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (p[i].code != ir::opcode::input) continue;
    bool is_named = false;
    for (const std::string_view name : names) is_named = is_named || p.inputs[p[i].entry()].name.view() == name;
    if (found[i] != is_named) return false;
  }
  return true;
}
/// What a gradient from an output to an input is refused by: ir::opcode::input where by nothing.
constexpr ir::opcode refused(auto lambda, int output, std::string_view name) {
  const ir::program p = written(lambda);
  const ir::value_id at = pass::refused_by(p, {output}, {input_named(p, name)});
  return at == ir::no_value ? ir::opcode::input : p[at].code;
}

// ---- arithmetic ----

constexpr auto plain = [](auto v) {
  return outputs(v(x) * v(y), floor(v(x)) + v(y), detach(v(x)) * v(y), select(v(x) > 0.0, v(y), v(a)), v(label) + 1,
                 training(v(x), v(y)));
};
static_assert(depends(plain, "x", {1, 0, 0, 0, 0, 1}) && depends(plain, "y", {1, 1, 1, 1, 0, 0}));
static_assert(depends(plain, "label", {0, 0, 0, 0, 0, 0}));
static_assert(reaches(plain, 0, {"x", "y"}) && reaches(plain, 2, {"y"}) && reaches(plain, 3, {"y", "a"}));
static_assert(refused(plain, 0, "x") == ir::opcode::input && refused(plain, 1, "x") == ir::opcode::floor);
static_assert(refused(plain, 1, "y") == ir::opcode::input);

// Integers have no gradient: what is made one of is not asked for any, whatever it was computed by.
constexpr auto through_integers = [](auto v) {
  auto whole = cast<f32>(cast<i32>(floor(v(x))));
  auto step = [](auto v, auto h) { return h + cast<f32>(cast<i32>(round(v(x)))) * v(y); };
  return outputs(whole * v(y), floor(v(x)) + whole, scan<3>(v, step, v(a)), cast<f32>(floor(v(x)) > 1.0) * v(x));
};
static_assert(refused(through_integers, 0, "x") == ir::opcode::input && reaches(through_integers, 0, {"y"}));
static_assert(refused(through_integers, 0, "y") == ir::opcode::input);
static_assert(refused(through_integers, 1, "x") == ir::opcode::floor);
static_assert(refused(through_integers, 2, "x") == ir::opcode::input && reaches(through_integers, 2, {"a", "y"}));
static_assert(refused(through_integers, 3, "x") == ir::opcode::input);

// ---- steps ----

// One state goes into another, a third one goes round by itself; two results are made of states as they were.
constexpr auto states = [](auto v) {
  auto step = [](auto v, auto g, auto h, auto k) { return next(g + h, h * v(y), k * 0.5).gives(total(k), total(g)); };
  auto [g, h, k, of_k, of_g] = scan<3>(v, step, v(a), v(b), v(c));
  return outputs(g, h, k, stacked(of_g), stacked(of_k), v(x));
};
static_assert(depends(states, "y", {1, 1, 0, 1, 0, 0}) && depends(states, "a", {1, 0, 0, 1, 0, 0}));
static_assert(depends(states, "b", {1, 1, 0, 1, 0, 0}) && depends(states, "c", {0, 0, 1, 0, 1, 0}));
static_assert(depends(states, "x", {0, 0, 0, 0, 0, 1}));
static_assert(reaches(states, 0, {"a", "b", "y"}) && reaches(states, 1, {"b", "y"}) && reaches(states, 2, {"c"}));
static_assert(reaches(states, 3, {"a", "b", "y"}) && reaches(states, 4, {"c"}) && reaches(states, 5, {"x"}));
static_assert(refused(states, 0, "a") == ir::opcode::input && refused(states, 3, "y") == ir::opcode::input);

// A state that begins anew at each step is what it began with where there is no step. Of a result that is asked for the
// others know nothing.
constexpr auto restarts = [](auto v) {
  auto step = [](auto v, auto h) { return next(v(x) * v(y)).gives(total(h)); };
  auto [last, of_last] = scan<3>(v, step, v(a));
  return outputs(last, stacked(of_last));
};
static_assert(depends(restarts, "a", {1, 1}) && depends(restarts, "x", {1, 1}));
static_assert(reaches(restarts, 0, {"a", "x", "y"}));
constexpr bool is_asked_for_itself() {
  const ir::program p = written(restarts);
  const ir::flags found = pass::depends_on(p, {p.outputs[0].at});
  return found[p.outputs[0].at] && !found[p.outputs[1].at];
}
static_assert(is_asked_for_itself());

// One that no step reads is what the step makes.
constexpr auto unread = [](auto v) {
  auto step = [](auto v, auto, auto h) { return next(v(x) * v(y), h * v(c)); };
  auto [last, other] = scan<3>(v, step, v(a), v(b));
  return outputs(last, other);
};
static_assert(depends(unread, "a", {0, 0}) && depends(unread, "x", {1, 0}) && depends(unread, "b", {0, 1}));
static_assert(reaches(unread, 0, {"x", "y"}) && reaches(unread, 1, {"b", "c"}));
static_assert(refused(unread, 0, "x") == ir::opcode::input);

// Results of one scan say nothing of those of another.
constexpr auto pairs = [](auto v) {
  auto step = [](auto v, auto g, auto h) { return next(g * v(x), h * v(y)); };
  auto [first, second] = scan<3>(v, step, v(a), v(b));
  auto other = [](auto, auto g, auto h) { return next(tanh(g), tanh(h)); };
  auto [third, fourth] = scan<3>(v, other, first, v(c));
  return outputs(fourth, third, second);
};
static_assert(depends(pairs, "x", {0, 1, 0}) && depends(pairs, "y", {0, 0, 1}) && depends(pairs, "c", {1, 0, 0}));
static_assert(reaches(pairs, 0, {"c"}) && reaches(pairs, 1, {"a", "x"}) && reaches(pairs, 2, {"b", "y"}));

// Two scans, of which the second reads the first: a gradient comes back through both.
constexpr auto one_after_the_other = [](auto v) {
  auto first = scan<3>(
      v, [](auto v, auto h) { return h * v(x); }, v(a));
  auto second = scan<3>(
      v, [](auto v, auto h) { return h * v(y); }, first);
  return outputs(first, second, v(b) * 2.0);
};
static_assert(depends(one_after_the_other, "x", {1, 1, 0}) && depends(one_after_the_other, "y", {0, 1, 0}));
static_assert(reaches(one_after_the_other, 0, {"a", "x"}) && reaches(one_after_the_other, 1, {"a", "x", "y"}));
static_assert(reaches(one_after_the_other, 2, {"b"}));

// What a step refuses it refuses for states, and for what is asked for.
constexpr auto rounds = [](auto v) {
  auto of_y = scan<3>(
      v, [](auto v, auto h) { return h + floor(v(y)); }, v(a));
  auto of_state = scan<3>(
      v, [](auto v, auto h) { return floor(h) * v(x); }, v(b));
  return outputs(of_y, of_state, v(c) * 1.5);
};
static_assert(refused(rounds, 0, "y") == ir::opcode::scan && refused(rounds, 0, "a") == ir::opcode::input);
static_assert(refused(rounds, 1, "x") == ir::opcode::scan && refused(rounds, 2, "c") == ir::opcode::input);

// Nor does it refuse what leads to a truth value or an integer, or what is made of values that are not asked for.
constexpr auto compares = [](auto v) {
  auto step = [](auto v, auto h) {
    return next(h * v(x) + floor(v(y) * 2.0)).gives(floor(h) > 0.0, cast<i32>(floor(h)));
  };
  auto [last, is_more, whole] = scan<3>(v, step, v(a));
  return outputs(last, v(c));
};
static_assert(refused(compares, 0, "a") == ir::opcode::input && refused(compares, 0, "x") == ir::opcode::input);
static_assert(refused(compares, 0, "y") == ir::opcode::scan);

// A result that refuses a gradient does so where it is asked for, and not where another result is.
constexpr auto gives_whole = [](auto v) {
  auto step = [](auto v, auto h) { return next(h * v(x)).gives(total(floor(h))); };
  auto [last, wholes] = scan<3>(v, step, v(a));
  return outputs(last, wholes);
};
constexpr bool refuses_the_result_alone() {
  const ir::program p = written(gives_whole);
  const ir::value_id at = input_named(p, "a");
  return pass::refused_by(p, {1}, {at}) != ir::no_value && pass::refused_by(p, {0}, {at}) == ir::no_value;
}
static_assert(refuses_the_result_alone());

// ---- layers with a gradient of their own ----

constexpr auto three =
    custom_gradient([](auto, auto h, auto of, auto by) { return std::tuple(h * by * cast<f32>(of), of == 1, tanh(h)); },
                    [](auto, auto dy, auto dz, auto h, auto of, auto by) {
                      return std::tuple(dy * by + cast<f32>(of) * dz, sum(dy * h, all_vertices));
                    });
constexpr auto bias = parameter<"bias", 4>;
constexpr auto with_own = [](auto v) {
  auto [p, is_one, q] = three(v, v(x) * v(a), v(label), bias);
  return outputs(p, q, is_one, v(y) * 2.0, not_differentiable<"teacher">(v(b)) + v(c));
};
static_assert(depends(with_own, "x", {1, 1, 0, 0, 0}) && depends(with_own, "bias", {1, 1, 0, 0, 0}));
static_assert(depends(with_own, "label", {0, 0, 0, 0, 0}) && depends(with_own, "y", {0, 0, 0, 1, 0}));
static_assert(reaches(with_own, 0, {"x", "a", "bias"}) && reaches(with_own, 1, {"x", "a", "bias"}));
static_assert(reaches(with_own, 3, {"y"}));
static_assert(refused(with_own, 0, "x") == ir::opcode::input && refused(with_own, 4, "c") == ir::opcode::input);
static_assert(refused(with_own, 4, "b") == ir::opcode::own_gradient);
// A gradient of its own leads on to what the layer was given, and is refused there.
constexpr auto before_own = [](auto v) { return std::get<0>(three(v, floor(v(x)), v(label), bias)); };
static_assert(refused(before_own, 0, "x") == ir::opcode::floor && refused(before_own, 0, "bias") == ir::opcode::input);
constexpr bool gives_in_order() {
  const ir::program p = written(with_own);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (p[i].code != ir::opcode::own_gradient || !ir::has_callee(p[i])) continue;
    const sequence<ir::value_id> given = pass::detail::given_to(p, i);
    ir::program fewer = p;  // a gradient may leave out the last ones
    ir::program gradient = fewer.callees[p[i].callee()];
    gradient.outputs.resize(1);
    fewer.callees[p[i].callee()] = gradient;
    return p[i].callee() == 0 && pass::detail::given_to(fewer, i).size() == 1 && given.size() == 2 &&
           p[given[0]].code == ir::opcode::mul && given[1] == input_named(p, "bias");
  }
  return false;
}
static_assert(gives_in_order());

}  // namespace stg
