// Parameters and scalars without v(…): every function of the language reads them, and what is made of them alone.
#include <stg/dsl/scope.hpp>
#include <stg/dsl/trace.hpp>
#include <stg/gradient.hpp>
#include <stg/op/list.hpp>
#include <stg/analysis/verify.hpp>
#include <stg/pass/order.hpp>

namespace {

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto at = stg::vertex_feature<"at", stg::i32>;
constexpr auto chosen = stg::vertex_feature<"chosen", stg::boolean>;
constexpr auto b = stg::parameter<"b", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto wide = stg::parameter<"wide", stg::extent<"F">, 16>;
constexpr auto s = stg::scalar<"s">;

/// Both lambdas are one program.
template <class A, class B> constexpr bool are_one(A f, B g) {
  return stg::pass::order(stg::trace(f)) == stg::pass::order(stg::trace(g));
}

// Beside a traced value.
static_assert(are_one([](auto v) { return max(v(x), b); }, [](auto v) { return max(v(x), v(b)); }));
static_assert(are_one([](auto v) { return min(b, v(x)); }, [](auto v) { return min(v(b), v(x)); }));
static_assert(are_one([](auto v) { return pow(v(x), s); }, [](auto v) { return pow(v(x), v(s)); }));
static_assert(are_one([](auto v) { return fmod(v(x), s); }, [](auto v) { return fmod(v(x), v(s)); }));
static_assert(are_one([](auto v) { return clamp(v(x), -b, b); }, [](auto v) { return clamp(v(x), -v(b), v(b)); }));
static_assert(are_one([](auto v) { return clamp(b, v(x), 2.0); }, [](auto v) { return clamp(v(b), v(x), 2.0); }));
static_assert(are_one([](auto v) { return select(v(chosen), b, s); },
                      [](auto v) { return select(v(chosen), v(b), v(s)); }));
static_assert(are_one([](auto v) { return select(s > 0.0, v(x), 0.0); },
                      [](auto v) { return select(v(s) > 0.0, v(x), 0.0); }));
static_assert(are_one([](auto v) { return training(v(x), b); }, [](auto v) { return training(v(x), v(b)); }));
static_assert(are_one([](auto v) { return stg::concat<stg::axis<0>>(v(x), b); },
                      [](auto v) { return stg::concat<stg::axis<0>>(v(x), v(b)); }));
static_assert(are_one([](auto v) { return stg::concat<stg::axis<0>>(b, v(x), b); },
                      [](auto v) { return stg::concat<stg::axis<0>>(v(b), v(x), v(b)); }));
static_assert(are_one([](auto v) { return linear(v(x), W, 0.5 * sum(W, stg::axis<0>)); },
                      [](auto v) { return linear(v(x), v(W), 0.5 * sum(v(W), stg::axis<0>)); }));
static_assert(are_one([](auto v) { return stg::outputs(v(x), b, relu(b)); },
                      [](auto v) { return stg::outputs(v(x), v(b), relu(v(b))); }));
static_assert(are_one([](auto v) { return gradient(sum(sum(v(x) * b, stg::axis<0>), stg::all_vertices), b); },
                      [](auto v) { return gradient(sum(sum(v(x) * b, stg::axis<0>), stg::all_vertices), v(b)); }));

// Among themselves: a value of its own that the first traced one takes over.
static_assert(are_one([](auto v) { return v(x) * (1.0 + s); }, [](auto v) { return v(x) * (1.0 + v(s)); }));
static_assert(are_one([](auto v) { return v(x) + b * s; }, [](auto v) { return v(x) + v(b) * v(s); }));
static_assert(are_one([](auto v) { return v(x) + relu(leaky_relu(b, 0.2)); },
                      [](auto v) { return v(x) + relu(leaky_relu(v(b), 0.2)); }));
static_assert(are_one([](auto v) { return v(x) - max(b, s) / min(b, 2.0); },
                      [](auto v) { return v(x) - max(v(b), v(s)) / min(v(b), 2.0); }));
static_assert(are_one([](auto v) { return v(x) + select((!(s > 0.0)) | (s < -1.0), -b, b); },
                      [](auto v) { return v(x) + select((!(v(s) > 0.0)) | (v(s) < -1.0), -v(b), v(b)); }));
static_assert(are_one([](auto v) { return matmul(v(x), exp(W) * s); },
                      [](auto v) { return matmul(v(x), exp(v(W)) * v(s)); }));
static_assert(are_one(
    [](auto v) { return stg::slice<0, 4>(v(x)) + softmax(stg::slice<1, 3>(W, stg::axis<0>), stg::axis<-1>); },
    [](auto v) { return stg::slice<0, 4>(v(x)) + softmax(stg::slice<1, 3>(v(W), stg::axis<0>), stg::axis<-1>); }));
static_assert(are_one(
    [](auto v) {
      return stg::reshape<4, 4>(v(x)) + stg::reshape<4, 4>(b) * s + stg::detach(stg::cast<stg::f32>(s > 0.0));
    },
    [](auto v) {
      return stg::reshape<4, 4>(v(x)) + stg::reshape<4, 4>(v(b)) * v(s) + detach(stg::cast<stg::f32>(v(s) > 0.0));
    }));
// Extents of one program are told in the terms of another.
static_assert(are_one(
    [](auto v) {
      return v(x) * mean(wide, stg::axis<0>) + stg::slice<1, 2>(stg::transpose<0, 1>(wide), stg::axis<1>)[v(at)];
    },
    [](auto v) {
      return v(x) * mean(v(wide), stg::axis<0>) + stg::slice<1, 2>(stg::transpose<0, 1>(v(wide)), stg::axis<1>)[v(at)];
    }));

// Nothing is traced at all: programs that return parameters and what is made of them.
static_assert(are_one([](auto) { return b; }, [](auto v) { return v(b); }));
static_assert(are_one([](auto) { return 2.0 * relu(b); }, [](auto v) { return 2.0 * relu(v(b)); }));
static_assert(are_one([](auto) { return stg::outputs(b, s, b * s); },
                      [](auto v) { return stg::outputs(v(b), v(s), v(b) * v(s)); }));

// It belongs to the scope where it is taken over.
constexpr auto scoped = [](auto v) {
  auto scaled = stg::named<"scaled">(b * s);
  auto inside = [](auto u, auto by) { return u(x) + by; };
  return stg::outputs(stg::scope<"one">(v, inside, scaled), stg::scope<"two">(v, inside, s));
};
constexpr auto name_of_first = [] {
  const stg::ir::program p = stg::trace(scoped);
  return p.names.size() == 1 && p.names[0].name.view() == "one/scaled";
};
static_assert(name_of_first());
static_assert(stg::pass::verify(stg::trace(scoped)).what == stg::op::rule::none);

}  // namespace
