// test: alone
// Pointwise functions under `using namespace std;`: those of the language are called, and write what verify accepts.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <valarray>

#include <stg/dsl/trace.hpp>
#include <stg/op/list.hpp>
#include <stg/analysis/verify.hpp>

namespace under_std {

using namespace std;

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto p = stg::parameter<"p", 16>;

constexpr auto elementary = [](auto v) {
  auto a = v(x), b = v(y);
  auto exponentials = exp(a) + exp2(a) + expm1(a) + log(a) + log2(a) + log1p(a) + sqrt(a) + cbrt(a) + erf(a);
  auto angles = sin(a) + cos(a) + tan(a) + asin(a) + acos(a) + atan(a) + sinh(a) + cosh(a) + tanh(a);
  return exponentials + angles + pow(a, b) + pow(a, 2) + abs(a);
};
constexpr auto composed = [](auto v) {
  auto a = v(x), b = v(y);
  auto bounded = clamp(a, 0, 1) + clamp(a, a, b) + clamp(a, 0.0, b) + clamp(a, v.in_degree(), b) + hardtanh(a);
  auto gates = silu(a) + gelu(a) + gelu(a, stg::approximate::tanh) + softplus(a) + selu(a) + square(a) + reciprocal(a);
  return bounded + gates + max(a, b) + max(a, 1) + min(a, b) + min(a, 1);
};
constexpr auto steps = [](auto v) {
  auto a = v(x), b = v(y);
  auto chosen = select(((a > b) & (a < 1.0)) | (is_nan(a) ^ !is_nan(b)), a, b);
  return chosen + sign(a) + floor(a) + ceil(a) + round(a) + fmod(a, b) + fmod(a, a) + fmod(a, 2) + detach(a);
};
constexpr auto aggregates = [](auto v) {
  auto e = v.in_edges();
  auto a = e.src(x);
  return sum(a) + prod(a) + var(a) + stddev(a) + count(a > 0.0) + stg::cast<stg::f32>(argmax(a) == argmin(a));
};
constexpr auto parameters = [](auto v) {
  auto c = relu(p);
  auto alike = max(p, p) + min(p, p) + clamp(p, p, p) + pow(p, p) + max(c, c) + min(c, c) + clamp(c, c, c) + fmod(c, c);
  return v(x) + alike + sqrt(p) + exp(c) + pow(p, 2) + abs(c) + max(p, 1) + max(2, c) + max(v(x), p);
};

static_assert(stg::pass::verify(stg::trace(parameters)).what == stg::op::rule::none);
static_assert(stg::pass::verify(stg::trace(elementary)).what == stg::op::rule::none);
static_assert(stg::pass::verify(stg::trace(composed)).what == stg::op::rule::none);
static_assert(stg::pass::verify(stg::trace(steps)).what == stg::op::rule::none);
static_assert(stg::pass::verify(stg::trace(aggregates)).what == stg::op::rule::none);

}  // namespace under_std
