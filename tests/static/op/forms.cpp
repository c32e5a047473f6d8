// Forms that are written in others: entries by an integer, constants of a shape, products of two graph values, losses
// over edges; and real numbers that take the type of what they meet.
#include <stg/dsl/trace.hpp>
#include <stg/nn/conv/spatial.hpp>
#include <stg/op/list.hpp>
#include <stg/op/scan.hpp>
#include <stg/analysis/verify.hpp>
#include <stg/pass/order.hpp>

namespace {

using stg::f64;

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto y = stg::vertex_feature<"y", stg::i32>;
constexpr auto d = stg::vertex_feature<"d", f64, 4>;
constexpr auto w = stg::edge_feature<"w">;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto asked = stg::edge_feature<"asked", stg::boolean>;
constexpr auto S = stg::parameter<"S", 3, 4>;
constexpr auto R = stg::parameter<"R", stg::extent<"R">, 4>;
constexpr auto W = stg::parameter<"W", 4, 2>;

template <class A> constexpr stg::ir::program program(A a) { return stg::pass::order(stg::trace(a)); }
template <class A, class B> constexpr bool are_one(A a, B b) { return program(a) == program(b); }
template <class A> constexpr stg::op::rule broken(A a) { return stg::pass::verify(stg::trace(a)).what; }
using stg::op::rule;

// An entry is a part of the first axis without that axis.
static_assert(are_one([](auto v) { return v(x) + S[1]; },
                      [](auto v) { return v(x) + stg::reshape<4>(stg::slice<1, 2>(v(S), stg::axis<0>)); }));
static_assert(are_one([](auto v) { return v(x) + S[-1]; }, [](auto v) { return v(x) + v(S)[2]; }));
static_assert(are_one([](auto v) { return v(x)[-4]; }, [](auto v) { return v(x)[0]; }));
static_assert(are_one([](auto v) { return S[0][3] * v(x)[1]; }, [](auto v) { return v(S)[0][3] * v(x)[1]; }));
static_assert(broken([](auto v) { return v(x) + R[-2] + R[7] * S[2][0]; }) == rule::none);

// Constants of a shape.
template <class X, stg::scalar_type T, int... E>
constexpr bool is_of = std::is_same_v<X, stg::loose_expr<stg::shape<E...>, T>>;
static_assert(is_of<decltype(stg::zeros<3, 4>()), stg::scalar_type::real, 3, 4>);
static_assert(is_of<decltype(stg::full<stg::i32, 4>(-1)), stg::i32, 4>);
static_assert(is_of<decltype(stg::ones<f64>()), f64>);
static_assert(broken([](auto v) {
                return stg::outputs(v(x) + stg::zeros<4>(), stg::concat<stg::axis<0>>(v(d), stg::full<2>(0.1)),
                                    stg::ones<stg::extent<"R">>(), stg::full<stg::boolean>(true),
                                    stg::full<stg::i32, 2>(7), matmul(v(x), stg::ones<4, 4>()));
              }) == rule::none);
static_assert(broken([](auto) { return stg::full<stg::i32, 2>(0.5); }) == rule::number_is_of_its_type);

// A number is one of the type that it meets.
static_assert(broken([](auto v) { return v(y) >= 0.5; }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return v(y) * 0.5; }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return v(y) + 3e9; }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return v(y) + 2147483648; }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return select(v(known), v(y), 1e-9); }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return clamp(v(y), 0, 2.5); }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return v(known) == 2; }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return v(x) * 1e300; }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return leaky_relu(v(x), -1e39); }) == rule::number_is_of_its_type);
static_assert(broken([](auto v) { return (v(y) >= 2.0) & (v(y) != -2147483648.0) & (v(known) == true); }) ==
              rule::none);
static_assert(broken([](auto v) { return stg::outputs(v(x) * 3.4028234e38, v(d) * 1e300); }) == rule::none);
static_assert(broken([](auto v) { return min(v(x), __builtin_inf()); }) == rule::none);

// Degrees and their like take the type that they meet, through all that is made of them.
static_assert(are_one([](auto v) { return v(d) * rsqrt(max(v.in_degree(), 1.0)); },
                      [](auto v) { return v(d) * rsqrt(max(v.template in_degree<f64>(), 1.0)); }));
static_assert(are_one([](auto v) { return v(x) * v.in_degree(); },
                      [](auto v) { return v(x) * v.template in_degree<stg::f32>(); }));
static_assert(are_one([](auto v) { return v.vertex_count(); },
                      [](auto v) { return v.template vertex_count<stg::f32>(); }));
static_assert(are_one(
    [](auto v) {
      auto e = v.in_edges();
      auto near = mean(e.src(v.out_degree() / v.vertex_count()));
      return v(d) - select(near > 0.3, near, 0.1 * count(e.src(x)[0] > e.dst(x)[1]));
    },
    [](auto v) {
      auto e = v.in_edges();
      auto near = mean(e.src(v.template out_degree<f64>() / v.template vertex_count<f64>()));
      return v(d) - select(near > 0.3, near, 0.1 * stg::count<f64>(e.src(x)[0] > e.dst(x)[1]));
    }));
static_assert(are_one([](auto v) { return mse(v(d), stg::one_hot<4>(v(y))); },
                      [](auto v) { return mse(v(d), stg::one_hot<4, f64>(v(y))); }));
static_assert(are_one([](auto v) { return stg::cast<f64>(1.0 / v.in_degree()); },
                      [](auto v) { return 1.0 / v.template in_degree<f64>(); }));
static_assert(are_one([](auto v) { return v(d) + stg::zeros<4>(v) * sum(stg::ones<4>(v.in_edges())); },
                      [](auto v) { return v(d) + stg::zeros<f64, 4>(v) * sum(stg::ones<f64, 4>(v.in_edges())); }));
static_assert(are_one([](auto v) { return v(d) / stg::nn::mean_log_degree(v); },
                      [](auto v) { return v(d) / stg::nn::mean_log_degree<f64>(v); }));

// What a scan begins with takes the type that the step gives it.
constexpr auto steps = stg::over<4>(stg::vertex_feature<"steps", f64, 4>);
constexpr auto accumulate = [](auto v, auto h, auto n) { return next(v(steps) + h / (n + 1.0), n + 1.0); };
constexpr auto last_of = [](auto v, auto... first) { return std::get<0>(stg::scan<4>(v, accumulate, first...)); };
static_assert(are_one([](auto v) { return last_of(v, stg::zeros<4>(v), 0.5); },
                      [](auto v) { return last_of(v, stg::zeros<f64, 4>(v), stg::full<f64>(0.5)); }));
static_assert(are_one(
    [](auto v) {
      return stg::scan<4>(
          v, [](auto v, auto h) { return v(x) + h; }, stg::zeros<4>(v));
    },
    [](auto v) {
      return stg::scan<4>(
          v, [](auto v, auto h) { return v(x) + h; }, stg::zeros<stg::f32, 4>(v));
    }));
// In a step of f32 what is carried is cast where it meets f64, as it has one type from step to step.
static_assert(broken([](auto v) {
                return stg::scan<4>(
                    v, [](auto v, auto h) { return stg::cast<stg::f32>(v(steps) * h); }, stg::ones<4>(v));
              }) == rule::none);
// A condition that an input has a part in keeps the type of the input.
static_assert(broken([](auto v) { return v(d) * select(v(x) > v.in_degree(), v.in_degree(), 0.0); }) == rule::none);

// A product of graph values is a sum of products.
static_assert(are_one([](auto v) { return matmul(sum(v(x), stg::all_vertices), W); },
                      [](auto v) {
                        auto pooled = stg::reshape<4, 1>(sum(v(x), stg::all_vertices));
                        return sum(pooled * W, stg::axis<0>);
                      }));
static_assert(broken([](auto v) { return v(x)[0] + matmul(matmul(S, W), stg::ones<2, 5>())[1][4]; }) == rule::none);

// Losses at edges: the mean over edges.
static_assert(are_one([](auto v) { return mse(v.in_edges()(w), 0.5 * v.in_edges()(w)); },
                      [](auto v) {
                        auto e = v.in_edges();
                        auto all = sum(sum(square(e(w) - 0.5 * e(w))), stg::all_vertices);
                        return all / max(sum(v.in_degree(), stg::all_vertices), 1.0);
                      }));
static_assert(are_one([](auto v) { return l1(v.in_edges()(w), S[0][1], stg::may_be_empty(v.in_edges()(asked))); },
                      [](auto v) {
                        auto e = v.in_edges();
                        auto apart = select(e(asked), e(w), 0.0) - select(e(asked), v(S)[0][1], 0.0);
                        auto all = sum(sum(select(e(asked), abs(apart), 0.0)), stg::all_vertices);
                        return all / max(sum(count(e(asked)), stg::all_vertices), 1.0);
                      }));
static_assert(broken([](auto v) {
                auto e = v.out_edges();
                return cross_entropy(e.src(x) - e.dst(x), e.dst(y), e(asked)) + nll(v(x), v(y), v(known)) +
                       huber(e(w), S[0][1], 0.5, e.src(known)) + bce_with_logits(sum(v(x), stg::all_vertices), S[1]) +
                       mse(v(x), S[2], v(known)) + mean(e(w), stg::all_edges);
              }) == rule::none);

}  // namespace
